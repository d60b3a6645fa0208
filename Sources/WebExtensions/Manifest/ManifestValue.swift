/// A JSON value of a web extension's file, with its place in the text.
public struct ManifestValue: Equatable, Sendable {
  /// The value itself.
  public indirect enum Content: Equatable, Sendable {
    case null
    case bool(Bool)
    /// A number as it is written.
    case number(String)
    case string(String)
    case array([ManifestValue])
    /// The members in the order of the text, without duplicate keys.
    case object([Member])
  }

  /// A member of an object.
  public struct Member: Equatable, Sendable {
    /// The key.
    public var key: String
    /// The offset of the key in the text; `nil` for a member that was added.
    public var offset: Int?
    /// The value.
    public var value: ManifestValue
  }

  /// The value.
  public var content: Content
  /// The offset in the text; `nil` for a value that was made.
  public var offset: Int?

  init(_ content: Content, offset: Int? = nil) {
    self.content = content
    self.offset = offset
  }

  static func string(_ text: String) -> ManifestValue { ManifestValue(.string(text)) }

  static func strings(_ texts: [String]) -> ManifestValue {
    ManifestValue(.array(texts.map { .string($0) }))
  }

  static func object(_ members: [(String, ManifestValue)]) -> ManifestValue {
    ManifestValue(.object(members.map { Member(key: $0.0, offset: nil, value: $0.1) }))
  }

  /// The text of a string; `nil` for any other value.
  public var text: String? { if case .string(let text) = content { text } else { nil } }

  /// The elements of an array; `nil` for any other value.
  public var elements: [ManifestValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  /// The members of an object; `nil` for any other value.
  public var members: [Member]? {
    if case .object(let members) = content { members } else { nil }
  }

  /// The strings of an array; other elements are skipped.
  var texts: [String] { elements?.compactMap(\.text) ?? [] }

  /// A member's value; setting `nil` removes the member, and a new member is added at the end.
  public subscript(key: String) -> ManifestValue? {
    get { members?.first { $0.key == key }?.value }
    set {
      var members = members ?? []
      if let index = members.firstIndex(where: { $0.key == key }) {
        if let newValue {
          members[index].value = newValue
        } else {
          members.remove(at: index)
        }
      } else if let newValue {
        members.append(Member(key: key, offset: nil, value: newValue))
      }
      content = .object(members)
    }
  }

  /// The offset of a member's key, or that of the object.
  func offset(of key: String) -> Int? { members?.first { $0.key == key }?.offset ?? offset }

  /// The value as JSON, indented by two spaces, with the members in their order.
  public var json: [UInt8] {
    var writer = ManifestWriter()
    writer.write(self, depth: 0)
    return writer.bytes + [0x0A]
  }
}

/// Writes JSON.
private struct ManifestWriter {
  var bytes: [UInt8] = []

  mutating func write(_ value: ManifestValue, depth: Int) {
    switch value.content {
    case .null: add("null")
    case .bool(let flag): add(flag ? "true" : "false")
    case .number(let text): add(text)
    case .string(let text): quote(text)
    case .array(let elements):
      list(elements, "[", "]", depth) { writer, element in writer.write(element, depth: depth + 1) }
    case .object(let members):
      list(members, "{", "}", depth) { writer, member in
        writer.quote(member.key)
        writer.add(": ")
        writer.write(member.value, depth: depth + 1)
      }
    }
  }

  private mutating func list<Element>(
    _ elements: [Element],
    _ opening: String,
    _ closing: String,
    _ depth: Int,
    _ body: (inout ManifestWriter, Element) -> Void
  ) {
    add(opening)
    for (index, element) in elements.enumerated() {
      add(index == 0 ? "\n" : ",\n")
      indent(depth + 1)
      body(&self, element)
    }
    if !elements.isEmpty {
      add("\n")
      indent(depth)
    }
    add(closing)
  }

  private mutating func indent(_ depth: Int) {
    for _ in 0..<depth { add("  ") }
  }

  private mutating func add(_ text: String) { bytes += text.utf8 }

  mutating func quote(_ text: String) {
    add("\"")
    for byte in text.utf8 {
      switch byte {
      case 0x22: add("\\\"")
      case 0x5C: add("\\\\")
      case 0x0A: add("\\n")
      case 0x0D: add("\\r")
      case 0x09: add("\\t")
      case 0..<0x20:
        let digits = String(byte, radix: 16)
        add("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      default: bytes.append(byte)
      }
    }
    add("\"")
  }
}
