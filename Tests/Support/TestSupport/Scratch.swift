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

  /// Writes a program into the folder, and returns its file.
  ///
  /// Another process writes it: what this one has open for writing is open for a moment in each process that some
  /// other test starts, and the system runs no program that is open for writing.
  public func program(_ name: String, _ text: String) throws -> URL {
    let url = folder.appendingPathComponent(name)
    let writer = try Process.run(
      URL(filePath: "/bin/sh"),
      arguments: ["-c", #"printf %s "$2" > "$1" && chmod 755 "$1""#, "sh", url.path, text]
    )
    writer.waitUntilExit()
    guard writer.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    return url
  }
}
