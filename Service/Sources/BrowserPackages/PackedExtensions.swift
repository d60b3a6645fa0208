internal import DurableFiles
public import Foundation

/// The ids of the packages that a user has made, for the native messaging host's manifests.
///
/// A file with one id a line, in the order of their creation.
public struct PackedExtensions: Sendable {
  private static let limit = 1000
  private let file: URL

  /// Names the file, which need not exist.
  public init(file: URL) { self.file = file }

  /// The ids; empty if the file does not exist.
  ///
  /// Invalid lines are ignored.
  public var ids: [String] {
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
    return text.split(whereSeparator: \.isNewline).prefix(Self.limit).map(String.init)
      .filter { $0.utf8.count == 32 && $0.utf8.allSatisfy { (0x61...0x70).contains($0) } }
  }

  /// Adds an id unless it is there.
  ///
  /// - Throws: File system errors; then the file is unchanged.
  public func add(_ id: String) throws {
    let known = ids
    guard !known.contains(id) else { return }
    let text = (known + [id]).map { $0 + "\n" }.joined()
    try DurableFile.replace(file.path, with: Data(text.utf8), permissions: .inherited)
  }
}
