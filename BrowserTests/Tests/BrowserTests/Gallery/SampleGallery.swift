import BrowserDriving
import Foundation

/// A gallery that the product's own program has built.
struct SampleGallery {
  let folder: URL
  let service: Service

  private static let pictures = Session.packageRoot
    .appending(path: "Service/Tests/ExtensionGalleryTests/Fixtures/pictures")

  /// Makes packages and builds the gallery.
  init(_ service: Service, address: String? = nil) throws {
    self.service = service
    folder = service.home.appending(path: "gallery", directoryHint: .isDirectory)
    try service.run("package", "key", "new")
    try addPackage(
      "Quiet News",
      "com.example.quiet-news",
      """
      {"summary": "Blocks advertisements and trackers on news sites, quietly",
       "description": "Three editors keep the list by hand.\\n\\nNothing <b>is</b> sent anywhere.",
       "category": "blocking", "developer": "Example Ltd",
       "homepage": "https://example.com/quiet", "icon": "icon.png",
       "pictures": [{"file": "first.jpg", "caption": "The list of rules, in the light"},
                    {"file": "second.webp", "caption": "The same in the dark"}]}
      """
    )
    try addPackage(
      "Clean Addresses",
      "org.clean.addresses",
      #"{"summary": "Takes tracking parameters out of addresses", "category": "privacy"}"#
    )
    try addPackage(
      "حاجب الإعلانات",
      "com.example.arabic",
      """
      {"summary": "يحجب الإعلانات على المواقع العربية", "category": "blocking",
       "developer": "شركة المثال", "icon": "icon.png"}
      """
    )
    // With a Cyrillic letter.
    try addPackage(
      "Quiet N\u{435}ws",
      "net.imitator.news",
      #"{"summary": "<img src=x onerror=alert(1)>"}"#
    )
    var arguments = ["gallery", "build", folder.path, "--name", "Example gallery"]
    if let address { arguments += ["--address", address] }
    try service.run(arguments)
  }

  private func addPackage(_ name: String, _ identifier: String, _ json: String) throws {
    let shown = service.home.appending(path: "shown-\(identifier)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: shown, withIntermediateDirectories: true)
    try Data(json.utf8).write(to: shown.appending(path: "presentation.json"))
    for picture in ["icon.png", "first.jpg", "second.webp"] {
      try FileManager.default.copyItem(
        at: Self.pictures.appending(path: picture),
        to: shown.appending(path: picture)
      )
    }
    let list = service.home.appending(path: "rules.json")
    try Data(#"[{"trigger": {"url-filter": "/ads/"}, "action": {"type": "block"}}]"#.utf8)
      .write(to: list)
    try service.run(
      "package",
      list.path,
      "--name",
      name,
      "--identifier",
      identifier,
      "--list-version",
      "1.2",
      "--presentation",
      shown.path,
      "-o",
      folder.path
    )
  }

  /// Answers requests as a static server does.
  func serve(on server: LoopbackServer) {
    let folder = folder
    server.answer { request in
      let path = URL(string: request.url)?.path ?? "/"
      let name = path == "/" ? "index.html" : String(path.dropFirst())
      guard !name.contains(".."), let bytes = try? Data(contentsOf: folder.appending(path: name))
      else {
        var missing = LoopbackServer.Response.page("missing")
        missing.status = 404
        return missing
      }
      let types = [
        "html": "text/html; charset=utf-8", "css": "text/css", "js": "text/javascript",
        "png": "image/png", "jpg": "image/jpeg", "webp": "image/webp", "svg": "image/svg+xml",
        "txt": "text/plain",
      ]
      var response = LoopbackServer.Response(
        types[String(name.split(separator: ".").last ?? "")] ?? "application/octet-stream",
        ""
      )
      response.body = bytes
      return response
    }
  }
}
