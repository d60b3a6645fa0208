package import ContentBlocking
package import ContentRules
internal import WebURL

extension JSONWriter {
  /// Writes a decision in the form of `tickbird match`.
  package mutating func decision(_ decision: LoadDecision) {
    object { $0.decisionFields(decision) }
  }

  /// Writes the fields of a decision.
  package mutating func decisionFields(_ decision: LoadDecision) {
    field("blocked", decision.isBlocked)
    field("cookies_blocked", decision.blocksCookies)
    if let url = decision.newURL { field("url") { $0.string(utf8: url.utf8) } }
    field("actions") { json in
      json.array(of: decision.actions) { $0.action($1) }
    }
    field("stylesheets", decision.attachedSheets)
  }

  mutating func action(_ action: LoadDecision.AppliedAction) {
    object { json in
      switch action.effect {
      case .reportIdentifier(let identifier):
        json.field("type", "report-identifier")
        json.field("ruleset", identifier.ruleset)
        json.field("identifier") { $0.number(identifier.number) }
      case .action(let effect): json.actionFields(effect)
      }
      json.field("list", action.list)
      json.field("rules") { json in
        json.array(of: action.rules) { $0.number($1) }
      }
      if !action.isEffective { json.field("effective", false) }
    }
  }

  /// Writes the fields of an action as a rule list spells them.
  package mutating func actionFields(_ action: Action) {
    field("type", action.word)
    switch action {
    case .cssDisplayNone(let selector): field("selector", selector)
    case .notify(let text): field("notification", text)
    case .redirect(let redirect): field("redirect") { $0.redirect(redirect) }
    case .modifyHeaders(let change):
      field("priority", Int(change.priority))
      if !change.requestHeaders.isEmpty {
        field("request-headers") { $0.headers(change.requestHeaders) }
      }
      if !change.responseHeaders.isEmpty {
        field("response-headers") { $0.headers(change.responseHeaders) }
      }
    case .block, .blockCookies, .ignorePreviousRules, .ignoreFollowingRules, .makeHTTPS: break
    }
  }

  private mutating func headers(_ operations: [HeaderOperation]) {
    array(of: operations) { json, operation in
      json.object { json in
        switch operation {
        case .append(let header, let value): json.header("append", header, value)
        case .set(let header, let value): json.header("set", header, value)
        case .remove(let header): json.header("remove", header, nil)
        }
      }
    }
  }

  private mutating func header(_ operation: String, _ header: String, _ value: String?) {
    field("operation", operation)
    field("header", header)
    if let value { field("value", value) }
  }

  private mutating func redirect(_ redirect: Redirect) {
    object { json in
      switch redirect {
      case .extensionPath(let path): json.field("extension-path", path)
      case .regexSubstitution(let text): json.field("regex-substitution", text)
      case .url(let url): json.field("url", url)
      case .transform(let change): json.field("transform") { $0.transform(change) }
      }
    }
  }

  private mutating func transform(_ change: URLTransform) {
    object { json in
      if let text = change.fragment { json.field("fragment", text) }
      if let text = change.host { json.field("host", text) }
      if let text = change.password { json.field("password", text) }
      if let text = change.path { json.field("path", text) }
      switch change.port {
      case .remove: json.field("port", "")
      case .set(let number): json.field("port", "\(number)")
      case nil: break
      }
      if let text = change.query { json.field("query", text) }
      if let query = change.queryTransform { json.field("query-transform") { $0.query(query) } }
      if let text = change.scheme { json.field("scheme", text) }
      if let text = change.username { json.field("username", text) }
    }
  }

  private mutating func query(_ change: QueryTransform) {
    object { json in
      if !change.removeParameters.isEmpty {
        json.field("remove-parameters") { json in
          json.array(of: change.removeParameters) { $0.string($1) }
        }
      }
      guard !change.addOrReplaceParameters.isEmpty else { return }
      json.field("add-or-replace-parameters") { json in
        json.array(of: change.addOrReplaceParameters) { json, pair in
          json.object { json in
            json.field("key", pair.key)
            if pair.isReplaceOnly { json.field("replace-only", true) }
            json.field("value", pair.value)
          }
        }
      }
    }
  }
}
