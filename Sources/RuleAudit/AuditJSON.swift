package import CommandOutput

extension Audit {
  /// The whole audit as JSON for other programs, in one fixed order.
  ///
  /// Rules and logs are numbered from 0, lines from 1.
  package var json: [UInt8] { json { _, _, _ in } }

  /// Returns the same, with further fields of each rule that matched.
  package func json(
    further: (_ list: Int, _ rule: Int, _ json: inout JSONWriter) -> Void
  ) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.outcomeFields(outcomes)
      json.field("bad_lines", badLineCount)
      json.field("logs") { json in
        json.array(of: logs) { json, log in
          json.object { json in
            json.field("name", log.name)
            json.field("digest", log.digest)
            json.field("bytes", log.size)
            json.field("requests", log.requests)
            json.field("bad_lines", log.badLines)
          }
        }
      }
      json.field("first_bad_lines") { json in
        json.array(of: badLines) { json, line in
          json.object { json in
            json.field("log", line.log)
            json.field("line", line.line)
            json.field("message", line.message)
          }
        }
      }
      json.field("lists") { json in
        json.array(of: lists.enumerated()) { json, list in
          json.list(list.element) { further(list.offset, $0, &$1) }
        }
      }
      json.field("sites") { json in
        json.array(of: sites.sorted { $0.key.lexicographicallyPrecedes($1.key) }) { json, site in
          json.object { json in
            json.field("site") { $0.string(utf8: site.key) }
            json.outcomeFields(site.value.outcomes)
            json.recordFields(site.value.record)
          }
        }
      }
    }
    json.endLine()
    return json.bytes
  }
}

extension JSONWriter {
  fileprivate mutating func list(
    _ list: AuditedList,
    _ further: (_ rule: Int, _ json: inout JSONWriter) -> Void
  ) {
    object { json in
      json.field("name", list.name)
      json.field("digest", list.digest)
      json.field("rule_count", list.rules.actions.count)
      json.field("global_sheet_rules", list.rules.actions.count { $0 == .globalSheet })
      json.field("skipped_rules", list.rules.actions.count { $0 == .skipped })
      json.field("attached_global_sheet", list.attachedSheets)
      json.outcomeFields(list.outcomes)
      json.recordFields(list.record)
      json.field("rules") { json in
        json.array(of: list.matches.sorted { $0.key < $1.key }) { json, match in
          json.object { json in
            json.field("rule", match.key)
            if match.key < list.rules.actions.count {
              json.field("line", list.rules.places[match.key].line)
              json.field("column", list.rules.places[match.key].column)
              json.field("action", list.rules.actions[match.key].word)
              further(match.key, &json)
            }
            json.field("url_filter", match.value.filter)
            if !match.value.selector.isEmpty { json.field("selector", match.value.selector) }
            if !match.value.conditions.isEmpty {
              json.field("conditions", match.value.conditions)
            }
            json.recordFields(match.value.record)
            json.field("only_blocker", match.value.effects.onlyBlocker)
            json.field("rescued", match.value.effects.rescued)
            json.field("first_party_blocked") { $0.blocks(match.value.effects.firstParty) }
            json.field("sites") { json in
              json.array(of: match.value.sortedSites) { json, site in
                json.object { json in
                  json.field("site") { $0.string(utf8: site.name) }
                  json.field("applied", site.count)
                }
              }
            }
          }
        }
      }
      json.field("unmatched_rules") { json in
        json.array(of: list.unmatched) { $0.number($1) }
      }
    }
  }

  fileprivate mutating func outcomeFields(_ outcomes: Outcomes) {
    field("requests", outcomes.requests)
    field("blocked", outcomes.blocked)
    field("cookies_blocked", outcomes.withoutCookies)
    field("made_https", outcomes.upgraded)
    field("hiding", outcomes.hiding)
    field("unaffected", outcomes.unaffected)
    field("unchecked", outcomes.unchecked)
    field("first_party_blocked") { $0.blocks(outcomes.firstParty) }
  }

  fileprivate mutating func blocks(_ blocks: FirstPartyBlocks) {
    object { json in
      json.field("documents", blocks.documents)
      json.field("scripts", blocks.scripts)
      json.field("style_sheets", blocks.styleSheets)
    }
  }

  fileprivate mutating func recordFields(_ record: Record) {
    field("matched", record.tally.matched)
    field("applied", record.tally.applied)
    field("cancelled", record.tally.cancelled)
    field("cancelled_by_previous", record.tally.cutByPrevious)
    field("cancelled_by_following", record.tally.cutByFollowing)
    field("without_effect", record.tally.withoutEffect)
    if let first = record.first { field("first") { $0.example(first) } }
    if let last = record.last { field("last") { $0.example(last) } }
  }

  private mutating func example(_ example: Example) {
    object { json in
      json.field("log", example.log)
      json.field("line", example.line)
      json.field("url") { $0.string(utf8: example.url) }
    }
  }
}
