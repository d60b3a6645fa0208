internal import DurableFiles
internal import Foundation

/// A file of change lines in the folder of synchronisation.
///
/// `tickbird-notes-DEVICE.jsonl` belongs to one device, which alone writes it: it appends lines, and
/// now and then replaces the file by one with a line for each note. All others only read it. Every
/// file whose name begins and ends so is read, the copies that tools make of conflicts included.
struct ChangeFile {
  let name: String
  let url: URL

  static let prefix = "tickbird-notes-"
  static let suffix = ".jsonl"
  /// The largest file that is read, in bytes.
  static let limit = 256 << 20

  init(folder: URL, device: String) {
    name = Self.prefix + device + Self.suffix
    url = folder.appending(path: name)
  }

  private init(folder: URL, name: String) {
    self.name = name
    url = folder.appending(path: name)
  }

  /// The files of a folder, by name.
  static func all(in folder: URL) throws -> [ChangeFile] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix(prefix) && $0.hasSuffix(suffix) }
      .sorted()
      .map { ChangeFile(folder: folder, name: $0) }
  }

  /// What tells whether a file is as it was.
  struct Mark: Equatable {
    let text: String
    let size: Int

    init?(_ status: stat) {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      let time = status.st_mtim
      size = Int(status.st_size)
      text = "\(status.st_ino) \(size) \(time.tv_sec).\(time.tv_nsec)"
    }
  }

  /// The file's mark; `nil` if it is no regular file, or gone.
  func mark() -> Mark? {
    var status = stat()
    guard unsafe lstat(url.path, &status) == 0 else { return nil }
    return Mark(status)
  }

  /// What reading found.
  struct Contents {
    var lines: [ChangeLine] = []
    var damaged = 0
    var newer = 0
    /// How many lines there are, empty and damaged ones included.
    var count = 0
  }

  /// Reads what is there; a last line that has not arrived whole counts as damaged.
  func read() throws -> Contents {
    guard let mark = mark() else { throw Fault.notRegular }
    guard mark.size <= Self.limit else { throw Fault.tooLarge(mark.size) }
    let data = try Data(contentsOf: url)
    guard data.count <= Self.limit else { throw Fault.tooLarge(data.count) }
    var contents = Contents()
    for line in data.split(separator: UInt8(ascii: "\n")) {
      contents.count += 1
      do throws(ChangeLine.Fault) {
        contents.lines.append(try ChangeLine(Data(line)))
      } catch {
        switch error {
        case .damaged: contents.damaged += 1
        case .newer: contents.newer += 1
        }
      }
    }
    return contents
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
  /// It is on the disk when the call returns. Tools that synchronise pass over the draft, whose name
  /// begins with a dot, or take it as it is; it is not read here.
  func replace(_ data: Data) throws { try DurableFile.replace(url.path, with: data) }
}
