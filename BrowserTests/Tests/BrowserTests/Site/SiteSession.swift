import BrowserDriving
import Foundation
import Testing

/// The site as `Scripts/build-site` makes it, and a browser that looks at it.
final class SiteSession {
  /// The name that the site is served under.
  static let host = "site.test"

  let browser: any Browser
  let server: LoopbackServer
  private(set) var tab: BrowserTab
  /// What the addresses of the site begin with, from a server.
  let served = "http://\(host)/tickbird/"
  /// The same from files.
  let files: String
  private let folder: URL

  /// The engine's module: `TICKBIRD_MODULE` names one, or `Scripts/build-npm` has made it.
  static let module: URL? = {
    let named = ProcessInfo.processInfo.environment["TICKBIRD_MODULE"].map { URL(filePath: $0) }
    let place = named ?? Session.packageRoot.appending(path: ".build/npm/package/tickbird.wasm")
    return FileManager.default.fileExists(atPath: place.path) ? place : nil
  }()

  /// The site, made once for a run; `nil` where Python's markdown is missing.
  static let built: Result<URL, DrivingError>? = {
    let place = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-site-\(ProcessInfo.processInfo.processIdentifier)")
    let process = Process()
    process.executableURL = Session.packageRoot.appending(path: "Scripts/build-site")
    process.arguments = ["--output", place.path] + (module.map { ["--module", $0.path] } ?? [])
    process.standardOutput = FileHandle.nullDevice
    do { try process.run() } catch { return .failure(DrivingError("build-site: \(error)")) }
    process.waitUntilExit()
    switch process.terminationStatus {
    case 0:
      atexit { SiteSession.remove() }
      return .success(place)
    case 77: return nil
    default: return .failure(DrivingError("Scripts/build-site has failed"))
    }
  }()

  private static func remove() {
    if case .success(let place) = built { try? FileManager.default.removeItem(at: place) }
  }

  init(_ wanted: TestBrowser) throws {
    Session.closeAll()
    let site = try #require(Self.built).get()
    files = site.absoluteString.hasSuffix("/") ? site.absoluteString : site.absoluteString + "/"
    folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-site-browser-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    server = try LoopbackServer()
    Self.serve(site, on: server)
    browser = try wanted.kind.start(
      BrowserOptions(
        extensionFolder: nil,
        proxyPort: server.port,
        folder: folder,
        nativeHost: nil,
        nativeHostName: Session.nativeHostName,
        extensionID: Session.identifiers[wanted.kind] ?? ""
      )
    )
    tab = try browser.openTab()
    try browser.setSize(width: 1200, height: 900, of: tab)
  }

  /// Answers requests as a static server does, below a folder of its own.
  private static func serve(_ site: URL, on server: LoopbackServer) {
    let types = [
      "html": "text/html; charset=utf-8", "css": "text/css", "js": "text/javascript",
      "png": "image/png", "svg": "image/svg+xml",
    ]
    server.answer { request in
      let path = URL(string: request.url)?.path ?? "/"
      let name = String(path.dropFirst("/tickbird/".count))
      guard path.hasPrefix("/tickbird/"), !name.contains(".."),
        let bytes = try? Data(contentsOf: site.appending(path: name))
      else {
        var missing = LoopbackServer.Response.page("missing")
        missing.status = 404
        return missing
      }
      let type = types[String(name.split(separator: ".").last ?? "")]
      var response = LoopbackServer.Response(type ?? "application/octet-stream", "")
      response.body = bytes
      return response
    }
  }

  func close() {
    browser.close()
    try? FileManager.default.removeItem(at: folder)
  }

  // MARK: In the tab

  /// Goes to a page, in a document of its own also where the fragment alone is another.
  func load(_ address: String) throws {
    try browser.load("about:blank", in: tab)
    try browser.load(address, in: tab)
    try wait("document.readyState === 'complete'")
  }

  /// Goes on in a new tab, which sees the colours that were chosen last.
  func renewTab(width: Int = 1200) throws {
    try browser.closeTab(tab)
    tab = try browser.openTab()
    try browser.setSize(width: width, height: 900, of: tab)
  }

  @discardableResult
  func evaluate(_ expression: String) throws -> JSONValue? {
    try browser.evaluate(expression, in: tab)
  }

  func isTrue(_ expression: String) throws -> Bool { try evaluate(expression) as? Bool == true }

  func text(of selector: String) throws -> String {
    try evaluate("document.querySelector(\(quoted(selector)))?.innerText ?? ''") as? String ?? ""
  }

  /// Waits until an expression is true; a page that is being left has no answer.
  func wait(_ expression: String) throws {
    _ = try eventually(expression) {
      (try? browser.evaluate(expression, in: tab)) as? Bool == true ? true : nil
    }
  }

  /// Gives a field another content, as if it was pasted.
  func fill(_ selector: String, _ text: String) throws {
    try evaluate(
      """
      (() => {
        const field = document.querySelector(\(quoted(selector)));
        field.value = \(quoted(text));
        field.dispatchEvent(new Event("input", { bubbles: true }));
      })()
      """
    )
  }

  /// The pixels by which a page is wider than its window.
  func overhang() throws -> Int? {
    let width = try evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return (width as? NSNumber)?.intValue
  }

  /// What browsers ask for themselves, of those who make them.
  private static let makers = [
    "google.com", "googleapis.com", "gvt1.com", "mozilla.com", "mozilla.net", "mozilla.org",
    "firefox.com",
  ]

  /// Expects that nothing but the site was asked for anything since it is served.
  func expectNothingElseAsked(_ location: SourceLocation = #_sourceLocation) {
    let others = server.received.filter { request in
      guard !request.url.hasPrefix(served), !request.url.hasSuffix("/favicon.ico") else {
        return false
      }
      // Of a tunnel there are a host and a port alone.
      let url = request.method == "CONNECT" ? "https://" + request.url : request.url
      let host = URL(string: url)?.host() ?? ""
      return !Self.makers.contains { host == $0 || host.hasSuffix("." + $0) }
    }
    #expect(others.map(\.url) == [], sourceLocation: location)
    #expect(server.urls.contains { $0.hasPrefix(served) }, sourceLocation: location)
  }
}

extension Trait where Self == ConditionTrait {
  /// Needs Python's markdown, of which the site is made.
  static var withSite: ConditionTrait {
    .enabled(if: SiteSession.built != nil, "Python's markdown is not installed")
  }

  /// Needs the engine's module.
  static var withModule: ConditionTrait {
    .enabled(
      if: SiteSession.module != nil,
      "there is no module of the engine: Scripts/build-npm, or TICKBIRD_MODULE=…/tickbird.wasm"
    )
  }
}
