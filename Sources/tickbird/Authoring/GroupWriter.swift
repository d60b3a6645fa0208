internal import CommandOutput
internal import ListAnalysis
internal import RuleMatching

/// Writes what groups of rules cost.
struct GroupWriter {
  let groups: [CostGroup]

  /// Adds the field `groups` to an object.
  func write(_ json: inout JSONWriter) {
    json.field("groups") { json in
      json.array(of: groups) { json, group in
        json.object { json in
          json.field("form", group.form.rawValue)
          json.field("action", group.action.name)
          json.field("rules", group.ruleCount)
          json.field("first", group.firstRule)
          json.field("bytes", group.bytes)
          json.field("compiledBytes", group.compiledBytes)
          json.field("webkitFactor") { number(group.form.webKitFactor, &$0) }
          json.field("webkitRules") { number(group.webKitRules.map(Double.init), &$0) }
          json.field("cheaper") { json in
            guard let cheaper = group.cheaper else { return json.null() }
            json.object { json in
              json.field("rules", cheaper.ruleCount)
              json.field("spelling", cheaper.spelling)
            }
          }
          guard let measured = group.measured else { return }
          json.field("compileSeconds") { $0.number(measured.compileSeconds) }
          json.field("matchSeconds") { $0.number(measured.matchSeconds) }
        }
      }
    }
  }

  private func number(_ number: Double?, _ json: inout JSONWriter) {
    if let number { json.number(number) } else { json.null() }
  }

  /// Returns a line for each group, and one for what a cheaper spelling would save.
  func text(_ paint: Paint, limit: Int) -> String {
    guard !groups.isEmpty else { return "" }
    var text = paint.bold("costs by the form of url-filter and the action") + "\n"
    let shown = limit == 0 ? groups[...] : groups.prefix(limit)
    for group in shown {
      var parts = [
        Shown.count(group.ruleCount, "rule"), "\(Shown.grouped(group.bytes)) bytes of JSON",
        "\(Shown.grouped(group.compiledBytes)) compiled",
      ]
      if let factor = group.form.webKitFactor, let rules = group.webKitRules {
        let them = group.ruleCount == 1 ? "it" : "them"
        if group.form == .hostAnchor {
          parts.append("WebKit compiles no other form faster")
        } else if tenths(factor) == "1.0" {
          parts.append("WebKit compiles \(them) as fast as host-anchor")
        } else {
          parts.append(
            "WebKit takes \(tenths(factor)) times as long to compile \(them) as host-anchor, as long "
              + "as for \(Shown.count(rules, "rule")) of that form"
          )
        }
      }
      if let measured = group.measured {
        parts.append("compiled here in \(tenths(measured.compileSeconds * 1e3)) ms")
        parts.append("decided in \(tenths(measured.matchSeconds * 1e6)) µs a load")
      }
      text += "  \(group.form.rawValue), \(group.action.name): \(parts.joined(separator: "; "))\n"
      text += paint.dim("      \(group.form.description)") + "\n"
      guard let cheaper = group.cheaper else { continue }
      text +=
        "      \(Shown.count(cheaper.ruleCount, "rule")) of these can be written more cheaply, proved "
        + "equal, the first as \(Shown.line(cheaper.spelling)); tickbird optimize does so\n"
    }
    if shown.count < groups.count {
      text += "  and \(Shown.grouped(groups.count - shown.count)) more; --limit 0 shows all\n"
    }
    return text
  }

  /// A number with one digit behind the point.
  private func tenths(_ number: Double) -> String {
    let tenths = Int((number * 10).rounded())
    return "\(Shown.grouped(tenths / 10)).\(tenths % 10)"
  }
}
