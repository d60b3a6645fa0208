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
    var byCondition = [[Int]](repeating: [], count: conditionCount)
    var order: [Int] = []
    var hiding: [Int] = []
    for (place, entry) in entries.enumerated() {
      if isPositive(entry.condition) {
        byCondition[Int((entry.condition - 1) / 2)].append(place)
      } else if entry.hides {
        hiding.append(place)
      } else {
        order.append(place)
      }
    }
    let acting = order.count
    order += hiding
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(UInt32(order.count))
    bytes.appendLittleEndian(UInt32(acting))
    bytes.appendLittleEndian(UInt32(entries.count))
    for places in byCondition {
      bytes.appendLittleEndian(UInt32(order.count))
      order += places
    }
    bytes.appendLittleEndian(UInt32(order.count))
    for place in order {
      bytes.appendLittleEndian(entries[place].entryClass)
      bytes.appendLittleEndian(entries[place].rule)
    }
    return bytes
  }
}
