internal import CommandOutput

extension AuditPartial {
  /// Encodes an audit as text, before compression.
  package static func json(_ audit: Audit) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("tickbird_audit", version)
      json.fields(of: audit)
    }
    json.endLine()
    return json.bytes
  }

  /// Encodes the findings about rows, without what follows from the lists, with a seal.
  static func findings(_ audit: Audit, isNumbered: Bool) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("tickbird_findings", version)
      json.field("numbered", isNumbered ? 1 : 0)
      json.fields(of: audit)
    }
    json.endLine()
    return sealed(json.bytes)
  }
}

extension Audit {
  /// The index of each site among those that a partial audit lists.
  fileprivate var sitePlaces: [[UInt8]: Int] {
    var places: [[UInt8]: Int] = [:]
    for (place, name) in sites.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }).enumerated() {
      places[name] = place
    }
    return places
  }
}

extension JSONWriter {
  fileprivate mutating func fields(of audit: Audit) {
    field("lists") { json in
      let places = audit.sitePlaces
      json.array(of: audit.lists) { $0.list($1, places) }
    }
    field("logs") { json in
      json.array(of: audit.logs) { json, log in
        json.array { json in
          json.string(log.name)
          json.string(log.digest)
          json.number(log.size)
          json.number(log.requests)
          json.number(log.badLines)
        }
      }
    }
    field("outcomes") { $0.outcomes(audit.outcomes) }
    field("sites") { json in
      let sites = audit.sites.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      json.array(of: sites) { json, site in
        json.array { json in
          json.string(utf8: site.key)
          json.outcomes(site.value.outcomes)
          json.record(site.value.record)
        }
      }
    }
    field("bad_lines") { json in
      json.array(of: audit.badLines) { json, line in
        json.array { json in
          json.number(line.log)
          json.number(line.line)
          json.string(line.message)
        }
      }
    }
  }

  private mutating func list(_ list: AuditedList, _ sites: [[UInt8]: Int]) {
    object { json in
      json.field("name", list.name)
      json.field("digest", list.digest)
      json.field("actions") { $0.string(utf8: list.rules.actions.map(\.rawValue)) }
      json.field("places") { json in
        json.array { json in
          var last = RuleTable.Place(line: 1, column: 0)
          for place in list.rules.places {
            json.number(place.line - last.line)
            json.number(place.line == last.line ? place.column - last.column : place.column)
            last = place
          }
        }
      }
      json.field("outcomes") { $0.outcomes(list.outcomes) }
      json.field("record") { $0.record(list.record) }
      json.field("sheets", list.attachedSheets)
      json.field("rules") { json in
        json.array(of: list.matches.sorted { $0.key < $1.key }) { json, match in
          json.array { json in
            json.number(match.key)
            json.string(match.value.filter)
            json.string(match.value.selector)
            json.record(match.value.record)
            json.string(match.value.conditions)
            json.effects(match.value.effects)
            json.array { json in
              let counts = match.value.sites.map { (sites[$0.key] ?? 0, $0.value) }
              for (site, count) in counts.sorted(by: { $0.0 < $1.0 }) {
                json.number(site)
                json.number(count)
              }
            }
          }
        }
      }
    }
  }

  private mutating func effects(_ effects: RuleEffects) {
    array { json in
      json.number(effects.onlyBlocker)
      json.number(effects.rescued)
      json.blocks(effects.firstParty)
    }
  }

  private mutating func blocks(_ blocks: FirstPartyBlocks) {
    number(blocks.documents)
    number(blocks.scripts)
    number(blocks.styleSheets)
  }

  fileprivate mutating func outcomes(_ outcomes: Outcomes) {
    array { json in
      json.number(outcomes.requests)
      json.number(outcomes.unchecked)
      json.number(outcomes.blocked)
      json.number(outcomes.withoutCookies)
      json.number(outcomes.upgraded)
      json.number(outcomes.hiding)
      json.number(outcomes.unaffected)
      json.blocks(outcomes.firstParty)
    }
  }

  fileprivate mutating func record(_ record: Record) {
    array { json in
      json.number(record.tally.matched)
      json.number(record.tally.cutByPrevious)
      json.number(record.tally.cutByFollowing)
      json.number(record.tally.withoutEffect)
      for example in [record.first, record.last] {
        guard let example else {
          json.null()
          continue
        }
        json.array { json in
          json.number(example.log)
          json.number(example.line)
          json.string(utf8: example.url)
        }
      }
    }
  }
}
