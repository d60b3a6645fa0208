internal import ArgumentParser
internal import Foundation
internal import TextOutput

/// Reads files given to commands.
enum GivenFile {
  /// Rejects a relative path if the working folder cannot be named.
  ///
  /// - Throws: `ValidationError` with the way out.
  static func check(_ path: String) throws {
    if let fault = GivenNames.fault(ofPath: path) { throw ValidationError(fault) }
  }

  /// Reads a file, or standard input for `-`.
  ///
  /// - Throws: `ValidationError` with the file's name and the reason.
  static func read(_ path: String, limit: Int = 64 << 20) throws -> [UInt8] {
    do {
      try check(path)
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
