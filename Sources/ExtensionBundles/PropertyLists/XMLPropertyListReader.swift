/// Reads property lists in XML.
///
/// Supports only the elements of property lists: no entity declarations, no external entities, no
/// named references beyond XML's five.
struct XMLPropertyListReader {
  private enum Element: String {
    case plist, dict, key, array, string, integer, real, date, data
    case yes = "true"
    case no = "false"
  }

  private enum Tag {
    case open(Element)
    case close(Element)
    case empty(Element)
  }

  /// The text in UTF-8, as the caller has ensured.
  private let bytes: [UInt8]
  private var position = 0
  private var budget: PropertyListBudget

  init(_ bytes: [UInt8], limits: PropertyListLimits) {
    self.bytes = bytes
    budget = PropertyListBudget(limits)
  }

  mutating func read() throws(PropertyListError) -> PropertyListValue {
    try skip(isBeforeFirst: true)
    var tag = try tag()
    var isWrapped = false
    if case .open(.plist) = tag {
      isWrapped = true
      try skip()
      tag = try self.tag()
    }
    guard let value = try value(tag, depth: 1) else { throw fault("there is no value") }
    try skip()
    if isWrapped {
      guard case .close(.plist) = try self.tag() else { throw fault("there is a second value") }
      try skip()
    }
    guard position == bytes.count else { throw fault("there is more after the list") }
    return value
  }

  /// Reads the value that a tag begins; returns `nil` for a tag that ends a container.
  private mutating func value(
    _ tag: Tag,
    depth: Int
  ) throws(PropertyListError) -> PropertyListValue? {
    switch tag {
    case .close(.array), .close(.dict): return nil
    case .close: throw fault("an element ends that did not begin")
    case .empty(let element):
      try budget.take()
      switch element {
      case .array: return .array([])
      case .dict: return .dictionary([:])
      case .string: return .string("")
      case .data: return .data([])
      case .yes: return .boolean(true)
      case .no: return .boolean(false)
      default: throw fault("<\(element.rawValue)/> has no value")
      }
    case .open(.array):
      try budget.take()
      try budget.enter(depth)
      return .array(try array(depth: depth))
    case .open(.dict):
      try budget.take()
      try budget.enter(depth)
      return .dictionary(try dictionary(depth: depth))
    case .open(let element): return try scalar(element)
    }
  }

  private mutating func array(depth: Int) throws(PropertyListError) -> [PropertyListValue] {
    var values: [PropertyListValue] = []
    while true {
      try skip()
      let tag = try tag()
      guard let value = try value(tag, depth: depth + 1) else {
        guard case .close(.array) = tag else { throw fault("an array ends as a dictionary") }
        return values
      }
      values.append(value)
    }
  }

  private mutating func dictionary(
    depth: Int
  ) throws(PropertyListError) -> [String: PropertyListValue] {
    var values: [String: PropertyListValue] = [:]
    while true {
      try skip()
      let key: String
      switch try tag() {
      case .close(.dict): return values
      case .open(.key): key = try text(.key)
      case .empty(.key):
        try budget.take()
        key = ""
      default: throw fault("a dictionary needs a key here")
      }
      try skip()
      guard let value = try value(try tag(), depth: depth + 1) else {
        throw fault("a key has no value")
      }
      guard values.updateValue(value, forKey: key) == nil else {
        throw fault("the key \"\(key.prefix(100))\" is there twice in one dictionary")
      }
    }
  }

  private mutating func scalar(_ element: Element) throws(PropertyListError) -> PropertyListValue {
    let text = try text(element)
    switch element {
    case .string: return .string(text)
    case .integer:
      guard let value = PropertyListText.integer(text) else {
        throw fault("an integer is no whole number, or out of range")
      }
      return value
    case .real:
      guard let value = PropertyListText.real(text) else { throw fault("a real is no number") }
      return .real(value)
    case .date:
      guard let value = PropertyListText.date(text) else {
        throw fault("a date is not as 2026-11-21T12:00:00Z")
      }
      return .date(value)
    case .data:
      guard let value = PropertyListText.data(text) else { throw fault("data is not base64") }
      return .data(value)
    case .yes, .no:
      guard text.isEmpty else { throw fault("<\(element.rawValue)> has contents") }
      return .boolean(element == .yes)
    case .plist, .dict, .key, .array: throw fault("<\(element.rawValue)> is out of place")
    }
  }

  // MARK: Text

  /// Reads text up to the element's end, with references resolved, and counts it.
  private mutating func text(_ element: Element) throws(PropertyListError) -> String {
    var text: [UInt8] = []
    while let byte = next {
      switch byte {
      case UInt8(ascii: "<"):
        if isAt("<![CDATA[") {
          position += 9
          let start = position
          try pass("]]>", "a CDATA section does not end")
          text += bytes[start..<(position - 3)]
          continue
        }
        guard case .close(element) = try tag() else {
          throw fault("<\(element.rawValue)> holds another element")
        }
        try budget.take(contents: text.count)
        guard text.allSatisfy({ $0 >= 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }) else {
          throw fault("there is a control character in <\(element.rawValue)>")
        }
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "&"): text += Array(String(try reference()).utf8)
      default:
        text.append(byte)
        position += 1
      }
    }
    throw fault("<\(element.rawValue)> does not end")
  }

  /// Reads `&name;`, `&#1234;` or `&#x12AB;`.
  private mutating func reference() throws(PropertyListError) -> Unicode.Scalar {
    let rest = bytes[(position + 1)...].prefix(12)
    guard let end = rest.firstIndex(of: UInt8(ascii: ";")) else {
      throw fault("an & has to be written as &amp;")
    }
    let name = String(decoding: rest[..<end], as: UTF8.self)
    let scalar: Unicode.Scalar?
    switch name {
    case "lt": scalar = "<"
    case "gt": scalar = ">"
    case "amp": scalar = "&"
    case "apos": scalar = "'"
    case "quot": scalar = "\""
    case _ where name.hasPrefix("#x"):
      scalar = PropertyListText.number(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    case _ where name.hasPrefix("#"):
      scalar = PropertyListText.number(name.dropFirst(1), radix: 10).flatMap(Unicode.Scalar.init)
    default: scalar = nil
    }
    guard let scalar else { throw fault("there is no character &\(name);") }
    position = end + 1
    return scalar
  }

  // MARK: Markup

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func isAt(_ text: StaticString) -> Bool {
    unsafe bytes[position...].starts(
      with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    )
  }

  /// Skips everything up to and including a text.
  private mutating func pass(
    _ end: StaticString,
    _ failure: String
  ) throws(PropertyListError) {
    while position < bytes.count {
      if isAt(end) {
        position += end.utf8CodeUnitCount
        return
      }
      position += 1
    }
    throw fault(failure)
  }

  /// Skips white space, comments and processing instructions; before the first element also the
  /// document type.
  private mutating func skip(isBeforeFirst: Bool = false) throws(PropertyListError) {
    while let byte = next {
      if Self.isBlank(byte) {
        position += 1
      } else if isAt("<!--") {
        position += 4
        try pass("-->", "a comment does not end")
      } else if isAt("<?") {
        position += 2
        try pass("?>", "an instruction does not end")
      } else if isBeforeFirst, isAt("<!DOCTYPE") {
        try passDocumentType()
      } else {
        return
      }
    }
  }

  private mutating func passDocumentType() throws(PropertyListError) {
    var quote: UInt8?
    while let byte = next {
      position += 1
      if let open = quote {
        if byte == open { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
      case UInt8(ascii: "["):
        throw fault("the document type has declarations of its own, which are not taken")
      case UInt8(ascii: ">"): return
      default: break
      }
    }
    throw fault("the document type does not end")
  }

  /// Reads a tag; attributes are ignored.
  private mutating func tag() throws(PropertyListError) -> Tag {
    guard next == UInt8(ascii: "<") else {
      throw fault(
        next == nil ? "the list does not end" : "there is text where an element has to be"
      )
    }
    position += 1
    let isClose = next == UInt8(ascii: "/")
    if isClose { position += 1 }
    let start = position
    while let byte = next, byte >= UInt8(ascii: "a"), byte <= UInt8(ascii: "z") { position += 1 }
    let name = String(decoding: bytes[start..<position], as: UTF8.self)
    guard let element = Element(rawValue: name),
      next.map({ Self.isBlank($0) || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ">") }) ?? false
    else {
      throw fault("there is no such element in a property list")
    }
    var quote: UInt8?
    var last: UInt8 = 0
    while let byte = next {
      position += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: ">") {
        if isClose { return .close(element) }
        return last == UInt8(ascii: "/") ? .empty(element) : .open(element)
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "<") {
        break
      }
      last = byte
    }
    throw fault("the tag <\(name) does not end")
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
  }

  private func fault(_ words: String) -> PropertyListError {
    let line = bytes[..<position].count { $0 == 0x0A } + 1
    return PropertyListError(.malformed, "line \(line): \(words)")
  }
}
