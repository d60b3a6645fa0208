internal import DurableFiles
internal import Foundation
internal import ServiceFolders

/// A folder of the data beside which a mark says that it has contents, so that an empty one whose disk is not mounted is
/// told from one in which there was never anything.
///
/// Opened anew for each use: its disk may be mounted or unmounted while a service runs.
struct MarkedFolder: Sendable {
  private let url: URL
  private let mark: ContentsMark

  /// Names a folder, which need not be there; `contents` is what is in it, for messages.
  init(_ url: URL, contents: String) {
    self.url = url
    mark = ContentsMark(of: url, contents: contents)
  }

  /// Whether the mark says that there is something in it.
  var hasContents: Bool { mark.isThere }

  /// Whether there is or was something in it.
  var isUsed: Bool { DurableFile.isThere(url.path) || mark.isThere }

  /// Opens the folder, and makes it where there was nothing in it.
  ///
  /// - Throws: ``HostError`` with code `.file`, also if it is lost.
  func opened() throws(HostError) -> Folder {
    mark.isThere ? try found() : try Folder(making: url.path)
  }

  /// Opens the folder, which another process may own.
  ///
  /// - Throws: ``HostError`` with code `.file`, also if it is lost.
  func found() throws(HostError) -> Folder {
    guard !mark.isThere || DurableFile.isThere(url.path) else { throw loss }
    return try Folder(path: url.path)
  }

  /// Returns the names of the contents.
  ///
  /// - Parameter names: Reads them.
  /// - Returns: What it has read.
  /// - Throws: ``HostError`` with code `.file`, also if there were some and there are none.
  func contents(_ names: () throws(HostError) -> [String]) throws(HostError) -> [String] {
    let found = try names()
    // Another process may have made the first one meanwhile.
    guard found.isEmpty, mark.isThere, try names().isEmpty else { return found }
    throw loss
  }

  /// Notes that there is something in it.
  func noteContents() { mark.make() }

  /// Notes that one of its contents is about to go, before which the mark goes if it is the last.
  ///
  /// - Throws: ``HostError`` with code `.file`.
  func noteRemoval(of name: String, among names: [String]) throws(HostError) {
    guard names == [name] else { return }
    do throws(FileFailure) { try mark.remove() } catch { throw HostError(error) }
  }

  private var loss: HostError { HostError(.file, mark.loss) }
}
