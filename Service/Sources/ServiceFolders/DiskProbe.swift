internal import DurableFiles
internal import Foundation

/// Finds out how a file system responds to a write.
public enum DiskProbe {
  /// Writes a file beside another, and removes it.
  ///
  /// - Parameters:
  ///   - count: How many bytes to write.
  ///   - path: The other file, which need not be there; a link is followed.
  /// - Returns: The error number; `nil` on success.
  public static func error(writing count: Int, beside path: String) -> Int32? {
    let real = (try? FileStanding(of: path).path) ?? path
    let folder = URL(filePath: real).deletingLastPathComponent()
    let draft = folder.appending(path: DurableFile.draftName()).path
    do throws(FileFailure) {
      let file = try NewFile(draft)
      defer { _ = try? DurableFile.remove(draft) }
      try file.write([UInt8](repeating: 0, count: count))
      try file.finish()
      return nil
    } catch {
      return error.number
    }
  }
}
