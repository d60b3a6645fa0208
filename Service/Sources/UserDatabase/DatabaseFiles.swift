internal import DurableFiles
internal import Foundation

/// The files of a database: itself, SQLite's beside it, and the mark that says that it was made.
///
/// SQLite makes a database where it finds none, and removes the log of a missing one. So what is missing because its
/// disk is not mounted, or not restored yet, would be begun anew, and its last changes lost.
struct DatabaseFiles {
  let database: URL

  /// What SQLite adds to the database's name for its logs and for the log's index.
  private static let logs = ["-wal", "-journal"]
  private static let index = "-shm"
  /// What is added to the name of a log that is of another database.
  private static let aside = "-of-another"

  /// The file itself, beside which SQLite keeps the others, if the database's name is a link to it.
  let real: String

  /// Finds the files of a database.
  init(database: URL) {
    self.database = database
    real = (try? FileStanding(of: database.path).path) ?? database.path
  }

  /// A file that is there once the database has been made, and stays if that goes.
  private var mark: String { database.path + ".made" }

  /// Checks that SQLite may open the database, or make it.
  ///
  /// - Throws: ``UserDatabase/Lost``, or `FileFailure`.
  func check() throws {
    let missing = FileFailure(opening: database.deletingLastPathComponent().path, ENOENT)
    if missing.number != ENOENT { throw missing }
    for suffix in Self.logs + [Self.index] { _ = try size(of: real + suffix) }
    let isLink = (try? FileStatus(of: database.path))?.kind == .link
    if try size(of: database.path) ?? 0 > 0 { return }
    if isLink, try size(of: database.path) == nil {
      throw UserDatabase.Lost(
        "\(database.path) is a link to what is not there; mount its disk, or put back what it leads to"
      )
    }
    let isThere = try size(of: database.path) != nil
    let logs = try Self.logs.map { real + $0 }.filter { try size(of: $0) ?? 0 > 0 }
    // A first start that was killed leaves an empty database, and maybe SQLite's first journal.
    let hadContents = logs.contains { !isThere || !$0.hasSuffix("-journal") }
    guard hadContents || DurableFile.isThere(mark) else { return }
    let others = ([mark] + logs).filter(DurableFile.isThere).joined(separator: " and ")
    let sentence =
      "\(database.path) had contents and is \(isThere ? "empty" : "missing") now; mount its disk, or put it back from a copy"
    let last =
      logs.isEmpty
      ? ""
      : " (the last changes are in \(logs.joined(separator: " and ")), and only the lost file can take them; they are kept"
        + " under another name if the copy is an older one)"
    throw UserDatabase.Lost("\(sentence)\(last). To begin without it, remove \(others)")
  }

  /// Parts the database from what another one at its place left there, unless a process has it open.
  ///
  /// Who puts a copy back finds the log of the lost database beside it, and maybe a program that still has that open.
  /// SQLite would bring the log into the copy, and ruin it.
  ///
  /// - Throws: ``UserDatabase/Lost`` if a log of another database is there, which gets another name, or one beside what
  ///   is no database; `FileFailure`.
  func part() throws {
    guard let identity = try DatabaseIdentity(real), !OpenDatabase.isOpen(identity),
      let idle = try IdleDatabase(real)
    else { return }
    guard let header = idle.header() else {
      guard try WriteAheadLog.read(real + "-wal") != nil else { return }
      throw UserDatabase.Lost(
        "\(database.path) is not a database, so the log beside it, which has the last changes, does not go into it; put "
          + "the database back from a copy"
      )
    }
    if OpenDatabase.wasOpen(database.path) || IdleDatabase.isIndexUsed(real + Self.index) {
      // SQLite makes its index again. An empty log is no loss, and other connections have it open.
      _ = try DurableFile.remove(real + Self.index)
      if try size(of: real + "-wal") == 0 { _ = try DurableFile.remove(real + "-wal") }
    }
    guard let log = try strangeLog(header) else { return }
    var number = 1
    while DurableFile.isThere("\(log)\(Self.aside)-\(number)") { number += 1 }
    let kept = "\(log)\(Self.aside)-\(number)"
    let before =
      "\(database.path) is another than the one that \(log) was written for, and nothing of that log was used"
    do throws(FileFailure) {
      try DurableFile.rename(log, to: kept)
    } catch {
      throw UserDatabase.Lost(
        "\(before). Move the log away, but keep it: it has the last changes of the other database (\(error.reason))"
      )
    }
    throw UserDatabase.Lost(
      "\(before). It has the last changes of the other database, and is now \(kept). Try again to go on without them; "
        + "to have them, end the service and all browsers first, then put the other database in this one's place, and "
        + "rename the log to \(log)"
    )
  }

  /// Returns the log beside a database that is of another one; `nil` if there is none.
  ///
  /// - Throws: `FileFailure`.
  private func strangeLog(_ header: DatabaseHeader) throws(FileFailure) -> String? {
    guard header.hasContents else { return nil }
    let log = real + "-wal"
    if let changes = try WriteAheadLog.read(log), !changes.continues(header) { return log }
    // A first start that was killed leaves a journal, and so does a program that has turned the logs off.
    let journal = real + "-journal"
    guard header.count != 0, header.isChangedByLogs,
      let status = try? FileStatus(of: journal), status.kind == .file, status.size > 0
    else { return nil }
    return journal
  }

  /// Makes an empty database if there is none, and keeps others out of all files.
  ///
  /// SQLite gives its other files the database's permissions when it makes them, so these have to be right before.
  ///
  /// - Throws: `FileFailure`.
  func prepare() throws(FileFailure) {
    if !DurableFile.isThere(database.path) {
      do throws(FileFailure) {
        let file = try NewFile(database.path)
        try file.finish()
      } catch { if error.number != EEXIST { throw error } }
    }
    try close(database.path) { $0 & 0o700 }
    // A log that was made while the database could only be read would keep it from being written.
    for suffix in Self.logs + [Self.index] { try close(real + suffix) { _ in 0o600 } }
  }

  /// Notes that the database has been made.
  ///
  /// A disk that cannot be written to has no room for the mark, which can be made the next time.
  func markAsMade() {
    guard !DurableFile.isThere(mark) else { return }
    let text =
      "\(database.lastPathComponent) was made. If it is missing, this file keeps a new one from being begun in its place.\n"
    try? DurableFile.replace(mark, with: Array(text.utf8))
  }

  /// Returns the size of a file; `nil` if nothing is there.
  ///
  /// - Throws: ``UserDatabase/Lost`` if something other than a file is there; `FileFailure`.
  private func size(of path: String) throws -> Int? {
    guard let status = try status(of: path) else { return nil }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "a pipe or device"
      throw UserDatabase.Lost(
        "\(path) is \(kind), and should be a file; move it away, and put the file back from a copy if there was one"
      )
    }
    return Int(status.st_size)
  }

  /// Gives a file, if it is there, the permissions that a function makes of those that it has.
  private func close(_ path: String, _ closed: (mode_t) -> mode_t) throws(FileFailure) {
    guard let found = try status(of: path).map({ $0.st_mode & 0o777 }), found != closed(found)
    else { return }
    guard unsafe chmod(path, closed(found)) == 0 else {
      throw FileFailure(path, "closed to others", errno)
    }
  }

  /// Examines what a path leads to; `nil` if nothing is there.
  private func status(of path: String) throws(FileFailure) -> stat? {
    var status = stat()
    if unsafe stat(path, &status) == 0 { return status }
    guard errno == ENOENT else { throw FileFailure(path, "looked at", errno) }
    return nil
  }
}
