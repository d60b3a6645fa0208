internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ResourceLoads
internal import WebURL

/// Writes loads as JSON, one a line.
struct ExplanationJSON {
  /// The rule that `--rule` asks about.
  let asked: RuleID?
  /// Whether rules that hide are written one by one.
  let listsHiding: Bool

  /// The parts of an explanation to write.
  var detail: Explanation.Detail { listsHiding ? .all : .ranges }

  /// Writes a load.
  ///
  /// - Parameters:
  ///   - place: Its index among the loads.
  ///   - verdicts: The loads.
  ///   - explanation: With ``detail``.
  ///   - hides: The number of rules that hide something because of it.
  ///   - explainer: The source of the rules' texts.
  /// - Returns: The line with its end.
  func line(
    _ place: Int,
    of verdicts: LoadVerdicts,
    _ explanation: Explanation,
    hides: Int,
    _ explainer: borrowing Explainer
  ) -> [UInt8] {
    let load = explanation.load
    let verdict = verdicts.verdicts[place]
    var json = JSONWriter()
    json.object { json in
      json.field("load", place)
      json.field("url") { $0.string(utf8: load.url.utf8) }
      json.field("top_url") { $0.string(utf8: load.topURL.utf8) }
      json.field("frame_url") { $0.string(utf8: load.frameURL.utf8) }
      json.field("resource_type", LoadWords.word(for: load.resourceType))
      json.field("load_context", load.loadContext == .topFrame ? "top-frame" : "child-frame")
      json.field("load_type", load.loadType == .firstParty ? "first-party" : "third-party")
      json.field("method") { json in
        if let method = load.requestMethod { json.string("\(method)") } else { json.null() }
      }
      json.field("page", verdicts.loads[place].page)
      json.guesses(verdicts.loads[place].guesses)
      if let prevention = verdict.prevention {
        json.field("prevented_by") { json in
          json.object { json in
            json.field("cause", prevention.cause.kind.rawValue)
            json.field("load", prevention.cause.entry)
            json.field("blocked_load", prevention.blockedEntry)
          }
        }
      }
      if let decider = verdict.decider {
        json.field("decided_by") { json in
          json.object { json in
            json.field("list", decider.list)
            json.field("rule", decider.rule)
          }
        }
      }
      json.field("decision") { $0.decision(explanation.decision) }
      json.field("hiding_rules", hides)
      json.field("matches") { json in
        json.array(of: explanation.matches) { explainer.write($1, to: &$0) }
      }
      guard let asked else { return }
      json.field("why_not") { json in
        let reason = NonMatch(rule: asked.rule, of: explainer.sources[asked.list], load: load)
        guard reason != .none else { return json.null() }
        json.object { json in
          explainer.write(asked, to: &json)
          json.field("reason", reason.word)
          json.field("message", reason.sentence(load))
        }
      }
    }
    json.endLine()
    return json.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func guesses(_ guesses: HARFile.Guesses) {
    guard !guesses.isEmpty else { return }
    field("guessed") { json in
      json.array { json in
        if guesses.contains(.type) { json.string("resource_type") }
        if guesses.contains(.page) { json.string("top_url") }
        if guesses.contains(.frame) { json.string("frame_url") }
      }
    }
  }
}

extension Explainer {
  fileprivate func write(_ match: Explanation.Match, to json: inout JSONWriter) {
    json.object { json in
      write(RuleID(list: match.list, rule: match.rule), to: &json)
      json.field("fate", match.fate.word)
      if let cause = match.fate.cause(list: match.list) {
        json.field("by") { json in
          json.object { json in
            json.field("list", cause.list)
            json.field("rule", cause.rule)
          }
        }
      }
      json.field("url_range") { json in
        guard let range = match.urlRange else { return json.null() }
        json.array { json in
          json.number(range.lowerBound)
          json.number(range.upperBound)
        }
      }
    }
  }

  /// Writes the fields that identify a rule.
  func write(_ id: RuleID, to json: inout JSONWriter) {
    json.field("list", id.list)
    json.field("rule", id.rule)
    json.field("file", files[id.list].name)
    guard let rule = rule(id) else { return }
    let position = sources[id.list].position(of: rule)
    json.field("line", position.line)
    json.field("column", position.column)
    json.field("action", rule.action.word)
    json.field("text", sources[id.list].text(of: rule))
    origins.write(list: id.list, rule: id.rule, to: &json)
  }
}
