// Hot: read and written at each place, key and stamp of a scan. Sized once by `reserve`:
// `mostBuckets` and `mostKeys` are fixed, stamps and threads are the list's. Nothing is cleared
// between URLs: a generation number outdates what the last one left. Unsafe buffers instead of
// arrays, since a write to an array checks for unique ownership each time. Guarded by
// `Scripts/count-instructions`.

internal import CGramScan
internal import TextScanning

/// A gram bucket that waits to be looked into: its entries, and where in the URL its gram stands.
@usableFromInline
struct WaitingBucket {
  var first: UInt32
  var end: UInt32
  var position: Int
}

/// Working memory for scanning one URL after the other.
@safe
@usableFromInline
struct ScanMemory: ~Copyable {
  var threads: ThreadLists
  /// Filters done with this URL: they matched, or no later occurrence of theirs can.
  var matched = MatchedFilters()
  /// The URL's grams, filled only for hosts with many filters.
  var grams = TextGrams()
  /// The cache of recent hosts' look-ups.
  var hosts = HostMemory()
  /// The start of the present URL.
  private(set) var scheme = SchemeLayout()
  /// For each stamp in which generation its filter last ran, and below that from which place.
  @usableFromInline var stamps: UnsafeMutableBufferPointer<UInt64>
  private var generation: UInt32 = 0
  /// Keys that passed the bit filter and wait to be looked up.
  @usableFromInline var keys: UnsafeMutableBufferPointer<KeyCandidate>

  /// The gram buckets that wait to be looked into.
  @usableFromInline var buckets: UnsafeMutableBufferPointer<WaitingBucket>
  /// The code that looks up the URL's grams.
  let scanCode: ScanCode
  /// How many words of bits say which grams are looked up.
  var gramWords = 0
  #if arch(x86_64)
  /// What the code with vectors reads of the present URL and index, kept here from one step to the next.
  @unsafe var gramScan = unsafe tickbird_gram_scan()
  /// The gram buckets that wait to be looked into by vectors, as many as ``buckets``.
  @unsafe let waitingBuckets: UnsafeMutablePointer<tickbird_waiting_bucket>
  /// The entries of the gram table that passed their checks, where vectors find them.
  @unsafe let foundEntries: UnsafeMutablePointer<tickbird_found_entries>
  #endif

  /// How many buckets are read in a batch: those of a word of bits.
  static let mostBuckets = 64
  /// How many groups of up to eight entries are noted in a batch.
  static let mostFound = 64
  /// How many keys are looked up in a batch.
  static let mostKeys = 32

  /// Creates memory for indexes with at most the given numbers of stamps and threads.
  init(stampCount: Int, threadCount: Int, scanCode: ScanCode) {
    self.scanCode = scanCode
    threads = ThreadLists(capacity: threadCount)
    unsafe stamps = .allocate(capacity: stampCount)
    unsafe stamps.initialize(repeating: 0)
    unsafe buckets = .allocate(capacity: Self.mostBuckets)
    unsafe buckets.initialize(repeating: WaitingBucket(first: 0, end: 0, position: 0))
    #if arch(x86_64)
    unsafe foundEntries = .allocate(capacity: Self.mostFound)
    unsafe foundEntries.initialize(repeating: tickbird_found_entries(), count: Self.mostFound)
    unsafe waitingBuckets = .allocate(capacity: Self.mostBuckets)
    unsafe waitingBuckets.initialize(repeating: tickbird_waiting_bucket(), count: Self.mostBuckets)
    #endif
    unsafe keys = .allocate(capacity: Self.mostKeys)
    unsafe keys.initialize(repeating: KeyCandidate(kind: .word, length: 0, position: 0, hash: 0))
  }

  deinit {
    unsafe keys.deallocate()
    unsafe buckets.deallocate()
    #if arch(x86_64)
    unsafe foundEntries.deallocate()
    unsafe waitingBuckets.deallocate()
    #endif
    unsafe stamps.deallocate()
  }

  /// Grows the memory if a list needs more than any before.
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

  /// Returns a noted bucket.
  @inline(__always)
  func bucket(_ number: Int) -> WaitingBucket {
    precondition(unsafe buckets.indices.contains(number), "no such bucket")
    return unsafe buckets[number]
  }

  /// Notes a bucket; `number` is below ``mostBuckets``.
  @inline(__always)
  func setBucket(_ number: Int, _ bucket: WaitingBucket) {
    precondition(unsafe buckets.indices.contains(number), "no room for a bucket")
    unsafe buckets[number] = bucket
  }

  #if arch(x86_64)
  /// Returns found entries by their number, which is below ``mostFound``.
  @inline(__always)
  func found(_ number: Int) -> tickbird_found_entries {
    precondition(number >= 0 && number < Self.mostFound, "no such entry")
    return unsafe foundEntries[number]
  }
  #endif

  /// Returns a noted key.
  @inline(__always)
  func key(_ number: Int) -> KeyCandidate {
    precondition(unsafe keys.indices.contains(number), "no such key")
    return unsafe keys[number]
  }

  /// Notes a key; `number` is below ``mostKeys``.
  @inline(__always)
  func setKey(_ number: Int, _ key: KeyCandidate) {
    precondition(unsafe keys.indices.contains(number), "no room for a key")
    unsafe keys[number] = key
  }

  /// Returns where a gap anchor lets filters begin in this URL; beyond any URL if nowhere.
  @inline(__always)
  func gapStart(_ anchor: UInt8, isCaseSensitive: Bool) -> Int {
    switch anchor {
    case GapAnchor.none.rawValue: 0
    case GapAnchor.behindColon.rawValue: scheme.behindColon
    default: isCaseSensitive ? scheme.behindExactHTTP : scheme.behindHTTP
    }
  }

  /// Starts a URL: forgets which filters ran for the last one.
  mutating func beginURL(_ text: borrowing URLText) {
    scheme.read(text)
    matched.removeAll()
    grams.removeAll()
    generation &+= 1
    // After 2³² URLs old stamps could be of the new generation.
    if generation == 0 {
      unsafe stamps.update(repeating: 0)
      generation = 1
    }
  }

  /// Whether the stamp's filter has run for this URL and index, from a place or an earlier one.
  @inline(__always)
  func hasRun(_ stamp: Int, from place: Int) -> Bool {
    precondition(unsafe stamps.indices.contains(stamp), "the scratch was made for another list")
    // What an earlier generation has left is beyond any place.
    return unsafe stamps[stamp] &- UInt64(generation) &<< 32 <= UInt64(truncatingIfNeeded: place)
  }

  /// Notes that the stamp's filter has run from a place; after 0 it does not run again for this URL.
  @inline(__always)
  mutating func noteRun(_ stamp: Int, from place: Int) {
    precondition(unsafe stamps.indices.contains(stamp), "the scratch was made for another list")
    unsafe stamps[stamp] =
      UInt64(generation) &<< 32 | UInt64(UInt32(truncatingIfNeeded: place))
  }
}
