public import ReferenceMatcher

/// Something that decides loads by rule lists: the reference, or one of the product's stages.
///
/// All engines answer in the same terms, so that answers can be compared as values.
public protocol Engine: Sendable {
  /// The engine's name in messages.
  var name: String { get }

  /// Reads and prepares lists.
  ///
  /// - Parameter lists: The JSON text of each list, in UTF-8.
  /// - Returns: The prepared lists.
  /// - Throws: ``EngineRefusal``.
  func load(_ lists: [[UInt8]]) throws(EngineRefusal) -> any LoadedLists
}

/// Lists that an engine has prepared.
public protocol LoadedLists: AnyObject {
  /// The selectors of each list's global sheet, joined by commas; `nil` without any.
  var globalSelectors: [String?] { get }

  /// Decides a load, by each list on its own.
  ///
  /// The load's URLs are serialised.
  func evaluate(_ load: ReferenceLoad) -> [ListOutcome]

  /// Returns the rules of the first list whose url filters match in a text, which need not be a
  /// URL.
  func rules(matching text: String) -> Set<Int>
}

/// The reason why an engine refuses a list.
public struct EngineRefusal: Error, Hashable, Sendable {
  /// WebKit's name for the error, or what went wrong in the engine's own words.
  public var name: String

  /// Names the error.
  public init(name: String) { self.name = name }
}

extension Engine {
  /// Returns WebKit's name for the error of a list; `nil` if it is accepted.
  public func refusal(of list: [UInt8]) -> String? {
    do throws(EngineRefusal) {
      _ = try load([list])
      return nil
    } catch {
      return error.name
    }
  }
}

/// The answer of one list for one load.
public struct ListOutcome: Hashable, Sendable {
  /// An action, spelled as in a list, with its rules.
  public struct Action: Hashable, Sendable {
    /// The `type` word, or `report-identifier`.
    public var type: String
    /// The fields that count, under the names they have in a list.
    public var fields: [String: JSONValue]
    /// The rules' positions in the JSON array, ascending.
    public var rules: [Int]

    /// Creates an action.
    public init(type: String, fields: [String: JSONValue] = [:], rules: [Int]) {
      self.type = type
      self.fields = fields
      self.rules = rules
    }
  }

  /// The fate of a rule that matched.
  public enum Fate: Hashable, Sendable {
    /// Its action is in the result, or it is the ignore rule that took effect.
    case applied
    /// Its action is in the result for an earlier rule.
    case merged(into: Int)
    /// Dropped by an `ignore-previous-rules`.
    case cancelled(by: Int)
    /// Dropped by an `ignore-following-rules`.
    case swallowed(by: Int)
  }

  /// The actions in the engine's order.
  public var actions: [Action]
  /// The fates of all rules that matched, without those of the global sheet, by index.
  public var fates: [Int: Fate]
  /// Whether the load attaches the list's global sheet.
  public var attachesGlobalSheet: Bool

  /// Creates an outcome.
  public init(actions: [Action], fates: [Int: Fate], attachesGlobalSheet: Bool) {
    self.actions = actions
    self.fates = fates
    self.attachesGlobalSheet = attachesGlobalSheet
  }
}

extension ListOutcome {
  /// The outcome as a JSON value, for messages.
  public var json: JSONValue {
    let actions = actions.map { action in
      var fields = action.fields
      fields["type"] = .string(action.type)
      return JSONValue.object([
        "action": .object(fields), "rules": .array(action.rules.map { .number(Double($0)) }),
      ])
    }
    let fates = fates.map { (String($0.key), JSONValue.string("\($0.value)")) }
    return .object([
      "actions": .array(actions),
      "fates": .object(Dictionary(fates) { first, _ in first }),
      "attachesGlobalSheet": .boolean(attachesGlobalSheet),
    ])
  }
}
