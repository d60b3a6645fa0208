package import ContentRules
internal import TextOutput

/// Findings in the format of code-scanning services: SARIF 2.1.0.
///
///     var log = SARIFLog()
///     try out.write(log.take())   // as often as one likes
///     log.add(diagnostic, fingerprint, file: "ads.json", &columns, text)
///     log.end()
///
/// Writes results as they come, and the descriptions of codes at the end, so that only one result
/// is in memory.
///
/// > Source: Static Analysis Results Interchange Format (SARIF) Version 2.1.0, OASIS.
package struct SARIFLog {
  private var json = JSONWriter()
  private var codes: [DiagnosticCode] = []
  private var codeNumbers: [DiagnosticCode: Int] = [:]
  private var mended: [(file: String, count: Int)] = []

  /// The code for a file that cannot be read.
  private static let unreadable = DiagnosticCode(rawValue: "unreadable")
  /// The code for an expectation of a test that is not met.
  package static let failedExpectation = DiagnosticCode(rawValue: "failed-expectation")
  /// The code for a line of a test that cannot be read.
  package static let invalidTest = DiagnosticCode(rawValue: "invalid-test")

  /// The meanings of codes that are about no list; all are errors.
  fileprivate static let meanings = [
    unreadable: "The file cannot be read, or has no list.",
    failedExpectation: "The lists do something else than the test expects.",
    invalidTest: "A line of a test that is not understood.",
  ]

  /// Begins a log.
  package init() {
    json.object { json in
      json.field("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
      json.field("version", "2.1.0")
      json.field("runs") { json in
        json.array { json in
          json.object { json in
            json.field("columnKind", "unicodeCodePoints")
            json.field("results") { $0.array { _ in } }
          }
        }
      }
    }
    // The results, the run, the runs and the log stay open.
    json.reopen(4)
  }

  /// The bytes since the last call.
  package mutating func take() -> [UInt8] { json.take() }

  /// Adds what was found in a file.
  ///
  /// - Parameters:
  ///   - diagnostic: The finding.
  ///   - fingerprint: Identifies the finding in other versions of the file.
  ///   - file: The file's path.
  ///   - columns: The counter of characters; use one for all diagnostics of a file.
  ///   - text: The list.
  ///   - further: Writes further properties.
  /// - Complexity: O(*n*) for the *n* bytes between this place in its line and the previous one.
  package mutating func add(
    _ diagnostic: Diagnostic,
    fingerprint: String,
    file: String,
    _ columns: inout ColumnCounter,
    _ text: Span<UInt8>,
    further: (inout JSONWriter) -> Void = { _ in }
  ) {
    let number = number(of: diagnostic.code)
    let region = columns.region(of: diagnostic.location, text)
    json.object { json in
      json.field("ruleId", diagnostic.code.rawValue)
      json.field("ruleIndex", number)
      json.field("level", diagnostic.severity.word)
      json.field("message") { json in
        json.object { $0.field("text", Self.message(of: diagnostic)) }
      }
      json.field("locations") { json in
        json.array { json in
          json.object { json in
            json.field("physicalLocation") { json in
              json.object { json in
                json.artifact(file)
                json.field("region") { $0.region(region) }
              }
            }
            guard !diagnostic.location.jsonPath.isEmpty else { return }
            json.field("logicalLocations") { json in
              json.array { json in
                json.object { json in
                  json.field("fullyQualifiedName", diagnostic.location.jsonPath)
                  json.field("kind", "member")
                }
              }
            }
          }
        }
      }
      json.field("partialFingerprints") { json in
        json.object { $0.field("tickbird/v1", fingerprint) }
      }
      if let correction = diagnostic.correction { json.fixes(correction, file: file) }
      json.field("properties") { json in
        json.object { json in
          if let rule = diagnostic.location.ruleIndex { json.field("rule", rule) }
          if let reason = diagnostic.reason { json.field("reason", reason) }
          if let error = diagnostic.webKitError { json.field("webKitError", error.rawValue) }
          further(&json)
        }
      }
    }
  }

  /// Adds a file that cannot be read.
  package mutating func addUnreadable(file: String, message: String) {
    let number = number(of: Self.unreadable)
    json.object { json in
      json.field("ruleId", Self.unreadable.rawValue)
      json.field("ruleIndex", number)
      json.field("level", "error")
      json.field("message") { json in json.object { $0.field("text", message) } }
      json.field("locations") { json in
        json.array { json in
          json.object { json in
            json.field("physicalLocation") { json in json.object { $0.artifact(file) } }
          }
        }
      }
    }
  }

  /// Adds the number of findings of a file that were corrected before it was checked.
  package mutating func addMended(_ count: Int, file: String) {
    if count > 0 { mended.append((file, count)) }
  }

  /// Ends the log with the descriptions of codes.
  ///
  /// - Parameters:
  ///   - ignored: The suppressed findings, which become notifications.
  ///   - isWhole: Whether all files could be read.
  package mutating func end(ignored: IgnoredFindings, isWhole: Bool) {
    json.close("]")
    json.field("tool") { json in
      json.object { json in
        json.field("driver") { json in
          json.object { json in
            json.field("name", "tickbird")
            json.field("version", ProductVersion.text)
            json.field("rules") { json in
              json.array(of: codes) { json, code in json.rule(code) }
            }
          }
        }
      }
    }
    json.field("invocations") { json in
      json.array { json in
        json.object { json in
          json.field("executionSuccessful", isWhole)
          json.field("toolConfigurationNotifications") { json in
            json.array(of: ignored.inOrder) { json, part in
              let findings = Shown.count(part.count, "finding")
              json.notification("\(findings) ignored by \(part.silencer.text)", part.silencer.file)
            }
          }
          guard !mended.isEmpty else { return }
          json.field("toolExecutionNotifications") { json in
            json.array(of: mended) { json, part in
              json.notification("\(Shown.count(part.count, "finding")) mended", part.file)
            }
          }
        }
      }
    }
    json.close("}]}")
    json.endLine()
  }

  private mutating func number(of code: DiagnosticCode) -> Int {
    if let number = codeNumbers[code] { return number }
    codeNumbers[code] = codes.count
    codes.append(code)
    return codes.count - 1
  }

  private static func message(of diagnostic: Diagnostic) -> String {
    var message = diagnostic.message
    if let hint = diagnostic.hint { message += "; \(hint)" }
    if diagnostic.isWebKitError, let error = diagnostic.webKitError {
      message += ". WebKit reports: \(error.message)"
    }
    return message
  }

  /// A place in lines and characters, both from 1, and in bytes.
  fileprivate struct Region {
    fileprivate var start: (line: Int, column: Int)
    fileprivate var end: (line: Int, column: Int)
    fileprivate var bytes: Range<Int>
  }
}

extension JSONWriter {
  fileprivate mutating func artifact(_ file: String) {
    field("artifactLocation") { json in
      json.object { $0.field("uri", Self.reference(to: file)) }
    }
  }

  fileprivate mutating func region(_ region: SARIFLog.Region) {
    object { json in
      json.field("startLine", region.start.line)
      json.field("startColumn", region.start.column)
      json.field("endLine", region.end.line)
      json.field("endColumn", region.end.column)
      json.field("byteOffset", region.bytes.lowerBound)
      json.field("byteLength", region.bytes.count)
    }
  }

  fileprivate mutating func fixes(_ correction: Correction, file: String) {
    field("fixes") { json in
      json.array { json in
        json.object { json in
          json.field("description") { json in
            json.object {
              $0.field(
                "text",
                correction.keepsMeaning
                  ? "The rules mean the same afterwards" : "If that is what was meant"
              )
            }
          }
          json.field("artifactChanges") { json in
            json.array { json in
              json.object { json in
                json.artifact(file)
                json.field("replacements") { json in
                  json.array(of: correction.edits) { $0.replacement($1) }
                }
              }
            }
          }
        }
      }
    }
  }

  private mutating func replacement(_ edit: Correction.Edit) {
    object { json in
      json.field("deletedRegion") { json in
        json.object { json in
          json.field("byteOffset", edit.byteRange.lowerBound)
          json.field("byteLength", edit.byteRange.count)
        }
      }
      json.field("insertedContent") { json in
        json.object { $0.field("text", edit.replacement) }
      }
    }
  }

  fileprivate mutating func notification(_ text: String, _ file: String?) {
    object { json in
      json.field("level", "note")
      json.field("message") { json in json.object { $0.field("text", text) } }
      guard let file else { return }
      json.field("locations") { json in
        json.array { json in
          json.object { json in
            json.field("physicalLocation") { json in json.object { $0.artifact(file) } }
          }
        }
      }
    }
  }

  fileprivate mutating func rule(_ code: DiagnosticCode) {
    let meaning = SARIFLog.meanings[code] ?? code.meaning
    object { json in
      json.field("id", code.rawValue)
      json.field("shortDescription") { json in json.object { $0.field("text", meaning) } }
      json.field("help") { json in
        json.object { json in
          let error = code.webKitError.map {
            " WebKit refuses the list with \($0.rawValue): \($0.message)"
          }
          json.field("text", meaning + (error ?? ""))
        }
      }
      json.field("defaultConfiguration") { json in
        json.object {
          $0.field("level", SARIFLog.meanings[code] == nil ? code.severity.word : "error")
        }
      }
    }
  }

  /// Returns a path as a relative or `file:` reference.
  private static func reference(to path: String) -> String {
    var reference = path.hasPrefix("/") ? "file://" : ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
        reference.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        reference.unicodeScalars.append("%")
        reference.unicodeScalars.append(digits[Int(byte >> 4)])
        reference.unicodeScalars.append(digits[Int(byte & 15)])
      }
    }
    return reference
  }
}

/// Converts columns in bytes to columns in characters; fast for places in the order of the text.
package struct ColumnCounter {
  private var line = 0
  private var offset = 0
  private var column = 1

  /// Creates a counter at the start of a text.
  package init() {}

  /// Returns the region of a place; its end is behind its last character.
  fileprivate mutating func region(
    of location: SourceLocation,
    _ text: Span<UInt8>
  ) -> SARIFLog.Region {
    let start = min(location.byteRange.lowerBound, text.count)
    if location.line != line || start < offset {
      line = location.line
      offset = max(0, start - (location.column - 1))
      column = 1
    }
    while offset < start {
      if text[offset] & 0xC0 != 0x80 { column += 1 }
      offset += 1
    }
    // The counter stays at the start, because the next place may be inside of this one.
    var end = (line: line, column: column)
    for index in start..<min(max(start, location.byteRange.upperBound), text.count) {
      if text.endsLine(at: index) {
        end = (end.line + 1, 1)
      } else if text[index] & 0xC0 != 0x80 {
        end.column += 1
      }
    }
    return SARIFLog.Region(
      start: (location.line, column),
      end: end,
      bytes: start..<max(start, min(location.byteRange.upperBound, text.count))
    )
  }
}
