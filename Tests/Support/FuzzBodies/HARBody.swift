import CommandInput
import ContentBlocking
import FuzzTargets
import LoadDeciding
import ResourceLoads

/// Reads an HTTP archive, once as it is and once with its entries doubled.
///
/// The first byte determines what surrounds the rest: a whole archive for 0, else nothing, the
/// entries, or one entry.
enum HARBody: FuzzBody {
  static let name = "har"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    var reader = InputReader(input)
    let form = reader.byte() % 3
    let rest = reader.rest()
    let text: [UInt8] =
      switch form {
      case 0: rest
      case 1: Array(#"{"log":{"entries":["#.utf8) + rest + Array("]}}".utf8)
      default: Array(#"{"log":{"entries":[{"request":"#.utf8) + rest + Array("}]}}".utf8)
      }
    let outcome = try FuzzOutcome { try Loads(text) }
    try require(
      try FuzzOutcome { try Loads(text) } == outcome,
      "an archive read twice gives different loads"
    )
    let marked = try FuzzOutcome { try Loads([0xEF, 0xBB, 0xBF] + text) }
    if !text.starts(with: [0xEF, 0xBB, 0xBF]) {
      try require(marked == outcome, "a byte-order mark changes an archive")
    }
    guard let loads = outcome.value else { return }
    var highest = -1
    for entry in loads.entries {
      try require(
        entry.page <= highest + 1 && entry.page >= 0,
        "page \(entry.page) comes after \(highest)"
      )
      highest = max(highest, entry.page)
      try require(
        LoadDefaults.matched(entry.load.url, entry.load.resourceType) == entry.load.url,
        "\(entry.load.url) is not as browsers send it"
      )
      if entry.load.resourceType == .childDocument {
        try require(entry.load.loadContext == .childFrame, "a child document is not in a frame")
      }
    }
  }

  /// The loads of an archive, comparable.
  private struct Loads: Equatable {
    var entries: [HARFile.Entry]
    var invalidCount: Int

    init(_ text: [UInt8]) throws(InputError) {
      let file = try HARFile(text, name: "archive")
      entries = file.entries
      invalidCount = file.invalidCount
    }

    static func == (one: Loads, other: Loads) -> Bool {
      one.invalidCount == other.invalidCount && one.entries.count == other.entries.count
        && zip(one.entries, other.entries).allSatisfy { $0.page == $1.page && $0.load == $1.load }
    }
  }

  // MARK: Seeds

  private static func entry(
    _ url: String,
    _ fields: String = "",
    headers: [(String, String)] = [],
    response: String = #"{"status":200,"content":{"mimeType":"text/html"}}"#
  ) -> String {
    let list = headers.map { #"{"name":"\#($0.0)","value":"\#($0.1)"}"# }.joined(separator: ",")
    return #"{\#(fields)"request":{"method":"GET","url":"\#(url)","headers":[\#(list)]},"#
      + #""response":\#(response)}"#
  }

  static var seeds: [[UInt8]] {
    let document = #""pageref":"p1","_resourceType":"document","#
    let entries = [
      entry("http://a.test/", document),
      entry(
        "http://a.test/#x",
        document,
        response: #"{"status":302,"redirectURL":"https://b.test/"}"#
      ),
      entry("https://b.test/f", document, headers: [("Referer", "http://a.test/")]),
      entry("https://b.test/i.png", headers: [("sec-fetch-dest", "image"), ("Accept", "image/*")]),
      entry("wss://b.test/s", #""_resourceType":"websocket","#),
      entry("http://c.test/x.css?y", headers: [("X-Requested-With", "XMLHttpRequest")]),
      entry("http://c.test/p", headers: [("Ping-To", "x"), ("content-type", "text/ping")]),
      entry("http://c.test/f", headers: [("Sec-Fetch-Dest", "iframe")]),
      entry("http://\\u0061.test/\\ud83d\\ude00", #""pageref":"p2","_resourceType":"prefetch","#),
      "null", #"{"request":{"url":7}}"#,
    ]
    let pages = #"[{"id":"p1","title":"http://a.test/"},{"id":"p2","title":"x"}]"#
    let whole = #"{"log":{"pages":\#(pages),"entries":[\#(entries.joined(separator: ","))]}}"#
    return [[0] + Array(whole.utf8)] + entries.map { [1] + Array($0.utf8) }
      + [[2] + Array(#"{"url":"http://a.test/","headers":[]}"#.utf8)]
  }
}
