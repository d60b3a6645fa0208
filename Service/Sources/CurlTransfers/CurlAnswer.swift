/// What a server answered, but for the body.
public struct CurlAnswer: Equatable, Sendable {
  /// One field of the header.
  public struct Field: Equatable, Sendable {
    /// The name in lower case.
    public var name: String
    /// The value without blanks at its ends.
    public var value: String
  }

  /// The status of the final answer.
  public var status: Int
  /// The fields of the final answer in their order.
  public var fields: [Field] = []
  /// Where a redirect leads, as curl resolves it; empty where it does not.
  public var redirect: String
  /// The address at the other end of the connection, as curl has it from the system; nil where curl
  /// does not say one.
  var peer: NetworkAddress?
  /// Whether the answer came from an address that is not of the public internet.
  public var isLocal = false

  /// Reads what curl wrote to its standard error: header blocks, then the line that it was told to
  /// write.
  ///
  /// Interim answers (100, 103) have blocks of their own and are ignored. Trailers follow
  /// the final block and are too.
  ///
  /// - Returns: nil where there is no final answer.
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
        // A field may go on in the next line.
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

  /// The status of a line such as `HTTP/1.1 200 OK`.
  private static func status(_ line: ArraySlice<UInt8>) -> Int? {
    guard line.starts(with: Array("HTTP/".utf8)) else { return nil }
    let parts = line.split(separator: 0x20)
    guard parts.count > 1, parts[1].count == 3 else { return nil }
    return Int(String(decoding: parts[1], as: UTF8.self))
  }

  /// UTF-8 where it is valid, else a character for each byte, without blanks at the ends.
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
