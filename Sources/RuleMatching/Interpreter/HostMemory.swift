// Hot: asked once for each index and URL; about the cost of hashing the host. 256 entries of 128
// bytes, 32 KiB in all; hosts over 48 bytes, or with more than eight keys, are not cached. An entry
// names its list and index, so that no list reads what another one stored. Guarded by
// `Scripts/count-instructions`; Documentation/Performance.md.

/// A cache of look-ups in the key table, by host.
///
/// A page requests the same few hosts again and again. The keys of a cached host need no look-up,
/// except those that reach beyond the host and so depend on the path.
///
/// Direct-mapped: the hash of a host selects its only entry, where the last host with that hash is.
/// All bytes of the host are compared. An entry belongs to one index of one list.
@safe
@usableFromInline
struct HostMemory: ~Copyable {
  /// A view of one host's entry; the memory is the cache's.
  @safe
  struct Entry {
    /// The entry's words; ``HostMemory/size`` lists the fields.
    fileprivate let words: UnsafeMutablePointer<UInt64>

    /// Whether there is a key of the host in the table, or may be one that reaches beyond it.
    @inline(__always)
    var hasKeys: Bool { unsafe words[1] & 0xFFFF != 0 }

    /// The number of the host's keys that are in the table.
    @inline(__always)
    var hitCount: Int { unsafe Int(truncatingIfNeeded: words[1] & 0xFF) }

    /// Returns the record of a key, its length, and its offset from the host's start.
    @inline(__always)
    func hit(_ number: Int) -> (record: Int, length: Int, place: Int) {
      precondition(number >= 0 && number < HostMemory.mostHits, "no such key")
      let word = unsafe words[8 &+ number]
      return (
        Int(truncatingIfNeeded: word &>> 16), Int(truncatingIfNeeded: word &>> 8 & 0xFF),
        Int(truncatingIfNeeded: word & 0xFF)
      )
    }

    /// The number of labels from which a prefix may reach beyond the host.
    @inline(__always)
    var edgeCount: Int { unsafe Int(truncatingIfNeeded: words[1] &>> 8 & 0xFF) }

    @inline(__always)
    func edge(_ number: Int) -> Int {
      unsafe Int(
        truncatingIfNeeded: words[1] &>> UInt64(truncatingIfNeeded: 16 &+ 8 &* number) & 0xFF
      )
    }
  }

  /// The longest host that is cached, in bytes: six words.
  static let longestHost = 48
  private static let mostHits = 8
  private static let mostEdges = 4
  private static let bits = 8
  /// An entry's words: the owner with the length; counts and edges; six of the host; eight hits.
  private static let size = 16

  @usableFromInline var words: UnsafeMutablePointer<UInt64>
  /// The lists that entries may belong to, their object identifiers, and their numbers.
  private var owners: [ListIdentity] = []
  private var names: [ObjectIdentifier] = []
  private var numbers: [UInt64] = []
  private var lastNumber: UInt64 = 0
  /// The number of the list in use; 0 for none, for which nothing is cached.
  private var current: UInt64 = 0
  private static let mostOwners = 16
  /// How many numbers are given out before they begin again.
  ///
  /// An owner word has room for 2²⁴, which a scratch that turns between more than ``mostOwners`` lists could use
  /// up. To begin again this early costs nothing that could be measured, and a test can wait for it.
  static let mostNumbers: UInt64 = 1 << 16

  init() {
    unsafe words = .allocate(capacity: Self.size << Self.bits)
    unsafe words.initialize(repeating: 0, count: Self.size << Self.bits)
  }

  @inlinable deinit { unsafe words.deallocate() }

  /// Registers a list.
  ///
  /// Retains its identity, so that no later list can get the same `ObjectIdentifier`.
  mutating func add(_ list: ListIdentity) {
    let name = ObjectIdentifier(list)
    for known in names where known == name { return }
    if lastNumber == Self.mostNumbers { forgetAll() }
    // Round robin. The number is new each time until all are used up, so entries of the list that is replaced
    // never match again.
    let place = Int(truncatingIfNeeded: lastNumber) % Self.mostOwners
    lastNumber += 1
    if place < owners.count {
      owners[place] = list
      names[place] = name
      numbers[place] = lastNumber
    } else {
      owners.append(list)
      names.append(name)
      numbers.append(lastNumber)
    }
  }

  /// Forgets all lists and all hosts, without which a number that is given out again would lead to what another
  /// list has stored.
  private mutating func forgetAll() {
    unsafe words.update(repeating: 0, count: Self.size << Self.bits)
    owners.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
    numbers.removeAll(keepingCapacity: true)
    (lastNumber, current) = (0, 0)
  }

  /// Selects the list that is asked about from now on.
  ///
  /// - Returns: Whether it is registered; if not, nothing is cached.
  @inline(__always)
  @discardableResult
  mutating func use(_ list: ListIdentity) -> Bool {
    let name = ObjectIdentifier(list)
    for place in names.indices where names[place] == name {
      current = numbers[place]
      return true
    }
    current = 0
    return false
  }

  /// Returns the entry for a host.
  ///
  /// - Parameters:
  ///   - index: A number that tells the list's indexes apart.
  ///   - view: The folded text.
  ///   - start: Where the host begins.
  ///   - end: Where it ends, at most the text's length.
  /// - Returns: The entry, its owner word, and whether it holds this host; `nil` for hosts that are
  ///   not cached.
  @inline(__always)
  func entry(
    _ index: Int,
    _ view: TextView,
    _ start: Int,
    _ end: Int
  ) -> (entry: Entry, owner: UInt64, isKnown: Bool)? {
    let length = end &- start
    guard current != 0, length > 0, length <= Self.longestHost, start >= 0, end <= view.count else {
      return nil
    }
    // The owner word includes the length: a host and its prefix never compare equal.
    let owner =
      current &<< 40 ^ UInt64(truncatingIfNeeded: index) &<< 8
      ^ UInt64(truncatingIfNeeded: length)
    var hash = owner
    var offset = 0
    // In bounds by the guard; the last word's bytes beyond the host are shifted out.
    while length &- offset > 8 {
      hash = unsafe FilterIndex.mix(hash, view.word(unchecked: start &+ offset))
      offset &+= 8
    }
    let unused = UInt64(truncatingIfNeeded: 64 &- 8 &* (length &- offset))
    let last = unsafe view.word(unchecked: start &+ offset) &<< unused
    hash = FilterIndex.mix(hash, last)
    let place = Int(truncatingIfNeeded: hash &>> UInt64(64 &- Self.bits))
    let entry = unsafe words + place &* Self.size
    // Differences are collected, not branched on: a known host, the usual case, compares everything
    // anyway.
    var difference = unsafe entry[0] ^ owner
    var word = 2
    var other = start
    while other < start &+ offset {
      difference |= unsafe entry[word] ^ view.word(unchecked: other)
      word &+= 1
      other &+= 8
    }
    difference |= unsafe entry[word] ^ last
    return unsafe (Entry(words: entry), owner, difference == 0)
  }

  /// Starts an entry for a host, without hits or edges, replacing the one before.
  func begin(_ entry: Entry, _ owner: UInt64, _ view: TextView, _ start: Int, _ end: Int) {
    unsafe entry.words[0] = owner
    unsafe entry.words[1] = 0
    var word = 2
    var place = start
    while end &- place > 8 {
      unsafe entry.words[word] = view.word(at: place)
      word &+= 1
      place &+= 8
    }
    let unused = UInt64(truncatingIfNeeded: 64 &- 8 &* (end &- place))
    unsafe entry.words[word] = view.word(at: place) &<< unused
  }

  /// Adds a key that is in the table.
  func addHit(_ entry: Entry, record: Int, length: Int, place: Int) {
    let count = entry.hitCount
    guard count < Self.mostHits else { return forget(entry) }
    unsafe entry.words[8 &+ count] =
      UInt64(truncatingIfNeeded: record) &<< 16 | UInt64(truncatingIfNeeded: length) &<< 8
      | UInt64(truncatingIfNeeded: place)
    unsafe entry.words[1] &+= 1
  }

  /// Adds a label from which a prefix may reach beyond the host.
  func addEdge(_ entry: Entry, place: Int) {
    let count = entry.edgeCount
    guard count < Self.mostEdges else { return forget(entry) }
    unsafe entry.words[1] |=
      UInt64(truncatingIfNeeded: place) &<< UInt64(truncatingIfNeeded: 16 &+ 8 &* count)
    unsafe entry.words[1] &+= 1 &<< 8
  }

  /// Clears an entry whose host has more hits or edges than fit.
  private func forget(_ entry: Entry) { unsafe entry.words[0] = 0 }
}

/// The identity of a list, unlike that of any other list in the process.
final class ListIdentity: Sendable {
  init() {}
}
