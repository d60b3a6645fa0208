import BrowserDriving
import Foundation
import Testing

/// What everything costs in browsers; `Scripts/measure-browsers` runs it.
///
/// Times say something on a quiet machine alone, so nothing is checked but that all of it works.
@Suite(
  "Measurements",
  .serialized,
  .enabled(if: Report.file != nil, "TICKBIRD_MEASURE asks for it")
)
struct MeasuringTests {
  static let kinds = BrowserKind.allCases.filter { kind in
    let chosen = ProcessInfo.processInfo.environment["TICKBIRD_BROWSERS"] ?? ""
    return kind.isInstalled && (chosen.isEmpty || chosen.contains(kind.rawValue))
  }

  @Test("page loads without and with the extension", arguments: kinds)
  func pages(_ kind: BrowserKind) throws { try PageLoads(kind).measure() }

  @Test("the matcher and the pop-up in the background of a browser", arguments: kinds)
  func matcher(_ kind: BrowserKind) throws { try MatcherCosts(kind).measure() }

  @Test("the time until a change in the service acts", .withService, arguments: kinds)
  func changes(_ kind: BrowserKind) throws { try ListChanges(kind).measure() }
}

/// Where the figures go, as Markdown.
enum Report {
  static let file = ProcessInfo.processInfo.environment["TICKBIRD_MEASURE"].map {
    URL(filePath: $0)
  }

  /// Adds a table with a title.
  static func add(_ title: String, _ rows: [(what: String, value: String)]) throws {
    guard let file else { return }
    var text = "**\(title)**\n\n| | |\n| --- | --- |\n"
    for row in rows { text += "| \(row.what) | \(row.value) |\n" }
    text += "\n"
    let handle = try FileHandle(forWritingTo: file)
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(text.utf8))
    try handle.close()
  }

  /// The one in the middle, and the quarters on both sides.
  static func median(_ values: [Double], unit: String, digits: Int = 0) -> String {
    let sorted = values.sorted()
    func at(_ part: Double) -> String {
      String(format: "%.\(digits)f", sorted[Int(part * Double(sorted.count - 1))])
    }
    return "\(at(0.5)) \(unit) (\(at(0.25)) to \(at(0.75)))"
  }
}

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
