internal import CommandOutput
internal import ContentRules

/// What an editor can do about findings: their corrections.
struct CodeActions {
  /// The kinds of actions that there are.
  static let kinds = [quickFix, fixAll]
  private static let quickFix = "quickfix"
  private static let fixAll = "source.fixAll"
  /// The longest list for which correcting everything is offered unasked, in bytes.
  private static let offeredLimit = 1 << 20
  /// The most corrections to offer at one place.
  private static let countLimit = 50

  let document: OpenDocument
  let uri: String
  let encoding: PositionEncoding
  /// Whether the client takes edits of a version of a document.
  let hasVersions: Bool

  /// Writes the actions for a range of the text.
  ///
  /// - Parameters:
  ///   - json: Receives an array.
  ///   - range: The bytes that the editor asks about.
  ///   - only: The kinds that it wants; `nil` for all.
  ///   - checker: Corrects everything, if that is asked for.
  func write(
    to json: inout JSONWriter,
    in range: Range<Int>,
    only: [String]?,
    checker: any ListChecking
  ) {
    func wants(_ kind: String) -> Bool {
      only?.contains { kind == $0 || kind.hasPrefix($0 + ".") } ?? true
    }
    let correctable = document.findings.diagnostics.filter { $0.correction != nil }
    json.array { json in
      if wants(Self.quickFix) {
        let met = correctable.lazy.filter { Self.touches($0.location.byteRange, range) }
        for diagnostic in met.prefix(Self.countLimit) {
          guard let correction = diagnostic.correction else { continue }
          write(
            to: &json,
            title: Self.title(of: diagnostic, correction, document.text),
            kind: Self.quickFix,
            isPreferred: correction.keepsMeaning,
            diagnostic: diagnostic,
            edits: correction.edits
          )
        }
      }
      let isAsked = only?.contains { Self.fixAll == $0 || Self.fixAll.hasPrefix($0 + ".") } ?? false
      let isOffered =
        only == nil && document.text.bytes.count <= Self.offeredLimit
        && correctable.count { $0.correction?.keepsMeaning ?? false } > 1
      guard isAsked || isOffered,
        let corrected = checker.corrected(document.text.bytes, path: document.path)
      else { return }
      write(
        to: &json,
        title: "Correct everything that keeps the meaning of rules",
        kind: Self.fixAll,
        isPreferred: nil,
        diagnostic: nil,
        edits: [Self.edit(from: document.text.bytes, to: corrected)]
      )
    }
  }

  /// Whether a finding is where the editor asks.
  private static func touches(_ place: Range<Int>, _ range: Range<Int>) -> Bool {
    place.lowerBound <= range.upperBound && range.lowerBound <= place.upperBound
  }

  private static func title(
    of diagnostic: Diagnostic,
    _ correction: Correction,
    _ text: DocumentText
  ) -> String {
    let doubt = correction.keepsMeaning ? "" : " (may change what the rule does)"
    guard correction.edits.count == 1, let edit = correction.edits.first else {
      return "Correct \(diagnostic.code.rawValue)\(doubt)"
    }
    func shown(_ text: String) -> String {
      DisplayText.shortened(DisplayText.line(text), to: 60)
    }
    let old = edit.byteRange.clamped(to: 0..<text.bytes.count)
    let removed = shown(String(decoding: text.bytes[old].prefix(400), as: UTF8.self))
    if edit.replacement.isEmpty { return "Remove \(removed)\(doubt)" }
    if edit.byteRange.isEmpty { return "Insert \(shown(edit.replacement))\(doubt)" }
    return "Replace by \(shown(edit.replacement))\(doubt)"
  }

  /// Returns the one edit that makes a text another.
  private static func edit(from old: [UInt8], to new: [UInt8]) -> Correction.Edit {
    var start = 0
    while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
    // An edit begins and ends between characters.
    while start > 0, start < old.count, old[start] & 0xC0 == 0x80 { start -= 1 }
    var end = 0
    while end < old.count - start, end < new.count - start,
      old[old.count - 1 - end] == new[new.count - 1 - end]
    {
      end += 1
    }
    while end > 0, old[old.count - end] & 0xC0 == 0x80 { end -= 1 }
    return Correction.Edit(
      start..<old.count - end,
      String(decoding: new[start..<new.count - end], as: UTF8.self)
    )
  }

  private func write(
    to json: inout JSONWriter,
    title: String,
    kind: String,
    isPreferred: Bool?,
    diagnostic: Diagnostic?,
    edits: [Correction.Edit]
  ) {
    var cursor = PositionCursor(document.text, encoding)
    json.object { json in
      json.field("title", title)
      json.field("kind", kind)
      if let isPreferred { json.field("isPreferred", isPreferred) }
      if let diagnostic {
        json.field("diagnostics") { json in
          json.array { $0.finding(diagnostic, &cursor) }
        }
      }
      json.field("edit") { json in
        json.object { json in
          guard hasVersions else {
            return json.field("changes") { json in
              json.object { $0.field(text: uri) { write(edits, to: &$0, &cursor) } }
            }
          }
          json.field("documentChanges") { json in
            json.array { json in
              json.object { json in
                json.field("textDocument") { json in
                  json.object { json in
                    json.field("uri", uri)
                    json.field("version") { json in
                      if let version = document.version {
                        json.number(version)
                      } else {
                        json.null()
                      }
                    }
                  }
                }
                json.field("edits") { write(edits, to: &$0, &cursor) }
              }
            }
          }
        }
      }
    }
  }

  private func write(
    _ edits: [Correction.Edit],
    to json: inout JSONWriter,
    _ cursor: inout PositionCursor
  ) {
    json.array(of: edits) { json, edit in
      json.object { json in
        json.field("range") { $0.range(edit.byteRange, &cursor) }
        json.field("newText", edit.replacement)
      }
    }
  }
}
