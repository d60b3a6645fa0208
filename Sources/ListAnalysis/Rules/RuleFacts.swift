package import ContentRules
internal import ResourceLoads
package import RuleProofs

/// What an analysis knows of a rule.
package struct RuleFacts {
  /// The rule's number in its list.
  package var number: Int
  /// The loads that it matches; `nil` if WebKit never sees it match.
  package var loads: LoadSet?
  /// What it does to them.
  package var effect: Effect
  /// Whether it may be part of the list's global sheet: it hides, on every URL and without a
  /// condition.
  package var isForGlobalSheet = false

  /// Whether it is also reported, each time that it matches.
  package var isReported = false

  /// What a rule does, as far as rules are compared by it.
  package enum Effect: Hashable {
    case block
    case blockCookies
    case makeHTTPS
    /// Hides by selectors, each by its number; ascending.
    case hide([Int])
    case ignorePrevious
    case ignoreFollowing
    /// Anything else: each such rule is taken for different from all others.
    case other
  }

  /// Whether what is hidden depends on the rule.
  package var hides: Bool {
    switch effect {
    case .hide, .ignorePrevious, .ignoreFollowing: true
    default: false
    }
  }

  /// Whether it is one of the two kinds of exceptions.
  package var isException: Bool { effect == .ignorePrevious || effect == .ignoreFollowing }
}

/// Effects by which the place and number of slots show (section 7.2 of the rule language).
package struct SharedSlots: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// The list redirects: of a redirect and a block the one with the first slot wins, and a block's
  /// slot is that of the first block since the last exception.
  package static let redirects = SharedSlots(rawValue: 1)
  /// Several rules notify of the same text: once between two exceptions, however many match.
  package static let notifications = SharedSlots(rawValue: 2)
  /// Several rules change headers in the same way: their slot is that of the first of them, even if
  /// exceptions stand between, so that the others are cancelled by what stands before them.
  package static let headers = SharedSlots(rawValue: 4)
  /// A rule hides by a selector that only its end closes: joined with those of other rules with the
  /// same trigger, it changes what these mean.
  package static let openSelectors = SharedSlots(rawValue: 8)

  /// The effects by which more shows than an exception's place among rules of other kinds.
  package static let byPlace: SharedSlots = [.redirects, .notifications, .openSelectors]
}

/// The facts of all rules of a list, in its order.
package struct ListFacts {
  /// The rules, without those that WebKit skips.
  package let rules: [Rule]
  /// The facts of each.
  package private(set) var facts: [RuleFacts] = []
  /// The place of the first exception; the number of rules if there is none.
  package private(set) var firstException: Int
  /// What the list does by slots that several of its rules share.
  package private(set) var sharedSlots: SharedSlots = []
  private var selectorNumbers: [Substring: Int] = [:]
  private var selectors: [Substring] = []

  /// Collects the facts of a list's rules.
  ///
  /// - Complexity: O(*n*) for *n* bytes of rules.
  package init(_ rules: [Rule], sets: LoadSets) {
    self.rules = rules
    firstException = rules.count
    facts.reserveCapacity(rules.count)
    var notifications: Set<String> = []
    var headerChanges: Set<Action> = []
    for (place, rule) in rules.enumerated() {
      var own = RuleFacts(
        number: rule.index,
        loads: sets.loads(of: rule.trigger),
        effect: .other
      )
      own.effect = effect(of: rule)
      own.isReported = rule.identifier != nil
      if own.isException, firstException > place { firstException = place }
      if case .hide = own.effect, let loads = own.loads {
        own.isForGlobalSheet =
          rule.trigger.flags.isEmpty && loads.condition == 0
          && sets.patterns.isUniversal(loads.pattern)
      }
      switch rule.action {
      case .redirect: sharedSlots.insert(.redirects)
      case .notify(let text):
        if !notifications.insert(text).inserted { sharedSlots.insert(.notifications) }
      case .modifyHeaders:
        if !headerChanges.insert(rule.action).inserted { sharedSlots.insert(.headers) }
      case .cssDisplayNone(let selector):
        if !SelectorList.isClosed(selector) { sharedSlots.insert(.openSelectors) }
      default: break
      }
      facts.append(own)
    }
  }

  /// Whether the rule at a place is part of the global sheet.
  package func isGlobal(_ place: Int) -> Bool {
    facts[place].isForGlobalSheet && place < firstException
  }

  /// Returns the text of a selector, by its number in ``RuleFacts/Effect/hide(_:)``.
  func selector(_ number: Int) -> Substring { selectors[number] }

  /// The number of selectors; their numbers are below it.
  var selectorCount: Int { selectors.count }

  /// Returns the number of a selector; `nil` if no rule of the list has it.
  func number(ofSelector text: Substring) -> Int? { selectorNumbers[text] }

  /// Notes that no load is matched by the rule at a place.
  mutating func markAsDead(_ place: Int) { facts[place].loads = nil }

  private mutating func effect(of rule: Rule) -> RuleFacts.Effect {
    switch rule.action {
    case .ignorePreviousRules: return .ignorePrevious
    case .ignoreFollowingRules: return .ignoreFollowing
    // A rule with an identifier is also reported, each by itself.
    case _ where rule.identifier != nil: return .other
    case .block: return .block
    case .blockCookies: return .blockCookies
    case .makeHTTPS: return .makeHTTPS
    case .notify, .redirect, .modifyHeaders: return .other
    case .cssDisplayNone(let selector):
      var numbers: Set<Int> = []
      for part in SelectorParts.parts(of: selector) {
        if let number = selectorNumbers[part] {
          numbers.insert(number)
        } else {
          numbers.insert(selectors.count)
          selectorNumbers[part] = selectors.count
          selectors.append(part)
        }
      }
      return .hide(numbers.sorted())
    }
  }
}
