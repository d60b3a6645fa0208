internal import CommandInput
internal import ContentRules
internal import WebURL

/// Reads the headings `[page URL]` and `[frame URL on URL]`.
struct SectionReader {
  let line: TestLine
  var urls: KnownURLs

  private static let form = "write [page URL] or [frame URL on URL]"

  /// Returns the section that the line begins.
  func section() throws(ListTestReader.Fault) -> ListTestReader.Section {
    let whole = line.trimmed(0..<line.count)
    // A URL may have brackets, so the last one closes; a comment may follow.
    guard let close = end(whole.range) else {
      throw .init(column: whole.column, message: "the section has no ] at its end; \(Self.form)")
    }
    let inside = line.trimmed(whole.range.lowerBound + 1..<close)
    let words = line.words(in: inside.range)
    guard let kind = words.first else {
      throw .init(column: whole.column, message: "the section is empty; \(Self.form)")
    }
    var urls = urls
    switch kind.text {
    case "page":
      guard words.count == 2 else {
        throw .init(column: kind.column, message: "a page is one URL; \(Self.form)")
      }
      return .init(text: inside.text, page: try urls.page(words[1]), frame: nil)
    case "frame":
      guard words.count == 4, words[2].text == "on" else {
        throw .init(
          column: kind.column,
          message: "a frame is a URL on the URL of its page; \(Self.form)"
        )
      }
      return .init(
        text: inside.text,
        page: try urls.page(words[3]),
        frame: try urls.page(words[1])
      )
    default:
      throw .init(
        column: kind.column,
        message: LoadWords.unknown("section", kind.text, among: ["page", "frame"])
      )
    }
  }

  /// The place of the closing bracket.
  private func end(_ range: Range<Int>) -> Int? {
    var end = range.upperBound
    // The comment begins at a # between spaces behind a bracket.
    for place in range
    where line[place] == UInt8(ascii: "#") && TestLine.isSpace(line[place - 1])
      && (place + 1 == range.upperBound || TestLine.isSpace(line[place + 1]))
    {
      end = line.trimmed(range.lowerBound..<place).range.upperBound
      break
    }
    guard end - 1 > range.lowerBound, line[end - 1] == UInt8(ascii: "]") else { return nil }
    return end - 1
  }
}
