/// A type with its own encoding in messages, instead of a dictionary of its members.
public protocol MessageValueConvertible: Codable {
  /// The encoded value.
  var messageValue: MessageValue { get }

  /// Reads the value.
  ///
  /// - Throws: ``ExtensionMessageError`` with code `.notAMessage`.
  init(messageValue: MessageValue) throws(ExtensionMessageError)
}

extension MessageValueConvertible {
  /// Always throws: only the message coders support these types, and they do not call this.
  public func encode(to encoder: any Encoder) throws {
    throw ExtensionMessageError(.notAMessage, "\(Self.self) is encoded in messages alone")
  }

  /// Always throws: only the message coders support these types, and they do not call this.
  public init(from decoder: any Decoder) throws {
    throw ExtensionMessageError(.notAMessage, "\(Self.self) is decoded from messages alone")
  }
}

extension MessageValue: MessageValueConvertible {
  /// The value itself.
  public var messageValue: MessageValue { self }

  /// Copies the value.
  public init(messageValue: MessageValue) { self = messageValue }
}

extension MessageValue {
  /// Encodes a value as a dictionary of its members, or as null if it encodes nothing.
  ///
  /// Members that are nil are left out.
  ///
  /// - Throws: ``ExtensionMessageError`` with code `.notAMessage` for an integer beyond 64 signed bits, and for
  ///   an error of a type's own encoding.
  public init(encoding value: some Encodable) throws(ExtensionMessageError) {
    do {
      self = try ValueSlot(value).value
    } catch let error as ExtensionMessageError {
      throw error
    } catch {
      throw ExtensionMessageError(.notAMessage, "\(error)")
    }
  }

  /// Decodes a value.
  ///
  /// Unknown members are ignored, so that a later version can add some.
  ///
  /// - Throws: ``ExtensionMessageError`` with code `.notAMessage`, whose description names the member, as in
  ///   `needs the string "identifier"`.
  public func decoded<Value: Decodable>(
    as type: Value.Type = Value.self
  ) throws(ExtensionMessageError) -> Value {
    do {
      return try ValueDecoder(value: self).decode(type)
    } catch let error as ExtensionMessageError {
      throw error
    } catch {
      throw ExtensionMessageError(.notAMessage, "\(error)")
    }
  }
}

// MARK: Encoding

/// The place that a value is encoded into.
private final class ValueSlot {
  private enum Content {
    case value(MessageValue)
    case array([ValueSlot])
    case dictionary([String: ValueSlot])
  }

  private var content = Content.value(.null)

  init() {}

  init(_ value: some Encodable) throws {
    switch value {
    case let value as any MessageValueConvertible: content = .value(value.messageValue)
    case let flag as Bool: content = .value(.bool(flag))
    case let text as String: content = .value(.string(text))
    case let number as any BinaryFloatingPoint: content = .value(.double(Double(number)))
    case let number as any BinaryInteger:
      guard let number = Int64(exactly: number) else {
        throw ExtensionMessageError(.notAMessage, "\(number) is beyond 64 signed bits")
      }
      content = .value(.integer(number))
    default: try value.encode(to: ValueEncoder(slot: self))
    }
  }

  var value: MessageValue {
    switch content {
    case .value(let value): value
    case .array(let elements): .array(elements.map(\.value))
    case .dictionary(let members): .dictionary(members.mapValues(\.value))
    }
  }

  var count: Int {
    guard case .array(let elements) = content else { return 0 }
    return elements.count
  }

  /// Makes the content a dictionary or an array, unless it already is one.
  func become(array isArray: Bool) {
    switch content {
    case .dictionary where !isArray, .array where isArray: break
    default: content = isArray ? .array([]) : .dictionary([:])
    }
  }

  func set(_ slot: ValueSlot) { content = slot.content }

  func set(_ slot: ValueSlot, for key: String) {
    guard case .dictionary(var members) = content else { return }
    // Moved out while it changes: a second reference would copy it for each member.
    content = .value(.null)
    members[key] = slot
    content = .dictionary(members)
  }

  func append(_ slot: ValueSlot) {
    guard case .array(var elements) = content else { return }
    content = .value(.null)
    elements.append(slot)
    content = .array(elements)
  }
}

private struct ValueEncoder: Encoder {
  let slot: ValueSlot
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
    slot.become(array: false)
    return KeyedEncodingContainer(Members(slot: slot))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    slot.become(array: true)
    return Elements(slot: slot)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(slot: slot) }

  struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let slot: ValueSlot
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { slot.set(ValueSlot(), for: key.stringValue) }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
      slot.set(try ValueSlot(value), for: key.stringValue)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type,
      forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      nested(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { ValueEncoder(slot: slot) }
    func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

    private func nested(_ key: Key) -> ValueEncoder {
      let nested = ValueSlot()
      slot.set(nested, for: key.stringValue)
      return ValueEncoder(slot: nested)
    }
  }

  struct Elements: UnkeyedEncodingContainer {
    let slot: ValueSlot
    var codingPath: [any CodingKey] { [] }
    var count: Int { slot.count }

    func encodeNil() { slot.append(ValueSlot()) }
    func encode<Value: Encodable>(_ value: Value) throws { slot.append(try ValueSlot(value)) }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
      nested().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
    func superEncoder() -> any Encoder { nested() }

    private func nested() -> ValueEncoder {
      let nested = ValueSlot()
      slot.append(nested)
      return ValueEncoder(slot: nested)
    }
  }

  struct Single: SingleValueEncodingContainer {
    let slot: ValueSlot
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { slot.set(ValueSlot()) }
    func encode<Value: Encodable>(_ value: Value) throws { slot.set(try ValueSlot(value)) }
  }
}
