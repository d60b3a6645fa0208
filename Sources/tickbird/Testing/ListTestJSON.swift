internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ListTesting
internal import ResourceLoads

/// The results of tests as one JSON object.
struct ListTestJSON {
  let report: ListTestReport

  func bytes() -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("holds") { json in
        if report.hasTrouble { json.null() } else { json.boolean(report.failedCount == 0) }
      }
      json.field("expectations", report.triedCount)
      json.field("failed", report.failedCount)
      json.field("notTried", report.untriedCount)
      json.field("filtered", report.filteredCount)
      json.field("files") { json in
        json.array(of: report.files) { json, file in self.file(file, &json) }
      }
      guard let coverage = report.coverage else { return }
      json.field("coverage") { json in
        json.array(of: coverage) { json, list in Self.coverage(list, &json) }
      }
    }
    json.endLine()
    return json.bytes
  }

  private func file(_ file: ListTestReport.TestFile, _ json: inout JSONWriter) {
    json.object { json in
      json.field("file", file.name)
      json.field("lists") { json in json.array(of: file.lists) { $0.string($1) } }
      json.field("errors") { json in
        json.array { json in
          for fault in file.faults {
            json.object { json in
              json.field("line", fault.line)
              json.field("column", fault.column)
              json.field("message", fault.message)
            }
          }
          guard let trouble = file.trouble else { return }
          json.object { $0.field("message", trouble) }
        }
      }
      json.field("results") { json in
        json.array(of: file.outcomes) { json, outcome in Self.outcome(outcome, file.origins, &json)
        }
      }
    }
  }

  private static func outcome(
    _ outcome: ListTestReport.Outcome,
    _ origins: RuleSources,
    _ json: inout JSONWriter
  ) {
    let expectation = outcome.expectation
    let load = expectation.load
    json.object { json in
      json.field("line", expectation.line)
      json.field("column", expectation.column)
      json.field("text", expectation.text)
      if let section = expectation.section { json.field("section", section) }
      json.field("url", load.url.serialized)
      json.field("type", LoadWords.word(for: load.resourceType))
      json.field("page", load.topURL.serialized)
      json.field("frame", load.frameURL.serialized)
      json.field("holds", outcome.holds)
      json.field("outcome", outcome.words.lowercased())
      if let newURL = outcome.newURL { json.field("newURL", newURL) }
      guard !outcome.holds else { return }
      json.field("failures") { json in
        json.array(of: outcome.failures) { json, failure in Self.failure(failure, origins, &json) }
      }
      json.field("reasons") { json in
        json.array(of: outcome.reasons) { $0.string($1.text) }
      }
    }
  }

  private static func failure(
    _ failure: ListTestVerdict.Failure,
    _ origins: RuleSources,
    _ json: inout JSONWriter
  ) {
    json.object { json in
      json.field("claim", failure.claim.text)
      json.field("column", failure.claim.column)
      switch failure.reason {
      case .otherOutcome: json.field("reason", "other-outcome")
      case .otherRules(let rules):
        json.field("reason", "other-rules")
        json.field("rules") { json in
          json.array(of: rules) { json, rule in
            json.object { json in
              json.field("list", rule.list)
              json.field("rule", rule.rule)
              origins.write(list: rule.list, rule: rule.rule, to: &json)
            }
          }
        }
      }
    }
  }

  private static func coverage(
    _ list: ListTestReport.ListCoverage,
    _ json: inout JSONWriter
  ) {
    let count = list.coverage.count
    json.object { json in
      json.field("file", list.path)
      json.field("rules", count.total)
      json.field("exercised", count.exercised)
      json.field("groups") { json in
        json.array(of: list.coverage.groups(list.source)) { json, group in
          json.object { json in
            json.field("action", group.action)
            json.field("rules", group.count.total)
            json.field("exercised", group.count.exercised)
          }
        }
      }
      json.field("notExercised") { json in
        json.array(of: CoverageGap.all(of: list)) { json, gap in
          json.object { json in
            json.field("rule", gap.rule.index)
            json.field("line", gap.place.line)
            json.field("column", gap.place.column)
            json.field("action", gap.rule.action.word)
            json.field("reason", gap.reason)
            list.origins.write(list: list.list, rule: gap.rule.index, to: &json)
          }
        }
      }
      guard let lines = SourceLineCoverage(list) else { return }
      json.field("sourceLines") { json in
        json.object { json in
          json.field("lines", lines.count)
          json.field("exercised", lines.exercisedCount)
          json.field("notExercised") { json in RuleSources.write(lines.missing, to: &json) }
        }
      }
    }
  }
}
