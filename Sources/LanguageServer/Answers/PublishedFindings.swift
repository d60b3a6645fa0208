internal import CommandOutput
internal import ContentRules

/// Writes findings as the diagnostics of a document.
enum PublishedFindings {
  /// Returns the message that a document has no findings.
  static func none(_ uri: String) -> [UInt8] {
    OutgoingMessage.notification("textDocument/publishDiagnostics") { json in
      json.object { json in
        json.field("uri", uri)
        json.field("diagnostics") { $0.array { _ in } }
      }
    }
  }

  /// Returns the message with the findings of a document.
  static func message(
    _ document: inout OpenDocument,
    uri: String,
    encoding: PositionEncoding,
    hasRelated: Bool
  ) -> [UInt8] {
    let findings = document.findings
    let text = document.text
    let related = findings.diagnostics.contains { $0.relatedRule != nil } ? document.outline : nil
    let version = document.version
    var cursor = PositionCursor(text, encoding)
    // Another one for what lies elsewhere.
    var relatedCursor = cursor
    return OutgoingMessage.notification("textDocument/publishDiagnostics") { json in
      json.object { json in
        json.field("uri", uri)
        if let version { json.field("version", version) }
        json.field("diagnostics") { json in
          json.array { json in
            if let fault = findings.settingsFault {
              json.object { json in
                json.field("range") { $0.range(0..<0, &cursor) }
                json.field("severity", 1)
                json.field("code", "settings")
                json.field("source", "tickbird")
                json.field("message", fault)
              }
            }
            for diagnostic in findings.diagnostics {
              json.finding(diagnostic, &cursor) { json in
                guard hasRelated else { return }
                json.related(to: diagnostic, uri: uri, related, &relatedCursor)
              }
            }
            if !findings.omitted.isEmpty {
              let counts = findings.omitted.sorted { $0.key.rawValue < $1.key.rawValue }
              json.object { json in
                json.field("range") { $0.range(0..<0, &cursor) }
                json.field("severity", 3)
                json.field("code", "more-of-the-same")
                json.field("source", "tickbird")
                json.field(
                  "message",
                  "not shown: "
                    + counts.map { "\($0.value) more \($0.key.rawValue)" }.joined(separator: ", ")
                    + "; tickbird check has them all"
                )
              }
            }
          }
        }
      }
    }
  }
}

extension JSONWriter {
  /// Writes a range of bytes as the protocol's range.
  mutating func range(
    _ range: Range<Int>,
    _ cursor: inout PositionCursor
  ) {
    object { json in
      for (isEnd, offset) in [(false, range.lowerBound), (true, range.upperBound)] {
        let position = cursor.position(of: offset)
        json.field(isEnd ? "end" : "start") { json in
          json.object { json in
            json.field("line", position.line)
            json.field("character", position.character)
          }
        }
      }
    }
  }

  /// Writes a finding as a diagnostic; the closure adds fields.
  mutating func finding(
    _ diagnostic: Diagnostic,
    _ cursor: inout PositionCursor,
    _ fields: (inout JSONWriter) -> Void = { _ in }
  ) {
    object { json in
      json.field("range") { $0.range(diagnostic.location.byteRange, &cursor) }
      let severity =
        switch diagnostic.severity {
        case .error: 1
        case .warning: 2
        case .note: 3
        }
      json.field("severity", severity)
      json.field("code", diagnostic.code.rawValue)
      json.field("source", "tickbird")
      json.field(
        "message",
        diagnostic.message + (diagnostic.hint.map { "\n\($0)" } ?? "")
      )
      fields(&json)
    }
  }

  /// Writes what else a finding is about: the rule that it names, and WebKit's own words.
  fileprivate mutating func related(
    to diagnostic: Diagnostic,
    uri: String,
    _ outline: RuleOutline?,
    _ cursor: inout PositionCursor
  ) {
    var notes: [(range: Range<Int>, message: String)] = []
    if let rule = diagnostic.relatedRule, let outline, outline.ranges.indices.contains(rule) {
      notes.append((outline.ranges[rule], "this is rule \(rule)"))
    }
    if diagnostic.isWebKitError, let error = diagnostic.webKitError {
      notes.append((diagnostic.location.byteRange, "WebKit refuses the list: \(error.message)"))
    }
    guard !notes.isEmpty else { return }
    field("relatedInformation") { json in
      json.array(of: notes) { json, note in
        json.object { json in
          json.field("location") { json in
            json.object { json in
              json.field("uri", uri)
              json.field("range") { $0.range(note.range, &cursor) }
            }
          }
          json.field("message", note.message)
        }
      }
    }
  }
}
