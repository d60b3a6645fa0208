/// Numbers from 0 on that are found by the hash of what they stand for, by open addressing.
///
/// Whoever has the things compares them; the table knows numbers and hashes alone:
///
///     var probe = table.probe(hash)
///     while let number = table.next(&probe) {
///       if things[number] == sought { return number }
///     }
///     table.addNext(at: probe)
///
/// Of numbers with the same hash the lower one is offered first. Which hashes are the same may differ from
/// process to process, so nothing that is compiled may depend on more than whether one of them is right.
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

  /// 0, or a number and 1, with the upper bits of its hash above it.
  ///
  /// Their count is a power of two, and the hash's lower bits choose a slot. As never more than two thirds are
  /// in use, as many bits hold each number and 1. A look-up mostly waits for this memory, so a slot has half
  /// the bytes that a number beside a whole hash would take.
  @usableFromInline var slots = [UInt32](repeating: 0, count: 64)
  /// The hash of each number.
  @usableFromInline var hashes: [UInt32] = []

  /// Makes an empty table.
  @inlinable
  public init() {}

  /// The bits of a slot that hold its number, and of a hash that choose its slot.
  @inlinable var numberMask: UInt32 { UInt32(truncatingIfNeeded: slots.count - 1) }

  /// The hash that a number was added with.
  @inlinable
  public func hash(of number: Int) -> UInt32 { hashes[number] }

  /// Begins a search.
  @inlinable
  public func probe(_ hash: UInt32) -> Probe {
    Probe(hash: hash, slot: Int(truncatingIfNeeded: hash & numberMask))
  }

  /// The next number whose hash is the one sought; nil once there is none.
  @inlinable
  public func next(_ probe: inout Probe) -> Int? {
    while slots[probe.slot] != 0 {
      let entry = slots[probe.slot]
      probe.slot = (probe.slot + 1) & (slots.count - 1)
      guard (entry ^ probe.hash) & ~numberMask == 0 else { continue }
      let number = Int(truncatingIfNeeded: entry & numberMask) - 1
      if hashes[number] == probe.hash { return number }
    }
    return nil
  }

  /// Adds the next number, which is how many there are, where a search has found nothing more.
  ///
  /// - Parameter probe: A search to which ``next(_:)`` said nil, with nothing added since.
  /// - Precondition: There are less than 2³¹ numbers.
  /// - Complexity: amortized O(1).
  @inlinable
  public mutating func addNext(at probe: Probe) {
    hashes.append(probe.hash)
    put(hashes.count, probe.hash, in: probe.slot)
    if hashes.count * 3 > slots.count * 2 { grow() }
  }

  @inlinable
  mutating func put(_ numberAndOne: Int, _ hash: UInt32, in slot: Int) {
    slots[slot] = hash & ~numberMask | UInt32(truncatingIfNeeded: numberAndOne)
  }

  @usableFromInline
  mutating func grow() {
    slots = Array(repeating: 0, count: slots.count * 4)
    for (number, hash) in hashes.enumerated() {
      var slot = Int(truncatingIfNeeded: hash & numberMask)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      put(number + 1, hash, in: slot)
    }
  }
}
