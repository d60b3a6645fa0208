internal import Foundation

/// A line of a change file: what a device knew of one note when it wrote the line.
///
///     {"device":"…","format":1,"note":"…","sequence":12,"state":{…}}
///
/// The line is the whole of it, so that a line that got lost is made up for by the note's next one,
/// and the order of lines and files does not matter.
struct ChangeLine: Equatable, Sendable {
  var device: String
  /// Counts the lines that the device ever wrote, from 1.
  var sequence: Int
  var note: String
  var state: NoteState

  static let format = 1
  /// The longest line that is read, in bytes.
  static let limit = 16 << 20
  /// The most texts that a note may have at once.
  static let textLimit = 1000

  /// What keeps a line from being taken in.
  enum Fault: Error, Equatable {
    /// No JSON object, or one with rubbish in it: cut off, damaged.
    case damaged
    /// Written by a newer version.
    case newer
  }

  init(device: String, sequence: Int, note: String, state: NoteState) {
    self.device = device
    self.sequence = sequence
    self.note = note
    self.state = state
  }

  private struct Head: Decodable {
    let format: Int
  }

  private struct Object: Codable {
    let device: String
    let format: Int
    let note: String
    let sequence: Int
    let state: NoteState
  }

  /// Reads a line without its end.
  init(_ line: Data) throws(Fault) {
    guard line.count <= Self.limit,
      let head = try? JSONDecoder().decode(Head.self, from: line)
    else { throw .damaged }
    guard head.format <= Self.format else { throw .newer }
    guard let object = try? JSONDecoder().decode(Object.self, from: line),
      DeviceID.isOne(object.device), object.sequence > 0, object.sequence < 1 << 53,
      NoteID.checked(object.note) == object.note, let state = object.state.checked()
    else { throw .damaged }
    self.init(device: object.device, sequence: object.sequence, note: object.note, state: state)
  }

  /// The line with its end.
  func data() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let object = Object(
      device: device,
      format: Self.format,
      note: note,
      sequence: sequence,
      state: state
    )
    return try encoder.encode(object) + [UInt8(ascii: "\n")]
  }
}

extension NoteState {
  /// The state, if everything in it is within the bounds; texts in their one form.
  ///
  /// What a device wrote is so; what a stranger wrote into the folder may not be.
  fileprivate func checked() -> NoteState? {
    var state = self
    let times = -(Int64(1) << 52)...(Int64(1) << 52)
    guard target.map({ NoteTarget(key: $0.value) != nil }) ?? true,
      emoji.map({ (try? NoteText.checkedEmoji($0.value)) == $0.value }) ?? true,
      snoozeMinutes.map({ NoteText.snoozeMinutes.contains($0.value) }) ?? true,
      created.map({ times.contains($0.value) }) ?? true,
      changed.map({ times.contains($0.value) }) ?? true,
      texts.count <= ChangeLine.textLimit,
      texts.keys.allSatisfy(DeviceID.isOne), replaced.allSatisfy(DeviceID.isOne),
      counts.keys.allSatisfy(DeviceID.isOne)
    else { return nil }
    for (name, version) in texts {
      let text = NoteText.normalized(version.text)
      guard text.utf8.count <= NoteText.textLimit else { return nil }
      state.texts[name]?.text = text
    }
    state.counts = counts.mapValues { $0.bounded() }
    return state
  }
}
