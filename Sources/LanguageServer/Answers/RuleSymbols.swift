internal import CommandInput
internal import CommandOutput
internal import ContentRules

/// The rules of a list for an editor's outline, each by its number and pattern.
struct RuleSymbols {
  private struct Symbol {
    var name: String
    var detail: String
    var range: Range<Int>
  }

  private var symbols: [Symbol] = []

  /// The most rules in an outline; editors become slow with more.
  static let countLimit = 20_000
  private static let ruleLimit = 64 << 10

  /// Reads the rules of a document.
  ///
  /// - Complexity: O(*n*) for *n* bytes.
  init(_ document: inout OpenDocument) {
    let outline = document.outline
    var tape = JSONTape()
    for (number, range) in outline.ranges.prefix(Self.countLimit).enumerated() {
      var name = "\(number)"
      var detail = ""
      if range.count <= Self.ruleLimit {
        let text = Array(document.text.bytes[range])
        if (try? tape.parse(text.span)) != nil {
          let trigger = tape.member("trigger", of: JSONTape.root, in: text.span)
          let action = tape.member("action", of: JSONTape.root, in: text.span)
          let pattern = trigger.flatMap {
            tape.string(tape.member("url-filter", of: $0, in: text.span), in: text.span)
          }
          if let pattern {
            name += "  " + DisplayText.shortened(DisplayText.line(pattern), to: 100)
          }
          let type = action.flatMap {
            tape.string(tape.member("type", of: $0, in: text.span), in: text.span)
          }
          detail = type.map { DisplayText.shortened(DisplayText.line($0), to: 40) } ?? ""
        }
      }
      symbols.append(Symbol(name: name, detail: detail, range: range))
    }
    let rest = outline.ranges.count - symbols.count
    if rest > 0, let last = outline.ranges.last {
      symbols.append(
        Symbol(name: "and \(DisplayText.grouped(rest)) more rules", detail: "", range: last)
      )
    }
  }

  /// Writes the symbols as an array.
  func write(to json: inout JSONWriter, _ text: DocumentText, _ encoding: PositionEncoding) {
    var cursor = PositionCursor(text, encoding)
    json.array(of: symbols) { json, symbol in
      json.object { json in
        json.field("name", symbol.name)
        json.field("detail", symbol.detail)
        // An object.
        json.field("kind", 19)
        json.field("range") { $0.range(symbol.range, &cursor) }
        json.field("selectionRange") { $0.range(symbol.range, &cursor) }
      }
    }
  }
}
