/// One request that a browser wants to make.
public struct ReferenceLoad: Hashable, Sendable {
  /// What is loaded, as a URL parser serialises it.
  public var url: String
  /// The document of the main frame, as a URL parser serialises it.
  public var topURL: String
  /// The document of the frame that starts the load, as a URL parser serialises it.
  public var frameURL: String
  /// One of the engine's 14 types, such as `top-document`.
  public var resourceType: String
  /// Whether the load is first-party to the top URL.
  ///
  /// Public suffixes are the caller's business.
  public var isFirstParty: Bool
  /// `top-frame` or `child-frame`.
  public var loadContext: String
  /// The method of the request for the document, in any case; nil if it is not known.
  public var method: String?

  /// Describes a request.
  ///
  /// Without a frame URL the frame is the main frame's document.
  public init(
    url: String,
    topURL: String,
    frameURL: String? = nil,
    resourceType: String,
    isFirstParty: Bool,
    loadContext: String = "top-frame",
    method: String? = nil
  ) {
    self.url = url
    self.topURL = topURL
    self.frameURL = frameURL ?? topURL
    self.resourceType = resourceType
    self.isFirstParty = isFirstParty
    self.loadContext = loadContext
    self.method = method
  }
}

/// How the reference goes about its work.
///
/// No option changes a result.
public struct ReferenceOptions: Hashable, Sendable {
  /// Whether a pattern is skipped when the text lacks three characters that each of its matches
  /// must contain.
  public var usesLiteralCheck: Bool

  /// Sets the options.
  public init(usesLiteralCheck: Bool = true) { self.usesLiteralCheck = usesLiteralCheck }
}

/// What one list says about one load.
public struct ReferenceResult: Hashable, Sendable {
  /// An action and the rules it came from.
  public struct Applied: Hashable, Sendable {
    /// The action.
    ///
    /// Selectors of hiding rules with one trigger are joined with commas.
    public var action: ReferenceAction
    /// The indexes, in the JSON array, of the matching rules that share the action, ascending.
    public var rules: [Int]
    /// Which place the action has among all actions of the list, from 0.
    public var slot: Int
  }

  /// What happened to a rule that matched.
  public enum Outcome: Hashable, Sendable {
    /// Its action is in the result, or it is the ignore rule that took effect.
    case applied
    /// Its action is in the result under an earlier rule that also matched.
    case merged(into: Int)
    /// Dropped by an ignore-previous-rules.
    case cancelled(by: Int)
    /// Dropped by an ignore-following-rules.
    case swallowed(by: Int)
    /// It hides by the global sheet, not by this load.
    case inGlobalSheet
  }

  /// A rule that matched.
  public struct Matched: Hashable, Sendable {
    /// The index of the rule in the JSON array.
    public var rule: Int
    /// Whether this is the report that `_identifier` adds behind the rule.
    public var isIdentifierReport: Bool
    /// What happened to it.
    public var outcome: Outcome
  }

  /// The actions in the order in which WebKit returns them.
  public var actions: [Applied]
  /// All rules that matched, in the order of the list.
  public var matched: [Matched]
  /// Whether an ignore-previous-rules took effect, so that the load does not attach the global sheet.
  public var ignoredPreviousRules: Bool

  /// The selector lists that this load adds to its document, in order.
  public var hidingSelectors: [String] { actions.compactMap(\.action.selector) }
}
