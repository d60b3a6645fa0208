/// One line of a list: a rule, or the identifier report that follows it.
struct Entry {
  /// The index of the rule in the JSON array.
  ///
  /// Skipped rules count.
  let rule: Int
  var trigger: Trigger
  let action: ReferenceAction
  /// The place of the action in the result of a load.
  ///
  /// Assigned by ``assignSlots(_:)``.
  var slot = 0
}

/// Gives each entry its slot and returns the slot of the first ignore rule, if there is one.
///
/// > Source: The rule language, section 7.2.
func assignSlots(_ entries: inout [Entry]) -> Int? {
  var count = 0
  var firstIgnoreSlot: Int?

  /// Which action, with which flags. Texts are compared by their bytes.
  struct Key: Hashable {
    let action: [UInt8]
    let flags: TriggerFlags
  }
  /// Slots that later rules of the same segment may share.
  var ofSegment: [Key: Int] = [:]
  /// Slots that all later rules may share: those of redirect and modify-headers.
  var ofList: [Key: Int] = [:]
  /// Slots of the ignore-previous-rules directly before, by their flags.
  var ofIgnoreRun: [TriggerFlags: Int] = [:]
  /// Unconditional hiding rules of the segment, which get their slots at its end: entries with one
  /// trigger in one group, groups in the order of their first entry.
  var hiding: [[Int]] = []
  var hidingGroup: [Trigger.Identity: Int] = [:]

  func newSlot() -> Int {
    defer { count += 1 }
    return count
  }
  func endSegment() {
    for group in hiding {
      let slot = newSlot()
      for index in group { entries[index].slot = slot }
    }
    hiding = []
    hidingGroup = [:]
    ofSegment = [:]
  }

  for index in entries.indices {
    let trigger = entries[index].trigger
    let action = entries[index].action
    if action.isIgnoring { endSegment() }
    if action.type != "ignore-previous-rules" { ofIgnoreRun = [:] }

    let isConditional = trigger.condition != nil
    if action.isHiding && !isConditional {
      if let group = hidingGroup[trigger.identity] {
        hiding[group].append(index)
      } else {
        hidingGroup[trigger.identity] = hiding.count
        hiding.append([index])
      }
      continue
    }

    var text = action.type + JSONValue.object(action.fields).text
    // The url filter, whose captures are inserted, is a part of such an action.
    if action.fields["redirect"]?.object?["regex-substitution"] != nil {
      text += trigger.identity.urlFilter
    }
    let key = Key(
      action: Array(text.utf8),
      flags: trigger.flags
    )
    let shared: Int? =
      switch action.type {
      case _ where isConditional: nil
      case "block", "block-cookies", "make-https", "notify": ofSegment[key]
      case "redirect", "modify-headers": ofList[key]
      case "ignore-previous-rules": ofIgnoreRun[trigger.flags]
      default: nil
      }
    let slot = shared ?? newSlot()
    entries[index].slot = slot
    if action.isIgnoring && firstIgnoreSlot == nil { firstIgnoreSlot = slot }
    guard !isConditional else { continue }
    switch action.type {
    case "redirect", "modify-headers": ofList[key] = slot
    case "ignore-previous-rules": ofIgnoreRun[trigger.flags] = slot
    default: ofSegment[key] = slot
    }
  }
  endSegment()
  return firstIgnoreSlot
}
