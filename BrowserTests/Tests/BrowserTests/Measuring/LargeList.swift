import Foundation

/// A large list and requests: those of the data's folder, or made up.
enum LargeList {
  static let title =
    Logs.folder == nil ? "a made-up list of 100,000 rules" : "EasyList and EasyPrivacy of 2026"

  static func json() throws -> [UInt8] {
    if Logs.folder != nil { return try Logs.bytes("lists/\(Logs.list).json.gz") }
    let rules = (0..<100_000).map { number in
      number % 5 == 0
        ? """
        {"trigger": {"url-filter": ".*", "if-domain": ["*site\(number).example"]},
         "action": {"type": "css-display-none", "selector": ".ad-\(number)"}}
        """
        : """
        {"trigger": {"url-filter": "^https?://([^/]+\\\\.)?tracker\(number)\\\\.example[/:]",
                     "load-type": ["third-party"]}, "action": {"type": "block"}}
        """
    }
    return Array("[\(rules.joined(separator: ",\n"))]".utf8)
  }

  static func rows() throws -> [Logs.Row] {
    if Logs.folder != nil { return try Logs.rows() }
    return (0..<20_000).map { number in
      Logs.Row(
        url: "https://\(number % 3 == 0 ? "tracker" : "cdn")\(number * 7).example/a/\(number).js",
        top: "https://www.site\(number / 50).example/",
        type: "script"
      )
    }
  }
}
