public import ContentRules
public import RuleMatching
public import WebURL

/// What all lists together do to a load.
public struct LoadDecision: Sendable {
  /// One action that survived its list's ignore rules.
  public struct AppliedAction: Hashable, Sendable {
    /// The effect of an action.
    public enum Effect: Hashable, Sendable {
      /// An action of a list; for hiding rules that share a trigger, their selectors joined by
      /// commas.
      case action(Action)
      /// The embedder is notified that a rule with an identifier matched.
      case reportIdentifier(RuleIdentifier)
    }

    /// The effect.
    public var effect: Effect
    /// The kind of the action.
    public var kind: ActionKind
    /// The list's position among the blocker's lists, from 0.
    public var list: Int
    /// The rules behind the action, by their positions in the JSON array; never empty.
    public var rules: [Int]
    /// Why the action has no effect on the load; `nil` if it has one.
    public var idleness: Idleness?

    /// Whether the action has an effect.
    public var isEffective: Bool { idleness == nil }
  }

  /// Why an action that survived its list's ignore rules has no effect on a load.
  public enum Idleness: Hashable, Sendable {
    /// A redirect or a header change needs a permission that the embedder does not give.
    case notPermitted
    /// The given rule of the given list has blocked or redirected the load before.
    case tooLate(list: Int, rule: Int)
    /// An upgrade leaves a URL with a port as it is.
    case hasPort
    /// An upgrade leaves a URL as it is whose scheme is neither http nor ws.
    case otherScheme
    /// An upgrade does not matter to a load that is blocked.
    case loadIsBlocked
    /// A redirect leads to no other URL.
    case sameURL
  }

  /// The result of one list for a load.
  public struct ListResult: Hashable, Sendable {
    /// Whether no `ignore-previous-rules` took effect, so that the load attaches the list's global
    /// sheet, if any, to its document.
    public var attachesGlobalSheet: Bool
    /// Whether the list has a global sheet, which hides elements on every page.
    public var hasGlobalSheet: Bool

    /// Whether the load attaches an existing global sheet.
    public var hidesGlobally: Bool { attachesGlobalSheet && hasGlobalSheet }
  }

  /// Whether the load fails.
  public var isBlocked = false
  /// Whether the request is sent without cookies and those of the response are dropped.
  public var blocksCookies = false
  /// The new URL of the load; `nil` if it is unchanged.
  public var newURL: WebURL?
  /// Permitted header changes, in the order in which they apply.
  public var headerChanges: [ModifyHeaders] = []
  /// Notifications for the embedder.
  public var notifications: [String] = []
  /// Selector lists to hide in the load's document, apart from the global sheets.
  public var hiddenSelectors: [String] = []
  /// Every action, in the engine's order, list by list.
  public var actions: [AppliedAction] = []
  /// The result of each list, in the blocker's order; empty for a load that is not checked.
  public var lists: [ListResult] = []

  /// Creates a decision without effect.
  public init() {}

  /// The number of lists whose global sheets are attached.
  public var attachedSheets: Int { lists.count { $0.hidesGlobally } }
}
