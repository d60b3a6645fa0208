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
    let environment = ProcessInfo.processInfo.environment
    switch kind {
    case .firefox:
      return environment["TICKBIRD_UBLOCK"].map {
        Peer(
          title: "uBlock Origin, as it comes",
          folder: URL(filePath: $0),
          identifier: "uBlock0@raymondhill.net",
          page: "blank.html"
        )
      }
    case .chromium:
      return environment["TICKBIRD_UBLOCK_LITE"].map {
        // An unpacked extension's identifier follows from its place; nothing here asks for it.
        Peer(
          title: "uBlock Origin Lite, as it comes",
          folder: URL(filePath: $0),
          identifier: "",
          page: "report.html"
        )
      }
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
