internal import Foundation

/// The outcome of one measurement, shown as a row.
protocol Row: Codable {
  /// The headings with the row's texts; the first column is flush left.
  var cells: [(heading: String, text: String)] { get }
}

/// Rows of one job.
struct Report<Result: Row>: Codable {
  var job: String
  var results: [Result]

  /// Writes the report to standard output.
  func write(_ format: OutputFormat) throws {
    switch format {
    case .text: print(table)
    case .json:
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      print(String(decoding: try encoder.encode(self), as: UTF8.self))
    }
  }

  private var table: String {
    let rows = results.map(\.cells)
    guard let headings = rows.first?.map(\.heading) else { return "\(job): nothing to measure" }
    var widths = headings.map(\.count)
    for row in rows {
      for (place, cell) in row.enumerated() { widths[place] = max(widths[place], cell.text.count) }
    }
    func line(_ texts: [String]) -> String {
      zip(texts, widths).enumerated().map { place, pair in
        let space = String(repeating: " ", count: pair.1 - pair.0.count)
        return place == 0 ? pair.0 + space : space + pair.0
      }.joined(separator: "  ")
    }
    let lines = [line(headings)] + rows.map { line($0.map(\.text)) }
    return job + "\n" + lines.map { "  " + $0 + "\n" }.joined()
  }
}

extension Double {
  /// The number with three significant digits, or rounded if it is large.
  var short: String {
    let places = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 0.0005 ? 2 : 0
    return String(format: "%.\(places)f", self)
  }
}

extension Int {
  /// Bytes as megabytes.
  var megabytes: String { (Double(self) / 1e6).short }
}
