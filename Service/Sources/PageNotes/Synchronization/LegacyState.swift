internal import Crypto
internal import Foundation

/// The state of a note from before versions had names, in databases and change files of older
/// versions.
struct LegacyState: Decodable {
  var state: NoteState

  private enum Key: String, CodingKey {
    case target, emoji, snoozeMinutes, created, changed, texts, replaced, counts
  }

  private struct Register<Value: FieldValue>: Decodable {
    let stamp: Stamp
    let value: Value

    /// Derives a version's name from its value, so that all devices give the value the same name.
    func name(_ field: Key) -> String {
      let digest = SHA256.hash(data: Data("\(field.rawValue) \(stamp) \(value)".utf8))
      return DeviceID.make(digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) })
    }
  }

  private struct Text: Decodable {
    let stamp: Stamp
    let text: String
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    func versions<Value>(_ key: Key) throws -> Versions<Value> {
      var versions = Versions<Value>()
      if let register = try container.decodeIfPresent(Register<Value>.self, forKey: key) {
        versions[register.name(key)] = Version(stamp: register.stamp, value: register.value)
      }
      return versions
    }
    var state = NoteState()
    state.target = try versions(.target)
    state.emoji = try versions(.emoji)
    state.snoozeMinutes = try versions(.snoozeMinutes)
    state.created = try versions(.created)
    state.changed = try versions(.changed)
    let texts = try container.decodeIfPresent([String: Text].self, forKey: .texts) ?? [:]
    for (name, text) in texts {
      state.texts[name] = Version(stamp: text.stamp, value: text.text)
    }
    state.counts = try container.decodeIfPresent([String: NoteCounts].self, forKey: .counts) ?? [:]
    let replaced = try container.decodeIfPresent([String].self, forKey: .replaced) ?? []
    state.join(NoteState(replaced: Set(replaced)))
    self.state = state
  }

  /// Decodes a line of an older version's change file, which is not authenticated.
  static func line(_ line: Data) -> (note: String, state: NoteState)? {
    struct Object: Decodable {
      let format: Int
      let note: String
      let state: LegacyState
    }
    guard let object = try? JSONDecoder().decode(Object.self, from: line), object.format == 1,
      NoteID.checked(object.note) == object.note, let state = object.state.state.checked()
    else { return nil }
    return (object.note, state)
  }
}
