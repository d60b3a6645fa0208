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
    let verdict = verdicts.verdicts[place]
    var json = JSONWriter()
    json.object { json in
      json.explanationFields(
        explanation,
        place: place,
        page: verdicts.loads[place].page,
        decider: verdict.decider,
        hides: hides,
        context: { json in
          json.guesses(verdicts.loads[place].guesses)
          if let prevention = verdict.prevention { json.prevention(prevention) }
        },
        rule: { explainer.write($0, to: &$1) }
      )
      guard let asked else { return }
      json.field("why_not") { json in
        let load = explanation.load
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

  fileprivate mutating func prevention(_ prevention: LoadPrevention) {
    field("prevented_by") { json in
      json.object { json in
        json.field("cause", prevention.cause.kind.rawValue)
        json.field("load", prevention.cause.entry)
        json.field("blocked_load", prevention.blockedEntry)
      }
    }
  }
}

extension Explainer {
  /// Writes the fields that identify a rule.
  func write(_ id: RuleID, to json: inout JSONWriter) {
    json.ruleFields(id, in: sources[id.list], named: files[id.list].name)
    if rule(id) != nil { origins.write(list: id.list, rule: id.rule, to: &json) }
  }
}
