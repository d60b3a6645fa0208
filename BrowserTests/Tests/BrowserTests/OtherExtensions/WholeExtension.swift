import BrowserDriving
import Foundation

/// A Safari web extension, imported from its Xcode project, built, installed and added to a browser by
/// the commands that people use.
final class WholeExtension {
  /// An example, whose bundle is built once.
  struct Example: Sendable {
    let identifier: String
    /// A page of it, from which tests reach its background in Firefox.
    let page: String
    let bundle: Result<URL, any Error>

    private init(_ folder: String, _ project: String, _ identifier: String, page: String) {
      self.identifier = identifier
      self.page = page
      bundle = Result {
        try WholeExtension.build(
          Session.packageRoot.appending(path: "Examples/\(folder)/\(project).xcodeproj")
        )
      }
    }

    /// A web extension.
    static let notes = Example(
      "4.4-notes-on-pages",
      "Page Notes",
      "com.example.page-notes.Extension",
      page: "popup.html"
    )
    /// A Safari app extension.
    static let readingTime = Example(
      "reading-time",
      "Reading Time",
      "com.example.reading-time.Extension",
      page: "ToolbarItemIcon.png"
    )
  }

  private let example: Example
  let extensionID: String
  let service: Service
  let browser: any Browser
  private let server: LoopbackServer
  private let folder: URL

  private static func build(_ project: URL) throws -> URL {
    guard let command = RecordedLog.command else { throw DrivingError("tickbird is not built") }
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-whole-\(UUID().uuidString)")
    try Tool.run([
      command.path, "extension", "import", project.path, "--output", folder.path,
    ])
    let output = try Tool.run([command.path, "extension", "build", folder.path])
    guard let path = output.split(separator: "\n").last(where: { $0.hasSuffix(".appex") }) else {
      throw DrivingError("tickbird extension build names no bundle: \(output)")
    }
    return URL(filePath: String(path))
  }

  /// Starts the browser with the extension; all pages have the same text.
  init(_ kind: BrowserKind, _ example: Example, text: String = "Words") throws {
    Session.closeAll()
    self.example = example
    let bundle = try example.bundle.get()
    folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-whole-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    service = Service(home: folder)
    try service.run("extensions", "install", "--on", bundle.path)
    try service.run("browser", "add", example.identifier, kind.rawValue)
    try service.start()
    let half = try service.half(of: example.identifier, in: kind)
    extensionID = half.id
    server = try LoopbackServer()
    server.answer { _ in .page("<p>" + text) }
    var options = BrowserOptions(
      extensionFolder: half.folder,
      proxyPort: server.port,
      folder: folder,
      nativeHost: nil,
      nativeHostName: "",
      extensionID: half.id
    )
    options.extensionPage = example.page
    options.mayBlock = false
    browser = try kind.start(options)
  }

  func close() {
    browser.close()
    service.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  /// What the handler has logged.
  func log() throws -> String { try service.run("extensions", "log", example.identifier) }

  /// Opens a page; what covers it comes later.
  func visit(_ url: String, in tab: BrowserTab) throws {
    try browser.load(url, in: tab)
  }

  /// What covers the page; nil for nothing.
  func note(in tab: BrowserTab) throws -> String? {
    try browser.evaluate("\(Self.shadow)?.querySelector('.text').textContent", in: tab) as? String
  }

  /// Clicks the button of the note with the mouse.
  func clickInNote(in tab: BrowserTab) throws {
    let place = try browser.evaluate(
      """
      ((box) => [box.x + box.width / 2, box.y + box.height / 2])(
        \(Self.shadow).querySelector('button').getBoundingClientRect())
      """,
      in: tab
    )
    guard let place = place as? [Double], place.count == 2 else {
      throw DrivingError("the note has no button")
    }
    try browser.click(x: place[0], y: place[1], in: tab)
  }

  private static let shadow = "document.querySelector('page-note')?.shadowRoot"

  /// Does something in the pop-up, which is about a page: an expression that has the form's elements.
  @discardableResult
  func inPopUp(about url: String, _ expression: String) throws -> JSONValue? {
    let popUp = try browser.openTab()
    try browser.load(browser.extensionURL + "popup.html", in: popUp)
    // As a page of its own it would be the tab that is open.
    _ = try browser.evaluate(
      """
      (async () => {
        const api = globalThis.browser;
        const page = (await api.tabs.query({})).find((tab) => tab.url === \(quoted(url)));
        await api.tabs.update(page.id, { active: true });
      })()
      """,
      in: popUp
    )
    try browser.load(browser.extensionURL + "popup.html?again", in: popUp)
    let answer = try browser.evaluate(
      """
      (async () => {
        // Behind its script, which awaits an answer; a timer of a page in the background may take a minute.
        await import(document.querySelector("script[type=module]").src);
        const form = document.forms[0].elements;
        return (\(expression));
      })()
      """,
      in: popUp
    )
    return answer
  }
}

extension Service {
  /// What was made for a browser of an extension that is added to it: the folder, and the id.
  func half(of identifier: String, in kind: BrowserKind) throws -> (folder: URL, id: String) {
    let place = home.appending(path: ".local/share/tickbird/browser/web/\(identifier)")
    let registration = try JSONSerialization.jsonObject(
      with: Data(contentsOf: place.appending(path: "Registration.json"))
    )
    let key = kind == .chromium ? "chromiumID" : "geckoID"
    guard let id = (registration as? [String: Any])?[key] as? String else {
      throw DrivingError("the registration has no \(key): \(registration)")
    }
    return (place.appending(path: kind.rawValue), id)
  }
}
