/// A server's answer without its body.
public struct CurlAnswer: Equatable, Sendable {
  /// A header field.
  public struct Field: Equatable, Sendable {
    /// The name in lower case.
    public var name: String
    /// The value, trimmed.
    public var value: String
  }

  /// The status of the final answer.
  public var status: Int
  /// The fields of the final answer, in order.
  public var fields: [Field] = []
  /// The target of a redirect as resolved by curl; empty if there is none.
  public var redirect: String
  /// The connection's remote address, which curl has from the system; nil if curl reports none.
  var peer: NetworkAddress?
  /// Whether the remote address is outside the public internet.
  public var isLocal = false

  /// Parses curl's standard error: header blocks, then the line that `--write-out` adds.
  ///
  /// Blocks of interim answers (100, 103) and trailers are ignored.
  ///
  /// - Returns: nil if there is no final answer.
  init?(dump: [UInt8]) {
    var status: Int?
    var isInside = false
    redirect = ""
    for line in Self.lines(dump) {
      if line.isEmpty {
        if let status, status >= 200 { break }
        isInside = false
      } else if !isInside {
        isInside = true
        status = Self.status(line)
        fields = []
      } else if line.first == 0x20 || line.first == 0x09 {
        // A folded field continues on the next line.
        if !fields.isEmpty { fields[fields.count - 1].value += " " + Self.text(line) }
      } else if let colon = line.firstIndex(of: 0x3A) {
        let name = Self.text(line[..<colon]).lowercased()
        fields.append(Field(name: name, value: Self.text(line[(colon + 1)...])))
      }
    }
    guard let status, (200...999).contains(status) else { return nil }
    self.status = status
    let last = dump.split(separator: 0x0A).last ?? []
    let parts = last.split(separator: 0x20, maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return }
    peer = NetworkAddress(Self.text(parts[1]))
    redirect = Self.text(parts[2])
  }

  private static func lines(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      $0.last == 0x0D ? $0.dropLast() : $0
    }
  }

  /// Returns the status of a line such as `HTTP/1.1 200 OK`.
  private static func status(_ line: ArraySlice<UInt8>) -> Int? {
    guard line.starts(with: Array("HTTP/".utf8)) else { return nil }
    let parts = line.split(separator: 0x20)
    guard parts.count > 1, parts[1].count == 3 else { return nil }
    return Int(String(decoding: parts[1], as: UTF8.self))
  }

  /// Decodes UTF-8, or Latin 1 if it is not valid, and trims the text.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0D }
    let start = bytes.drop(while: isBlank)
    let end = start.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? start.startIndex
    let inner = start[start.startIndex..<end]
    if let text = String(validating: inner, as: UTF8.self) { return text }
    var text = ""
    for byte in inner { text.unicodeScalars.append(Unicode.Scalar(byte)) }
    return text
  }
}
