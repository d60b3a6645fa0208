package import ContentBlocking
internal import ContentRules
internal import RuleMatching
package import WebURL

// Hot: `tickbird match` writes one for each line of a log.

/// One line of `tickbird match`: the fate of a load, and the rules that decide it.
package struct DecisionLine: ~Copyable {
  /// What happens to the load.
  package var fate = LoadFate()
  /// The URL that the load is redirected or upgraded to.
  package var newURL: WebURL?
  /// The actions, if the fate's rules do not say enough.
  package var actions: [LoadDecision.AppliedAction]?

  /// Creates a line without effect.
  package init() {}

  /// The names of the columns of tab-separated lines.
  package static let columns =
    "blocked\tcookies_blocked\turl\trules\texceptions\thiding_rules\tstylesheets\terror\n"

  // MARK: JSON

  /// Adds the line as a JSON object.
  package func write(to json: inout JSONWriter) {
    json.literal(fate.isBlocked ? #"{"blocked":true"# : #"{"blocked":false"#)
    json.literal(
      fate.blocksCookies ? #","cookies_blocked":true"# : #","cookies_blocked":false"#
    )
    if let newURL {
      json.literal(#","url":"#)
      json.value { $0.string(utf8: newURL.utf8) }
    }
    json.literal(#","actions":["#)
    if let actions {
      json.value { json in
        for action in actions { json.action(action) }
      }
    } else {
      write(fate.rules, to: &json)
    }
    if !fate.exceptions.isEmpty {
      json.literal(#"],"exceptions":["#)
      write(fate.exceptions, to: &json)
    }
    json.literal(#"],"hiding_rules":"#)
    json.digits(fate.hidingRules)
    json.literal(#","stylesheets":"#)
    json.digits(fate.attachedSheets)
    json.literal("}\n")
  }

  /// Writes rules as actions, grouped by slot.
  private func write(_ rules: [LoadFate.Rule], to json: inout JSONWriter) {
    var index = 0
    while index < rules.count {
      let first = rules[index]
      if index > 0 { json.literal(",") }
      let start = json.bytes.count
      json.literal(#"{"type":""#)
      json.bytes += first.entry.kind.name.utf8
      json.literal(#"","list":"#)
      json.digits(first.list)
      json.literal(#","rules":["#)
      var isReachedPlainly = false
      var isReachedOtherwise = false
      var last: UInt32?
      while index < rules.count, rules[index].list == first.list,
        rules[index].entry.slot == first.entry.slot
      {
        let entry = rules[index].entry
        if entry.isPlainUniversal { isReachedPlainly = true } else { isReachedOtherwise = true }
        if entry.rule != last {
          if last != nil { json.literal(",") }
          json.digits(Int(entry.rule))
          last = entry.rule
        }
        index += 1
      }
      // Unless redirects matter, for which there are actions, only an upgrade changes the URL.
      let isIdle = first.entry.kind == .makeHTTPS && newURL == nil
      json.literal(isIdle ? #"],"effective":false}"# : "]}")
      // As WebKit does; see the rule language, section 7.2.
      if isReachedPlainly, isReachedOtherwise {
        let action = Array(json.bytes[start...])
        json.literal(",")
        json.bytes += action
      }
    }
  }

  // MARK: Columns

  /// Adds the line as columns separated by tabs.
  package func write(toColumns json: inout JSONWriter) {
    json.literal(fate.isBlocked ? "true\t" : "false\t")
    json.literal(fate.blocksCookies ? "true\t" : "false\t")
    if let newURL { json.bytes += newURL.utf8 }
    json.literal("\t")
    writeColumn(fate.rules, to: &json)
    json.literal("\t")
    writeColumn(fate.exceptions, to: &json)
    json.literal("\t")
    json.digits(fate.hidingRules)
    json.literal("\t")
    json.digits(fate.attachedSheets)
    json.literal("\t\n")
  }

  /// Adds a bad line as columns separated by tabs.
  package static func write(error: String, toColumns json: inout JSONWriter) {
    json.literal("\t\t\t\t\t\t\t")
    json.bytes += Shown.line(error).utf8
    json.literal("\n")
  }

  private func writeColumn(_ rules: [LoadFate.Rule], to json: inout JSONWriter) {
    for (index, rule) in rules.enumerated() {
      if index > 0 { json.literal(" ") }
      json.bytes += rule.entry.kind.name.utf8
      json.literal(":")
      json.digits(rule.list)
      json.literal(":")
      json.digits(Int(rule.entry.rule))
    }
  }
}
