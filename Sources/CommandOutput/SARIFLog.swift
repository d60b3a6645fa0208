package import ContentRules

/// Findings in the form that code-scanning services take: SARIF 2.1.0.
///
/// > Source: Static Analysis Results Interchange Format (SARIF) Version 2.1.0, OASIS.
package struct SARIFLog {
  private struct Result {
    var file: String
    var code: Int
    var severity: Diagnostic.Severity
    var message: String
    var region: Region?
  }

  private struct Region {
    var line: Int
    var column: Int
    var offset: Int
    var length: Int
  }

  private var codes: [String] = []
  private var codeNumbers: [String: Int] = [:]
  private var results: [Result] = []

  /// Creates a log without findings.
  package init() {}

  /// Adds what was found in a file.
  ///
  /// - Complexity: O(*n* log *n*) for *n* findings, plus the length of the lines they are in.
  package mutating func add(_ report: RuleListReport, file: String, text: Span<UInt8>) {
    var columns = ColumnCounter()
    let inOrder = report.diagnostics.sorted {
      $0.location.byteRange.lowerBound < $1.location.byteRange.lowerBound
    }
    for diagnostic in inOrder {
      var message = diagnostic.message
      if let hint = diagnostic.hint { message += "; \(hint)" }
      if diagnostic.isWebKitError, let error = diagnostic.webKitError {
        message += ". WebKit reports: \(error.message)"
      }
      let location = diagnostic.location
      results.append(
        Result(
          file: file,
          code: number(of: diagnostic.code.rawValue),
          severity: diagnostic.severity,
          message: message,
          region: Region(
            line: location.line,
            column: columns.column(of: location, text),
            offset: location.byteRange.lowerBound,
            length: location.byteRange.count
          )
        )
      )
    }
  }

  /// Adds a file that cannot be read.
  package mutating func addUnreadable(file: String, message: String) {
    results.append(
      Result(
        file: file,
        code: number(of: "unreadable"),
        severity: .error,
        message: message,
        region: nil
      )
    )
  }

  private mutating func number(of code: String) -> Int {
    if let number = codeNumbers[code] { return number }
    codeNumbers[code] = codes.count
    codes.append(code)
    return codes.count - 1
  }

  /// The log as JSON text.
  package func json() -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
      json.field("version", "2.1.0")
      json.field("runs") { json in
        json.array { json in
          json.object { json in
            json.field("tool") { tool(&$0) }
            json.field("columnKind", "unicodeCodePoints")
            json.field("results") { json in
              json.array(of: results) { result(&$0, $1) }
            }
          }
        }
      }
    }
    json.endLine()
    return json.bytes
  }

  private func tool(_ json: inout JSONWriter) {
    json.object { json in
      json.field("driver") { json in
        json.object { json in
          json.field("name", "tickbird")
          json.field("version", CommandVersion.text)
          json.field("rules") { json in
            json.array(of: codes) { json, code in
              json.object { json in
                json.field("id", code)
                json.field("shortDescription") { json in
                  json.object { $0.field("text", code.replacing("-", with: " ")) }
                }
              }
            }
          }
        }
      }
    }
  }

  private func result(_ json: inout JSONWriter, _ result: Result) {
    json.object { json in
      json.field("ruleId", codes[result.code])
      json.field("ruleIndex", result.code)
      json.field("level", result.severity.word)
      json.field("message") { json in json.object { $0.field("text", result.message) } }
      json.field("locations") { json in
        json.array { json in
          json.object { json in
            json.field("physicalLocation") { json in
              json.object { json in
                json.field("artifactLocation") { json in
                  json.object { $0.field("uri", Self.reference(to: result.file)) }
                }
                guard let region = result.region else { return }
                json.field("region") { json in
                  json.object { json in
                    json.field("startLine", region.line)
                    json.field("startColumn", region.column)
                    json.field("byteOffset", region.offset)
                    json.field("byteLength", region.length)
                  }
                }
              }
            }
          }
        }
      }
    }
  }

  /// A path as a relative or `file:` reference.
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

/// Turns columns of bytes into columns of characters, for places in the order of the text.
private struct ColumnCounter {
  private var line = 0
  private var offset = 0
  private var column = 1

  mutating func column(of location: SourceLocation, _ text: Span<UInt8>) -> Int {
    let place = min(location.byteRange.lowerBound, text.count)
    if location.line != line || place < offset {
      line = location.line
      offset = max(0, place - (location.column - 1))
      column = 1
    }
    while offset < place {
      if text[offset] & 0xC0 != 0x80 { column += 1 }
      offset += 1
    }
    return column
  }
}
