/// Working memory for scanning one URL after the other.
@safe
struct ScanMemory: ~Copyable {
  var threads: ThreadLists
  /// Filters that may match in several places and have done so in one.
  var matched = MatchedFilters()
  private var scheme = SchemeLayout()
  /// For each stamp, the generation in which its filter last ran.
  private var stamps: UnsafeMutableBufferPointer<UInt32>
  private var generation: UInt32 = 0

  /// Creates memory for indexes with up to so many stamps and threads.
  init(stampCount: Int, threadCount: Int) {
    threads = ThreadLists(capacity: threadCount)
    unsafe stamps = .allocate(capacity: stampCount)
    unsafe stamps.initialize(repeating: 0)
  }

  deinit {
    unsafe stamps.deallocate()
  }

  /// Grows the memory where a list asks for more than any before.
  mutating func reserve(stampCount: Int, threadCount: Int) {
    if unsafe stampCount > stamps.count {
      unsafe stamps.deallocate()
      unsafe stamps = .allocate(capacity: stampCount)
      unsafe stamps.initialize(repeating: 0)
      generation = 0
    }
    if threadCount > threads.capacity {
      threads = ThreadLists(capacity: threadCount)
    }
  }

  /// Where the gaps of filters begin in this URL; beyond any URL where they do not.
  @inline(__always)
  func gapStart(_ anchor: UInt8, isCaseSensitive: Bool) -> Int {
    switch anchor {
    case GapAnchor.none.rawValue: 0
    case GapAnchor.behindColon.rawValue: scheme.behindColon
    default: isCaseSensitive ? scheme.behindExactHTTP : scheme.behindHTTP
    }
  }

  /// Forgets which filters ran.
  mutating func beginURL(_ scheme: SchemeLayout) {
    self.scheme = scheme
    matched.removeAll()
    generation &+= 1
    if generation == 0 {
      unsafe stamps.update(repeating: 0)
      generation = 1
    }
  }

  /// Whether a filter has run for this URL and index.
  @inline(__always)
  func hasRun(_ stamp: Int) -> Bool {
    precondition(unsafe stamps.indices.contains(stamp), "the scratch was made for another list")
    return unsafe stamps[stamp] == generation
  }

  /// Notes that a filter runs.
  @inline(__always)
  mutating func noteRun(_ stamp: Int) {
    precondition(unsafe stamps.indices.contains(stamp), "the scratch was made for another list")
    unsafe stamps[stamp] = generation
  }
}
