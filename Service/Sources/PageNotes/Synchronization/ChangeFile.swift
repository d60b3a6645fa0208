internal import DurableFiles
internal import Foundation

/// A file of change lines in the folder of synchronisation.
///
/// `tickbird-notes-DEVICE.sealed` belongs to one device, which alone writes it: it appends lines, and
/// now and then replaces the file by one with a line for each note. All others only read it. Every
/// file whose name begins and ends so is read, the copies that tools make of conflicts included.
struct ChangeFile {
  let name: String
  let url: URL

  static let prefix = "tickbird-notes-"
  static let suffix = ".sealed"
  /// The end of the names of files that versions before the key wrote.
  static let legacySuffix = ".jsonl"
  /// The largest file that is read, in bytes.
  static let limit = 512 << 20

  init(folder: URL, device: String) {
    self.init(url: folder.appending(path: Self.prefix + device + Self.suffix))
  }

  init(url: URL) {
    self.url = url
    name = url.lastPathComponent
  }

  /// The files of a folder, by name.
  ///
  /// - Throws: ``NoteError`` with code `folder` if not all names can be read: what is not among them
  ///   counts as gone.
  static func all(in folder: URL, suffix: String = suffix) throws -> [ChangeFile] {
    let names: [String]
    do throws(FileFailure) { names = try DurableFolder.names(in: folder.path) } catch {
      throw NoteError(.folder, "The folder \(error)")
    }
    return names.filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }
      .sorted()
      .map { ChangeFile(url: folder.appending(path: $0)) }
  }

  /// What shows whether a file is as it was.
  struct Mark: Equatable {
    let text: String
    let size: Int
    /// Whether the file has this name alone.
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

  /// The file's mark; `nil` if it is no regular file, or gone.
  ///
  /// - Throws: `POSIXError` where the machine does not say.
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

  /// What keeps a file from being read.
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

  /// Adds lines at the end, on a line of their own even if the last write was cut off.
  ///
  /// They are on the disk when the call returns.
  func append(_ data: Data) throws { try DurableFile.appendLines(url.path, data) }

  /// Puts a new file in the place of the old one; nobody ever sees half of it.
  ///
  /// It is on the disk when the call returns. Tools that synchronise ignore the draft, whose name
  /// begins with a dot, or take it as it is; it is not read here.
  func replace(_ data: Data) throws { try DurableFile.replace(url.path, with: data) }
}
