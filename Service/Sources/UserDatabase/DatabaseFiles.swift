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

  /// A file that is there once the database has been made, and stays if that goes.
  private var mark: String { database.path + ".made" }

  /// Checks that SQLite may open the database, or make it.
  ///
  /// - Throws: ``UserDatabase/Lost``, or `FileFailure`.
  func check() throws {
    for suffix in Self.logs + [Self.index] { _ = try size(of: database.path + suffix) }
    let isLink = (try? FileStatus(of: database.path))?.kind == .link
    if try size(of: database.path) ?? 0 > 0 { return }
    if isLink, try size(of: database.path) == nil {
      throw UserDatabase.Lost(
        "\(database.path) is a link to what is not there; mount its disk, or put back what it leads to"
      )
    }
    let log = try Self.logs.first { try size(of: database.path + $0) ?? 0 > 0 }
    guard log != nil || DurableFile.isThere(mark) else { return }
    let what = try size(of: database.path) == nil ? "missing" : "empty"
    let others = ([mark] + (log.map { [database.path + $0] } ?? [])).filter(DurableFile.isThere)
    throw UserDatabase.Lost(
      "\(database.path) is \(what), and was not; put it back from a copy, or mount its disk. To begin without it, "
        + "remove \(others.joined(separator: " and "))"
    )
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
    for suffix in Self.logs + [Self.index] { try close(database.path + suffix) { _ in 0o600 } }
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
