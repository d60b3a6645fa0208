/// How a log of requests is written.
package enum LogFormat: String, CaseIterable, Sendable {
  /// One JSON object a line.
  case ndjson
  /// Columns separated by tabs, named in the first line.
  case tsv
  /// An HTTP archive.
  case har

  /// Tells the format from the first line of a log.
  ///
  /// An object whose first key is `log`, or which goes on in the next line, is an archive; any
  /// other object is a request; everything else must be columns.
  package init(firstLine: [UInt8]) {
    var rest = firstLine[...]
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
    rest = rest.drop(while: isSpace)
    guard rest.first == UInt8(ascii: "{") else {
      self = .tsv
      return
    }
    rest = rest.dropFirst().drop(while: isSpace)
    self = rest.isEmpty || rest.starts(with: #""log""#.utf8) ? .har : .ndjson
  }
}
