internal import ContentRules
package import LoadDeciding
internal import ResourceLoads
package import RuleMatching
internal import WebURL

// Hot: `tickbird match` decides a fate for each line of a log. Allocates nothing once the page is
// cached and the fate's arrays have grown.

/// The fate of a load and the rules that decide it; rules that hide something are only counted.
///
/// Has the content of ``LoadDecision`` in a form that can be reused for one load after the other.
package struct LoadFate {
  /// A rule with the position of its list.
  package struct Rule {
    /// The list's position among the blocker's lists, from 0.
    package var list: Int
    /// The rule, and the slot of its action, which it may share with others.
    package var entry: MatchedEntry
  }

  /// Whether the load fails.
  package internal(set) var isBlocked = false
  /// Whether the load goes without cookies.
  package internal(set) var blocksCookies = false
  /// Whether a `make-https` rule applies.
  package internal(set) var makesHTTPS = false
  /// The rules that apply, apart from those that hide something: by list, slot and rule.
  package internal(set) var rules: [Rule] = []
  /// The ignore rules without which other rules would apply, apart from those that hide something.
  package internal(set) var exceptions: [Rule] = []
  /// The number of rules that hide something, without the global sheets.
  package internal(set) var hidingRules = 0
  /// The number of lists whose global sheets are attached.
  package internal(set) var attachedSheets = 0
  /// Whether rules apply whose effect depends on more than their kind, so that only
  /// ``ContentBlocker/decision(for:listsHiding:)`` tells what they do.
  package internal(set) var needsDecision = false

  /// Creates a fate without effect.
  package init() {}

  mutating func reset() {
    isBlocked = false
    blocksCookies = false
    makesHTTPS = false
    rules.removeAll(keepingCapacity: true)
    exceptions.removeAll(keepingCapacity: true)
    hidingRules = 0
    attachedSheets = 0
    needsDecision = false
  }

  /// Adds the decision of a list, without the rules that hide whatever the load.
  mutating func add(_ decision: ListDecision, _ entries: [MatchedEntry], list: Int) {
    isBlocked = isBlocked || decision.isBlocked
    blocksCookies = blocksCookies || decision.blocksCookies
    makesHTTPS = makesHTTPS || decision.makesHTTPS
    guard !entries.isEmpty else { return }
    let first = rules.count
    var isCutByPrevious = false
    var isCutByFollowing = false
    for entry in entries {
      switch entry.kind {
      case .ignorePreviousRules, .ignoreFollowingRules: continue
      case .cssDisplayNone:
        if decision.keeps(entry.slot) { hidingRules += 1 }
        continue
      case .block, .blockCookies, .makeHTTPS: break
      case .notify, .modifyHeaders, .redirect, .reportIdentifier:
        if decision.keeps(entry.slot) { needsDecision = true }
      }
      if decision.keeps(entry.slot) {
        insert(Rule(list: list, entry: entry), from: first)
      } else if Int64(entry.slot) >= decision.upperSlot {
        isCutByFollowing = true
      } else {
        isCutByPrevious = true
      }
    }
    guard isCutByPrevious || isCutByFollowing else { return }
    for entry in entries {
      let decides =
        switch entry.kind {
        case .ignorePreviousRules: isCutByPrevious && Int64(entry.slot) == decision.lowerSlot
        case .ignoreFollowingRules: isCutByFollowing && Int64(entry.slot) == decision.upperSlot
        default: false
        }
      if decides { exceptions.append(Rule(list: list, entry: entry)) }
    }
  }

  /// Inserts a rule in order among those of its list, of which there are few.
  private mutating func insert(_ rule: Rule, from first: Int) {
    let key = (rule.entry.slot, rule.entry.rule)
    var place = rules.count
    while place > first, (rules[place - 1].entry.slot, rules[place - 1].entry.rule) > key {
      place -= 1
    }
    rules.insert(rule, at: place)
  }
}

extension ContentBlocker {
  /// Decides a load whose URLs are given as bytes, with the rules behind it.
  ///
  /// The URLs are those of
  /// ``outcome(url:topURL:frameURL:resourceType:loadContext:requestMethod:loadType:)``. Ignores
  /// permissions.
  ///
  /// - Returns: `false` if a text is not an absolute URL.
  /// - Complexity: Like `outcome`; counting the rules that hide something adds a few searches.
  package mutating func decide(
    url: Span<UInt8>,
    topURL: Span<UInt8>?,
    frameURL: Span<UInt8>?,
    _ traits: LoadTraits,
    into fate: inout LoadFate
  ) -> Bool {
    fate.reset()
    switch decider.prepare(url: url, topURL: topURL, frameURL: frameURL, traits) {
    case .invalid: return false
    case .unchecked: break
    case .checked(let properties): decide(properties, into: &fate)
    }
    return true
  }

  /// Decides a load, with the rules behind it.
  package mutating func decide(_ load: ResourceLoad, into fate: inout LoadFate) {
    fate.reset()
    guard case .checked(let properties) = prepare(load) else { return }
    decide(properties, into: &fate)
  }

  /// Decides the prepared load.
  private mutating func decide(_ properties: LoadProperties, into fate: inout LoadFate) {
    var counter = hidingCounter ?? HidingCounter(decider.lists)
    hidingCounter = nil
    for number in lists.indices {
      let decision = decider.decide(properties, list: number)
      fate.add(decision, decider.matchedEntries, list: number)
      fate.hidingRules += counter.count(decision, list: number, decider)
      if decision.attachesGlobalSheet, lists[number].compiled.hasGlobalSheet {
        fate.attachedSheets += 1
      }
    }
    hidingCounter = counter
  }
}
