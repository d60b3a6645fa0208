/// A page of an extension: its scripts, and where another script can be put before them.
///
/// Only tags are looked at. What a tag means depends on much more, but extensions' own pages are
/// plain: no browser runs scripts between tags in them.
struct ExtensionPage {
  /// The largest page that is changed, in bytes.
  static let sizeLimit = 4 << 20

  let bytes: [UInt8]

  /// Reads a page of at most ``sizeLimit`` bytes.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A script of a page.
  struct Script: Equatable {
    let source: String
    let isModule: Bool
  }

  /// The scripts that the page names, in their order.
  var scripts: [Script] {
    var scripts: [Script] = []
    eachTag { name, attributes, _ in
      if name == "script", let source = Self.value("src", in: attributes), scripts.count < 1000 {
        let isModule = Self.value("type", in: attributes)?.lowercased() == "module"
        scripts.append(Script(source: source, isModule: isModule))
      }
      return true
    }
    return scripts
  }

  /// Returns the page with a script before all others.
  ///
  /// It stands behind the tag of `head`, or else before the first element that can have scripts.
  func inserting(script path: String) -> [UInt8] {
    var place: Int?
    eachTag { name, _, range in
      switch name {
      case "html", "!doctype":
        place = range.upperBound
        return true
      case "head":
        place = range.upperBound
        return false
      default:
        place = place ?? range.lowerBound
        return false
      }
    }
    let tag = Array("<script src=\"\(path)\"></script>".utf8)
    let start = place ?? bytes.count
    return bytes[..<start] + tag + bytes[start...]
  }

  /// Whether the text is one of bytes that ASCII's tags can be found in.
  var isReadable: Bool {
    !bytes.starts(with: [0xFF, 0xFE]) && !bytes.starts(with: [0xFE, 0xFF])
      && !bytes.prefix(1024).contains(0)
  }

  /// Calls a function with each opening tag: its name in lower case, its attributes' bytes and its
  /// place, until the function returns false.
  func eachTag(_ body: (String, ArraySlice<UInt8>, Range<Int>) -> Bool) {
    var index = 0
    while let start = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      if bytes[start...].starts(with: "<!--".utf8) {
        index = end(of: "-->", from: start + 4)
        continue
      }
      let nameEnd =
        bytes[(start + 1)...].firstIndex { !Self.isTagName($0) } ?? bytes.count
      guard let close = endOfTag(from: nameEnd) else { return }
      index = close
      guard nameEnd > start + 1 else { continue }
      let name = String(decoding: bytes[start + 1..<nameEnd], as: UTF8.self).lowercased()
      guard body(name, bytes[nameEnd..<close], start..<close) else { return }
      if name == "script" || name == "style" { index = end(of: "</\(name)", from: close) }
    }
  }

  private static func isTagName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "!"): true
    default: false
    }
  }

  /// Returns the index behind the tag's bracket, which quoted values may contain too.
  private func endOfTag(from start: Int) -> Int? {
    var quote: UInt8?
    for index in start..<bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: ">") {
        return index + 1
      }
    }
    return nil
  }

  func end(of text: String, from start: Int) -> Int {
    let wanted = Array(text.utf8)
    var index = start
    while index + wanted.count <= bytes.count {
      let found = zip(bytes[index...], wanted).allSatisfy { Self.lowercase($0) == $1 }
      if found { return index + wanted.count }
      index += 1
    }
    return bytes.count
  }

  private static func lowercase(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  /// Returns the value of an attribute.
  static func value(_ name: String, in attributes: ArraySlice<UInt8>) -> String? {
    self.attributes(in: attributes).first { $0.name == name }?.value
  }

  /// The attributes of a tag: their names in lower case, and their values as they are written.
  static func attributes(
    in bytes: ArraySlice<UInt8>
  ) -> [(name: String, value: String)] {
    let isSpace = { (byte: UInt8) in byte <= 0x20 || byte == UInt8(ascii: "/") }
    var found: [(name: String, value: String)] = []
    var rest = bytes.dropLast()
    while true {
      rest = rest.drop(while: isSpace)
      guard !rest.isEmpty else { return found }
      let key = rest.prefix { !isSpace($0) && $0 != UInt8(ascii: "=") }
      rest = rest.dropFirst(key.count).drop { $0 <= 0x20 }
      var value: ArraySlice<UInt8> = []
      if rest.first == UInt8(ascii: "=") {
        rest = rest.dropFirst().drop { $0 <= 0x20 }
        if let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
          value = rest.dropFirst().prefix { $0 != quote }
          rest = rest.dropFirst(value.count + 2)
        } else {
          value = rest.prefix { $0 > 0x20 }
          rest = rest.dropFirst(value.count)
        }
      } else if key.isEmpty {
        return found
      }
      found.append(
        (
          String(decoding: key.map(lowercase), as: UTF8.self),
          String(decoding: value, as: UTF8.self)
        )
      )
    }
  }
}
