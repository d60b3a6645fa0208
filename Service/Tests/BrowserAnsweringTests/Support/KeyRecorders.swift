import ExtensionMessages

/// The keys of objects, by where the objects are: `links.items` for the elements under `items` of `links`.
///
/// A key that may be absent ends in a question mark.
final class RecordedKeys {
  private(set) var keys: [String: Set<String>] = [:]

  /// Notes a key, and gives the place of what is under it.
  ///
  /// Whoever asks whether it is there can do without.
  func note(_ key: String, isOptional: Bool, at place: String) -> String {
    let known = keys[place, default: []]
    if isOptional || !known.contains(key + "?") {
      keys[place] = known.union([isOptional ? key + "?" : key])
    }
    return "\(place).\(key)"
  }
}

/// Notes the keys that a value is encoded with.
struct KeyRecordingEncoder: Encoder {
  let recorded: RecordedKeys
  let place: String
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Members(encoder: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { Elements(encoder: self) }
  func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

  func descend(_ value: some Encodable) throws {
    switch value {
    case is any MessageValueConvertible, is String, is Bool, is Double, is any BinaryInteger: break
    default: try value.encode(to: self)
    }
  }

  private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: KeyRecordingEncoder
    var codingPath: [any CodingKey] { [] }

    private func under(_ key: Key, isOptional: Bool) -> KeyRecordingEncoder {
      KeyRecordingEncoder(
        recorded: encoder.recorded,
        place: encoder.recorded.note(key.stringValue, isOptional: isOptional, at: encoder.place)
      )
    }

    func encodeNil(forKey key: Key) { _ = under(key, isOptional: false) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
      try under(key, isOptional: false).descend(value)
    }

    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
      let under = under(key, isOptional: true)
      if let value { try under.descend(value) }
    }

    // Those of the standard library come first otherwise, and say nothing of what is absent.
    func encodeIfPresent(_: String?, forKey key: Key) { _ = under(key, isOptional: true) }
    func encodeIfPresent(_: Int?, forKey key: Key) { _ = under(key, isOptional: true) }
    func encodeIfPresent(_: Int64?, forKey key: Key) { _ = under(key, isOptional: true) }
    func encodeIfPresent(_: Double?, forKey key: Key) { _ = under(key, isOptional: true) }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type,
      forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      under(key, isOptional: false).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      under(key, isOptional: false).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder }
    func superEncoder(forKey key: Key) -> any Encoder { under(key, isOptional: false) }
  }

  private struct Elements: UnkeyedEncodingContainer {
    let encoder: KeyRecordingEncoder
    var codingPath: [any CodingKey] { [] }
    var count = 0

    init(encoder: KeyRecordingEncoder) { self.encoder = encoder }

    mutating func encodeNil() { count += 1 }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
      count += 1
      try encoder.descend(value)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
      encoder.container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.unkeyedContainer() }
    func superEncoder() -> any Encoder { encoder }
  }

  private struct Single: SingleValueEncodingContainer {
    let encoder: KeyRecordingEncoder
    var codingPath: [any CodingKey] { [] }
    func encodeNil() {}
    func encode<Value: Encodable>(_ value: Value) throws { try encoder.descend(value) }
  }
}

/// Notes the keys that a type asks for, and gives it values that say nothing.
struct KeyRecordingDecoder: Decoder {
  /// None of the values that are given.
  struct NoValue: Error {}

  let recorded: RecordedKeys
  let place: String
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Members(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer { NoElements() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw NoValue() }

  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value: Any? =
      switch type {
      case let type as any MessageValueConvertible.Type: try type.init(messageValue: .null)
      case is String.Type: ""
      case is Bool.Type: false
      case is Double.Type: 0.0
      case let type as any FixedWidthInteger.Type: type.init(exactly: 0)
      default: try type.init(from: self)
      }
    guard let value = value as? Value else { throw NoValue() }
    return value
  }

  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: KeyRecordingDecoder
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { [] }

    private func under(_ key: Key, isOptional: Bool) -> KeyRecordingDecoder {
      KeyRecordingDecoder(
        recorded: decoder.recorded,
        place: decoder.recorded.note(key.stringValue, isOptional: isOptional, at: decoder.place)
      )
    }

    func contains(_ key: Key) -> Bool {
      _ = under(key, isOptional: true)
      return true
    }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try under(key, isOptional: false).value(type)
    }

    func decodeIfPresent<Value: Decodable>(
      _ type: Value.Type,
      forKey key: Key
    ) throws -> Value? {
      try under(key, isOptional: true).value(type)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type,
      forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
      under(key, isOptional: false).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
      under(key, isOptional: false).unkeyedContainer()
    }

    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) -> any Decoder { under(key, isOptional: false) }
  }

  private struct NoElements: UnkeyedDecodingContainer {
    var codingPath: [any CodingKey] { [] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    func decodeNil() throws -> Bool { throw NoValue() }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { throw NoValue() }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
      throw NoValue()
    }

    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { throw NoValue() }
    func superDecoder() throws -> any Decoder { throw NoValue() }
  }
}
