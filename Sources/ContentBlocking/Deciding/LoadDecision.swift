public import ContentRules
public import RuleMatching
public import WebURL

/// What all lists together do to a load.
public struct LoadDecision: Sendable {
  /// One action that survived its list's ignore rules.
  public struct AppliedAction: Hashable, Sendable {
    /// What happens.
    public enum Effect: Hashable, Sendable {
      /// An action as the list spells it; for hiding rules that share a trigger, their selectors
      /// joined by commas.
      case action(Action)
      /// The embedder is notified that a rule with an identifier matched.
      case reportIdentifier(RuleIdentifier)
    }

    /// What happens.
    public var effect: Effect
    /// The kind of the action.
    public var kind: ActionKind
    /// The list's position among the blocker's lists, from 0.
    public var list: Int
    /// The rules that asked for the action, by their positions in the JSON array; never empty.
    public var rules: [Int]
    /// Whether the action has an effect: redirects and header changes have none without permission,
    /// and of block and redirect the first one wins.
    public var isEffective = true
  }

  /// What one list makes of a load.
  public struct ListResult: Hashable, Sendable {
    /// Whether no `ignore-previous-rules` took effect, so that the load attaches the list's global
    /// sheet, if there is one, to its document.
    public var attachesGlobalSheet: Bool
    /// Whether the list has a global sheet at all: hides something on every page.
    public var hasGlobalSheet: Bool

    /// Whether what the list hides on every page is hidden because of the load.
    public var hidesGlobally: Bool { attachesGlobalSheet && hasGlobalSheet }
  }

  /// Whether the load fails.
  public var isBlocked = false
  /// Whether the request goes without cookies and the answer's are dropped.
  public var blocksCookies = false
  /// Where the load goes instead; `nil` when that is where it was going.
  public var newURL: WebURL?
  /// Header changes in the order in which they apply, permission given.
  public var headerChanges: [ModifyHeaders] = []
  /// Texts for the embedding program.
  public var notifications: [String] = []
  /// Selector lists to hide in the load's document, apart from the global sheets.
  public var hiddenSelectors: [String] = []
  /// Every action, in the engine's order, list by list.
  public var actions: [AppliedAction] = []
  /// What each list makes of the load, in the blocker's order; empty for a load that is not checked.
  public var lists: [ListResult] = []

  /// Creates a decision that does nothing.
  public init() {}

  /// How many lists attach their global sheets; a list that hides nothing on every page has none.
  public var attachedSheets: Int { lists.count { $0.hidesGlobally } }
}
