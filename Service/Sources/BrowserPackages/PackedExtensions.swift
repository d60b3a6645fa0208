internal import DurableFiles
public import Foundation

/// The ids of the packages that a user has made, so that the host's manifests name them.
///
/// A file of one id a line, in the order in which they came.
public struct PackedExtensions: Sendable {
  private static let limit = 1000
  private let file: URL

  /// Takes the file; it need not be there.
  public init(file: URL) { self.file = file }

  /// The ids; none if the file is not there.
  ///
  /// Lines that are no id are ignored.
  public var ids: [String] {
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
    return text.split(whereSeparator: \.isNewline).prefix(Self.limit).map(String.init)
      .filter { $0.utf8.count == 32 && $0.utf8.allSatisfy { (0x61...0x70).contains($0) } }
  }

  /// Adds an id, if it is new.
  ///
  /// - Throws: What the file system says; the file is as before then.
  public func add(_ id: String) throws {
    let known = ids
    guard !known.contains(id) else { return }
    let text = (known + [id]).map { $0 + "\n" }.joined()
    try DurableFile.replace(file.path, with: Data(text.utf8), permissions: .inherited)
  }
}
