import BrowserDriving
import Foundation

/// An extension that is asked about each request, as a blocker is, and lets each pass: what a browser takes to ask.
enum ListeningExtension {
  private static let background = """
    const api = globalThis.browser ?? chrome;
    api.webRequest.onBeforeRequest.addListener(() => ({}), { urls: ["<all_urls>"] }, ["blocking"]);
    """

  /// Writes the extension into a new folder.
  ///
  /// It has the identifier of Tickbird's, which Chromium's policy lets block; the key that it follows from is taken
  /// from that manifest.
  ///
  /// - Throws: An error of the file system, or of JSON, of Tickbird's own manifest.
  static func write(to folder: URL, for kind: BrowserKind) throws -> Peer {
    let identifier = Session.identifiers[kind] ?? ""
    var manifest: [String: Any] = ["name": "Listening", "version": "1"]
    switch kind {
    case .firefox:
      manifest["manifest_version"] = 2
      manifest["permissions"] = ["<all_urls>", "webRequest", "webRequestBlocking"]
      manifest["background"] = ["scripts": ["background.js"]]
      manifest["browser_specific_settings"] = ["gecko": ["id": identifier]]
    case .chromium:
      manifest["manifest_version"] = 3
      manifest["permissions"] = ["webRequest", "webRequestBlocking"]
      manifest["host_permissions"] = ["<all_urls>"]
      manifest["background"] = ["service_worker": "background.js"]
      manifest["key"] = try ownKey()
    }
    let files = FileManager.default
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    try JSONSerialization.data(withJSONObject: manifest)
      .write(to: folder.appending(path: "manifest.json"))
    try Data(background.utf8).write(to: folder.appending(path: "background.js"))
    return Peer(
      title: "an extension that only listens",
      folder: folder,
      identifier: identifier,
      page: "manifest.json"
    )
  }

  private static func ownKey() throws -> Any? {
    let file = Session.packageRoot
      .appending(path: "BrowserExtension/WebExtension/manifest.chromium.json")
    let manifest = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    return (manifest as? [String: Any])?["key"]
  }
}
