internal import CodedErrors
internal import DurableFiles
public import Foundation
internal import GRDB
internal import ServiceFolders

/// The result of a synchronisation.
public struct SyncReport: Equatable, Sendable {
  /// How many change files were read; unchanged ones are skipped.
  public var filesRead = 0
  /// How many lines were read.
  public var linesRead = 0
  /// How many bytes were read.
  var bytesRead = 0
  /// How many notes changed here.
  public var notesChanged = 0
  /// How many lines were written for other devices.
  public var linesWritten = 0
  /// Files that could not be read completely, or were too large for one go.
  var unread: [String] = []
  /// What could not be read, one sentence for each file, up to a limit.
  public var problems: [String] = []
}

/// The result of turning synchronisation on.
public struct SyncStart: Sendable {
  /// The result of the first synchronisation.
  public var report: SyncReport
  /// The key that seals the folder's files.
  public var key: SyncKey
  /// Whether the key is new.
  public var isNewKey: Bool
  /// How many files in the folder come from versions without a key.
  public var unsignedFiles: Int
}

/// The state of synchronisation.
public struct SyncStatus: Equatable, Sendable {
  /// The folder; `nil` while synchronisation is off.
  public var folder: URL?
  /// The device's name in the folder.
  public var device: String
  /// The id of the key; `nil` if there is none that can be used.
  public var keyID: String?
  /// Whether there is a key that cannot be used; ``problems`` say why.
  public var isKeyUnusable: Bool
  /// When this device last synchronised.
  public var last: Date?
  /// How many notes have changes that no other device can know yet.
  public var unpublished: Int
  /// How many notes have concurrent texts of several devices.
  public var unsettled: Int
  /// What could not be read the last time.
  public var problems: [String]
}

/// Synchronises the notes of several devices through a folder that a tool of the user's choice
/// copies between them.
///
/// Reads what other devices wrote, then writes what they do not know yet. Any process may do so at
/// any time; nothing waits for other devices. Everything in the folder is sealed with the user's
/// key (``SyncKey``); anything that is not is ignored.
public struct NoteSynchronizer: Sendable {
  let store: NoteStore

  /// A file is compacted when it has this many lines for each note.
  static let compactionFactor = 4
  /// A file smaller than this is not compacted.
  static let compactionSize = 64 << 10
  /// The default limit on the bytes read of each file in one go.
  public static let usualLimit = 8 << 20
  /// The default limit on the files read in one go.
  public static let usualFiles = 200
  /// The limit on reported problems.
  static let problemLimit = 20

  /// Creates a synchronizer for a store.
  public init(_ store: NoteStore) { self.store = store }

  var keyFile: SyncKeyFile { SyncKeyFile(database: store.file) }

  /// Turns synchronisation off; the folder, the notes and the key stay.
  public func stop() throws {
    try store.takeAway {
      try $0.execute(sql: "UPDATE device SET folder = NULL, problem = NULL")
    }
  }

  /// Returns the state of synchronisation.
  public func status() throws -> SyncStatus {
    let key = try stateOfKey()
    return try store.read { database in
      let device = try DeviceRow.fetch(database)
      let last = try Int64.fetchOne(database, sql: "SELECT synchronized FROM device")
      let unpublished = try Int.fetchOne(
        database,
        sql: "SELECT count(*) FROM note WHERE \(NoteRow.isUnpublished)"
      )
      let unsettled = try Int.fetchOne(
        database,
        sql: "SELECT count(*) FROM note WHERE otherTexts IS NOT NULL AND key IS NOT NULL"
      )
      let files = try Row.fetchAll(
        database,
        sql: "SELECT name, problem FROM syncFile WHERE problem IS NOT NULL ORDER BY name"
      ).map {
        let name = try $0.decode(String.self, forColumn: "name")
        return (name: name, problem: try $0.decode(String.self, forColumn: "problem"))
      }
      let problems =
        try String.fetchAll(
          database,
          sql: "SELECT problem FROM device WHERE problem IS NOT NULL"
        ) + FileRow.sentences(of: files)
      let folder = device.folder.map { URL(filePath: $0, directoryHint: .isDirectory) }
      let present = key.problem + [folder.flatMap(problemOfPlace)].compactMap(\.self)
      return SyncStatus(
        folder: folder,
        device: device.id,
        keyID: key.id,
        isKeyUnusable: key.isUnusable,
        last: last.map { Date(milliseconds: $0) },
        unpublished: unpublished ?? 0,
        unsettled: unsettled ?? 0,
        // Synchronising has met the same problem.
        problems: Self.first(present.filter { !problems.contains($0) } + problems)
      )
    }
  }

  /// Reads what is new in the folder, and writes what is new here.
  ///
  /// While another process reads, this one only writes.
  ///
  /// - Parameters:
  ///   - limit: The limit on the bytes read of each file; the rest is read next time.
  ///   - files: The limit on the files read; the rest is read next time.
  ///   - isWaiting: Whether to wait for another process and then read as well.
  /// - Returns: What was done.
  /// - Throws: ``NoteError`` with code `folder` if synchronisation is off or the folder cannot be
  ///   used, `key` if there is no key, or `database`. What was read stays; what could not be
  ///   written is written next time.
  public func synchronize(
    readingAtMost limit: Int = usualLimit,
    filesAtMost files: Int = usualFiles,
    waitingForReaders isWaiting: Bool = false
  ) throws -> SyncReport {
    guard let path = try store.read({ try DeviceRow.fetch($0).folder }) else {
      throw NoteError(
        .syncOff,
        "Synchronisation is off. “tickbird notes sync on FOLDER” turns it on"
      )
    }
    let folder = URL(filePath: path, directoryHint: .isDirectory)
    do {
      try check(folder)
      var report = SyncReport()
      if let problem = try knownKey(folder).problem { report.problems.append(problem) }
      func readAll() throws {
        let (key, retired, _) = try knownKey(folder)
        let reading = FileReading(key: key, retired: retired, limit: limit, files: files)
        try readFiles(folder, reading, &report)
      }
      if isWaiting {
        try StoreLock.whileHeld(lock("reading"), readAll)
      } else {
        _ = try StoreLock.ifFree(lock("reading"), readAll)
      }
      try whilePublishing {
        try completeKeyFile()
        // The key may have been replaced meanwhile.
        report.linesWritten = try publish(folder, knownKey(folder), &report)
      }
      try finish(nil)
      report.problems = Self.first(report.problems)
      return report
    } catch {
      let fault =
        error as? NoteError
        ?? NoteError(.folder, "\(path): \(FileFailure.reason(of: error))")
      try? finish(fault.sentence)
      throw fault
    }
  }

  /// Runs a body while no other process writes into the folder, or changes the folder or key.
  func whilePublishing<Value>(_ body: () throws -> Value) throws -> Value {
    try StoreLock.whileHeld(lock("sync"), body)
  }

  private func lock(_ name: String) -> URL {
    store.file.deletingPathExtension().appendingPathExtension("\(name).lock")
  }

  private func finish(_ problem: String?) throws {
    try store.write { database in
      try database.execute(sql: "UPDATE device SET problem = ?", arguments: [problem])
      guard problem == nil else { return }
      try database.execute(
        sql: "UPDATE device SET synchronized = ?",
        arguments: [store.surroundings.milliseconds]
      )
    }
  }

  private static func first(_ problems: [String]) -> [String] {
    guard problems.count > problemLimit else { return problems }
    return problems.prefix(problemLimit) + ["… and \(problems.count - problemLimit) more problems."]
  }

  /// Rejects what is no folder for notes, before each use: data and folders are moved, and links put in
  /// their places.
  func check(_ folder: URL) throws {
    try checkPlace(folder)
    let kind = try? FileManager.default.attributesOfItem(
      atPath: folder.resolvingSymlinksInPath().path
    )[.type]
    guard let kind else {
      throw NoteError(
        .folder,
        """
        The folder \(folder.path) is not there. Is its disk mounted, and does the program that \
        synchronises it run?
        """
      )
    }
    guard kind as? FileAttributeType == .typeDirectory else {
      throw NoteError(.folder, "\(folder.path) is a file, not a folder")
    }
  }

  private func problemOfPlace(_ folder: URL) -> String? {
    do throws(NoteError) {
      try checkPlace(folder)
      return nil
    } catch {
      return error.sentence
    }
  }

  /// Rejects folders where strangers could read the key.
  func checkPlace(_ folder: URL) throws(NoteError) {
    let own = store.file.deletingLastPathComponent().resolvingSymlinksInPath().pathComponents
    guard own.starts(with: folder.resolvingSymlinksInPath().pathComponents) else { return }
    throw NoteError(
      .folder,
      """
      The folder \(folder.path) holds Tickbird's own data, with the key. Choose or make another one, for \
      the notes alone, with “tickbird notes sync on FOLDER”; if others may have seen the key, “tickbird \
      notes key new” makes another one
      """
    )
  }
}
