internal import Foundation

/// A line of a change file: what a device knew of one note when it wrote the line.
///
///     {"device":"…","note":"…","previous":11,"sequence":12,"state":{…}}
///
/// The line is the whole of it, so that a line that got lost is made up for by the note's next one,
/// and the order of lines and files does not matter. In the file it is sealed; see ``SyncKey``.
struct ChangeLine: Equatable, Sendable {
  var device: String
  /// Counts the lines that the device ever wrote, from 1.
  var sequence: Int
  /// The number of the line before it in the device's file; 0 for the first one.
  ///
  /// By it a reader knows that lines were taken away or moved.
  var previous: Int
  var note: String
  var state: NoteState

  /// The longest line that is read, in bytes, sealed.
  static let limit = 24 << 20
  /// The most versions that a line may have of a field.
  static let versionLimit = 1000
  /// The largest state of a note, about, in bytes, so that a line of it can be read.
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

  /// Opens and reads a line, which is given without its end.
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

  /// The line, sealed, with its end.
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
  /// The state, if everything in it is within the bounds; texts in their one form.
  ///
  /// What a device wrote is so; what an unsigned line or a device that is not the user's any more
  /// says may not be.
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
