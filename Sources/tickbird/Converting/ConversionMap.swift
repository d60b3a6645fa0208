internal import CommandOutput

/// Writes the account of a conversion as JSON.
struct ConversionMap {
  let list: any ConvertedList

  /// Returns the map: `{"version":1,"sources":[…],"syntaxes":[…],"digests":[…],"rules":N,"lines":[…]}`, an entry
  /// for each source line.
  func json() -> [UInt8] {
    var json = JSONWriter()
    json.bytes.reserveCapacity(96 * list.lineCount)
    json.object { json in
      json.field("version", 1)
      json.field("sources") { json in
        json.array(of: list.sources) { json, source in json.string(source) }
      }
      let syntaxes = list.syntaxes
      if !syntaxes.isEmpty {
        json.field("syntaxes") { json in
          json.array(of: syntaxes) { json, syntax in json.string(syntax) }
        }
      }
      let digests = list.sourceDigests
      if !digests.isEmpty {
        json.field("digests") { json in
          json.array(of: digests) { json, digest in json.string(digest) }
        }
      }
      json.field("rules", list.ruleCount)
      json.field("lines") { json in lines(to: &json, withText: false) }
    }
    json.endLine()
    return json.bytes
  }

  /// Writes the entries of all lines.
  func lines(to json: inout JSONWriter, withText: Bool) {
    let sources = list.sources
    json.array { json in
      for line in 0..<list.lineCount {
        let account = list.account(ofLine: line)
        if line % 16 == 0 { json.bytes.append(0x0A) }
        json.object { json in
          json.field("file", sources[account.source])
          json.field("line", account.line)
          json.field("outcome", account.outcome.rawValue)
          json.field("rules") { json in
            json.array(of: account.rules) { json, rule in json.number(rule) }
          }
          json.field("reason") { json in
            if let reason = account.reasons.first {
              Self.write(reason, to: &json)
            } else {
              json.null()
            }
          }
          if account.reasons.count > 1 {
            json.field("furtherReasons") { json in
              json.array(of: account.reasons.dropFirst()) { json, reason in
                Self.write(reason, to: &json)
              }
            }
          }
          if withText { json.field("text", account.text) }
        }
      }
    }
  }

  static func write(_ reason: AccountedReason, to json: inout JSONWriter) {
    json.object { json in
      json.field("code", reason.code)
      json.field("text", reason.sentence)
    }
  }
}
