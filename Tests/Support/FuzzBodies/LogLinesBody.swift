import CommandInput
import FuzzTargets
import LoadDeciding
import ResourceLoads

/// Reads a log of tab-separated values: the first line names columns, the others are rows.
enum LogLinesBody: FuzzBody {
  static let name = "log-lines"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    var reader = InputReader(input)
    let names = reader.line()
    _ = LogFormat(firstLine: names)
    _ = TSVLayout.isHeader(names)
    for separator in [UInt8(0x09), UInt8(ascii: ",")] {
      let layout: TSVLayout
      do throws(InputError) {
        layout = try TSVLayout(names: names, separator: separator)
      } catch {
        try require(!error.message.isEmpty, "a refusal without words")
        continue
      }
      let start = min(names.count + 1, input.count)
      try checkRows(input, start, layout)
    }
  }

  private static func checkRows(
    _ text: [UInt8],
    _ start: Int,
    _ layout: TSVLayout
  ) throws(FuzzFinding) {
    var start = start
    while start < text.count {
      let end = text[start...].firstIndex(of: 0x0A) ?? text.count
      let line = start..<end
      _ = layout.isRepeated(text, line)
      do throws(InputError) {
        let row = try layout.read(text, line)
        for field in [row.url, row.topURL, row.frameURL] {
          try check(field, in: line, text)
        }
        // The row's place in the text does not matter.
        let alone = try layout.read(Array(text[line]), 0..<line.count)
        try checkSame(row, alone, line.lowerBound)
      } catch {
        try require(
          !error.message.isEmpty && error.message.utf8.count < 16_384,
          "the refusal \(error.message) is no sentence"
        )
      }
      start = end + 1
    }
  }

  private static func check(
    _ field: Range<Int>,
    in line: Range<Int>,
    _ text: [UInt8]
  ) throws(InputError) {
    guard field.lowerBound >= line.lowerBound, field.upperBound <= line.upperBound else {
      fatalError("a field at \(field) of a line at \(line)")
    }
  }

  private static func checkSame(
    _ row: TSVLayout.Row,
    _ alone: TSVLayout.Row,
    _ start: Int
  ) throws(InputError) {
    func moved(_ range: Range<Int>) -> Range<Int> {
      range.lowerBound - start..<range.upperBound - start
    }
    guard moved(row.url) == alone.url, row.traits == alone.traits
    else { fatalError("a row is another one at another place") }
  }

  static var seeds: [[UInt8]] {
    let header = "url\tsource\ttype\twebkit_type\tload_type\tframe_url\tload_context\tmethod\n"
    let rows = [
      "http://a.test/x\thttp://b.test/\timage\timage\tthird-party\thttp://c.test/\tchild-frame\tPOST",
      "http://a.test/x\t\tdocument\t\t-\t\t\t", "\t\t\t", "a\tb", "http://a/\thttp://b/\tpicture",
      "http://a/\thttp://b/\tscript\t\tfirst-party\t\ttop-frame\tget\tmore\tand more\r",
    ]
    let minimal = "url\ttop_url\tresource_type\nhttp://a/\thttp://b/\tfont\nurl\ttop_url\t"
    return rows.map { Array((header + $0).utf8) }
      + [
        minimal, "url,source,type\nhttp://a/,http://b/,image\n", "source\ttype\nx", "url", "",
        "url\turl\ttype\ttop_url\n1\t2\timage\t4", " url \tsource\ttype\n\n\n\r\n",
        "\u{FEFF}url\tsource\ttype\nhttp://a/\thttp://b/\tping",
      ].map { Array($0.utf8) }
  }
}
