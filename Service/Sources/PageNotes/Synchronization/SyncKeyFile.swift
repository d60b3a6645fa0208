internal import DurableFiles
internal import Foundation

/// The file beside the database that holds the user's key, readable by its owner only.
struct SyncKeyFile {
  /// The contents of the file.
  struct Contents: Codable {
    /// The key, as text.
    var key: String
    /// The ids of replaced keys.
    var retired: [String] = []
  }

  let url: URL

  /// Names the key file of a database.
  init(database: URL) {
    url = database.deletingPathExtension().appendingPathExtension("key")
  }

  /// Returns the key and the ids of replaced ones; `nil` if there is no file.
  ///
  /// - Throws: ``NoteError`` with code `key` if the file cannot be read or is damaged.
  func read() throws -> (key: SyncKey, retired: [String])? {
    let data: Data
    do {
      guard let handle = try ChangeFile(url: url).opened() else { return nil }
      // A file placed by hand may be readable by others. On a read-only disk it stays so.
      var status = stat()
      guard unsafe fstat(handle.fileDescriptor, &status) == 0,
        status.st_mode & 0o077 == 0 || fchmod(handle.fileDescriptor, 0o600) == 0 || errno == EROFS
      else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      data = try handle.read(upToCount: 64 << 10) ?? Data()
    } catch {
      throw NoteError(.key, "The key \(url.path) cannot be read: \(FileFailure.reason(of: error))")
    }
    guard let contents = try? JSONDecoder().decode(Contents.self, from: data),
      let key = try? SyncKey(contents.key)
    else {
      throw NoteError(
        .key,
        """
        The key \(url.path) is damaged. Move the file away and give the key again: “tickbird notes \
        sync on FOLDER --key”.
        """
      )
    }
    return (key, contents.retired)
  }

  /// Replaces the key.
  func write(_ key: SyncKey, retired: [String]) throws {
    let contents = Contents(key: key.text, retired: retired)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    do {
      try ChangeFile(url: url).replace(try encoder.encode(contents) + Data("\n".utf8))
    } catch {
      throw NoteError(
        .key,
        "The key \(url.path) cannot be written: \(FileFailure.reason(of: error))"
      )
    }
  }
}
