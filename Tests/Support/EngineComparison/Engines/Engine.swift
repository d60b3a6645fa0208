public import ReferenceMatcher

/// Something that decides loads by rule lists: the reference, or one of the product's stages.
///
/// All engines say what they found in the same words, so that their answers can be compared as
/// values.
public protocol Engine: Sendable {
  /// What messages call the engine.
  var name: String { get }

  /// Reads lists and makes them ready.
  ///
  /// - Parameter lists: The JSON text of each list, in UTF-8.
  /// - Returns: The lists, to decide loads by.
  /// - Throws: ``EngineRefusal``.
  func load(_ lists: [[UInt8]]) throws(EngineRefusal) -> any LoadedLists
}

/// Lists that an engine has made ready.
public protocol LoadedLists: AnyObject {
  /// The selectors of each list's global sheet, joined by commas; `nil` without any.
  var globalSelectors: [String?] { get }

  /// Decides a load, by each list on its own.
  ///
  /// The load's URLs are serialised.
  func evaluate(_ load: ReferenceLoad) -> [ListOutcome]

  /// The rules of the first list whose url filters are found in a text that need not be a URL.
  func rules(matching text: String) -> Set<Int>
}

/// Why an engine takes no list.
public struct EngineRefusal: Error, Hashable, Sendable {
  /// WebKit's name for the error, or what went wrong in the engine's own words.
  public var name: String

  /// Names the error.
  public init(name: String) { self.name = name }
}

extension Engine {
  /// WebKit's name for the error that a list is refused with; `nil` when it is accepted.
  public func refusal(of list: [UInt8]) -> String? {
    do throws(EngineRefusal) {
      _ = try load([list])
      return nil
    } catch {
      return error.name
    }
  }
}

/// What one list says about one load.
public struct ListOutcome: Hashable, Sendable {
  /// An action, spelled as in a list, and the rules that it comes from.
  public struct Action: Hashable, Sendable {
    /// The `type` word, or `report-identifier`.
    public var type: String
    /// The fields that count, under the names they have in a list.
    public var fields: [String: JSONValue]
    /// The rules' positions in the JSON array, ascending.
    public var rules: [Int]

    /// Puts an action together.
    public init(type: String, fields: [String: JSONValue] = [:], rules: [Int]) {
      self.type = type
      self.fields = fields
      self.rules = rules
    }
  }

  /// What happened to a rule that matched.
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
  /// Every rule that matched, those of the global sheet apart, by its place.
  public var fates: [Int: Fate]
  /// Whether the load attaches the list's global sheet.
  public var attachesGlobalSheet: Bool

  /// Puts an outcome together.
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
