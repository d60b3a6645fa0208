/// Numbers that are found by the hash of what they stand for, by open addressing.
///
/// Whoever has the things compares them; the table knows numbers and hashes alone:
///
///     var probe = table.probe(hash)
///     while let number = table.next(&probe) {
///       if things[number] == sought { return number }
///     }
///     table.add(things.count, at: probe)
///
/// Which numbers a probe offers first depends on the hashes, so nothing that is compiled may depend on
/// more than whether one of them is right.
///
/// Inlined where it is used: a list's compiler asks it for each text, host and subset of states.
public struct ProbingTable: Sendable {
  /// Where a search is.
  public struct Probe: Sendable {
    @usableFromInline let hash: UInt32
    @usableFromInline var slot: Int

    @inlinable
    init(hash: UInt32, slot: Int) {
      self.hash = hash
      self.slot = slot
    }
  }

  /// 0, or a number and 1 below its hash; never more than two thirds are in use.
  @usableFromInline var slots = [UInt64](repeating: 0, count: 64)
  @usableFromInline var count = 0

  /// Makes an empty table.
  @inlinable
  public init() {}

  /// Begins a search.
  @inlinable
  public func probe(_ hash: UInt32) -> Probe {
    Probe(hash: hash, slot: Int(truncatingIfNeeded: hash) & (slots.count - 1))
  }

  /// The next number whose hash is the one sought; nil once there is none.
  @inlinable
  public func next(_ probe: inout Probe) -> Int? {
    while slots[probe.slot] != 0 {
      let entry = slots[probe.slot]
      probe.slot = (probe.slot + 1) & (slots.count - 1)
      if UInt32(truncatingIfNeeded: entry >> 32) == probe.hash {
        return Int(UInt32(truncatingIfNeeded: entry)) - 1
      }
    }
    return nil
  }

  /// Adds a number where a search has found nothing more.
  ///
  /// - Parameters:
  ///   - number: A number below 2³² − 1.
  ///   - probe: A search to which ``next(_:)`` said nil, with nothing added since.
  /// - Complexity: amortized O(1).
  @inlinable
  public mutating func add(_ number: Int, at probe: Probe) {
    slots[probe.slot] = UInt64(probe.hash) << 32 | UInt64(UInt32(truncatingIfNeeded: number + 1))
    count += 1
    if count * 3 > slots.count * 2 { grow() }
  }

  @usableFromInline
  mutating func grow() {
    let entries = slots
    slots = Array(repeating: 0, count: entries.count * 4)
    for entry in entries where entry != 0 {
      var slot = Int(truncatingIfNeeded: entry >> 32) & (slots.count - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = entry
    }
  }
}
