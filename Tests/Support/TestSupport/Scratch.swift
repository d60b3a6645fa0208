public import Foundation

/// A folder that goes away.
public final class Scratch {
  /// The folder.
  public let folder: URL

  /// Makes a new folder.
  public init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("tickbird-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Writes a file into the folder.
  @discardableResult
  public func file(_ name: String, _ data: Data) throws -> URL {
    let url = folder.appendingPathComponent(name)
    try data.write(to: url)
    return url
  }

  /// Writes a text into the folder.
  @discardableResult
  public func file(_ name: String, _ text: String) throws -> URL { try file(name, Data(text.utf8)) }
}
