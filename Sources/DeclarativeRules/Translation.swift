public import ContentRules
internal import ResourceLoads

/// A list to be translated.
public struct DeclarativeList: Sendable {
  /// The list's name, for who reads the result.
  public var name: String
  /// The rules.
  public var rules: [Rule]

  /// Names the rules of a list.
  public init(name: String, rules: [Rule]) {
    self.name = name
    self.rules = rules
  }
}

/// Rule lists in the browser's declarative rules, and what happened to each rule.
public struct Translation: Sendable {
  /// The browser's rules, those that stay before those of a session, without the numbers that the web
  /// extension gives them (`firstID` in declarative.js).
  public internal(set) var rules: [DeclarativeRule] = []
  /// What happened to the rules of each list, in the order in which the lists were given.
  public internal(set) var lists: [ListResult] = []
  /// The browser whose rules these are.
  public internal(set) var browser: DeclarativeBrowser

  /// What happened to a list's rules.
  public struct ListResult: Sendable {
    /// The list's name.
    public internal(set) var name: String
    /// A rule's index in the list's JSON, and its verdict, in the list's order.
    public internal(set) var verdicts: [(rule: Int, verdict: Verdict)]
    /// How many of the browser's rules are of this list.
    public internal(set) var ruleCount = 0

    /// How many rules have each kind of verdict.
    public var counts: VerdictCounts { VerdictCounts(verdicts.lazy.map(\.verdict)) }
  }

  /// The priority of rules that no rule of their list drops.
  ///
  /// Chromium takes numbers up to 2³¹ − 1, but keeps 24 bits of them. Above this one are the rules by
  /// which the web extension exempts sites (`exemptPriority` in declarative.js).
  static let topPriority = 8_000_000

  /// How many of the browser's rules are regular expressions.
  public var regexCount: Int { rules.count { $0.condition.regexFilter != nil } }
}

/// Numbers of rules by their verdicts.
public struct VerdictCounts: Hashable, Sendable {
  /// Rules that the browser carries out as the engine does.
  public var exact = 0
  /// Rules that it carries out nearly so.
  public var approximated = 0
  /// Rules that it does not carry out.
  public var notExpressible = 0
  /// Hiding rules.
  public var hiding = 0
  /// Rules that do nothing in a content blocker.
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
  /// The rules that act on loads, which are those that browsers are to carry out.
  public var acting: Int { exact + approximated + notExpressible }
}
