internal import LoopbackServing
internal import Synchronization

/// Caches opened files that are too long for a text field, newest first.
final class OpenedLists: Sendable {
  /// A file.
  struct File: Sendable {
    let key: String
    let name: String
    let text: [UInt8]
  }

  private static let most = 4
  private static let mostBytes = 64 << 20
  private let files = Mutex<[File]>([])

  /// Adds a file, and evicts the oldest ones over the limit.
  func add(name: String, text: [UInt8]) -> File {
    let file = File(key: "file-" + Secret().text.prefix(12), name: name, text: text)
    files.withLock { files in
      files.append(file)
      while files.count > 1,
        files.count > Self.most || files.reduce(0, { $0 + $1.text.count }) > Self.mostBytes
      {
        files.removeFirst()
      }
    }
    return file
  }

  var all: [File] { files.withLock { $0 } }
  subscript(_ key: String) -> File? { files.withLock { $0.first { $0.key == key } } }
}
