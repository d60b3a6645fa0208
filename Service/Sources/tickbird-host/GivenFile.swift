internal import ArgumentParser
internal import Foundation

/// Reads files given to commands.
enum GivenFile {
  /// Reads a file, or standard input for `-`.
  ///
  /// - Throws: `ValidationError` with the file's name and the reason.
  static func read(_ path: String, limit: Int = 64 << 20) throws -> [UInt8] {
    do {
      let handle =
        path == "-"
        ? FileHandle.standardInput : try FileHandle(forReadingFrom: URL(filePath: path))
      let data = try handle.read(upToCount: limit + 1) ?? Data()
      guard data.count <= limit else {
        throw ValidationError("\(path) has more than \(limit) bytes.")
      }
      return Array(data)
    } catch let error as ValidationError {
      throw error
    } catch {
      throw ValidationError("\(path) cannot be read; does it exist, and may you read it?")
    }
  }
}
