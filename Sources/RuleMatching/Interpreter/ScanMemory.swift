/// Working memory for scanning one URL after the other.
@safe
@usableFromInline
struct ScanMemory: ~Copyable {
  var threads: ThreadLists
  /// Filters that may match in several places and have done so in one.
  var matched = MatchedFilters()
  /// What the URL contains, for hosts with many filters.
  var grams = TextGrams()
  /// What the hosts of the last requests led to.
  var hosts = HostMemory()
  private var scheme = SchemeLayout()
  /// For each stamp, the generation in which its filter last ran.
  @usableFromInline var stamps: UnsafeMutableBufferPointer<UInt32>
  private var generation: UInt32 = 0
  /// Keys to look up.
  @usableFromInline var keys: UnsafeMutableBufferPointer<KeyCandidate>

  /// Buckets of the gram table to look into.
  @usableFromInline var buckets: UnsafeMutableBufferPointer<UInt64>

  /// How many buckets can be noted.
  static let mostBuckets = 32
  /// How many keys can be noted.
  static let mostKeys = 32

  /// Creates memory for indexes with up to so many stamps and threads.
  init(stampCount: Int, threadCount: Int) {
    threads = ThreadLists(capacity: threadCount)
    unsafe stamps = .allocate(capacity: stampCount)
    unsafe stamps.initialize(repeating: 0)
    unsafe buckets = .allocate(capacity: Self.mostBuckets)
    unsafe buckets.initialize(repeating: 0)
    unsafe keys = .allocate(capacity: Self.mostKeys)
    unsafe keys.initialize(repeating: KeyCandidate(kind: .word, length: 0, position: 0, hash: 0))
  }

  @inlinable
  deinit {
    unsafe keys.deallocate()
    unsafe buckets.deallocate()
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

  /// The bounds of a bucket that were noted.
  @inline(__always)
  func bucket(_ number: Int) -> UInt64 {
    precondition(unsafe buckets.indices.contains(number), "no such bucket")
    return unsafe buckets[number]
  }

  /// Notes the bounds of a bucket under a number below ``mostBuckets``.
  @inline(__always)
  func setBucket(_ number: Int, _ bounds: UInt64) {
    precondition(unsafe buckets.indices.contains(number), "no room for a bucket")
    unsafe buckets[number] = bounds
  }

  /// A key that was noted for the current place.
  @inline(__always)
  func key(_ number: Int) -> KeyCandidate {
    precondition(unsafe keys.indices.contains(number), "no such key")
    return unsafe keys[number]
  }

  /// Notes a key under a number below ``mostKeys``.
  @inline(__always)
  func setKey(_ number: Int, _ key: KeyCandidate) {
    precondition(unsafe keys.indices.contains(number), "no room for a key")
    unsafe keys[number] = key
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
    grams.removeAll()
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
