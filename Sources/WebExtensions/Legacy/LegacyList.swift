internal import ExtensionBundles

/// A property list of an older extension, with the lines of what is in it.
struct LegacyList {
  /// The file's name, for notes.
  let name: String
  let root: PropertyListValue
  private let text: [UInt8]
  private let isXML: Bool

  /// Reads a list.
  ///
  /// - Throws: ``WebExtensionError`` with code `.syntax`.
  init(_ text: [UInt8], name: String) throws(WebExtensionError) {
    do {
      root = try PropertyListReader.read(text)
    } catch {
      throw WebExtensionError(.syntax, "\(name) is not a property list: \(error.message)")
    }
    self.name = name
    self.text = text
    isXML = PropertyListReader.form(of: text) == .xml
  }

  /// Returns the first line with an element of this text, counted from 1; `nil` for a binary list, and
  /// where the text is written in another way.
  func line(of word: String) -> Int? {
    guard isXML, !word.isEmpty, word.utf8.count <= 1000 else { return nil }
    var wanted: [UInt8] = [UInt8(ascii: ">")]
    for byte in word.utf8 {
      switch byte {
      case UInt8(ascii: "&"): wanted += "&amp;".utf8
      case UInt8(ascii: "<"): wanted += "&lt;".utf8
      default: wanted.append(byte)
      }
    }
    wanted.append(UInt8(ascii: "<"))
    var start = 0
    while let found = text[start...].firstIndex(of: wanted[0]) {
      if text[found...].starts(with: wanted) { return TextPlace(offset: found, in: text).line }
      start = found + 1
    }
    return nil
  }
}

extension PropertyListValue {
  /// A whole number, however it is written; `nil` for anything else.
  var wholeNumber: Int? {
    switch self {
    case .integer(let number): Int(exactly: number)
    case .unsigned(let number): Int(exactly: number)
    case .real(let number): Int(exactly: number)
    case .string(let text): Int(text)
    default: nil
    }
  }

  /// True or false, also as a number or a word.
  var truth: Bool? {
    if let boolean { return boolean }
    switch string?.lowercased() {
    case "true", "yes", "1": return true
    case "false", "no", "0": return false
    default: return wholeNumber.map { $0 != 0 }
    }
  }

  /// The value as JSON: data in base64, dates as texts of seconds since 2001.
  var manifestValue: ManifestValue {
    switch self {
    case .string(let text): .string(text)
    case .integer(let number): ManifestValue(.number(String(number)))
    case .unsigned(let number): ManifestValue(.number(String(number)))
    case .real(let number):
      number.isFinite ? ManifestValue(.number("\(number)")) : ManifestValue(.null)
    case .boolean(let value): ManifestValue(.bool(value))
    case .date(let seconds): .string("\(seconds)")
    case .data(let bytes): .string("\(bytes.count) bytes")
    case .array(let values): ManifestValue(.array(values.map(\.manifestValue)))
    case .dictionary(let values):
      .object(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.manifestValue) })
    }
  }
}
