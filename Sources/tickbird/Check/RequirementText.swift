internal import CommandOutput
internal import ContentRules
internal import TextOutput

/// The output of `--min-target` for a list.
enum RequirementText {
  /// Returns the least target, and the first rule that needs each feature, as text.
  static func text(_ report: RuleListReport, _ name: String) -> OutputText {
    var lines: [OutputText] = []
    if !report.isAccepted {
      let argument = Lists.argument(for: name)
      lines.append(
        "\(path: name) is refused by every WebKit; see tickbird check \(path: argument)"
      )
    } else if report.requirements.isEmpty {
      lines.append("\(path: name): every Safari from 9 on, every iOS from 9 on")
    } else {
      lines.append("\(path: name): \(least(report))")
    }
    for requirement in report.requirements {
      let place =
        requirement.location.ruleIndex.map {
          ", first in rule \($0), line \(requirement.location.line)"
        } ?? ""
      lines.append("  \(version(requirement)): \(requirement.name)\(asIs: place)")
    }
    return OutputText(joining: lines) + "\n"
  }

  /// Returns the same as a line of JSON.
  static func json(_ report: RuleListReport, _ name: String) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("file", name)
      json.field("accepted", report.isAccepted)
      json.field("safari") { json in
        if let safari = safari(report) { json.string(safari.description) } else { json.null() }
      }
      json.field("ios") { json in
        if let safari = safari(report) { json.string(safari.iOS.description) } else { json.null() }
      }
      json.field("engine") { json in
        let since = report.requirements.map(\.feature.since).max()
        if let since { json.string(month(since)) } else { json.null() }
      }
      json.field("requirements") { json in
        json.array(of: report.requirements) { json, requirement in
          json.object { json in
            json.field("name", requirement.name)
            json.field("safari") { json in
              if let safari = requirement.feature.safari {
                json.string(safari.description)
              } else {
                json.null()
              }
            }
            json.field("engine", month(requirement.feature.since))
            json.field("source", requirement.feature.source)
            json.field("rule") { json in
              if let rule = requirement.location.ruleIndex {
                json.number(rule)
              } else {
                json.null()
              }
            }
            json.field("path", requirement.location.jsonPath)
            json.field("line", requirement.location.line)
            json.field("column", requirement.location.column)
          }
        }
      }
    }
    json.endLine()
    return json.bytes
  }

  private static func least(_ report: RuleListReport) -> String {
    let since = report.requirements.map(\.feature.since).max()
    let engine = since.map { "an engine of \(month($0))" } ?? ""
    guard let safari = safari(report) else {
      return "no released Safari that is known, or \(engine)"
    }
    return "Safari \(safari) (iOS \(safari.iOS)), or \(engine)"
  }

  /// Returns the least version of Safari; `nil` if none has a feature, `9` if nothing is needed.
  private static func safari(_ report: RuleListReport) -> SafariVersion? {
    var least = SafariVersion(9)
    for requirement in report.requirements {
      guard let safari = requirement.feature.safari else { return nil }
      least = max(least, safari)
    }
    return least
  }

  private static func version(_ requirement: Requirement) -> String {
    requirement.feature.safari.map { "Safari \($0)" }
      ?? "engine of \(month(requirement.feature.since))"
  }

  private static func month(_ release: EngineRelease) -> String {
    "\(release.year)-\(release.month < 10 ? "0" : "")\(release.month)"
  }
}
