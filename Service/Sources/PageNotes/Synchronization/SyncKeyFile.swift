internal import DurableFiles
internal import Foundation

/// The file beside the database that holds the user's key, readable by its owner only.
struct SyncKeyFile {
  /// The contents of the file.
  private struct Contents: Codable {
    /// The format's version; the first ones did not say it.
    var format: Int? = SyncKeyFile.format
    /// The key, as text.
    var key: String
    /// The ids of replaced keys; of interest to a database that has no record of them.
    var retired: [String] = []
    /// The ids of keys that the user may come back to; the first versions put them into `retired`.
    var left: [String]?
  }

  /// What every version's file says first.
  private struct Heading: Decodable {
    var format: Int?
  }

  /// What a file says.
  struct Found {
    /// The key.
    let key: SyncKey
    /// The ids of keys that were replaced.
    let retired: [String]
    /// The ids of keys that were left; `nil` if they may be among ``retired``.
    let left: [String]?
    /// Whether others than the owner can read the file.
    let isOpen: Bool
  }

  private static let format = 1

  let url: URL

  /// Names the key file of a database.
  init(database: URL) {
    url = database.deletingPathExtension().appendingPathExtension("key")
  }

  /// Reads the file; `nil` if there is none.
  ///
  /// - Throws: ``NoteError`` with code `key` if the file cannot be read, is damaged, calls its own key replaced,
  ///   or was written by a newer version.
  func read() throws -> Found? {
    let data: Data
    var status = stat()
    do {
      guard let handle = try ChangeFile(url: url).opened() else { return nil }
      guard unsafe fstat(handle.fileDescriptor, &status) == 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
      data = try handle.read(upToCount: 64 << 10) ?? Data()
    } catch is ChangeFile.Fault {
      throw NoteError(
        .key,
        """
        The key \(url.path) is no file of its own (a folder, link or pipe). Move it away and put the \
        key's own file there, or give the key again: “tickbird notes sync on FOLDER --key”
        """
      )
    } catch {
      throw NoteError(.key, "The key \(url.path) cannot be read: \(FileFailure.reason(of: error))")
    }
    // The version first: what a newer one says besides may be anything.
    let heading = try? JSONDecoder().decode(Heading.self, from: data)
    guard (heading?.format ?? Self.format) <= Self.format else {
      throw NoteError(
        .key,
        """
        The key \(url.path) was written by a newer version of Tickbird, which alone can use it; update \
        Tickbird
        """
      )
    }
    guard let contents = try? JSONDecoder().decode(Contents.self, from: data),
      let key = try? SyncKey(contents.key)
    else {
      throw NoteError(
        .key,
        """
        The key \(url.path) is damaged. Move the file away and give the key again: “tickbird notes \
        sync on FOLDER --key”. If no device has it any more, “tickbird notes key new” makes another one \
        after that
        """
      )
    }
    // It would have the database take the key in force for one that is not to be used any more, for good.
    guard !contents.retired.contains(key.id), contents.left?.contains(key.id) != true else {
      throw NoteError(
        .key,
        """
        The key \(url.path) says of its own key (\(key.id)) that it was replaced or left, which Tickbird \
        never writes. Move the file away and give the key again: “tickbird notes sync on FOLDER --key”. If no \
        device has it any more, “tickbird notes key new” makes another one after that
        """
      )
    }
    return Found(
      key: key,
      retired: contents.retired,
      left: contents.left,
      isOpen: status.st_mode & 0o077 != 0
    )
  }

  /// What a user is told whose file others could read.
  var wordsOfOpenness: String {
    """
    \(url.path) could be read by other users of this machine. If somebody may have done so, make a new key \
    with “tickbird notes key new”.
    """
  }

  /// Closes the file to others; on a read-only disk it stays as it is.
  func close() throws {
    guard unsafe chmod(url.path, 0o600) == 0 || errno == EROFS else {
      let failure = FileFailure(url.path, "closed to others", errno)
      throw NoteError(.key, "The key \(failure.description)")
    }
  }

  /// Replaces the key, with the ids of those that were replaced and left.
  ///
  /// Without `left`, as the first versions wrote it.
  func write(_ key: SyncKey, retired: [String], left: [String]? = []) throws {
    let contents = Contents(key: key.text, retired: retired, left: left)
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
