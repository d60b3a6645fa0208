import Foundation

/// An extension of others that a user would have in Tickbird's place.
struct Peer {
  var folder: URL
  var identifier: String
  /// A page of it that does nothing.
  var page: String

  /// uBlock Origin for Firefox, unpacked; `nil` where `TICKBIRD_UBLOCK` names no folder.
  static let uBlockOrigin = ProcessInfo.processInfo.environment["TICKBIRD_UBLOCK"].map {
    Peer(folder: URL(filePath: $0), identifier: "uBlock0@raymondhill.net", page: "blank.html")
  }

  /// Installs it in a copy of the system's folder of extensions, and returns that in the system's place.
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
