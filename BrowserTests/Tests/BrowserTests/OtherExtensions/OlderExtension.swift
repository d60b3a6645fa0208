import BrowserDriving
import Foundation

/// A folder `NAME.safariextension`, imported, installed and added to a browser by the commands that
/// people use, beside Tickbird's own extension.
final class OlderExtension {
  static let identifier = "com.example.older"
  private static let fixture = Session.packageRoot
    .appending(path: "BrowserTests/Fixtures/Older.safariextension")

  let service: Service
  let browser: any Browser
  let server: LoopbackServer
  private let folder: URL
  /// A page of the extension, from which its global page can be reached.
  let own: BrowserTab

  /// Starts the browser with the extension; all pages say "Words", and load an image.
  init(_ kind: BrowserKind) throws {
    Session.closeAll()
    guard let command = RecordedLog.command else { throw DrivingError("tickbird is not built") }
    folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-older-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    service = Service(home: folder)
    let bundle = folder.appending(path: "Older.appex")
    // It tells that browsers have no long press, with status 1.
    try Tool.run([
      "/bin/sh", "-c", "\"$0\" extension import \"$1\" --output \"$2\" || [ $? -eq 1 ]",
      command.path, Self.fixture.path, bundle.path,
    ])
    try service.run("extensions", "install", "--on", bundle.path)
    try service.run("browser", "add", Self.identifier, kind.rawValue)
    try service.install(in: kind)
    try service.start()
    let place = folder.appending(path: ".local/share/tickbird/browser/web/\(Self.identifier)")
    let registration = try JSONSerialization.jsonObject(
      with: Data(contentsOf: place.appending(path: "Registration.json"))
    )
    let key = kind == .chromium ? "chromiumID" : "geckoID"
    guard let id = (registration as? [String: Any])?[key] as? String else {
      throw DrivingError("the registration has no \(key): \(registration)")
    }
    let tickbird = folder.appending(path: "extension")
    try Tool.run([
      Session.packageRoot.appending(path: "Scripts/build-web-extension").path, kind.rawValue,
      tickbird.path, "--matcher", try Matcher.module().path,
    ])
    server = try LoopbackServer()
    server.answer { _ in
      .page("<title>Page</title><body><p id=here>Words <p id=there>More <img src=/ad.png>")
    }
    var options = BrowserOptions(
      extensionFolder: place.appending(path: kind.rawValue),
      proxyPort: server.port,
      folder: folder,
      nativeHost: nil,
      nativeHostName: "",
      extensionID: id
    )
    options.otherExtensions = [tickbird]
    options.extensionPage = "tickbird-options.html"
    options.mayBlock = false
    browser = try kind.start(options)
    own = try browser.openTab()
    try browser.load(browser.extensionURL + "tickbird-options.html", in: own)
    _ = try eventually("the global page runs") { () -> Bool? in
      try browser.evaluate("Boolean(globalThis.safari?.extension?.globalPage)", in: own) as? Bool
        == true ? true : nil
    }
  }

  func close() {
    browser.close()
    service.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Evaluates an expression that has the global page's window as `page`.
  func inGlobalPage(_ expression: String) throws -> JSONValue? {
    try browser.evaluate(
      "((page) => (\(expression)))(safari.extension.globalPage.contentWindow)",
      in: own
    )
  }

  /// Tells the global page what the browser's side would tell.
  func tell(_ message: String) throws {
    _ = try browser.evaluate(
      """
      (async () => {
        const api = globalThis.browser ?? chrome;
        const home = api.extension.getViews().find((view) => view.tickbirdHome);
        home.tickbirdHome.receive(\(message));
        return true;
      })()
      """,
      in: own
    )
  }

  /// The values that the scripts in a page have left there.
  func marks(in tab: BrowserTab) throws -> [String: String] {
    try browser.evaluate("({ ...document.documentElement.dataset })", in: tab) as? [String: String]
      ?? [:]
  }
}
