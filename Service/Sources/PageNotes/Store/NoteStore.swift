public import Foundation
internal import GRDB
public import ServiceFolders
internal import UserDatabase

/// The user's notes, in one SQLite database that several processes share.
///
///     let store = try NoteStore(folders: ServiceFolders())
///     let page = try PageAddress("https://example.com/news")
///     try store.add(NoteDraft(target: NoteTarget(.site, of: page), text: "Is it urgent?"))
///     try store.note(for: page)?.text   // "Is it urgent?"
///
/// Every process opens a store of its own. The database is in WAL mode; a writer waits up to ten
/// seconds for another one. All methods block, and may be called from any thread.
///
/// Looking up a page's note is one indexed query. Every write has a ``Stamp``, so that devices can
/// exchange it; see `NoteSynchronizer`.
public final class NoteStore: Sendable {
  let file: URL
  let database: UserDatabase
  let surroundings: Surroundings
  /// The room for deletions on a full disk.
  let reserve: DiskReserve

  /// Opens a user's notes, creating the database if needed.
  ///
  /// - Parameter folders: The user's folders.
  /// - Throws: ``NoteError`` with code `database`.
  public convenience init(folders: ServiceFolders) throws {
    self.init(openedWhenUsed: folders)
    try Self.translating(file) { try database.open() }
  }

  /// Takes charge of a user's notes; each call opens the database, or tries to, unless an earlier one could.
  ///
  /// - Parameter folders: The user's folders.
  public convenience init(openedWhenUsed folders: ServiceFolders) {
    self.init(openedWhenUsed: folders.data.appending(path: "notes.sqlite"), .system)
    reserve.keep()
  }

  /// Opens a database, creating it if needed.
  ///
  /// - Parameters:
  ///   - file: The database; its folder is created with access for the owner only.
  ///   - surroundings: The sources of time and random numbers.
  /// - Throws: ``NoteError`` with code `database` if the file cannot be opened, is a different kind
  ///   of database, or was written by a newer version. It is left unchanged.
  public convenience init(file: URL, surroundings: Surroundings = .system) throws {
    self.init(openedWhenUsed: file, surroundings)
    try Self.translating(file) { try database.open() }
  }

  private init(openedWhenUsed file: URL, _ surroundings: Surroundings) {
    self.file = file
    self.surroundings = surroundings
    reserve = DiskReserve(folder: file.deletingLastPathComponent())
    database = UserDatabase(
      file: file,
      lock: file.appendingPathExtension("lock"),
      options: UserDatabase.Options(
        busySeconds: 10,
        hasReaders: false,
        // Only the very first opening has to wait for writers.
        contents: UserDatabase.Contents {
          try DeviceRow.isPrepared($0, surroundings)
        } wereThere: {
          try DeviceRow.isThere($0)
        } write: {
          try DeviceRow.prepare($0, surroundings)
        }
      ) { NoteSchema.migrator }
    )
  }

  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try Self.translating(file) { try database.read(body) }
  }

  func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try Self.translating(file) {
      try database.write { database in
        try DeviceRow.prepare(database, surroundings)
        return try body(database)
      }
    }
  }

  /// Takes something away, which has to be possible on a full disk, too.
  func takeAway<Value>(_ body: (Database) throws -> Value) throws -> Value {
    try reserve.takeAway { try write(body) }
  }

  /// Adds the file's name to errors of SQLite and of the file system.
  private static func translating<Value>(_ file: URL, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let error as NoteError {
      throw error
    } catch is UserDatabase.Superseded {
      throw NoteError(
        .database,
        "\(file.path) was written by a newer version of Tickbird, which alone can use it"
      )
    } catch {
      let words = DatabaseWords.explanation(
        of: error,
        file: file,
        recovery: "synchronisation or an import brings the notes back"
      )
      throw NoteError(.database, words)
    }
  }
}

/// A store's sources of time and random numbers.
public struct Surroundings: Sendable {
  /// The device's clock.
  public var now: @Sendable () -> Date
  /// Random bits, for the names of notes, devices and versions.
  public var random: @Sendable () -> UInt64
  /// A text that differs between machines.
  ///
  /// It shows that a database was copied to another machine, where it becomes another device. Only
  /// a hash of it is stored.
  public var machine: String

  /// Creates surroundings.
  public init(
    now: @escaping @Sendable () -> Date,
    random: @escaping @Sendable () -> UInt64,
    machine: String
  ) {
    self.now = now
    self.random = random
    self.machine = machine
  }

  /// The real ones of this machine, which is identified by `/etc/machine-id`.
  public static let system = Surroundings(
    now: { Date() },
    random: { UInt64.random(in: .min ... .max) },
    machine: (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)) ?? ""
  )

  /// Milliseconds since 1970.
  var milliseconds: Int64 { PageNotes.milliseconds(of: now()) }

  /// Creates a UUID of version 4, in lower case.
  func uuid() -> String {
    let high = random() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
    let low = random() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    let digits = [high, low].map { bits in
      let text = String(bits, radix: 16)
      return String(repeating: "0", count: 16 - text.count) + text
    }.joined()
    let utf8 = Array(digits.utf8)
    return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
      .map { String(decoding: utf8[$0], as: UTF8.self) }.joined(separator: "-")
  }
}

/// Returns a time in milliseconds since 1970, the unit of the database and the change files.
func milliseconds(of date: Date) -> Int64 {
  let value = (date.timeIntervalSince1970 * 1000).rounded()
  return value.isNaN ? 0 : Int64(min(max(value, -(0x1p52)), 0x1p52))
}

extension Date {
  init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
