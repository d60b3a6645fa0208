/// An action in WebKit's words.
struct ImportedActionText {
  /// The fields of `action`, as JSON.
  var json: String
  var reasons: [ImportReason] = []
  /// Whether the action takes groups from the rule's own expression.
  var needsSamePattern = false

  /// Translates the action of a rule.
  init(_ rule: ImportedRule) throws(ImportReason) {
    switch rule.action {
    case .block: json = "\"type\":\"block\""
    case .allow, .allowAllRequests: json = "\"type\":\"ignore-previous-rules\""
    case .upgradeScheme: json = "\"type\":\"make-https\""
    case .redirect(let fields, let kind):
      json = "\"type\":\"redirect\",\"redirect\":{\(fields)}"
      reasons = [ImportReason(.needsPermission)]
      needsSamePattern = kind == .substitution
      if kind == .parameters { reasons.append(ImportReason(.queryParameters)) }
      if kind == .substitution { addSubstitution(rule.condition) }
    case .modifyHeaders(let edits):
      json = ""
      try read(edits, rule.priority)
    }
  }

  /// Says what WebKit's substitution does otherwise than Chromium's, which replaces what matches, whatever its case.
  private mutating func addSubstitution(_ condition: ImportedRule.Condition) {
    let expression = condition.regexFilter ?? ""
    let isWhole =
      expression.hasPrefix("^") && (expression.hasSuffix("$") || expression.hasSuffix(".*"))
      && !expression.hasSuffix("\\$") && !expression.contains("|")
    if !isWhole { reasons.append(ImportReason(.substitutionOfURL)) }
    var isEscaped = false
    let hasLetters = expression.contains { character in
      defer { isEscaped = character == "\\" && !isEscaped }
      return character.isLetter && !isEscaped
    }
    if !condition.isCaseSensitive, hasLetters { reasons.append(ImportReason(.substitutionOfCase)) }
  }

  private mutating func read(
    _ edits: ImportedRule.HeaderEdits,
    _ priority: Int
  ) throws(ImportReason) {
    let sent = edits.request.map { "\($0.operation) \($0.header)" }
    let received = edits.response.map { "\($0.operation) \($0.header)" }
    let cookies = (sent == ["remove cookie"], received == ["remove set-cookie"])
    if cookies.0 && (cookies.1 || received.isEmpty) || cookies.1 && sent.isEmpty {
      json = "\"type\":\"block-cookies\""
      if cookies != (true, true) { reasons = [ImportReason(.cookiesWholly)] }
      return
    }
    guard !edits.request.isEmpty else {
      throw ImportReason(.unsupportedAction, "changes of an answer's headers")
    }
    if !edits.response.isEmpty { reasons.append(ImportReason(.responseHeaders)) }
    reasons.append(ImportReason(.needsPermission))
    let changes = edits.request.map { edit in
      let value = edit.value.map { ",\"value\":\(quoted($0))" } ?? ""
      return "{\"operation\":\(quoted(edit.operation)),\"header\":\(quoted(edit.header))\(value)}"
    }
    json =
      "\"type\":\"modify-headers\",\"priority\":\(priority),"
      + "\"request-headers\":[\(changes.joined(separator: ","))]"
  }
}
