internal import Automata
internal import RuleMatching

/// Numbers the distinct entry classes.
struct EntryClassTable {
  private var classes: [EntryClass] = []
  private var numbers = ProbingTable()
  /// The last class of each slot, which most rules of the slot have again.
  private var lastOfSlot: [UInt32] = []

  mutating func number(of entryClass: EntryClass) -> UInt32 {
    let slot = Int(entryClass.slot)
    while lastOfSlot.count <= slot { lastOfSlot.append(.max) }
    let last = lastOfSlot[slot]
    if last != .max, classes[Int(last)] == entryClass { return last }
    let number = UInt32(truncatingIfNeeded: findOrAdd(entryClass))
    lastOfSlot[slot] = number
    return number
  }

  private mutating func findOrAdd(_ entryClass: EntryClass) -> Int {
    var probe = numbers.probe(SeededHash.of(entryClass))
    while let number = numbers.next(&probe) {
      if classes[number] == entryClass { return number }
    }
    numbers.addNext(at: probe)
    classes.append(entryClass)
    return classes.count - 1
  }

  func section() -> [UInt8] {
    var bytes: [UInt8] = []
    for entryClass in classes {
      bytes.appendLittleEndian(entryClass.slot)
      bytes.appendLittleEndian(entryClass.flagsAndKind)
      bytes.appendLittleEndian(entryClass.condition)
    }
    return bytes
  }
}

/// Collects the entries of filters that match every URL; see ``RuleMatching/UniversalTable``.
struct UniversalEntries {
  private struct Entry {
    var entryClass: UInt32
    var rule: UInt32
    var condition: UInt32
    var hides: Bool
  }

  private var entries: [Entry] = []

  var count: Int { entries.count }

  /// Adds an entry; `hides` says that it hides elements whatever the load.
  mutating func append(_ entryClass: UInt32, rule: UInt32, condition: UInt32, hides: Bool) {
    entries.append(Entry(entryClass: entryClass, rule: rule, condition: condition, hides: hides))
  }

  func section(conditionCount: Int) -> [UInt8] {
    // A reference is 0 for none, else 1 + 2 × number + (1 if negated).
    func isPositive(_ condition: UInt32) -> Bool { condition != 0 && (condition - 1) & 1 == 0 }
    func number(_ condition: UInt32) -> Int { Int((condition - 1) / 2) }
    /// How many entries each condition has; then where its next one goes in `order`.
    var ends = [Int](repeating: 0, count: conditionCount)
    var order: [Int] = []
    var hiding: [Int] = []
    for (place, entry) in entries.enumerated() {
      if isPositive(entry.condition) {
        ends[number(entry.condition)] += 1
      } else if entry.hides {
        hiding.append(place)
      } else {
        order.append(place)
      }
    }
    let acting = order.count
    order += hiding
    let unconditional = order.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(4 * (4 + conditionCount + 2 * entries.count))
    bytes.appendLittleEndian(UInt32(unconditional))
    bytes.appendLittleEndian(UInt32(acting))
    bytes.appendLittleEndian(UInt32(entries.count))
    var start = unconditional
    for condition in 0..<conditionCount {
      bytes.appendLittleEndian(UInt32(start))
      start += ends[condition]
      ends[condition] = start - ends[condition]
    }
    bytes.appendLittleEndian(UInt32(start))
    order += repeatElement(0, count: start - unconditional)
    for (place, entry) in entries.enumerated() where isPositive(entry.condition) {
      order[ends[number(entry.condition)]] = place
      ends[number(entry.condition)] += 1
    }
    for place in order {
      bytes.appendLittleEndian(entries[place].entryClass)
      bytes.appendLittleEndian(entries[place].rule)
    }
    return bytes
  }
}
