internal import ResourceLoads

extension Disassembler {
  mutating func writeSlots() {
    line("slots: \(list.slotCount)")
    for number in 0..<list.slotCount { writeSlot(UInt32(number)) }
  }

  mutating func writeSlot(_ number: UInt32) {
    let slot = list.slot(number)
    let text = slot.text == Slot.noText ? "" : "  " + shortened(list.text(at: slot.text))
    let kind = padded(slot.kind.name, 23)
    line("\(padded(left: "\(number)", 6))  \(kind)first rule \(slot.firstRule)\(text)")
  }

  mutating func writeEntryClasses() {
    let count = sections.size(.entryClasses) / EntryClass.size
    line("entry classes: \(count)")
    for number in 0..<count { writeEntryClass(UInt32(number)) }
  }

  mutating func writeEntryClass(_ number: UInt32) {
    let entryClass = list.classes[number]
    var words = ["slot \(entryClass.slot)", entryClass.kind.name]
    let flags = TriggerFlags(packed: entryClass.flags).words
    if !flags.isEmpty { words.append("for " + flags.joined(separator: " ")) }
    if entryClass.condition != 0 {
      let (condition, isNegated) = reference(entryClass.condition)
      words.append((isNegated ? "unless" : "if") + " condition \(condition)")
    }
    line("\(padded(left: "\(number)", 6))  \(words.joined(separator: "  "))")
  }

  func reference(_ condition: UInt32) -> (condition: UInt32, isNegated: Bool) {
    ((condition - 1) / 2, (condition - 1) & 1 != 0)
  }

  mutating func writeCharacterSets() {
    let count = sections.size(.characterSets) / 16
    line("character sets: \(count)")
    for number in 0..<count {
      line("\(padded(left: "\(number)", 6))  \(characterSet(number).text)")
    }
  }

  func characterSet(_ number: Int) -> ListedCharacters {
    let offset = sections.start(.characterSets) + 16 * number
    return ListedCharacters(low: image.u64(offset), high: image.u64(offset + 8))
  }

  mutating func writeUniversal(onlyRule: UInt32? = nil) {
    let table = list.universal
    if onlyRule == nil {
      line("universal: \(table.count) entries, \(table.always) whatever the conditions")
    }
    for entry in 0..<table.count {
      let (entryClass, rule) = table.entry(entry)
      guard onlyRule == nil || onlyRule == rule else { continue }
      line("\(padded(left: "\(rule)", 6))  class \(entryClass)  \(found(entry, table))")
    }
  }

  private func found(_ entry: Int, _ table: UniversalTableView) -> String {
    guard entry >= table.always else { return "every URL" }
    // The last condition that starts at or before this entry.
    var low = 0
    var high = Int(list.info.conditionCount)
    while high - low > 1 {
      let middle = (low + high) / 2
      if table.first(middle) <= entry { low = middle } else { high = middle }
    }
    return "every URL, listed under condition \(low)"
  }
}

extension ActionKind {
  /// The kind's name, as rule lists spell it if they have it.
  public var name: String {
    switch self {
    case .block: "block"
    case .blockCookies: "block-cookies"
    case .cssDisplayNone: "css-display-none"
    case .notify: "notify"
    case .ignorePreviousRules: "ignore-previous-rules"
    case .ignoreFollowingRules: "ignore-following-rules"
    case .makeHTTPS: "make-https"
    case .modifyHeaders: "modify-headers"
    case .redirect: "redirect"
    case .reportIdentifier: "report-identifier"
    }
  }
}

extension TriggerFlags {
  /// The flags as rule lists spell them.
  fileprivate var words: [String] {
    var words = ResourceType.words.filter { resourceTypes.contains($0.type) }.map { "\($0.word)" }
    if loadTypes.contains(.firstParty) { words.append("first-party") }
    if loadTypes.contains(.thirdParty) { words.append("third-party") }
    if loadContexts.contains(.topFrame) { words.append("top-frame") }
    if loadContexts.contains(.childFrame) { words.append("child-frame") }
    if let requestMethod { words.append("method \(requestMethod)") }
    return words
  }
}
