public import ResourceLoads

/// One object of a rule list: a trigger and an action.
///
/// > Source: the rule language, section 2. WebKit: `ContentExtensionRule`.
public struct Rule: Hashable, Sendable {
  /// The rule's position in the JSON array, from 0; skipped rules count.
  public var index: Int
  /// What the rule applies to.
  public var trigger: Trigger
  /// What happens to a load that the trigger matches.
  public var action: Action
  /// The private `_identifier` and `_rulesetIdentifier`, when the rule has them.
  public var identifier: RuleIdentifier?
  /// The bytes of the rule's object in the JSON text, half open.
  public var sourceRange: Range<Int>

  /// Creates a rule from its parts.
  public init(
    index: Int,
    trigger: Trigger,
    action: Action,
    identifier: RuleIdentifier? = nil,
    sourceRange: Range<Int> = 0..<0
  ) {
    self.index = index
    self.trigger = trigger
    self.action = action
    self.identifier = identifier
    self.sourceRange = sourceRange
  }
}

/// The identifier by which a web extension is notified of matches.
public struct RuleIdentifier: Hashable, Sendable {
  /// `_identifier`, as the engine keeps it.
  public var number: Double
  /// `_rulesetIdentifier`; empty when absent.
  public var ruleset: String

  /// Creates an identifier from its two parts.
  public init(number: Double, ruleset: String = "") {
    self.number = number
    self.ruleset = ruleset
  }
}

/// What a rule applies to.
///
/// > Source: the rule language, section 2.1. WebKit: `Trigger`.
public struct Trigger: Hashable, Sendable {
  /// `url-filter`, searched in the load's URL.
  public var urlFilter: URLFilter
  /// `resource-type`, `load-type`, `load-context` and `request-method`.
  public var flags: TriggerFlags
  /// The one condition on the page or the frame, if there is one.
  public var condition: Condition?
  /// `top-url-filter-is-case-sensitive`; part of comparing triggers even without a condition.
  public var topURLFilterIsCaseSensitive: Bool
  /// `frame-url-filter-is-case-sensitive`; part of comparing triggers even without a condition.
  public var frameURLFilterIsCaseSensitive: Bool

  /// Creates a trigger from its parts.
  public init(
    urlFilter: URLFilter,
    flags: TriggerFlags = TriggerFlags(),
    condition: Condition? = nil,
    topURLFilterIsCaseSensitive: Bool = false,
    frameURLFilterIsCaseSensitive: Bool = false
  ) {
    self.urlFilter = urlFilter
    self.flags = flags
    self.condition = condition
    self.topURLFilterIsCaseSensitive = topURLFilterIsCaseSensitive
    self.frameURLFilterIsCaseSensitive = frameURLFilterIsCaseSensitive
  }
}

/// The text of a pattern, and whether it is case-sensitive.
public struct URLFilter: Hashable, Sendable {
  /// The pattern, JSON escapes resolved.
  public var text: String
  /// Whether letters match only themselves.
  public var isCaseSensitive: Bool

  /// Creates a pattern from its text.
  public init(_ text: String, isCaseSensitive: Bool = false) {
    self.text = text
    self.isCaseSensitive = isCaseSensitive
  }
}

/// A test of the page or the frame, the same for all loads of a document.
///
/// > Source: the rule language, section 6.4. WebKit: `ConditionType`.
public struct Condition: Hashable, Sendable {
  /// Which URL is tested and how the entries are read.
  public enum Subject: UInt8, Hashable, Sendable {
    /// `if-domain`, `unless-domain`: entries are domains, searched in the top URL.
    case domain
    /// `if-top-url`, `unless-top-url`: entries are patterns, searched in the top URL.
    case topURL
    /// `if-frame-url`, `unless-frame-url`: entries are patterns, searched in the frame URL.
    case frameURL
  }

  /// Which URL is tested and how the entries are read.
  public var subject: Subject
  /// Whether the key began with `unless`: the condition holds when no entry matches.
  public var isNegated: Bool
  /// The entries in the list's order, never empty; any of them is enough.
  public var entries: [String]
  /// Whether letters in the entries match only themselves.
  public var isCaseSensitive: Bool

  /// Creates a condition from its parts.
  public init(
    subject: Subject,
    isNegated: Bool,
    entries: [String],
    isCaseSensitive: Bool = false
  ) {
    self.subject = subject
    self.isNegated = isNegated
    self.entries = entries
    self.isCaseSensitive = isCaseSensitive
  }
}
