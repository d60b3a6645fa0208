package import ContentBlocking
internal import ContentRules
internal import ResourceLoads
internal import WebURL

// A load with its explanation as JSON, for the command and for programs that use the library.

extension JSONWriter {
  /// Writes the fields of an explained load.
  ///
  /// - Parameters:
  ///   - explanation: The load, its decision, and the rules that matched.
  ///   - place: The load's index among those that are explained.
  ///   - page: The index of its page.
  ///   - decider: The rule that decides.
  ///   - hides: The number of rules that hide something because of the load.
  ///   - context: Writes what else is known of the load.
  ///   - rule: Writes the fields that identify a rule.
  package mutating func explanationFields(
    _ explanation: Explanation,
    place: Int,
    page: Int,
    decider: RuleID?,
    hides: Int,
    context: (inout JSONWriter) -> Void = { _ in },
    rule: (RuleID, inout JSONWriter) -> Void
  ) {
    let load = explanation.load
    field("load", place)
    field("url") { $0.string(utf8: load.url.utf8) }
    field("top_url") { $0.string(utf8: load.topURL.utf8) }
    field("frame_url") { $0.string(utf8: load.frameURL.utf8) }
    field("resource_type", load.resourceType.word)
    field("load_context", load.loadContext == .topFrame ? "top-frame" : "child-frame")
    field("load_type", load.loadType == .firstParty ? "first-party" : "third-party")
    field("method") { json in
      if let method = load.requestMethod { json.string(method.word) } else { json.null() }
    }
    field("page", page)
    context(&self)
    if let decider {
      field("decided_by") { json in
        json.object { $0.position(decider) }
      }
    }
    field("decision") { $0.decision(explanation.decision) }
    field("hiding_rules", hides)
    field("matches") { json in
      json.array(of: explanation.matches) { json, match in
        json.object { json in
          rule(RuleID(list: match.list, rule: match.rule), &json)
          json.fate(of: match)
        }
      }
    }
  }

  private mutating func position(_ rule: RuleID) {
    field("list", rule.list)
    field("rule", rule.rule)
  }

  private mutating func fate(of match: Explanation.Match) {
    field("fate", match.fate.word)
    if let cause = match.fate.cause(list: match.list) {
      field("by") { json in
        json.object { $0.position(cause) }
      }
    }
    field("url_range") { json in
      guard let range = match.urlRange else { return json.null() }
      json.array { json in
        json.number(range.lowerBound)
        json.number(range.upperBound)
      }
    }
  }

  /// Writes the fields that identify a rule of a list.
  ///
  /// - Parameters:
  ///   - id: The rule.
  ///   - source: Its list.
  ///   - name: The list's name.
  package mutating func ruleFields(_ id: RuleID, in source: ListSource, named name: String) {
    position(id)
    field("file", name)
    guard let rule = source.rule(at: id.rule) else { return }
    let position = source.position(of: rule)
    field("line", position.line)
    field("column", position.column)
    field("action", rule.action.word)
    field("text", source.text(of: rule))
  }
}
