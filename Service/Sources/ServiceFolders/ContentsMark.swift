public import DurableFiles
public import Foundation

/// The mark beside a folder of the data that says that the folder has contents.
///
/// A folder whose disk is not mounted is empty, and looks like one in which there was never anything. So the mark is not in
/// it but beside it. It is made after the first contents, and removed before the last ones, so that a process that is
/// killed in between leaves no mark beside an empty folder.
public struct ContentsMark: Sendable {
  private let folder: String
  private let contents: String

  /// Names the mark of a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder, which may be a link to another disk.
  ///   - contents: What is in it, for messages.
  public init(of folder: URL, contents: String) {
    self.folder = folder.path
    self.contents = contents
  }

  /// The mark's own path.
  public var path: String { folder + ".filled" }

  /// Whether the folder is to have contents.
  public var isThere: Bool { DurableFile.isThere(path) }

  /// What is wrong where the folder has no contents and the mark is there, and the way out, without a full stop.
  public var loss: String {
    "\(folder) has no \(contents) any more, although they were not removed; mount its disk, or put the folder back from a copy. To "
      + "begin without them, remove \(path)"
  }

  /// Notes that the folder has contents.
  ///
  /// A disk that cannot be written to has no room for the mark, which can be made the next time.
  public func make() {
    guard !isThere else { return }
    let name = URL(filePath: folder).lastPathComponent
    let text =
      "\(name) has \(contents). If they are missing, this file keeps others from being begun in their place.\n"
    try? DurableFile.replace(path, with: Array(text.utf8))
  }

  /// Notes that the folder is about to be empty.
  ///
  /// - Throws: `FileFailure`.
  public func remove() throws(FileFailure) { _ = try DurableFile.remove(path) }
}
