package import CommandOutput

extension PreviewReport {
  /// Writes the report as one object on a line.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.field("page", url)
      json.field("title", title)
      json.field("lists") { $0.array(of: lists) { $0.string($1) } }
      json.field("requests") { json in
        json.array(of: rows) { json, row in
          json.object { json in
            json.field("url", row.request.url)
            json.field("type", row.request.type)
            json.field("frame") { $0.optional(row.request.frame) }
            json.field("outcome", row.outcome)
            json.field("blocked", row.request.verdict.isBlocked)
            json.field("rule") { json in
              if let rule = row.request.verdict.rule { json.rule(rule) } else { json.null() }
            }
            json.field("reasons") { json in
              json.array(of: row.request.verdict.sentences) { $0.string($1) }
            }
            if let prevention = row.request.prevention { json.field("note", prevention) }
            if let failure = row.request.failure { json.field("failure", failure) }
            json.field("status") { $0.optional(row.request.status) }
            json.field("bytes") { $0.pair(row.bytesWithout, row.bytesWith) }
          }
        }
      }
      json.field("hidden") { json in
        json.array(of: without.hiding.enumerated()) { json, hiding in
          json.object { json in
            json.field("rule") { $0.rule(hiding.element.rule) }
            json.field("selector", hiding.element.selector)
            json.field("elements") {
              $0.optional(without.matchCounts[hiding.offset] ?? (with == nil ? nil : 0))
            }
          }
        }
      }
      json.field("blocked", blockedCount)
      json.field("notRequested", preventedCount)
      json.field("bytes") { $0.pair(bytes.without, bytes.with) }
      json.field("seconds") { json in
        json.object { json in
          json.field("without") { $0.optional(without.seconds) }
          json.field("with") { $0.optional(with?.seconds) }
        }
      }
      json.field("notes") { $0.array(of: notes) { $0.string($1) } }
    }
    json.endLine()
  }
}

extension JSONWriter {
  fileprivate mutating func optional(_ text: String?) {
    if let text { string(text) } else { null() }
  }

  fileprivate mutating func optional(_ value: Int?) {
    if let value { number(value) } else { null() }
  }

  fileprivate mutating func optional(_ value: Double?) {
    if let value { number(value) } else { null() }
  }

  fileprivate mutating func pair(_ without: Int?, _ with: Int?) {
    object { json in
      json.field("without") { $0.optional(without) }
      json.field("with") { $0.optional(with) }
    }
  }

  fileprivate mutating func rule(_ rule: PreviewRule) {
    object { json in
      json.field("list", rule.list)
      json.field("rule", rule.number)
      json.field("place", rule.place)
      json.field("pattern", rule.gist)
      guard !rule.sources.isEmpty else { return }
      json.field("source") { json in
        json.array(of: rule.sources) { json, source in
          json.object { json in
            json.field("file", source.file)
            json.field("line", source.line)
          }
        }
      }
    }
  }
}
