internal import CommandInput
internal import CommandOutput
internal import ContentRules
internal import ListAnalysis

/// Writes what an analysis found.
struct FindingWriter {
  let read: ReadList
  /// The filters that the rules were converted from.
  let origins: RuleSources
  let findings: [ListFinding]
  let groups: GroupWriter
  let loadsTried: Int
  let givenUp: Int

  func json() -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("file", read.source.name)
      json.field("rules", read.rules.count)
      json.field("skipped", read.skippedCount)
      json.field("removable", findings.count(where: \.isRemovable))
      json.field("loadsTried", loadsTried)
      json.field("givenUp", givenUp)
      json.field("findings") { json in
        json.array { json in
          forEach(findings) { finding, place, _ in
            json.object { json in
              json.field("rule", finding.rule)
              json.field("code", finding.code.rawValue)
              json.field("because") { json in
                json.array(of: finding.because) { $0.number($1) }
              }
              json.field("text", finding.text)
              json.field("line", place.line)
              json.field("column", place.column)
              json.field("removable", finding.isRemovable)
              writeSources(of: finding, to: &json)
            }
          }
        }
      }
      groups.write(&json)
    }
    json.endLine()
    return json.bytes
  }

  /// Returns the findings by code, then a summary.
  func text(_ paint: Paint, limit: Int) -> String {
    var text = ""
    for code in ListFinding.Code.allCases {
      let own = findings.filter { $0.code == code }
      guard !own.isEmpty else { continue }
      text += paint.bold("\(code.rawValue): \(code.heading) (\(Shown.grouped(own.count)))") + "\n"
      let shown = limit == 0 ? own[...] : own.prefix(limit)
      forEach(shown) { finding, place, rule in
        text +=
          "  \(Shown.line(read.source.name)):\(place.line):\(place.column): "
          + "rule \(finding.rule)\(origins.suffix(list: 0, rule: finding.rule)): "
          + "\(Shown.line(finding.text))\n"
        text +=
          paint.dim(
            "      " + Shown.shortened(Shown.line(read.text(of: rule)), to: 160)
          ) + "\n" + filters(of: finding)
      }
      if shown.count < own.count {
        text += "  and \(Shown.grouped(own.count - shown.count)) more; --limit 0 shows all\n"
      }
    }
    return text + groups.text(paint, limit: limit) + summary
  }

  /// The most rules that are the reason whose filters text shows.
  private static let shownReasons = 3

  /// Returns the filter of a finding, and the places of those that are its reason.
  private func filters(of finding: ListFinding) -> String {
    var text = ""
    if let filter = origins.filter(list: 0, rule: finding.rule) {
      text += "      filter \(Shown.shortened(filter, to: 150))\n"
    }
    for rule in finding.because.prefix(Self.shownReasons) {
      guard let label = origins.label(list: 0, rule: rule) else { continue }
      let filter = origins.filter(list: 0, rule: rule).map { ": \(Shown.shortened($0, to: 120))" }
      text += "      rule \(rule) is of \(label)\(filter ?? "")\n"
    }
    return text
  }

  private func writeSources(of finding: ListFinding, to json: inout JSONWriter) {
    origins.write(list: 0, rule: finding.rule, to: &json)
    guard finding.because.contains(where: { !origins.lines(list: 0, rule: $0).isEmpty }) else {
      return
    }
    json.field("becauseSources") { json in
      json.array(of: finding.because) { json, rule in
        RuleSources.write(origins.lines(list: 0, rule: rule), to: &json)
      }
    }
  }

  private var summary: String {
    let rules = read.sizeWords
    let spent =
      givenUp == 0
      ? ""
      : "; \(Shown.count(givenUp, "comparison")) given up for "
        + "\(givenUp == 1 ? "its" : "their") costs, so that more may be superfluous"
    guard !findings.isEmpty else {
      return "\(Shown.line(read.source.name)): \(rules), nothing found\(spent)\n"
    }
    let removable = findings.count(where: \.isRemovable)
    var text =
      "\(Shown.line(read.source.name)): \(rules), \(Shown.count(findings.count, "finding"))"
    if removable > 0 {
      text +=
        "; \(Shown.count(removable, "rule")) can go (tickbird optimize), tried on "
        + Shown.count(loadsTried, "load")
    }
    return text + spent + "\n"
  }

  /// Calls `body` with each finding, its rule's line and column from 1, and the rule.
  private func forEach(
    _ findings: some Sequence<ListFinding>,
    _ body: (ListFinding, (line: Int, column: Int), Rule) -> Void
  ) {
    var lines = LineCounter()
    var rules = read.rules[...]
    for finding in findings {
      if let first = rules.first, first.index > finding.rule { rules = read.rules[...] }
      rules = rules.drop { $0.index < finding.rule }
      guard let rule = rules.first, rule.index == finding.rule else { continue }
      let place = lines.advance(to: rule.sourceRange.lowerBound, in: read.source.text.span)
      body(finding, place, rule)
    }
  }
}

extension ListFinding.Code {
  /// What all findings of the code have in common.
  var heading: String {
    switch self {
    case .neverMatches: "no load can match"
    case .contradiction: "conditions that exclude each other"
    case .shadowed: "others leave nothing to do"
    case .redundant: "others do the same"
    case .alwaysCancelled: "an exception cancels it, always"
    case .cancelsNothing: "exceptions with nothing to cancel"
    case .samePattern: "another spelling of the same pattern"
    case .costly: "a cheaper spelling means the same"
    }
  }
}
