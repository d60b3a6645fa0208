public import Foundation

/// WebKit's recorded answers about the rule language, `Tests/Fixtures/Vectors`.
public enum Vectors {
  /// The folder.
  public static let folder = SharedData.packageRoot.appending(path: "Tests/Fixtures/Vectors")

  /// The bytes of a file in it.
  ///
  /// - Throws: `CocoaError` if there is no such file or it cannot be read.
  public static func bytes(_ file: String) throws -> [UInt8] {
    try SharedData.bytes(of: folder.appending(path: file))
  }
}
