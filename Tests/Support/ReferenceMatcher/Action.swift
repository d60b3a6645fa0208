/// What a rule does, with the fields that tell two actions of one type apart.
///
/// > Source: The rule language, section 3.
public struct ReferenceAction: Hashable, Sendable {
  /// The `type` word, or `report-identifier` for the action that `_identifier` adds.
  public var type: String
  /// The further fields that count, under the names they have in the rule.
  ///
  /// For `report-identifier`: `identifier` and `ruleset`.
  public var fields: [String: JSONValue]

  /// The selector list of a `css-display-none`, else nil.
  public var selector: String? { fields["selector"]?.string }

  init(type: String, fields: [String: JSONValue] = [:]) {
    self.type = type
    self.fields = fields
  }

  var isHiding: Bool { type == "css-display-none" }
  var isIgnoring: Bool { type.hasPrefix("ignore-") }

  init(_ value: JSONValue?) throws {
    guard let members = value?.object else { throw ReferenceRefusal(name: "JSONInvalidAction") }
    let type = members["type"]?.string ?? ""
    switch type {
    case "block", "block-cookies", "ignore-previous-rules", "ignore-following-rules", "make-https":
      self.init(type: type)
    case "css-display-none":
      guard let selector = members["selector"]?.string else {
        throw ReferenceRefusal(name: "JSONInvalidCSSDisplayNoneActionType")
      }
      self.init(type: type, fields: ["selector": .string(selector)])
    case "notify":
      guard let notification = members["notification"]?.string else {
        throw ReferenceRefusal(name: "JSONInvalidNotification")
      }
      self.init(type: type, fields: ["notification": .string(notification)])
    case "redirect":
      guard let redirect = members["redirect"]?.object else {
        throw ReferenceRefusal(name: "JSONRedirectMissing")
      }
      self.init(type: type, fields: ["redirect": try Self.redirect(redirect)])
    case "modify-headers":
      self.init(type: type, fields: try Self.headerChanges(members))
    default: throw ReferenceRefusal(name: "JSONInvalidActionType")
    }
  }

  /// The action that tells the embedder which rule matched.
  init(reporting identifier: JSONValue, of ruleset: JSONValue?) throws {
    guard let number = identifier.number else {
      throw ReferenceRefusal(name: "JSONInvalidRuleIdentifier")
    }
    let name = ruleset?.string ?? ""
    self.init(
      type: "report-identifier",
      fields: ["identifier": .number(number), "ruleset": .string(name)]
    )
  }

  /// Keeps the first member that is present as the right type.
  ///
  /// Whether URLs, ports and parameters are well formed is not the reference's business.
  private static func redirect(_ members: [String: JSONValue]) throws -> JSONValue {
    for (key, isText) in [
      ("extension-path", true), ("regex-substitution", true), ("transform", false), ("url", true),
    ] {
      if let value = members[key], isText ? value.string != nil : value.object != nil {
        return .object([key: value])
      }
    }
    throw ReferenceRefusal(name: "JSONRedirectInvalidType")
  }

  private static func headerChanges(
    _ members: [String: JSONValue]
  ) throws -> [String: JSONValue] {
    var fields: [String: JSONValue] = [:]
    for key in ["request-headers", "response-headers"] {
      guard let value = members[key] else { continue }
      guard let changes = value.array else {
        throw ReferenceRefusal(name: "JSONModifyHeadersNotArray")
      }
      // No changes and no array are the same action.
      if !changes.isEmpty { fields[key] = .array(try changes.map(headerChange)) }
    }
    guard let priority = members["priority"]?.number, priority > -1, priority < 0x1p32 else {
      throw ReferenceRefusal(name: "JSONModifyHeadersInvalidPriority")
    }
    fields["priority"] = .number(priority.rounded(.towardZero))
    return fields
  }

  private static func headerChange(_ value: JSONValue) throws -> JSONValue {
    guard let members = value.object else {
      throw ReferenceRefusal(name: "JSONModifyHeadersInfoNotADictionary")
    }
    guard let operation = members["operation"]?.string else {
      throw ReferenceRefusal(name: "JSONModifyHeadersMissingOperation")
    }
    guard let header = members["header"]?.string else {
      throw ReferenceRefusal(name: "JSONModifyHeadersMissingHeader")
    }
    var change = ["operation": JSONValue.string(operation), "header": .string(header)]
    switch operation {
    case "remove": break
    case "set", "append":
      guard let text = members["value"]?.string else {
        throw ReferenceRefusal(name: "JSONModifyHeadersMissingValue")
      }
      change["value"] = .string(text)
    default: throw ReferenceRefusal(name: "JSONModifyHeadersInvalidOperation")
    }
    return .object(change)
  }
}
