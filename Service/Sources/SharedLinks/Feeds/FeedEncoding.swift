internal import CLibXML2
internal import CLibrary

/// Detects a document's encoding, and converts it to UTF-8.
///
/// In order of precedence: a byte order mark; valid UTF-8 that is not pure ASCII, whatever is
/// declared, since other text is hardly ever valid UTF-8 by chance; the charset of the Content-Type
/// header; the XML declaration or `meta` element. In a document that claims UTF-8 but is not, valid
/// sequences are kept and all other bytes are read as windows-1252.
enum FeedEncoding {
  /// Converts a document to UTF-8; `charset` is that of the Content-Type header.
  static func decode(_ bytes: [UInt8], charset: String?) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return mixed(bytes.dropFirst(3)) }
    if bytes.starts(with: [0xFE, 0xFF]) { return convert(bytes.dropFirst(2), from: "UTF-16BE") }
    if bytes.starts(with: [0xFF, 0xFE]) { return convert(bytes.dropFirst(2), from: "UTF-16LE") }
    if bytes.starts(with: [0x00, 0x3C]) { return convert(bytes[...], from: "UTF-16BE") }
    if bytes.starts(with: [0x3C, 0x00]) { return convert(bytes[...], from: "UTF-16LE") }
    let isASCII = bytes.allSatisfy { $0 < 0x80 }
    let declared = name(charset ?? declaration(bytes) ?? "utf-8")
    if isASCII {
      return declared.hasPrefix("ISO-2022") ? convert(bytes[...], from: declared) : bytes
    }
    if String(validating: bytes, as: UTF8.self) != nil { return bytes }
    switch declared {
    case "UTF-8", "US-ASCII", "ASCII", "UTF-16", "UTF-16LE", "UTF-16BE":
      return mixed(bytes[...])
    case "ISO-8859-1", "LATIN1", "WINDOWS-1252", "CP1252":
      // Browsers decode Latin 1 as windows-1252, since that is what people mean by it.
      return bytes.flatMap { $0 < 0x80 ? [$0] : utf8(Windows1252.scalar($0)) }
    default:
      return convert(bytes[...], from: declared)
    }
  }

  /// Returns the charset parameter of a Content-Type header.
  static func charset(_ contentType: String) -> String? {
    guard let range = contentType.lowercased().firstRange(of: "charset=") else { return nil }
    let value = contentType.lowercased()[range.upperBound...]
    let name = value.drop { $0 == "\"" || $0 == "'" || $0 == " " }
      .prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    return name.isEmpty ? nil : String(name)
  }

  /// Returns the encoding that the first kilobyte declares.
  private static func declaration(_ bytes: [UInt8]) -> String? {
    let head = String(decoding: bytes.prefix(1_024), as: UTF8.self).lowercased()
    for key in ["encoding=", "charset="] {
      guard let range = head.firstRange(of: key) else { continue }
      let name = head[range.upperBound...].drop { $0 == "\"" || $0 == "'" || $0 == " " }
        .prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
      if !name.isEmpty { return String(name) }
    }
    return nil
  }

  private static func name(_ charset: String) -> String {
    let upper = String(charset.uppercased().prefix(40))
    return upper == "UTF8" ? "UTF-8" : upper
  }

  /// Keeps valid UTF-8 sequences, and reads every other byte as windows-1252.
  private static func mixed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    if String(validating: bytes, as: UTF8.self) != nil { return Array(bytes) }
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count + bytes.count / 8)
    var position = bytes.startIndex
    while position < bytes.endIndex {
      let length = sequenceLength(bytes, position)
      if length > 0 {
        out.append(contentsOf: bytes[position..<position + length])
        position += length
      } else {
        out.append(contentsOf: utf8(Windows1252.scalar(bytes[position])))
        position += 1
      }
    }
    return out
  }

  /// Returns the length of the valid sequence at a position, or 0.
  private static func sequenceLength(_ bytes: ArraySlice<UInt8>, _ position: Int) -> Int {
    let first = bytes[position]
    let length: Int
    switch first {
    case 0x00..<0x80: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF: length = 3
    case 0xF0...0xF4: length = 4
    default: return 0
    }
    guard position + length <= bytes.endIndex else { return 0 }
    let sequence = bytes[position..<position + length]
    return String(validating: sequence, as: UTF8.self) == nil ? 0 : length
  }

  /// Converts with the system's iconv; invalid bytes become U+FFFD.
  private static func convert(_ bytes: ArraySlice<UInt8>, from encoding: String) -> [UInt8] {
    let handle = unsafe iconv_open("UTF-8", encoding)
    // An unknown encoding is most likely misspelt; this way ASCII survives.
    guard unsafe handle != iconv_t(bitPattern: -1) else { return mixed(bytes) }
    defer { unsafe iconv_close(handle) }
    var input = bytes.map { CChar(bitPattern: $0) }
    var out: [UInt8] = []
    var buffer = [CChar](repeating: 0, count: 16_384)
    var consumed = 0
    while consumed < input.count {
      var left = input.count - consumed
      var room = buffer.count
      let result = unsafe input.withUnsafeMutableBufferPointer { source in
        unsafe buffer.withUnsafeMutableBufferPointer { target in
          var from = unsafe source.baseAddress.map { unsafe $0 + consumed }
          var to = target.baseAddress
          return unsafe iconv(handle, &from, &left, &to, &room)
        }
      }
      let failure = errno
      out.append(contentsOf: buffer.prefix(buffer.count - room).map { UInt8(bitPattern: $0) })
      consumed = input.count - left
      if result < 0, failure != E2BIG {
        out.append(contentsOf: [0xEF, 0xBF, 0xBD])
        consumed += 1
      }
    }
    return out
  }

  private static func utf8(_ scalar: Unicode.Scalar) -> [UInt8] { Array(String(scalar).utf8) }
}

/// The encoding of most mislabelled documents.
enum Windows1252 {
  /// Returns the character of a byte; the five unassigned bytes are read as control characters.
  static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
    return Unicode.Scalar(table[Int(byte - 0x80)]) ?? "\u{FFFD}"
  }

  private static let table: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039,
    0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]
}
