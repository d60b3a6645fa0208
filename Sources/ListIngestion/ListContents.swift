internal import ContentRules
internal import FilterLists

/// Tells lists from what servers and people give in their place: what ``OtherFormat`` knows, nothing, and a
/// message in words.
enum ListContents {
  /// Looks for what no list has.
  ///
  /// - Parameter text: The bytes, decompressed.
  /// - Returns: Why they are no list at all; `nil` if they may be one.
  /// - Complexity: O(*n*) in the worst case, for texts without any filter.
  static func fault(of text: [UInt8]) -> IngestionError? {
    let start = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    guard text[start...].contains(where: { $0 > 0x20 }) else {
      return IngestionError(.empty, "there is nothing in it")
    }
    if let format = OtherFormat.recognizeNoList(text.span) {
      return IngestionError(.notAList, "it \(format.refusal)")
    }
    return isProse(text, from: start)
      ? IngestionError(
        .notAList,
        "no line of it is a filter; it begins with “\(beginning(of: text, from: start))”"
      )
      : nil
  }

  /// Returns whether every line is a comment or words, as in a server's one-line message.
  ///
  /// Filters have no spaces, except in selectors, in regular expressions and in lines of hosts.
  private static func isProse(_ text: [UInt8], from start: Int) -> Bool {
    guard FilterDialect.recognize(text) != nil else { return false }
    var rest = text[start...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != 0x0A && $0 != 0x0D }
      rest = rest[line.endIndex...].dropFirst()
      if !isWords(line) { return false }
    }
    return true
  }

  private static func isWords(_ line: ArraySlice<UInt8>) -> Bool {
    let words = line.split { $0 == 0x20 || $0 == 0x09 }
    guard let first = words.first?.first, !"![".utf8.contains(first) else { return true }
    if first == UInt8(ascii: "#") {
      // A comment of a hosts file, unless it hides something, as `##.advert` does.
      return !(words[0].dropFirst().first.map { "#@?$%".utf8.contains($0) } ?? false)
    }
    let isAddress = words[0].allSatisfy { byte in
      switch byte {
      case 0x30...0x3A, 0x41...0x46, 0x61...0x66, 0x2E: true
      default: false
      }
    }
    // As in `404: Not Found`.
    let isHosts = isAddress && words[0].last != UInt8(ascii: ":")
    return words.count > 1 && !isHosts && !line.contains { "#$/|@*^".utf8.contains($0) }
  }

  private static func beginning(of text: [UInt8], from start: Int) -> String {
    String(decoding: text[start...].drop { $0 <= 0x20 }.prefix(160), as: UTF8.self)
      .prefix { !$0.isNewline }.prefix(60).description
  }
}
