internal import Foundation

/// A JSON object whose unknown keys are ignored.
struct LooseObject {
  private let container: KeyedDecodingContainer<Key>

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private struct Reader: Decodable {
    let container: KeyedDecodingContainer<Key>
    init(from decoder: any Decoder) throws { container = try decoder.container(keyedBy: Key.self) }
  }

  /// - Throws: ``NoteError`` with code `request`.
  init(json: Data) throws(NoteError) {
    do {
      container = try JSONDecoder().decode(Reader.self, from: json).container
    } catch {
      throw NoteError(.request, "The request is not a JSON object")
    }
  }

  /// Returns the value of a key; `nil` if it is absent or null.
  func value<Value: Decodable>(_ name: String, _ type: Value.Type) throws(NoteError) -> Value? {
    do {
      return try container.decodeIfPresent(type, forKey: Key(stringValue: name))
    } catch let error as NoteError {
      // A value that checks itself says more.
      throw error
    } catch {
      let word =
        switch type {
        case is String.Type: "a string"
        case is Int.Type: "a whole number"
        case is NotePlan.Type: "a plan of times, limit and delay"
        default: "\(type)"
        }
      throw NoteError(.request, "“\(name)” in the request is not \(word)")
    }
  }

  /// Returns the value of a required key.
  func required<Value: Decodable>(_ name: String, _ type: Value.Type) throws(NoteError) -> Value {
    guard let value = try value(name, type) else {
      throw NoteError(.request, "“\(name)” is missing in the request")
    }
    return value
  }
}
