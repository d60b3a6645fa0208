internal import DurableFiles
public import Foundation
internal import GRDB
internal import ServiceFolders

/// Errors of databases and their files in words, for all stores.
public enum DatabaseWords {
  /// Explains what went wrong with a database.
  ///
  /// - Parameters:
  ///   - error: What SQLite, the file system or the lock said.
  ///   - file: The database.
  ///   - recovery: What brings a lost database's contents back.
  /// - Returns: Where, why, and the way out, without a full stop.
  public static func explanation(of error: any Error, file: URL, recovery: String) -> String {
    switch error {
    case let error as DatabaseError: return explanation(of: error, file, recovery)
    case let error as FileFailure: return error.description
    case FileLock.Failure.held(let other):
      return "\(file.path) is being opened by \(other ?? "another process"); wait for it or end it"
    case FileLock.Failure.unusable(let sentence): return sentence
    default: return "\(file.path): \(FileFailure.reason(of: error))"
    }
  }

  private static func explanation(
    of error: DatabaseError,
    _ file: URL,
    _ recovery: String
  ) -> String {
    let words = error.message ?? "\(error.resultCode)"
    switch error.resultCode {
    case .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
      // SQLite's code does not tell why; the file system does.
      let number = DiskProbe.error(writingBeside: file.path)
      if let number { return FileFailure(file.path, "written", number).description }
      switch error.resultCode {
      case .SQLITE_FULL:
        return FileFailure(file.path, "written", ENOSPC).description
      case .SQLITE_IOERR: return FileFailure(file.path, "used", EIO).description + " (\(words))"
      default:
        return "\(file.path) cannot be opened (\(words)); give yourself the permission for it and "
          + "its folder"
      }
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      return "\(file.path) is damaged or no database (\(words)). Move it away together with its "
        + "-wal and -shm files; \(recovery)"
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return "\(file.path) is held by another program that has been writing for too long "
        + "(\(words)); try again"
    default: return "\(file.path): \(words)"
    }
  }
}

/// Finds out what a file system would say to a small write.
enum DiskProbe {
  /// The error number of writing a small file beside another; nil if that goes well.
  static func error(writingBeside path: String) -> Int32? {
    let folder = URL(filePath: path).deletingLastPathComponent()
    let draft = folder.appending(path: DurableFile.draftName()).path
    do throws(FileFailure) {
      let file = try NewFile(draft)
      defer { _ = try? DurableFile.remove(draft) }
      // As much as SQLite needs for its index of the log.
      try file.write([UInt8](repeating: 0, count: 32 << 10))
      try file.finish()
      return nil
    } catch {
      return error.number
    }
  }
}
