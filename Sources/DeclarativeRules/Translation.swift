public import ContentRules
internal import ResourceLoads

/// A list to translate.
public struct DeclarativeList: Sendable {
  /// The list's name in the result.
  public var name: String
  /// The rules.
  public var rules: [Rule]

  /// Creates a list from its name and rules.
  public init(name: String, rules: [Rule]) {
    self.name = name
    self.rules = rules
  }
}

/// Rule lists as a browser's declarative rules, with the verdict for each rule.
public struct Translation: Sendable {
  /// The browser's rules, dynamic ones before session rules, without the IDs that the web extension
  /// gives them (from `firstID` in declarative.js on).
  public internal(set) var rules: [DeclarativeRule] = []
  /// The result for each list, in the order of the lists.
  public internal(set) var lists: [ListResult] = []
  /// The browser that the rules are for.
  public internal(set) var browser: DeclarativeBrowser

  /// The result for a list.
  public struct ListResult: Sendable {
    /// The list's name.
    public internal(set) var name: String
    /// A rule's index in the list's JSON, and its verdict, in the list's order.
    public internal(set) var verdicts: [(rule: Int, verdict: Verdict)]
    /// The number of browser rules of this list.
    public internal(set) var ruleCount = 0

    /// The number of rules with each kind of verdict.
    public var counts: VerdictCounts { VerdictCounts(verdicts.lazy.map(\.verdict)) }
  }

  /// The priority of rules that no rule of their list drops.
  ///
  /// Chromium accepts numbers up to 2³¹ − 1, but stores only 24 bits of them. The web extension exempts
  /// sites by rules with a higher one (`exemptPriority` in declarative.js).
  static let topPriority = 8_000_000

  /// The number of browser rules with regular expressions.
  public var regexCount: Int { rules.count { $0.condition.regexFilter != nil } }
}

/// Numbers of rules by their verdicts.
public struct VerdictCounts: Hashable, Sendable {
  /// Rules that the browser applies as the engine does.
  public var exact = 0
  /// Rules that it applies approximately.
  public var approximated = 0
  /// Rules that it cannot apply.
  public var notExpressible = 0
  /// Hiding rules.
  public var hiding = 0
  /// Rules without effect in a content blocker.
  public var withoutEffect = 0

  /// Counts verdicts.
  public init(_ verdicts: some Sequence<Verdict>) {
    for verdict in verdicts {
      switch verdict {
      case .exact: exact += 1
      case .approximated: approximated += 1
      case .notExpressible: notExpressible += 1
      case .hiding: hiding += 1
      case .withoutEffect: withoutEffect += 1
      }
    }
  }

  /// All rules.
  public var all: Int { exact + approximated + notExpressible + hiding + withoutEffect }
  /// The rules that act on loads, which browsers should apply.
  public var acting: Int { exact + approximated + notExpressible }
}
