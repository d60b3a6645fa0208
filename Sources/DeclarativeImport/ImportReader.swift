internal import CommandInput
internal import ContentRules

/// Reads files of declarative rules.
package enum ImportReader {
  /// The most rules of one file, as many as WebKit takes in a list.
  package static let ruleLimit = 150_000

  /// Reads the JSON array of a file.
  ///
  /// - Parameter text: The file's bytes.
  /// - Returns: An element for each of the array's, in its order.
  /// - Throws: The place where the text stops being an array, and what was expected.
  /// - Complexity: O(*n*) for *n* bytes.
  package static func read(_ text: [UInt8]) throws(ImportFault) -> [ImportedElement] {
    var tape = JSONTape()
    do throws(JSONTape.Fault) {
      try tape.parse(text.span)
    } catch {
      throw ImportFault(offset: error.offset, expected: error.expected)
    }
    guard tape.kind(JSONTape.root) == .array else {
      throw ImportFault(offset: tape.offset(of: JSONTape.root), expected: "an array of rules")
    }
    var elements: [ImportedElement] = []
    var ids: Set<Int> = []
    let reader = ElementReader(tape: tape, text: text)
    var children = tape.children(of: JSONTape.root)
    while let element = children.next() {
      guard elements.count < ruleLimit else {
        throw ImportFault(
          offset: tape.offset(of: element),
          expected: "at most \(ruleLimit) rules"
        )
      }
      let offset = tape.offset(of: element)
      let id = tape.integer(tape.member("id", of: element, in: text.span), in: text.span)
      do throws(ImportReason) {
        guard tape.kind(element) == .object else { throw .init(.invalidRule, "it is no object") }
        let rule = try reader.rule(element, id: id, offset: offset)
        guard ids.insert(rule.id).inserted else {
          throw ImportReason(.invalidRule, "another rule has its id")
        }
        elements.append(.rule(rule))
      } catch {
        elements.append(.refused(id: id, offset: offset, reason: error))
      }
    }
    return elements
  }
}

/// The place where a text stops being a file of rules.
package struct ImportFault: Error, Hashable {
  /// The place, in bytes.
  package var offset: Int
  /// What was expected.
  package var expected: String
}

extension ImportReason: Error {}

/// Reads one rule.
private struct ElementReader {
  let tape: JSONTape
  let text: [UInt8]

  private func member(_ key: StaticString, _ object: Int) -> Int? {
    tape.member(key, of: object, in: text.span)
  }

  private func string(_ key: StaticString, _ object: Int) -> String? {
    tape.string(member(key, object), in: text.span)
  }

  func rule(_ element: Int, id: Int?, offset: Int) throws(ImportReason) -> ImportedRule {
    guard let id, id >= 1 else { throw ImportReason(.invalidRule, "it has no id from 1 on") }
    var rule = ImportedRule(id: id, offset: offset)
    if let priority = member("priority", element) {
      guard let number = tape.integer(priority, in: text.span), number >= 1,
        number <= Int(Int32.max)
      else { throw ImportReason(.invalidRule, "its priority is no number from 1 on") }
      rule.priority = number
    }
    guard let action = member("action", element), tape.kind(action) == .object else {
      throw ImportReason(.invalidRule, "it has no action")
    }
    rule.action = try self.action(action)
    guard let condition = member("condition", element), tape.kind(condition) == .object else {
      throw ImportReason(.invalidRule, "it has no condition")
    }
    rule.condition = try self.condition(condition)
    if rule.action == .allowAllRequests {
      guard let types = rule.condition.types, !types.isEmpty,
        types.allSatisfy({ $0 == "main_frame" || $0 == "sub_frame" })
      else {
        throw ImportReason(.invalidRule, "allowAllRequests is for main_frame and sub_frame alone")
      }
    }
    return rule
  }

  // MARK: Actions

  private func action(_ action: Int) throws(ImportReason) -> ImportedRule.Action {
    switch string("type", action) ?? "" {
    case "block": return .block
    case "allow": return .allow
    case "allowAllRequests": return .allowAllRequests
    case "upgradeScheme": return .upgradeScheme
    case "redirect":
      guard let redirect = member("redirect", action), tape.kind(redirect) == .object else {
        throw ImportReason(.invalidRule, "it does not say where it redirects to")
      }
      return try self.redirect(redirect)
    case "modifyHeaders":
      return .modifyHeaders(
        ImportedRule.HeaderEdits(
          request: try appendable(edits("requestHeaders", action)),
          response: try edits("responseHeaders", action)
        )
      )
    case "": throw ImportReason(.invalidRule, "its action has no type")
    case let other: throw ImportReason(.unsupportedAction, other)
    }
  }

  private func redirect(_ redirect: Int) throws(ImportReason) -> ImportedRule.Action {
    if let url = string("url", redirect) {
      return .redirect(json: "\"url\":\(quoted(url))", kind: .address)
    }
    if let path = string("extensionPath", redirect) {
      guard path.hasPrefix("/") else {
        throw ImportReason(.invalidRule, "extensionPath begins with a slash")
      }
      return .redirect(json: "\"extension-path\":\(quoted(path))", kind: .address)
    }
    if let substitution = string("regexSubstitution", redirect) {
      return .redirect(
        json: "\"regex-substitution\":\(quoted(substitution))",
        kind: .substitution
      )
    }
    guard let transform = member("transform", redirect), tape.kind(transform) == .object else {
      throw ImportReason(.invalidRule, "it does not say where it redirects to")
    }
    var fields: [String] = []
    let keys: [StaticString] = [
      "fragment", "host", "password", "path", "port", "query", "scheme", "username",
    ]
    for key in keys {
      if let value = string(key, transform) { fields.append("\"\(key)\":\(quoted(value))") }
    }
    var kind = ImportedRule.RedirectKind.transform
    if let query = member("queryTransform", transform), tape.kind(query) == .object {
      if member("addOrReplaceParams", query) != nil { kind = .parameters }
      fields.append("\"query-transform\":{\(queryFields(query).joined(separator: ","))}")
    }
    return .redirect(
      json: "\"transform\":{\(fields.joined(separator: ","))}",
      kind: kind
    )
  }

  private func queryFields(_ query: Int) -> [String] {
    var fields: [String] = []
    if let removed = strings(member("removeParams", query)) {
      fields.append("\"remove-parameters\":[\(removed.map(quoted).joined(separator: ","))]")
    }
    guard let added = member("addOrReplaceParams", query) else { return fields }
    var entries: [String] = []
    var children = tape.children(of: added)
    while let child = children.next() {
      guard let key = string("key", child), let value = string("value", child) else { continue }
      let only = isTrue(member("replaceOnly", child)) ? ",\"replace-only\":true" : ""
      entries.append("{\"key\":\(quoted(key)),\"value\":\(quoted(value))\(only)}")
    }
    fields.append("\"add-or-replace-parameters\":[\(entries.joined(separator: ","))]")
    return fields
  }

  private func edits(
    _ key: StaticString,
    _ action: Int
  ) throws(ImportReason) -> [ImportedRule.HeaderEdits.Edit] {
    guard let list = member(key, action) else { return [] }
    var edits: [ImportedRule.HeaderEdits.Edit] = []
    var children = tape.children(of: list)
    while let child = children.next() {
      guard let header = string("header", child), let operation = string("operation", child),
        ["append", "set", "remove"].contains(operation)
      else { throw ImportReason(.invalidRule, "a change of headers is incomplete") }
      let value = string("value", child)
      guard operation == "remove" || value != nil else {
        throw ImportReason(.invalidRule, "a change of headers has no value")
      }
      edits.append(
        ImportedRule.HeaderEdits.Edit(
          header: header.lowercased(),
          operation: operation,
          value: value
        )
      )
    }
    return edits
  }

  /// The headers of requests that Chromium appends to.
  private static let appendable: Set<String> = [
    "accept", "accept-encoding", "accept-language", "access-control-request-headers",
    "cache-control", "connection", "content-language", "cookie", "forwarded", "if-match",
    "if-none-match", "keep-alive", "range", "te", "trailer", "transfer-encoding", "upgrade",
    "user-agent", "via", "want-digest", "x-forwarded-for",
  ]

  private func appendable(
    _ edits: [ImportedRule.HeaderEdits.Edit]
  ) throws(ImportReason) -> [ImportedRule.HeaderEdits.Edit] {
    if let edit = edits.first(where: {
      $0.operation == "append" && !Self.appendable.contains($0.header)
    }) {
      throw ImportReason(.invalidRule, "nothing is appended to the header “\(edit.header)”")
    }
    return edits
  }

  // MARK: Conditions

  private func condition(_ object: Int) throws(ImportReason) -> ImportedRule.Condition {
    var condition = ImportedRule.Condition()
    condition.urlFilter = string("urlFilter", object)
    condition.regexFilter = string("regexFilter", object)
    if condition.urlFilter != nil, condition.regexFilter != nil {
      throw ImportReason(.invalidRule, "it has both urlFilter and regexFilter")
    }
    if let filter = condition.urlFilter, filter.isEmpty || filter.hasPrefix("||*") {
      throw ImportReason(.invalidRule, "its urlFilter is empty or begins with ||*")
    }
    guard (condition.urlFilter ?? condition.regexFilter ?? "").utf8.allSatisfy({ $0 < 0x80 })
    else { throw ImportReason(.invalidRule, "its pattern is not in ASCII") }
    condition.isCaseSensitive = isTrue(member("isUrlFilterCaseSensitive", object))
    condition.types = try list("resourceTypes", object)
    condition.excludedTypes = try list("excludedResourceTypes", object)
    if let type = ((condition.types ?? []) + (condition.excludedTypes ?? []))
      .first(where: { WebKitTypes.words[$0] == nil && !WebKitTypes.unknown.contains($0) })
    {
      throw ImportReason(.invalidRule, "there is no resource type “\(type)”")
    }
    switch string("domainType", object) {
    case "firstParty": condition.isThirdParty = false
    case "thirdParty": condition.isThirdParty = true
    case nil: break
    default: throw ImportReason(.invalidRule, "its domainType is unknown")
    }
    condition.requestDomains = try domains("requestDomains", object)
    condition.excludedRequestDomains = try domains("excludedRequestDomains", object) ?? []
    // `domains` is the older name.
    condition.initiatorDomains = try domains("initiatorDomains", object)
    if condition.initiatorDomains == nil {
      condition.initiatorDomains = try domains("domains", object)
    }
    condition.excludedInitiatorDomains = try domains("excludedInitiatorDomains", object) ?? []
    condition.excludedInitiatorDomains += try domains("excludedDomains", object) ?? []
    condition.topDomains = try domains("topDomains", object)
    condition.excludedTopDomains = try domains("excludedTopDomains", object) ?? []
    condition.methods = try list("requestMethods", object)
    condition.excludedMethods = try list("excludedRequestMethods", object) ?? []
    for key in ["tabIds", "excludedTabIds", "responseHeaders", "excludedResponseHeaders"]
      as [StaticString] where member(key, object) != nil
    {
      condition.unsupported = "\(key)"
    }
    return condition
  }

  private func domains(_ key: StaticString, _ object: Int) throws(ImportReason) -> [String]? {
    guard let domains = try list(key, object) else { return nil }
    for domain in domains {
      guard domain.utf8.allSatisfy(Self.isDomainByte) else {
        throw ImportReason(.invalidRule, "“\(domain)” in \(key) is not in lower case and Punycode")
      }
    }
    var seen: Set<String> = []
    return domains.filter { seen.insert($0).inserted }
  }

  private static func isDomainByte(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "-._[]:".utf8.contains(byte)
  }

  /// The strings of an array that must have some.
  private func list(_ key: StaticString, _ object: Int) throws(ImportReason) -> [String]? {
    guard let value = member(key, object) else { return nil }
    guard let strings = strings(value), !strings.contains("") else {
      throw ImportReason(.invalidRule, "\(key) is no array of texts")
    }
    // Chromium refuses empty lists of what is wanted, and ignores those of what is not.
    guard !strings.isEmpty || "\(key)".hasPrefix("excluded") else {
      throw ImportReason(.invalidRule, "\(key) is empty")
    }
    return strings
  }

  private func strings(_ value: Int?) -> [String]? {
    guard let value, tape.kind(value) == .array else { return nil }
    var strings: [String] = []
    var children = tape.children(of: value)
    while let child = children.next() {
      guard let string = tape.string(child, in: text.span) else { return nil }
      strings.append(string)
    }
    return strings
  }

  private func isTrue(_ value: Int?) -> Bool {
    guard let value, tape.kind(value) == .boolean else { return false }
    return text[tape.offset(of: value)] == UInt8(ascii: "t")
  }
}

/// A text as a JSON string.
func quoted(_ text: String) -> String { "\"\(JSONString.escaped(text))\"" }
