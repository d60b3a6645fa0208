internal import Crypto
internal import DurableFiles
internal import Foundation

/// The contents of a folder that browsers load, as one number.
enum FolderDigest {
  /// What Chromium itself writes into the folder of an extension.
  private static let browsersOwn = "_metadata"

  /// Returns the SHA-256 of the paths and contents of a folder's files, in hexadecimal.
  ///
  /// - Returns: `nil` if the folder has anything but files and folders, or cannot be read.
  /// - Complexity: O(*n*) in the bytes, a file at a time in memory.
  static func of(_ folder: URL) -> String? {
    let manager = FileManager.default
    guard isFolder(folder.path),
      let paths = try? manager.subpathsOfDirectory(atPath: folder.path)
    else { return nil }
    var digest = SHA256()
    for path in paths.sorted() where path != browsersOwn && !path.hasPrefix(browsersOwn + "/") {
      let file = folder.appending(path: path)
      let attributes = try? manager.attributesOfItem(atPath: file.path)
      switch attributes?[.type] as? FileAttributeType {
      case .typeDirectory?: continue
      case .typeRegular?:
        guard let data = try? DurableFile.contents(of: file.path, atMost: .max) else { return nil }
        digest.update(data: Data(SHA256.hash(data: Data(path.utf8))))
        digest.update(data: Data(SHA256.hash(data: data)))
      default: return nil
      }
    }
    return digest.finalize().map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      .joined()
  }

  /// Whether a path is a folder itself, and no link to one.
  static func isFolder(_ path: String) -> Bool {
    let type = try? FileManager.default.attributesOfItem(atPath: path)[.type]
    return type as? FileAttributeType == .typeDirectory
  }
}
