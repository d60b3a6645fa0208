import FuzzTargets
import SharedLinks

/// Parses a subscription list; encoding it and parsing it again must change nothing.
enum SubscriptionsBody: FuzzBody {
  static let name = "subscriptions"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    guard let list = try FuzzOutcome({ try SubscriptionList(opml: input) }).value else { return }
    for entry in list.entries {
      try require(
        entry.address.hasPrefix("http://") || entry.address.hasPrefix("https://"),
        "\(entry.address) is no address of the web"
      )
    }
    let written = list.opml()
    let again = try FuzzOutcome { try SubscriptionList(opml: Array(written.utf8)) }
    guard let read = again.value else { throw FuzzFinding("\(written) is refused: \(again)") }
    try require(read.notes.isEmpty, "\(written) is read with notes: \(read.notes)")
    // Feeds in one folder are written together.
    try require(
      sorted(read.entries) == sorted(list.entries),
      "\(written) is read as \(read.entries), and was \(list.entries)"
    )
  }

  private static func sorted(_ entries: [SubscriptionList.Entry]) -> [String] {
    entries.map { "\($0)" }.sorted()
  }

  static var seeds: [[UInt8]] {
    func outline(_ attributes: String, _ inside: String = "") -> String {
      "<opml version=\"2.0\"><body><outline \(attributes)>\(inside)</outline></body></opml>"
    }
    let feed = #"<outline type="rss" text="F" xmlUrl="http://a.test/f" htmlUrl="http://a.test/"/>"#
    return [
      outline("text=\"Folder\"", feed), outline("text=\"A\"", outline("title=\"B\"", feed + feed)),
      outline("xmlUrl='http://a/?b&amp;c' title='&lt;x&gt;'"), outline("xmlurl=\"x\""), "<opml/>",
      outline("xmlUrl=\"feed://a.test/\" text=\"  a  b \""), "<opml><outline xmlUrl=\"http://a/\"",
      "",
      outline("text=\"&#x1F600;&nbsp;&quot;\"", feed), outline("text=\"\"", feed), "<html>",
      String(repeating: "<outline text='x'>", count: 12), "<opml>" + feed + "</opml>",
      "<opml>" + String(repeating: "<outline text='x'>", count: 12) + feed,
    ].map { Array($0.utf8) }
  }
}
