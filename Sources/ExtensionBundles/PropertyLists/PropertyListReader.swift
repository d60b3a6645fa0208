/// Reads untrusted property lists: XML, and binary as Xcode writes them into built apps.
///
/// The only reader of such lists. Foundation's expands an object each time it is referenced and
/// recurses as deep as the file says, and neither can be limited.
public enum PropertyListReader {
  /// The forms that are read.
  public enum Form: Sendable {
    /// Elements in UTF-8, UTF-16, ASCII or ISO 8859-1.
    case xml
    /// `bplist00`.
    case binary
  }

  /// Returns the form of a list by its first bytes; `nil` if it is neither.
  public static func form(of bytes: [UInt8]) -> Form? {
    if bytes.starts(with: BinaryPropertyListReader.magic) { return .binary }
    // A byte order mark, and the zero bytes of UTF-16.
    let start = bytes.prefix(64).first {
      $0 > 0x20 && ![0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains($0)
    }
    return start == UInt8(ascii: "<") ? .xml : nil
  }

  /// Reads a list.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - limits: The limits on its contents.
  /// - Returns: The root value.
  /// - Throws: ``PropertyListError``.
  /// - Complexity: Linear in the file's bytes and in what it expands to, both bounded by `limits`.
  ///   The stack grows with the depth, also bounded by `limits`.
  public static func read(
    _ bytes: [UInt8],
    limits: PropertyListLimits = PropertyListLimits()
  ) throws(PropertyListError) -> PropertyListValue {
    guard bytes.count <= limits.bytes else {
      throw PropertyListError(.tooLarge, "it has more than \(limits.bytes) bytes")
    }
    switch form(of: bytes) {
    case .binary:
      var reader = try BinaryPropertyListReader(bytes, limits: limits)
      return try reader.read()
    case .xml:
      var reader = XMLPropertyListReader(try PropertyListEncoding.utf8(bytes), limits: limits)
      return try reader.read()
    case nil:
      throw PropertyListError(.otherForm, "it is neither XML nor a binary property list")
    }
  }
}

/// The encodings of XML property lists.
enum PropertyListEncoding {
  /// Returns the text in UTF-8, without a byte order mark.
  static func utf8(_ bytes: [UInt8]) throws(PropertyListError) -> [UInt8] {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return try checked(Array(bytes.dropFirst(3))) }
    if bytes.starts(with: [0xFE, 0xFF]) { return try utf16(bytes.dropFirst(2), isLittle: false) }
    if bytes.starts(with: [0xFF, 0xFE]) { return try utf16(bytes.dropFirst(2), isLittle: true) }
    if bytes.starts(with: [0, UInt8(ascii: "<")]) { return try utf16(bytes[...], isLittle: false) }
    if bytes.starts(with: [UInt8(ascii: "<"), 0]) { return try utf16(bytes[...], isLittle: true) }
    let name = declared(bytes)
    switch name?.lowercased() {
    case nil, "utf-8", "utf8": return try checked(bytes)
    case "us-ascii", "ascii":
      guard bytes.allSatisfy({ $0 < 0x80 }) else {
        throw PropertyListError(.malformed, "it says that it is ASCII, and has other characters")
      }
      return bytes
    case "iso-8859-1", "latin1":
      // In ISO 8859-1, each byte is the code point.
      return bytes.flatMap { $0 < 0x80 ? [$0] : [0xC0 | $0 >> 6, 0x80 | $0 & 0x3F] }
    default:
      throw PropertyListError(
        .malformed,
        "it says that its encoding is one that is not read here; save it in UTF-8"
      )
    }
  }

  private static func checked(_ bytes: [UInt8]) throws(PropertyListError) -> [UInt8] {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw PropertyListError(.malformed, "it is not UTF-8, and does not say what else it is")
    }
    return bytes
  }

  private static func utf16(
    _ bytes: ArraySlice<UInt8>,
    isLittle: Bool
  ) throws(PropertyListError) -> [UInt8] {
    let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { index in
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      return isLittle ? second << 8 | first : first << 8 | second
    }
    guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self)
    else {
      throw PropertyListError(.malformed, "it begins as UTF-16, and is not")
    }
    return Array(text.utf8)
  }

  /// Returns the encoding in the XML declaration; `nil` if there is none.
  private static func declared(_ bytes: [UInt8]) -> String? {
    let head = String(decoding: bytes.prefix(256), as: UTF8.self)
    guard let start = head.firstRange(of: "<?xml"),
      let end = head[start.upperBound...].firstRange(of: "?>"),
      case let declaration = head[start.upperBound..<end.lowerBound],
      let name = declaration.firstRange(of: "encoding")
    else { return nil }
    let rest = declaration[name.upperBound...].drop { $0.isWhitespace || $0 == "=" }
    guard let quote = rest.first, quote == "\"" || quote == "'" else { return "" }
    return String(rest.dropFirst().prefix { $0 != quote })
  }
}
