/// The decoder of `MessageValue.decoded(as:)`.
struct ValueDecoder: Decoder {
  let value: MessageValue
  /// The path of the value's parent, with a period after each name.
  var place = ""
  /// The value's own name; empty for the outermost.
  var name = ""
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    switch type {
    case let type as any MessageValueConvertible.Type:
      do throws(ExtensionMessageError) {
        return try result(type.init(messageValue: value), "value")
      } catch {
        guard !name.isEmpty else { throw error }
        throw ExtensionMessageError(
          error.code,
          "needs another \"\(place)\(name)\": \(error.message)"
        )
      }
    case is Bool.Type:
      guard case .bool(let flag) = value else { throw fault("bool") }
      return try result(flag, "bool")
    case is String.Type:
      guard case .string(let text) = value else { throw fault("string") }
      return try result(text, "string")
    case let type as any BinaryFloatingPoint.Type:
      guard case .double(let number) = value else { throw fault("number") }
      return try result(type.init(number), "number")
    case let type as any FixedWidthInteger.Type:
      guard case .integer(let number) = value else { throw fault("integer") }
      return try result(type.init(exactly: number), "integer")
    default: return try Value(from: self)
    }
  }

  /// Returns the value if it has the requested type, and otherwise throws an error that names the kind.
  private func result<Value>(
    _ value: Any?,
    _ kind: String
  ) throws(ExtensionMessageError) -> Value {
    guard let value = value as? Value else { throw fault(kind) }
    return value
  }

  fileprivate func fault(_ kind: String) -> ExtensionMessageError {
    ExtensionMessageError(
      .notAMessage,
      name.isEmpty ? "is no \(kind)" : "needs the \(kind) \"\(place)\(name)\""
    )
  }

  fileprivate func member(_ name: String, _ value: MessageValue) -> ValueDecoder {
    let own = self.name.isEmpty ? "" : "\(place)\(self.name)."
    return ValueDecoder(value: value, place: own, name: name)
  }

  func container<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .dictionary(let members) = value else { throw fault("dictionary") }
    return KeyedDecodingContainer(Members(decoder: self, members: members))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = value else { throw fault("array") }
    return Elements(decoder: self, elements: elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ValueDecoder
    let members: [String: MessageValue]
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    /// A member that is null is not absent: a call with `"signer": null` is wrong, not unsigned.
    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      // An absent member decodes as null: most types refuse null with an error that names the missing
      // kind. A type with its own encoding may accept null, so it is refused here.
      guard let value = members[key.stringValue] else {
        guard !(type is any MessageValueConvertible.Type) else {
          throw decoder.member(key.stringValue, .null).fault("value")
        }
        return try decoder.member(key.stringValue, .null).decode(type)
      }
      return try decoder.member(key.stringValue, value).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type,
      forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      try superDecoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try superDecoder(forKey: key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoder }

    func superDecoder(forKey key: Key) -> any Decoder {
      decoder.member(key.stringValue, members[key.stringValue] ?? .null)
    }
  }

  private struct Elements: UnkeyedDecodingContainer {
    let decoder: ValueDecoder
    let elements: [MessageValue]
    var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex == elements.count }

    init(decoder: ValueDecoder, elements: [MessageValue]) {
      self.decoder = decoder
      self.elements = elements
    }

    private mutating func next() throws -> ValueDecoder {
      guard !isAtEnd else { throw decoder.fault("longer array") }
      defer { currentIndex += 1 }
      return decoder.member("\(currentIndex)", elements[currentIndex])
    }

    mutating func decodeNil() -> Bool {
      guard !isAtEnd, elements[currentIndex] == .null else { return false }
      currentIndex += 1
      return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try next().decode(type)
    }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
      try next().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try next().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder { try next() }
  }

  private struct Single: SingleValueDecodingContainer {
    let decoder: ValueDecoder
    var codingPath: [any CodingKey] { [] }

    func decodeNil() -> Bool { decoder.value == .null }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
  }
}
