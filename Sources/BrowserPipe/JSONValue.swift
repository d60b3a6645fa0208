internal import CommandInput
internal import CommandOutput

/// A value of what is said over the pipe.
package enum JSONValue: Equatable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Strings in an array.
  package static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

  /// The text; `nil` for any other kind of value.
  package var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The number, if it is a whole one; `nil` for anything else.
  package var integer: Int? {
    switch self {
    case .integer(let number): number
    case .number(let number): Int(exactly: number)
    default: nil
    }
  }

  /// The number; `nil` for any other kind of value.
  package var number: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    default: nil
    }
  }

  /// The elements; `nil` for any other kind of value.
  package var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

  /// The members; `nil` for any other kind of value.
  package var object: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The members, if all of them are texts; `nil` for anything else.
  package var texts: [String: String]? {
    guard let object else { return nil }
    let texts = object.compactMapValues(\.string)
    return texts.count == object.count ? texts : nil
  }

  /// The value of a key; `nil` if this is no object, or lacks the key.
  package subscript(key: String) -> JSONValue? { object?[key] }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .number(value) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { $1 })
  }
}

extension JSONValue {
  /// Reads a text; `nil` if it is not JSON, or nested more deeply than ``JSONTape`` reads.
  package init?(_ bytes: [UInt8]) {
    var tape = JSONTape()
    do { try tape.parse(bytes.span) } catch { return nil }
    self.init(JSONTape.root, of: tape, in: bytes.span)
  }

  private init?(_ place: Int, of tape: JSONTape, in text: Span<UInt8>) {
    switch tape.kind(place) {
    case .null: self = .null
    case .boolean: self = .boolean(tape.isTrue(place))
    case .string: self = .string(tape.string(place, in: text) ?? "")
    case .number:
      if let number = tape.integer(place, in: text) {
        self = .integer(number)
      } else if let number = tape.number(place, in: text) {
        self = .number(number)
      } else {
        return nil
      }
    case .array:
      var values: [JSONValue] = []
      for element in tape.children(of: place) {
        guard let value = JSONValue(element, of: tape, in: text) else { return nil }
        values.append(value)
      }
      self = .array(values)
    case .object:
      var members: [String: JSONValue] = [:]
      var key: String?
      for child in tape.children(of: place) {
        guard let name = key else {
          key = tape.string(child, in: text)
          continue
        }
        guard let value = JSONValue(child, of: tape, in: text) else { return nil }
        members[name] = value
        key = nil
      }
      self = .object(members)
    case nil: return nil
    }
  }

  /// The value as text, with the keys in order.
  package var bytes: [UInt8] {
    var json = JSONWriter()
    write(to: &json)
    return json.bytes
  }

  private func write(to json: inout JSONWriter) {
    switch self {
    case .null: json.null()
    case .boolean(let value): json.boolean(value)
    case .integer(let number): json.number(number)
    case .number(let number): json.number(number)
    case .string(let text): json.string(text)
    case .array(let values): json.array(of: values) { $1.write(to: &$0) }
    case .object(let members):
      json.object { json in
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
          json.field(text: key) { value.write(to: &$0) }
        }
      }
    }
  }
}
