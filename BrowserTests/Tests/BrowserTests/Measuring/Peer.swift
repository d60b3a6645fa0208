import BrowserDriving
import Foundation

/// An extension of others that a user would have in Tickbird's place.
struct Peer {
  var title: String
  var folder: URL
  var identifier: String
  /// A page of it that does nothing.
  var page: String

  /// The extension that people use in a browser; `nil` where the environment names no folder that has it unpacked.
  ///
  /// `TICKBIRD_UBLOCK` has uBlock Origin for Firefox, `TICKBIRD_UBLOCK_LITE` uBlock Origin Lite for Chromium, which
  /// takes no other any more.
  static func used(in kind: BrowserKind) -> Peer? {
    // An unpacked extension's identifier in Chromium follows from its place; nothing here asks for it.
    let (variable, title, identifier, page) =
      switch kind {
      case .firefox: ("TICKBIRD_UBLOCK", "uBlock Origin", "uBlock0@raymondhill.net", "blank.html")
      case .chromium: ("TICKBIRD_UBLOCK_LITE", "uBlock Origin Lite", "", "report.html")
      }
    return ProcessInfo.processInfo.environment[variable].map { folder in
      Peer(
        title: "\(title), as it comes",
        folder: URL(filePath: folder),
        identifier: identifier,
        page: page
      )
    }
  }

  /// Installs it in a copy of Firefox's folder of extensions, and returns that in the system's place.
  func installed(in folder: URL) throws -> [String: URL] {
    let files = FileManager.default
    let system = "/usr/share/mozilla/extensions"
    let copy = folder.appending(path: "peer-system")
    try files.copyItem(at: URL(filePath: system), to: copy)
    // Firefox's own identifier: extensions for it are in this folder.
    let place = copy.appending(path: "{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/\(identifier)")
    try files.createDirectory(
      at: place.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try files.copyItem(at: self.folder, to: place)
    return [system: copy]
  }
}
