/// What the key table had for the hosts of the last requests.
///
/// A page asks the same few hosts again and again. For a host that is known the keys are not looked
/// up, but for those that reach beyond the host, which depend on what follows.
///
/// A host has one place, where the last one with its hash is; all its bytes are compared. Each entry
/// belongs to one index of one list.
@safe
@usableFromInline
struct HostMemory: ~Copyable {
  /// What an entry says about a host; its words belong to the memory.
  @safe
  struct Entry {
    /// The words that hold the fields; see ``HostMemory/size``.
    fileprivate let words: UnsafeMutablePointer<UInt64>

    /// How many keys of the host are in the table.
    @inline(__always)
    var hitCount: Int { unsafe Int(truncatingIfNeeded: words[1] & 0xFF) }

    /// A key's record, its length, and its place from the host's start.
    @inline(__always)
    func hit(_ number: Int) -> (record: Int, length: Int, place: Int) {
      precondition(number >= 0 && number < HostMemory.mostHits, "no such key")
      let word = unsafe words[8 &+ number]
      return (
        Int(truncatingIfNeeded: word &>> 16), Int(truncatingIfNeeded: word &>> 8 & 0xFF),
        Int(truncatingIfNeeded: word & 0xFF)
      )
    }

    /// The labels from which a prefix reaches beyond the host: their places from its start.
    @inline(__always)
    var edgeCount: Int { unsafe Int(truncatingIfNeeded: words[1] &>> 8 & 0xFF) }

    @inline(__always)
    func edge(_ number: Int) -> Int {
      unsafe Int(
        truncatingIfNeeded: words[1] &>> UInt64(truncatingIfNeeded: 16 &+ 8 &* number) & 0xFF
      )
    }
  }

  /// The longest host that is remembered, in bytes.
  static let longestHost = 48
  private static let mostHits = 8
  private static let mostEdges = 4
  private static let bits = 8
  /// An entry: owner and length; counts and edges; six words of the host; eight hits.
  private static let size = 16

  @usableFromInline var words: UnsafeMutablePointer<UInt64>
  /// The lists that entries belong to, and their numbers.
  private var owners: [ListIdentity] = []
  private var names: [ObjectIdentifier] = []
  private var numbers: [UInt64] = []
  private var lastNumber: UInt64 = 0
  /// The list in use; 0 for none, which remembers nothing.
  private var current: UInt64 = 0
  private static let mostOwners = 16

  init() {
    unsafe words = .allocate(capacity: Self.size << Self.bits)
    unsafe words.initialize(repeating: 0, count: Self.size << Self.bits)
  }

  @inlinable deinit { unsafe words.deallocate() }

  /// Makes room for a list.
  ///
  /// Its identity is kept, so that no other list can have it meanwhile.
  mutating func add(_ list: ListIdentity) {
    let name = ObjectIdentifier(list)
    for known in names where known == name { return }
    // The places go round.
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

  /// Takes a list for the one that is asked about from now on.
  @inline(__always)
  mutating func use(_ list: ListIdentity) {
    let name = ObjectIdentifier(list)
    for place in names.indices where names[place] == name {
      current = numbers[place]
      return
    }
    current = 0
  }

  /// Finds a host.
  ///
  /// - Parameters:
  ///   - index: Tells the list's indexes apart.
  ///   - view: The folded text.
  ///   - start: Where the host begins.
  ///   - end: Where it ends, at most the text's length.
  /// - Returns: Its entry, and whether it is filled; `nil` for hosts that are not remembered.
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
    let owner =
      current &<< 40 ^ UInt64(truncatingIfNeeded: index) &<< 8
      ^ UInt64(truncatingIfNeeded: length)
    var hash = owner
    var offset = 0
    // In bounds by the guard above; the last word is cut off at the host's end.
    while length &- offset > 8 {
      hash = unsafe FilterIndex.mix(hash, view.word(unchecked: start &+ offset))
      offset &+= 8
    }
    let unused = UInt64(truncatingIfNeeded: 64 &- 8 &* (length &- offset))
    let last = unsafe view.word(unchecked: start &+ offset) &<< unused
    hash = FilterIndex.mix(hash, last)
    let place = Int(truncatingIfNeeded: hash &>> UInt64(64 &- Self.bits))
    let entry = unsafe words + place &* Self.size
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

  /// Fills the entry of a host, which then holds nothing yet.
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

  /// Notes a key that is in the table.
  func addHit(_ entry: Entry, record: Int, length: Int, place: Int) {
    let count = entry.hitCount
    guard count < Self.mostHits else { return forget(entry) }
    unsafe entry.words[8 &+ count] =
      UInt64(truncatingIfNeeded: record) &<< 16 | UInt64(truncatingIfNeeded: length) &<< 8
      | UInt64(truncatingIfNeeded: place)
    unsafe entry.words[1] &+= 1
  }

  /// Notes a label from which a prefix reaches beyond the host.
  func addEdge(_ entry: Entry, place: Int) {
    let count = entry.edgeCount
    guard count < Self.mostEdges else { return forget(entry) }
    unsafe entry.words[1] |=
      UInt64(truncatingIfNeeded: place) &<< UInt64(truncatingIfNeeded: 16 &+ 8 &* count)
    unsafe entry.words[1] &+= 1 &<< 8
  }

  /// Empties an entry that has not the room for all there is.
  private func forget(_ entry: Entry) { unsafe entry.words[0] = 0 }
}

/// Tells one list from all others that exist.
final class ListIdentity: Sendable {
  init() {}
}
