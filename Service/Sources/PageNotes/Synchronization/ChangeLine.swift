internal import Foundation

/// A line of a change file: the state of one note as the writing device knew it.
///
///     {"device":"…","note":"…","previous":11,"sequence":12,"state":{…}}
///
/// The line is the complete state, so that the note's next line makes up for a lost one, and the
/// order of lines and files does not matter. In the file it is sealed; see ``SyncKey``.
struct ChangeLine: Equatable, Sendable {
  var device: String
  /// The line's sequence number on its device, from 1.
  var sequence: Int
  /// The number of the previous line in the device's file; 0 for the first.
  ///
  /// It reveals lines that were removed or moved.
  var previous: Int
  var note: String
  var state: NoteState

  /// The longest line accepted, in bytes, sealed.
  static let limit = 24 << 20
  /// The most versions of a field in one line.
  static let versionLimit = 1000
  /// The approximate limit on a note's state, in bytes, which keeps its line readable.
  static let stateLimit = 8 << 20

  init(device: String, sequence: Int, previous: Int, note: String, state: NoteState) {
    self.device = device
    self.sequence = sequence
    self.previous = previous
    self.note = note
    self.state = state
  }

  private struct Object: Codable {
    let device: String
    let note: String
    let previous: Int
    let sequence: Int
    let state: NoteState
  }

  /// Opens and decodes a sealed line, given without its line end.
  init(_ line: Data, _ key: SyncKey) throws(SyncKey.Fault) {
    let bytes = try key.open(line)
    guard let object = try? JSONDecoder().decode(Object.self, from: bytes),
      DeviceID.isOne(object.device), object.sequence > 0, object.sequence < 1 << 53,
      object.previous >= 0, object.previous < object.sequence,
      NoteID.checked(object.note) == object.note, let state = object.state.checked()
    else { throw .damaged }
    self.init(
      device: object.device,
      sequence: object.sequence,
      previous: object.previous,
      note: object.note,
      state: state
    )
  }

  /// Encodes and seals the line, with its line end.
  func data(_ key: SyncKey) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let object = Object(
      device: device,
      note: note,
      previous: previous,
      sequence: sequence,
      state: state
    )
    return try key.seal(encoder.encode(object))
  }
}

extension NoteState {
  /// Returns the state with its texts normalized, or nil if anything in it is out of bounds.
  ///
  /// Lines of this version's devices always pass; an unsigned line, or one of a device that is no
  /// longer the user's, may not.
  func checked() -> NoteState? {
    let times = -(Int64(1) << 52)...(Int64(1) << 52)
    guard isChecked(target, { NoteTarget(key: $0) != nil }),
      isChecked(
        emoji,
        { emoji in
          (try? NoteText.checkedEmoji(emoji)).map { $0.utf8.elementsEqual(emoji.utf8) } ?? false
        }
      ),
      isChecked(snoozeMinutes, { NoteText.snoozeMinutes.contains($0) }),
      // A plan is checked when it is decoded.
      isChecked(plan, { _ in true }),
      isChecked(created, { times.contains($0) }), isChecked(changed, { times.contains($0) }),
      isChecked(texts, { $0.utf8.count <= NoteText.textLimit }),
      replaced.allSatisfy(DeviceID.isOne), counts.keys.allSatisfy(DeviceID.isOne)
    else { return nil }
    var state = self
    for (name, version) in texts.byName {
      state.texts[name]?.value = NoteText.normalized(version.value)
    }
    state.counts = counts.mapValues { $0.bounded() }
    return state
  }

  private func isChecked<Value>(
    _ versions: Versions<Value>,
    _ isValid: (Value) -> Bool
  ) -> Bool {
    versions.byName.count <= ChangeLine.versionLimit
      && versions.byName.allSatisfy { name, version in
        DeviceID.isOne(name) && (0...Version<Value>.redatedLimit).contains(version.redated)
          && isValid(version.value)
      }
  }
}
