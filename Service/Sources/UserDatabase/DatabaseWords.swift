internal import DurableFiles
public import Foundation
internal import GRDB
internal import ServiceFolders

/// Messages about errors of databases and their files, shared by all stores.
public enum DatabaseWords {
  /// The bytes that SQLite needs for the index of its log.
  private static let walIndex = 32 << 10

  /// Explains an error of a database.
  ///
  /// - Parameters:
  ///   - error: The error of SQLite, the file system or the lock.
  ///   - file: The database.
  ///   - recovery: How to recover the contents of a lost database.
  /// - Returns: Where, why, and the way out, without a full stop.
  public static func explanation(of error: any Error, file: URL, recovery: String) -> String {
    switch error {
    case let error as DatabaseError: return explanation(of: error, file, recovery)
    case let error as UserDatabase.Lost: return error.sentence
    case let error as RowDecodingError:
      return
        "\(file.path) is damaged (\(error)). Move it away together with what else begins with its name; "
        + recovery
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
      // SQLite's code does not say why; the file system does.
      let number = DiskProbe.error(writing: walIndex, beside: file.path)
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
      return
        "\(file.path) is damaged or not a database (\(words)). Move it away together with what "
        + "else begins with its name; \(recovery)"
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      return "\(file.path) is held by another program that has been writing for too long "
        + "(\(words)); try again"
    default: return "\(file.path): \(words)"
    }
  }
}
