internal import DurableFiles
internal import Foundation

/// The file beside the database that has the user's key; its owner alone can read it.
struct SyncKeyFile {
  /// What is in it.
  struct Contents: Codable {
    /// The key, as text.
    var key: String
    /// The ids of keys that were replaced.
    var retired: [String] = []
  }

  let url: URL

  /// Names the key of a database's notes.
  init(database: URL) {
    url = database.deletingPathExtension().appendingPathExtension("key")
  }

  /// The key and the ids of those before it; `nil` if there is none.
  ///
  /// - Throws: ``NoteError`` with code `key`: the file cannot be read, or is damaged.
  func read() throws -> (key: SyncKey, retired: [String])? {
    let data: Data
    do {
      guard let handle = try ChangeFile(url: url).opened() else { return nil }
      // It may have been put here by hand. Where nothing can be written, it stays as it is.
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

  /// Puts a key in the place of the one that is there.
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
