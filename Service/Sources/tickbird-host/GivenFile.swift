internal import CommandArguments
internal import DurableFiles
internal import Foundation

/// Reads files given to commands.
enum GivenFile {
  /// A file that cannot be read.
  struct Unreadable: Error, CustomStringConvertible {
    let description: String
  }

  /// Reads a file, or standard input for `-`.
  ///
  /// - Throws: ``Unreadable`` with the file's name and the reason, also of one that is longer than the limit.
  static func read(_ path: String, limit: Int = 64 << 20) throws -> [UInt8] {
    let bytes = try read(path, upTo: limit + 1)
    guard bytes.count <= limit else {
      throw Unreadable(description: "\(path) has more than \(limit) bytes")
    }
    return bytes
  }

  /// Reads the beginning of a file, or of standard input for `-`.
  ///
  /// - Throws: ``Unreadable`` with the file's name and the reason.
  static func read(_ path: String, upTo limit: Int) throws -> [UInt8] {
    let file = try GivenPath.url(path)
    do {
      let handle =
        path == "-" ? FileHandle.standardInput : try FileHandle(forReadingFrom: file)
      return Array(try handle.read(upToCount: limit) ?? Data())
    } catch CocoaError.fileReadNoSuchFile {
      throw Unreadable(description: "there is no file \(path)")
    } catch {
      throw Unreadable(description: "\(path) cannot be read: \(FileFailure.reason(of: error))")
    }
  }
}
