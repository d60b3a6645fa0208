internal import DurableFiles
internal import Foundation

/// A file of change lines in the synchronised folder.
///
/// `tickbird-notes-DEVICE.sealed` is written only by that device: it appends lines, and sometimes
/// compacts the file to one line a note. All other devices only read it. Every file whose name
/// begins and ends like this is read, including conflict copies made by synchronisation tools.
struct ChangeFile {
  let name: String
  let url: URL

  static let prefix = "tickbird-notes-"
  static let suffix = ".sealed"
  /// The suffix of files that versions without a key wrote.
  static let legacySuffix = ".jsonl"
  /// The largest file accepted, in bytes.
  static let limit = 512 << 20

  init(folder: URL, device: String) {
    self.init(url: folder.appending(path: Self.prefix + device + Self.suffix))
  }

  init(url: URL) {
    self.url = url
    name = url.lastPathComponent
  }

  /// Lists the files of a folder, sorted by name.
  ///
  /// - Throws: ``NoteError`` with code `folder` if the folder cannot be read completely: a missing
  ///   file would count as removed.
  static func all(in folder: URL, suffix: String = suffix) throws -> [ChangeFile] {
    let names: [String]
    do throws(FileFailure) { names = try DurableFolder.names(in: folder.path) } catch {
      throw NoteError(.folder, "The folder \(error)")
    }
    return names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }
      .sorted()
      .map { ChangeFile(url: folder.appending(path: $0)) }
  }

  /// Returns the device that writes a file with a name.
  static func device(of name: String) -> String {
    String(name.dropFirst(prefix.count).dropLast(suffix.count))
  }

  /// Detects whether a file has changed.
  struct Mark: Equatable {
    let text: String
    let size: Int
    /// Whether the file has no other hard link.
    let isAlone: Bool

    init?(_ status: stat) {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      let (time, change) = (status.st_mtim, status.st_ctim)
      size = Int(status.st_size)
      isAlone = status.st_nlink == 1
      text = """
        \(status.st_ino) \(size) \(time.tv_sec).\(time.tv_nsec) \(change.tv_sec).\(change.tv_nsec)
        """
    }
  }

  /// Returns the file's mark; `nil` if it is gone or not a regular file.
  ///
  /// - Throws: `POSIXError` if the system does not say.
  func mark() throws -> Mark? {
    var status = stat()
    guard unsafe lstat(url.path, &status) == 0 else {
      guard errno == ENOENT else { throw Self.failure(errno) }
      return nil
    }
    return Mark(status)
  }

  private static func failure(_ number: Int32) -> POSIXError {
    POSIXError(POSIXErrorCode(rawValue: number) ?? .EIO)
  }

  /// Opens a regular file for reading; `nil` if it is gone.
  func opened() throws -> FileHandle? {
    let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = unsafe open(url.path, flags)
    guard descriptor >= 0 else {
      switch errno {
      case ENOENT: return nil
      case ELOOP, ENXIO: throw Fault.notRegular
      default: throw Self.failure(errno)
      }
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { throw Self.failure(errno) }
    guard let mark = Mark(status) else { throw Fault.notRegular }
    guard mark.size <= Self.limit else { throw Fault.tooLarge(mark.size) }
    return handle
  }

  /// Why a file cannot be read.
  enum Fault: Error, CustomStringConvertible {
    case notRegular
    case tooLarge(Int)

    var description: String {
      switch self {
      case .notRegular: "is no file of its own (a folder, link or pipe)"
      case .tooLarge(let size): "has \(size) bytes; at most \(ChangeFile.limit) are read"
      }
    }
  }

  /// Appends lines, on a new line even if the last write was cut off.
  ///
  /// They are durable when the call returns.
  func append(_ data: Data) throws { try DurableFile.appendLines(url.path, data) }

  /// Replaces the file atomically.
  ///
  /// The new file is durable when the call returns. Its draft begins with a dot: synchronisation
  /// tools may ignore or copy it, and Tickbird does not read it.
  func replace(_ data: Data) throws { try DurableFile.replace(url.path, with: data) }
}
