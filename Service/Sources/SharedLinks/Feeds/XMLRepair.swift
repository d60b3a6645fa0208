/// Turns what feeds send into well-formed XML, so that the parser never has to give up.
///
/// Well-formed input keeps its meaning. Otherwise:
///
/// - everything before the root element is removed, including document type declarations with their
///   entities; so are comments and processing instructions;
/// - an ampersand or less-than sign that begins no markup is text; HTML's entities become
///   characters;
/// - characters that XML forbids are removed; attributes may lack quotes or values, and of
///   duplicates the first wins;
/// - missing end tags are added, unmatched ones are removed, and an item inside an item closes the
///   outer one;
/// - elements beyond the depth limit and attributes beyond their limits are removed and their text
///   stays, which keeps the parser's work linear;
/// - an item cut off by the document's end is removed, since its identifier may be what is missing.
struct XMLRepair {
  /// The repaired document; empty if it has none of the given root elements.
  private(set) var output: [UInt8] = []
  /// The name of the root element.
  private(set) var root: String?
  /// Whether the document ended inside its root element.
  private(set) var isTruncated = false
  /// Whether elements were removed because they are nested too deeply.
  private(set) var exceedsDepth = false

  private let bytes: [UInt8]
  private let roots: Set<String>
  private let units: Set<String>
  private let depth: Int
  private var position = 0
  private var open: [OpenElement] = []
  private var namespaces = 0
  private var isClosed = false
  // Caches failed searches for an end tag, so that none is repeated.
  private var missingEnds: Set<String> = []

  private struct OpenElement {
    var name: String
    /// The element's offset in the output.
    var start: Int
    var isUnit: Bool
  }

  private static let attributeLimit = 48
  private static let namespaceLimit = 128
  private static let nameLimit = 128

  /// Repairs a document.
  ///
  /// - Parameters:
  ///   - bytes: Valid UTF-8.
  ///   - roots: Names of root elements, in lower case.
  ///   - units: Names of elements that never nest, in lower case.
  ///   - depth: How deeply elements may be nested.
  init(_ bytes: [UInt8], roots: Set<String>, units: Set<String>, depth: Int) {
    self.bytes = bytes
    self.roots = roots
    self.units = units
    self.depth = depth
    output.reserveCapacity(bytes.count + bytes.count / 8)
    run()
  }

  private mutating func run() {
    while position < bytes.count, !isClosed {
      switch bytes[position] {
      case UInt8(ascii: "<"): markup()
      case _ where root == nil: position += 1
      case UInt8(ascii: "&"): reference()
      default: character()
      }
    }
    guard root != nil, !isClosed else { return }
    isTruncated = true
    // Drop everything from the first open unit on: it is incomplete.
    if let unit = open.first(where: \.isUnit) {
      output.removeSubrange(unit.start...)
      while let last = open.last, last.start >= unit.start { open.removeLast() }
    }
    close(to: 0)
  }

  // MARK: Text

  private mutating func character() {
    append(text: bytes[position])
    position += 1
  }

  private mutating func append(text byte: UInt8) {
    switch byte {
    case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
    case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
    case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
    case UInt8(ascii: "\""): output.append(contentsOf: "&quot;".utf8)
    case 0x00...0x08, 0x0B, 0x0C, 0x0E...0x1F: output.append(0x20)
    // U+FFFE and U+FFFF are the only other characters that UTF-8 can encode and XML forbids.
    case 0xBE...0xBF where output.suffix(2) == [0xEF, 0xBF]: output.append(0xBD)
    default: output.append(byte)
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    for byte in String(scalar).utf8 { append(text: byte) }
  }

  private mutating func reference() {
    guard let (scalar, end) = CharacterReferences.reference(in: bytes[...], at: position) else {
      append(text: UInt8(ascii: "&"))
      position += 1
      return
    }
    append(scalar)
    position = end
  }

  // MARK: Markup

  private mutating func markup() {
    guard position + 1 < bytes.count else {
      position += 1
      return
    }
    switch bytes[position + 1] {
    case UInt8(ascii: "!"): declaration()
    case UInt8(ascii: "?"): if !skip(past: "?>") { position += 2 }
    case UInt8(ascii: "/"): endTag()
    case let byte where byte.isLetter || byte == UInt8(ascii: "_"): startTag()
    default:
      if root != nil { append(text: UInt8(ascii: "<")) }
      position += 1
    }
  }

  private mutating func declaration() {
    if starts(with: "<!--") {
      if !skip(past: "-->") { position += 4 }
    } else if starts(with: "<![CDATA[") {
      let start = position + 9
      let isWhole = skip(past: "]]>")
      if !isWhole { position = start }
      guard isWhole, root != nil else { return }
      for byte in bytes[start..<position - 3] { append(text: byte) }
    } else if root == nil {
      skipDocumentType()
    } else if !skip(past: ">") {
      position += 2
    }
  }

  /// Skips a document type declaration; its internal subset may contain `>` in quotes.
  private mutating func skipDocumentType() {
    let start = position
    guard !missingEnds.contains("document type") else {
      position = start + 2
      return
    }
    var brackets = 0
    var quote: UInt8?
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "["): brackets += 1
      case UInt8(ascii: "]"): brackets -= 1
      case UInt8(ascii: ">") where brackets <= 0: return
      default: continue
      }
    }
    // Unclosed: remove only the opening itself, and look for the root after it.
    position = start + 2
    missingEnds.insert("document type")
  }

  private mutating func name() -> String? {
    let start = position
    while position < bytes.count, bytes[position].isNameByte { position += 1 }
    guard position - start <= Self.nameLimit else { return nil }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func endTag() {
    position += 2
    let name = name() ?? ""
    skipBlanks()
    if position < bytes.count, bytes[position] == UInt8(ascii: ">") { position += 1 }
    guard let place = open.lastIndex(where: { $0.name == name }) else { return }
    close(to: place)
    if place == 0 { isClosed = true }
  }

  private mutating func close(to place: Int) {
    while open.count > place, let element = open.popLast() {
      output.append(contentsOf: "</\(element.name)>".utf8)
    }
  }

  private mutating func startTag() {
    let start = position
    position += 1
    guard let name = name(), position < bytes.count,
      bytes[position].isBlank || bytes[position] == UInt8(ascii: ">")
        || bytes[position] == UInt8(ascii: "/")
    else {
      // Text, as in "<3" or "<a@b.org>".
      position = start + 1
      if root != nil { append(text: UInt8(ascii: "<")) }
      return
    }
    let isRoot = root == nil
    guard !isRoot || roots.contains(name.lowercased()) else { return }
    let isUnit = units.contains(name.lowercased())
    let outer = isUnit ? open.firstIndex(where: \.isUnit) : nil
    let textEnd = output.count
    if let outer {
      for element in open[outer...].reversed() {
        output.append(contentsOf: "</\(element.name)>".utf8)
      }
    }
    let tagStart = output.count
    output.append(contentsOf: "<\(name)".utf8)
    guard let isEmpty = attributes() else {
      // The next tag begins before this one ends, so this is text, as in "1 <a and b".
      output.removeSubrange(textEnd...)
      position = start + 1
      guard !isRoot else { return }
      append(text: UInt8(ascii: "<"))
      return
    }
    if isRoot { root = name }
    if let outer { open.removeSubrange(outer...) }
    guard open.count < depth else {
      output.removeSubrange(tagStart...)
      exceedsDepth = true
      return
    }
    if isEmpty {
      output.append(contentsOf: "/>".utf8)
      if open.isEmpty { isClosed = true }
    } else {
      output.append(UInt8(ascii: ">"))
      open.append(OpenElement(name: name, start: tagStart, isUnit: isUnit))
    }
  }

  /// Copies the attributes up to the end of the tag.
  ///
  /// - Returns: Whether the element is empty; nil if the tag has no end.
  private mutating func attributes() -> Bool? {
    var names: Set<String> = []
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: ">") {
        position += 1
        return false
      }
      if byte == UInt8(ascii: "<") { return nil }
      if byte == UInt8(ascii: "/"), position + 1 < bytes.count,
        bytes[position + 1] == UInt8(ascii: ">")
      {
        position += 2
        return true
      }
      guard byte.isLetter || byte == UInt8(ascii: "_") else {
        position += 1
        continue
      }
      let name = name()
      skipBlanks()
      let value = attributeValue()
      guard let name, names.count < Self.attributeLimit, names.insert(name).inserted else {
        continue
      }
      if name.hasPrefix("xmlns") {
        guard namespaces < Self.namespaceLimit else { continue }
        namespaces += 1
      }
      output.append(contentsOf: " \(name)=\"".utf8)
      var place = value.startIndex
      while place < value.endIndex {
        if value[place] == UInt8(ascii: "&"),
          let (scalar, end) = CharacterReferences.reference(in: value, at: place)
        {
          append(scalar)
          place = end
        } else {
          append(text: value[place])
          place += 1
        }
      }
      output.append(UInt8(ascii: "\""))
    }
    return nil
  }

  private mutating func attributeValue() -> ArraySlice<UInt8> {
    guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return [] }
    position += 1
    skipBlanks()
    guard position < bytes.count else { return [] }
    let quote = bytes[position]
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      let start = position + 1
      position = start
      // An unclosed quote ends with its tag at the latest.
      while position < bytes.count, bytes[position] != quote, bytes[position] != UInt8(ascii: "<") {
        position += 1
      }
      let value = bytes[start..<position]
      if position < bytes.count, bytes[position] == quote { position += 1 }
      return value
    }
    let start = position
    while position < bytes.count, !bytes[position].isBlank, bytes[position] != UInt8(ascii: ">"),
      bytes[position] != UInt8(ascii: "<")
    { position += 1 }
    return bytes[start..<position]
  }

  // MARK: Places

  private mutating func skipBlanks() {
    while position < bytes.count, bytes[position].isBlank { position += 1 }
  }

  private func starts(with text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - position >= count else { return false }
    return bytes[position..<position + count].elementsEqual("\(text)".utf8)
  }

  /// Moves past the next occurrence of a text; stays if there is none.
  private mutating func skip(past end: String) -> Bool {
    guard !missingEnds.contains(end) else { return false }
    let pattern = Array(end.utf8)
    var place = position
    while place + pattern.count <= bytes.count {
      if bytes[place] == pattern[0], bytes[place..<place + pattern.count].elementsEqual(pattern) {
        position = place + pattern.count
        return true
      }
      place += 1
    }
    missingEnds.insert(end)
    return false
  }
}

extension UInt8 {
  /// Whether a name in markup may contain the byte; feeds use no other names.
  fileprivate var isNameByte: Bool {
    isLetter || isDigit || self == 0x5F || self == 0x2D || self == 0x2E || self == 0x3A
  }
}
