import Foundation

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

  /// The one in the middle.
  static func median(of values: [Double]) -> Double { quantile(0.5, values) }

  /// The one in the middle, and the quarters on both sides.
  static func median(_ values: [Double], unit: String, digits: Int = 0) -> String {
    func at(_ part: Double) -> String {
      String(format: "%.\(digits)f", quantile(part, values))
    }
    return "\(at(0.5)) \(unit) (\(at(0.25)) to \(at(0.75)))"
  }

  private static func quantile(_ part: Double, _ values: [Double]) -> Double {
    values.isEmpty ? .nan : values.sorted()[Int(part * Double(values.count - 1))]
  }
}
