/// The format of a log of requests.
package enum LogFormat: String, CaseIterable, Sendable {
  /// One JSON object a line.
  case ndjson
  /// Columns separated by tabs, named in the first line.
  case tsv
  /// An HTTP archive.
  case har

  /// Recognises the format by the first line of a log.
  ///
  /// An object whose first key is `log`, or that continues on the next line, is an archive; any
  /// other object is a request; anything else must be columns.
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
