/// The messages that WebKit writes to a page's console when a content blocker acts.
///
///     Content blocker prevented frame displaying PAGE from loading a resource from URL
///     Promoted URL from URL to https
///
/// Ignores what precedes the message, such as a time or `CONSOLE CONTENTBLOCKER INFO`, and what
/// follows a URL, such as the place in the page's source.
package enum ConsoleLine: Hashable {
  /// A load was blocked.
  case blocked(url: String, page: String)
  /// A URL was upgraded; the message does not name the page.
  case promoted(url: String)

  /// Finds a message in a line; `nil` if there is none.
  package init?(_ line: [UInt8]) {
    if let start = line.end(of: "Content blocker prevented frame displaying "),
      let middle = line[start...].end(of: " from loading a resource from ")
    {
      let pageEnd = middle - " from loading a resource from ".utf8.count
      let page = line[start..<pageEnd].trimmed
      let url = line[middle...].firstWord
      guard !url.isEmpty else { return nil }
      self = .blocked(url: url, page: page)
    } else if let start = line.end(of: "Promoted URL from ") {
      let url = line[start...].firstWord
      guard !url.isEmpty else { return nil }
      self = .promoted(url: url)
    } else {
      return nil
    }
  }
}

extension Collection<UInt8> where Index == Int {
  /// Returns the position behind the first occurrence of a text.
  fileprivate func end(of text: StaticString) -> Int? {
    let count = text.utf8CodeUnitCount
    let wanted = Array("\(text)".utf8)
    var position = startIndex
    while endIndex - position >= count {
      if self[position] == wanted[0], self[position..<position + count].elementsEqual(wanted) {
        return position + count
      }
      position += 1
    }
    return nil
  }

  /// The text up to the next white space, without the quotation marks that may surround it.
  fileprivate var firstWord: String {
    let marks = Array("\"'<>()".utf8)
    let word = drop { $0 <= 0x20 || marks.contains($0) }.prefix { $0 > 0x20 }
    var end = word.endIndex
    while end > word.startIndex, marks.contains(word[end - 1]) { end -= 1 }
    return String(decoding: word[word.startIndex..<end], as: UTF8.self)
  }

  fileprivate var trimmed: String { firstWord }
}
