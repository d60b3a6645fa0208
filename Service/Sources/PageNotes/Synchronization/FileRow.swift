internal import Foundation
internal import GRDB

/// How far a file of the folder has been read, and what is wrong with it.
struct FileRow {
  /// The faults in the lines read so far.
  struct Faults: Codable, Equatable {
    var damaged = 0
    var newer = 0
    /// Lines that do not follow the previous one, because others were removed or moved.
    var misplaced = 0
    /// Lines that would make their note too large.
    var tooLarge = 0
    /// Notes whose lines were ignored because the note is damaged here; absent in older records.
    var held: Int?
    /// How many of the device's last lines have disappeared from the file.
    var lost = 0
    /// The id of the key that sealed it, if that is a different one.
    var otherKey: String?
    /// Whether the last line is incomplete.
    var isCutOff = false
  }

  let name: String
  /// The mark of the file, if it was read to its end; otherwise empty.
  var mark = ""
  /// The offset read up to, and a digest that shows whether the bytes before it have changed.
  var position = 0
  var digest = ""
  /// The device that wrote the last line read, and its number.
  var device: String?
  var sequence = 0
  var faults = Faults()
  var problem: String?
  /// The row's place in the order in which files were read, or seen for the first time; `nil` if it is not
  /// saved.
  private(set) var place: Int64?

  init(name: String) { self.name = name }

  static func fetchAll(_ database: Database) throws -> [String: FileRow] {
    let rows = try Row.fetchAll(database, sql: "SELECT rowid AS place, * FROM syncFile")
    return try rows.reduce(into: [:]) { files, row in
      var file = FileRow(name: try row.decode(forColumn: "name"))
      file.place = try row.decode(forColumn: "place")
      file.mark = try row.decode(forColumn: "mark")
      file.position = try row.decode(forColumn: "position")
      file.digest = try row.decode(forColumn: "digest")
      file.device = try row.decode(forColumn: "device")
      file.sequence = try row.decode(forColumn: "sequence")
      let faults = Data(try row.decode(String.self, forColumn: "faults").utf8)
      file.faults = (try? JSONDecoder().decode(Faults.self, from: faults)) ?? Faults()
      file.problem = try row.decode(forColumn: "problem")
      files[file.name] = file
    }
  }

  /// Whether the file's last line that was read is of the device that the file is named after.
  var isOfItsDevice: Bool { device == ChangeFile.device(of: name) }

  /// Whether nothing of the file was read yet.
  var isWaiting: Bool { mark.isEmpty && position == 0 && problem == nil }

  /// Saves the row, in the last place: SQLite numbers what is put in place of a row anew, after all others.
  func save(_ database: Database) throws {
    try database.cachedStatement(
      sql: """
        INSERT OR REPLACE INTO syncFile
          (name, mark, position, digest, device, sequence, faults, problem)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """
    ).execute(
      arguments: [
        name, mark, position, digest, device, sequence, try NoteRow.json(faults), problem,
      ]
    )
  }

  /// Describes what is wrong; `nil` if nothing is.
  func sentence(key: SyncKey, retired: [String]) -> String? {
    var parts: [String] = []
    let faults = faults
    if let other = faults.otherKey {
      parts.append(
        retired.contains(other)
          ? """
          it is sealed with a key (\(other)) that you have replaced. Give its device the new one, \
          which “tickbird notes key show” shows here; if the device is lost, delete the file
          """
          : """
          it is sealed with another key (\(other)) than this device has (\(key.id)). Show the key of \
          the other device with “tickbird notes key show”, and give it here with “tickbird notes \
          sync on FOLDER --key”
          """
      )
    }
    if faults.damaged > 0 {
      parts.append("\(faults.damaged) lines are damaged or were not written by your devices")
    }
    if faults.isCutOff { parts.append("its last line has not arrived whole") }
    if faults.newer > 0 {
      parts.append("\(faults.newer) lines were written by a newer version of Tickbird")
    }
    if faults.misplaced > 0 {
      parts.append("lines are missing or out of order at \(faults.misplaced) places")
    }
    if faults.lost > 0 {
      parts.append(
        """
        it is older than it was, \(faults.lost) changes are missing; what this device knows of them \
        is in its own file
        """
      )
    }
    if faults.tooLarge > 0 {
      parts.append("\(faults.tooLarge) lines belong to notes that would become too large")
    }
    if let held = faults.held {
      parts.append(
        """
        what it says of \(held) notes that are damaged in this device's database was ignored; \
        bring the database back from a copy
        """
      )
    }
    return parts.isEmpty ? nil : "\(name): \(parts.joined(separator: "; "))."
  }

  /// Describes the problems of files, one that several have in one sentence.
  static func sentences(of found: [(name: String, problem: String)]) -> [String] {
    var kinds: [String] = []
    var names: [String: [String]] = [:]
    for (name, problem) in found {
      let kind = problem.hasPrefix(name) ? String(problem.dropFirst(name.count)) : problem
      if names[kind] == nil { kinds.append(kind) }
      names[kind, default: []].append(name)
    }
    return kinds.map { kind in
      let all = names[kind] ?? []
      let others = all.dropFirst()
      guard let first = all.first, !others.isEmpty else { return (all.first ?? "") + kind }
      let shown = others.prefix(others.count > shownNames ? shownNames - 1 : shownNames)
      let more = others.count - shown.count
      let last = more > 0 ? "\(more) more files" : shown.last ?? ""
      let before = more > 0 ? shown : shown.dropLast()
      let list = before.isEmpty ? last : "\(before.joined(separator: ", ")) and \(last)"
      return "\(first) (\(list) as well)\(kind)"
    }
  }

  /// How many files with the same problem are named beside the first one.
  private static let shownNames = 3
}
