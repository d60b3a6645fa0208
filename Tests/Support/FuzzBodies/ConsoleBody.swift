import CommandInput
import FuzzTargets

/// Finds WebKit's messages in lines of a console; a message that is found must be found again in
/// WebKit's own spelling.
enum ConsoleBody: FuzzBody {
  static let name = "console"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    for line in input.split(separator: 0x0A, omittingEmptySubsequences: false) {
      let line = Array(line)
      guard let found = ConsoleLine(line) else {
        try require(
          !line.text.contains(
            "Content blocker prevented frame displaying a from loading"
              + " a resource from b"
          ),
          "WebKit's words are not found"
        )
        continue
      }
      let again: String
      switch found {
      case .blocked(let url, let page):
        try checkWord(url)
        again =
          "Content blocker prevented frame displaying \(page) from loading a resource from \(url)"
        // Characters that a page's URL cannot have would change the message.
        guard !page.isEmpty, !page.utf8.contains(where: { $0 <= 0x20 }),
          !again.contains("\u{FFFD}"),
          ConsoleLine(Array("Promoted URL from \(url) to https".utf8)) == .promoted(url: url)
        else { continue }
      case .promoted(let url):
        try checkWord(url)
        again = "Promoted URL from \(url) to https"
      }
      guard !again.contains("\u{FFFD}") else { continue }
      try require(ConsoleLine(Array(again.utf8)) == found, "\(again) is not \(found)")
    }
  }

  private static func checkWord(_ url: String) throws(FuzzFinding) {
    try require(
      !url.isEmpty && url.utf8.allSatisfy { $0 > 0x20 },
      "\(url) is no word"
    )
  }

  static var seeds: [[UInt8]] {
    let blocked =
      "Content blocker prevented frame displaying http://a.test/ from loading a resource"
    return [
      "\(blocked) from http://b.test/x.png",
      "CONSOLE CONTENTBLOCKER INFO \(blocked) from http://b/",
      "[Info] \(blocked) from http://b.test/x.png (index.html, line 3)\r", "\(blocked) from \"x\"",
      "Promoted URL from http://a.test/x to https", "Promoted URL from ", "Content blocker", "",
      "Promoted URL from <a>\n\n12:00 Promoted URL from (b)\u{1B}[31m", "\(blocked) from   \u{E9}",
      "\(blocked) from \(blocked) from x",
    ].map { Array($0.utf8) }
  }
}
