internal import ContentRules
internal import ReferenceMatcher

/// Spells the product's actions as the reference does: the type word, and the fields that count.
extension Action {
  /// The `type` word and the further fields.
  var spelled: (type: String, fields: [String: JSONValue]) {
    switch self {
    case .block: ("block", [:])
    case .blockCookies: ("block-cookies", [:])
    case .cssDisplayNone(let selector): ("css-display-none", ["selector": .string(selector)])
    case .ignorePreviousRules: ("ignore-previous-rules", [:])
    case .ignoreFollowingRules: ("ignore-following-rules", [:])
    case .makeHTTPS: ("make-https", [:])
    case .notify(let text): ("notify", ["notification": .string(text)])
    case .redirect(let redirect): ("redirect", ["redirect": .object([redirect.spelled])])
    case .modifyHeaders(let change): ("modify-headers", change.spelled)
    }
  }
}

extension RuleIdentifier {
  /// The fields of the report.
  var spelled: [String: JSONValue] {
    ["identifier": .number(number), "ruleset": .string(ruleset)]
  }
}

extension [String: JSONValue] {
  fileprivate init(_ fields: [(String, JSONValue?)]) {
    self = [:]
    for (name, value) in fields where value != nil { self[name] = value }
  }
}

extension JSONValue {
  fileprivate static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(Dictionary(members) { _, last in last })
  }
}

extension Redirect {
  fileprivate var spelled: (String, JSONValue) {
    switch self {
    case .extensionPath(let path): ("extension-path", .string(path))
    case .regexSubstitution(let text): ("regex-substitution", .string(text))
    case .url(let url): ("url", .string(url))
    case .transform(let transform): ("transform", transform.spelled)
    }
  }
}

extension URLTransform {
  fileprivate var spelled: JSONValue {
    let port: String? =
      switch port {
      case nil: nil
      case .remove: ""
      case .set(let number): String(number)
      }
    var fields = [String: JSONValue]([
      ("fragment", fragment.map { .string($0) }), ("host", host.map { .string($0) }),
      ("password", password.map { .string($0) }), ("path", path.map { .string($0) }),
      ("port", port.map { .string($0) }), ("query", query.map { .string($0) }),
      ("scheme", scheme.map { .string($0) }), ("username", username.map { .string($0) }),
    ])
    if let queryTransform { fields["query-transform"] = queryTransform.spelled }
    return .object(fields)
  }
}

extension QueryTransform {
  fileprivate var spelled: JSONValue {
    .object([
      "remove-parameters": .array(removeParameters.map { .string($0) }),
      "add-or-replace-parameters": .array(
        addOrReplaceParameters.map {
          .object([
            "key": .string($0.key), "replace-only": .boolean($0.isReplaceOnly),
            "value": .string($0.value),
          ])
        }
      ),
    ])
  }
}

extension ModifyHeaders {
  fileprivate var spelled: [String: JSONValue] {
    // An absent array and an empty one mean the same, so only one spelling is used.
    var fields: [String: JSONValue] = ["priority": .number(Double(priority))]
    if !requestHeaders.isEmpty {
      fields["request-headers"] = .array(requestHeaders.map(\.spelled))
    }
    if !responseHeaders.isEmpty {
      fields["response-headers"] = .array(responseHeaders.map(\.spelled))
    }
    return fields
  }
}

extension HeaderOperation {
  fileprivate var spelled: JSONValue {
    switch self {
    case .append(let header, let value):
      .object([
        "operation": .string("append"), "header": .string(header), "value": .string(value),
      ])
    case .set(let header, let value):
      .object([
        "operation": .string("set"), "header": .string(header), "value": .string(value),
      ])
    case .remove(let header):
      .object(["operation": .string("remove"), "header": .string(header)])
    }
  }
}
