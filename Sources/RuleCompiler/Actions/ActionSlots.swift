internal import ActionCoding
package import ContentRules
internal import ResourceLoads
package import RuleMatching

/// Assigns every rule its action slot.
///
/// Slots are numbered in the order in which WebKit's compiler lays actions out, which is the order
/// of a load's result. The list is cut into segments at every ignore rule; within a segment rules
/// with the same action and flags share a slot, conditional ones never do, and unconditional
/// hiding rules come last.
///
/// > Source: the rule language, section 7.2. WebKit: `serializeActions`.
package struct ActionSlots {
  /// The slots in order.
  package private(set) var slots: [Slot] = []
  /// The texts section.
  private(set) var texts: [UInt8] = []
  /// The slot of each rule, by its index in the rules given; `nil` for rules of the global sheet.
  package private(set) var slotOfRule: [UInt32?] = []
  /// The slot that reports a rule's identifier, by the rule's index in the rules given.
  package private(set) var reportSlots: [Int: UInt32] = [:]
  /// The offset in ``texts`` of the global sheet's selectors, joined by commas; `nil` without any.
  private(set) var globalSheet: UInt32?

  /// What rules that share a slot within a segment have in common.
  private struct Sharing: Hashable {
    var action: Action
    var flags: UInt32
    /// Compared only where a redirect inserts the filter's captures.
    var urlFilter: String?

    init(_ rule: Rule) {
      action = rule.action
      flags = rule.trigger.flags.packed
      if case .redirect(.regexSubstitution) = rule.action {
        urlFilter = rule.trigger.urlFilter.text
      }
    }
  }

  /// What hiding rules that share a slot have in common.
  private struct HidingTrigger: Hashable {
    var urlFilter: URLFilter
    var flags: UInt32
    var topURLFilterIsCaseSensitive: Bool
    var frameURLFilterIsCaseSensitive: Bool
  }

  private struct PendingHiding {
    var selectors: [String]
    var places: [Int]
    /// The first rule's index in the list.
    var firstRule: Int
    var isGlobal: Bool
  }

  private var shared: [Sharing: UInt32] = [:]
  /// The same for actions without arguments, by kind and flags: no strings are hashed.
  private var sharedPlain: [UInt64: UInt32] = [:]
  /// The last of them that was asked for, which most rules in a row share; nothing has all bits set.
  private var lastPlain = (sharing: UInt64.max, slot: 0 as UInt32)
  /// The same for redirects and header changes, whose slots WebKit shares across segments.
  private var sharedAcrossSegments: [Sharing: UInt32] = [:]
  private var ignorePreviousByFlags: [UInt32: UInt32] = [:]
  private var pending: [PendingHiding] = []
  private var pendingByTrigger: [HidingTrigger: Int] = [:]
  private var isFirstSegment = true
  private var globalSelectors: [String] = []

  /// Assigns slots to rules in the list's order.
  ///
  /// - Parameters:
  ///   - rules: The rules.
  ///   - matchesEverything: Tells whether the pattern of the rule at an index matches every URL.
  package init(_ rules: [Rule], matchesEverything: (Int) -> Bool) {
    self.init()
    for (place, rule) in rules.enumerated() {
      add(rule, matchesEverything: matchesEverything(place))
    }
    finish()
  }

  /// Creates an assignment without rules.
  init() {}

  /// Adds the next rule.
  mutating func add(_ rule: Rule, matchesEverything: Bool) {
    let place = slotOfRule.count
    slotOfRule.append(nil)
    add(rule, at: place, matchesEverything: matchesEverything)
    if let identifier = rule.identifier {
      // WebKit makes the report a rule of its own, so it ends a sequence of ignore rules.
      ignorePreviousByFlags.removeAll(keepingCapacity: true)
      reportSlots[place] = append(
        .reportIdentifier,
        ActionText.encode(identifier),
        rule.index
      )
    }
  }

  /// Assigns the slots that had to wait for the list's end.
  mutating func finish() {
    endSegment()
    if !globalSelectors.isEmpty {
      globalSheet = append(text: Array(globalSelectors.joined(separator: ",").utf8))
    }
  }

  private mutating func add(
    _ rule: Rule,
    at place: Int,
    matchesEverything: Bool
  ) {
    let isConditional = rule.trigger.condition != nil
    let flags = rule.trigger.flags.packed
    var isIgnorePrevious = false
    var isIgnoreFollowing = false
    // Without a comparison of actions, which would look at their texts.
    switch rule.action {
    case .ignorePreviousRules: isIgnorePrevious = true
    case .ignoreFollowingRules: isIgnoreFollowing = true
    default: break
    }
    if isIgnorePrevious || isIgnoreFollowing {
      endSegment()
      isFirstSegment = false
    }
    if !isIgnorePrevious, !ignorePreviousByFlags.isEmpty {
      ignorePreviousByFlags.removeAll(keepingCapacity: true)
    }
    if isConditional || isIgnoreFollowing {
      slotOfRule[place] = append(rule)
      return
    }
    switch rule.action {
    case .ignorePreviousRules:
      let slot = ignorePreviousByFlags[flags] ?? append(rule)
      ignorePreviousByFlags[flags] = slot
      slotOfRule[place] = slot
    case .cssDisplayNone(let selector):
      addHiding(
        selector,
        rule,
        at: place,
        isGlobal: isFirstSegment && rule.trigger.flags.isEmpty && matchesEverything
      )
    case .redirect, .modifyHeaders:
      let sharing = Sharing(rule)
      let slot = sharedAcrossSegments[sharing] ?? append(rule)
      sharedAcrossSegments[sharing] = slot
      slotOfRule[place] = slot
    case .block, .blockCookies, .makeHTTPS:
      let sharing = UInt64(ActionText.kind(of: rule.action).rawValue) << 32 | UInt64(flags)
      if lastPlain.sharing == sharing {
        slotOfRule[place] = lastPlain.slot
        return
      }
      let slot = sharedPlain[sharing] ?? append(rule)
      sharedPlain[sharing] = slot
      lastPlain = (sharing, slot)
      slotOfRule[place] = slot
    case .notify, .ignoreFollowingRules:
      let sharing = Sharing(rule)
      let slot = shared[sharing] ?? append(rule)
      shared[sharing] = slot
      slotOfRule[place] = slot
    }
  }

  private mutating func addHiding(
    _ selector: String,
    _ rule: Rule,
    at place: Int,
    isGlobal: Bool
  ) {
    let trigger = rule.trigger
    let name = HidingTrigger(
      urlFilter: trigger.urlFilter,
      flags: trigger.flags.packed,
      topURLFilterIsCaseSensitive: trigger.topURLFilterIsCaseSensitive,
      frameURLFilterIsCaseSensitive: trigger.frameURLFilterIsCaseSensitive
    )
    if let number = pendingByTrigger[name] {
      pending[number].selectors.append(selector)
      pending[number].places.append(place)
    } else {
      pendingByTrigger[name] = pending.count
      pending.append(
        PendingHiding(
          selectors: [selector],
          places: [place],
          firstRule: rule.index,
          isGlobal: isGlobal
        )
      )
    }
  }

  /// Lays out the segment's hiding rules, in the order of their first appearance.
  ///
  /// > Deviation: WebKit's order is that of a hash table and differs between runs.
  private mutating func endSegment() {
    for hiding in pending {
      if hiding.isGlobal {
        globalSelectors += hiding.selectors
        continue
      }
      let text = append(text: Array(hiding.selectors.joined(separator: ",").utf8))
      slots.append(
        Slot(kind: .cssDisplayNone, text: text, firstRule: UInt32(hiding.firstRule))
      )
      for place in hiding.places { slotOfRule[place] = UInt32(slots.count - 1) }
    }
    pending.removeAll(keepingCapacity: true)
    pendingByTrigger.removeAll(keepingCapacity: true)
    shared.removeAll(keepingCapacity: true)
    sharedPlain.removeAll(keepingCapacity: true)
    lastPlain.sharing = .max
  }

  private mutating func append(_ rule: Rule) -> UInt32 {
    let text = ActionText.encode(rule.action, urlFilter: rule.trigger.urlFilter.text)
    return append(ActionText.kind(of: rule.action), text, rule.index)
  }

  private mutating func append(_ kind: ActionKind, _ text: [UInt8]?, _ rule: Int) -> UInt32 {
    let offset = text.map { append(text: $0) } ?? Slot.noText
    slots.append(Slot(kind: kind, text: offset, firstRule: UInt32(rule)))
    return UInt32(slots.count - 1)
  }

  private mutating func append(text: [UInt8]) -> UInt32 {
    let offset = UInt32(truncatingIfNeeded: texts.count)
    texts.appendLittleEndian(UInt32(text.count))
    texts += text
    return offset
  }
}
