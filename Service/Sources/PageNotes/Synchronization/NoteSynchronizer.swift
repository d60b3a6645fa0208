internal import CodedErrors
internal import DurableFiles
public import Foundation
internal import GRDB
internal import ServiceFolders

/// What a synchronisation did.
public struct SyncReport: Equatable, Sendable {
  /// How many change files were read, those that had not changed left out.
  public var filesRead = 0
  /// How many lines of them were read.
  public var linesRead = 0
  /// How many bytes they have.
  var bytesRead = 0
  /// How many notes became different here.
  public var notesChanged = 0
  /// How many lines were written for other devices.
  public var linesWritten = 0
  /// The files of which something is left that could not be read, or was too much for one time.
  var unread: [String] = []
  /// What could not be read, a sentence for each file; of many, the first ones.
  public var problems: [String] = []
}

/// What turning synchronisation on did.
public struct SyncStart: Sendable {
  /// What the first synchronisation did.
  public var report: SyncReport
  /// The key that the folder's files are sealed with.
  public var key: SyncKey
  /// Whether the key was made now.
  public var isNewKey: Bool
  /// How many files of versions before the key are in the folder.
  public var unsignedFiles: Int
}

/// How synchronisation stands.
public struct SyncStatus: Equatable, Sendable {
  /// The folder; `nil` while synchronisation is off.
  public var folder: URL?
  /// The device's name in the folder.
  public var device: String
  /// What distinguishes keys; `nil` if there is none.
  public var keyID: String?
  /// When devices were last synchronised from here.
  public var last: Date?
  /// How many notes have changes that no other device can know yet.
  public var unpublished: Int
  /// How many notes have texts of several devices.
  public var unsettled: Int
  /// What could not be read the last time.
  public var problems: [String]
}

/// Brings the notes of several devices together, through a folder that a tool of the user's copies.
///
/// Reads what other devices wrote, then writes what they do not know yet. May be done at any time, as
/// often as one likes, by any process; nothing waits for other devices. Whatever is in the folder is
/// sealed with the user's key (``SyncKey``), and what is not is not taken in.
public struct NoteSynchronizer: Sendable {
  let store: NoteStore

  /// How many lines for each note a file may have before it is made again.
  static let compactionFactor = 4
  /// How many bytes a file has to have for that.
  static let compactionSize = 64 << 10
  /// How many bytes of each file are read at once, where nobody waits for all of them.
  public static let usualLimit = 8 << 20
  /// How many problems are reported.
  static let problemLimit = 20

  /// Takes the notes of this device.
  public init(_ store: NoteStore) { self.store = store }

  var keyFile: SyncKeyFile { SyncKeyFile(database: store.file) }

  /// Turns synchronisation off; the folder, the notes and the key stay as they are.
  ///
  /// - Throws: ``NoteError`` with code `database`.
  public func stop() throws {
    try store.write {
      try $0.execute(sql: "UPDATE device SET folder = NULL, problem = NULL")
    }
  }

  /// How synchronisation stands.
  ///
  /// - Throws: ``NoteError`` with code `database`.
  public func status() throws -> SyncStatus {
    let keyID = try? keyFile.read()?.key.id
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
      let problems = try String.fetchAll(
        database,
        sql: """
          SELECT problem FROM device WHERE problem IS NOT NULL
          UNION ALL SELECT problem FROM syncFile WHERE problem IS NOT NULL
          """
      )
      return SyncStatus(
        folder: device.folder.map { URL(filePath: $0, directoryHint: .isDirectory) },
        device: device.id,
        keyID: keyID,
        last: last.map { Date(milliseconds: $0) },
        unpublished: unpublished ?? 0,
        unsettled: unsettled ?? 0,
        problems: Self.first(problems)
      )
    }
  }

  /// Reads what is new in the folder, and writes what is new here.
  ///
  /// While another process reads, this one does not, and only writes.
  ///
  /// - Parameters:
  ///   - limit: How many bytes of each file are read at most; the rest is read the next time.
  ///   - isWaiting: Whether this one reads all the same, after the other process.
  /// - Returns: What was done.
  /// - Throws: ``NoteError`` with code `folder` if synchronisation is off or the folder cannot be
  ///   used, `key` if there is no key, or `database`. What was read stays; what could not be written
  ///   is written the next time.
  public func synchronize(
    readingAtMost limit: Int = usualLimit,
    waitingForReaders isWaiting: Bool = false
  ) throws -> SyncReport {
    guard let path = try store.read({ try DeviceRow.fetch($0).folder }) else {
      throw NoteError(
        .folder,
        "Synchronisation is off. “tickbird notes sync on FOLDER” turns it on"
      )
    }
    let folder = URL(filePath: path, directoryHint: .isDirectory)
    do {
      try Self.check(folder)
      var report = SyncReport()
      _ = try knownKey(folder)
      func readAll() throws {
        let (key, retired) = try knownKey(folder)
        try readFiles(folder, FileReading(key: key, retired: retired, limit: limit), &report)
      }
      if isWaiting {
        try StoreLock.whileHeld(lock("reading"), readAll)
      } else {
        _ = try StoreLock.ifFree(lock("reading"), readAll)
      }
      try whilePublishing {
        // It may have been replaced meanwhile.
        report.linesWritten = try publish(folder, knownKey(folder).key, &report)
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

  /// Does something while no other process writes into the folder, or changes folder or key.
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
    return problems.prefix(problemLimit) + ["… and \(problems.count - problemLimit) more files."]
  }

  static func check(_ folder: URL) throws {
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
}
