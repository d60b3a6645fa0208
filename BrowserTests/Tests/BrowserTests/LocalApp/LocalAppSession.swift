import BrowserDriving
import Foundation

/// `tickbird-host serve`, and a browser that reaches it by itself and has opened it.
final class LocalAppSession {
  /// A name that leads to this machine, as the owner of a site can make it.
  static let reboundName = "rebound.test"

  let browser: any Browser
  let server: LoopbackServer
  let service: Service
  let port: Int
  /// What the server printed.
  let address: String
  /// The tab that has opened it.
  let tab: BrowserTab
  /// What every page's address begins with.
  let base: String
  private let process: Process
  private let folder: URL

  /// Starts all of it, without the extension.
  init(_ wanted: TestBrowser) throws {
    Session.closeAll()
    let kind = wanted.kind
    folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-local-app-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    service = Service(home: folder)
    process = Process()
    process.executableURL = Service.program
    process.arguments = ["serve", "--port", "0"]
    process.environment = ["HOME": folder.path, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"]
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    var text = Data()
    while !text.contains(UInt8(ascii: "\n")) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw DrivingError("serve has printed no address") }
      text += more
    }
    address = String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard let port = URL(string: address)?.port else {
      throw DrivingError("no address: \(address)")
    }
    self.port = port
    server = try LoopbackServer()
    server.answer { _ in .page("<p>Elsewhere") }
    var options = BrowserOptions(
      extensionFolder: nil,
      proxyPort: server.port,
      folder: folder,
      nativeHost: nil,
      nativeHostName: Session.nativeHostName,
      extensionID: Session.identifiers[kind] ?? ""
    )
    options.directHosts = ["127.0.0.1", Self.reboundName]
    browser = try kind.start(options)
    tab = try browser.openTab()
    try browser.setSize(width: 1000, height: 800, of: tab)
    try browser.load(address, in: tab)
    let place = try browser.evaluate("location.href", in: tab) as? String ?? ""
    let parts = place.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[4] == "extensions" else {
      throw DrivingError("the address led to \(place)")
    }
    base = parts[..<4].joined(separator: "/")
  }

  func close() {
    browser.close()
    process.terminate()
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Waits until an expression is true; a page that is being left has no answer.
  func wait(_ expression: String) throws {
    _ = try eventually(expression) {
      (try? browser.evaluate(expression, in: tab)) as? Bool == true ? true : nil
    }
  }

  /// Clicks on an element when the page is all there, so that it does not move away.
  func click(_ selector: String) throws {
    try wait("document.readyState === 'complete'")
    try browser.click(selector, in: tab)
  }

  /// Clicks on what leads to another page, and waits until that is there.
  func follow(_ selector: String) throws {
    try wait("document.readyState === 'complete'")
    _ = try browser.evaluate("void (window.isLeft = true)", in: tab)
    try click(selector)
    try wait("window.isLeft === undefined && document.readyState === 'complete'")
  }

  func type(_ text: String, into selector: String) throws {
    try wait("document.readyState === 'complete'")
    try browser.type(text, into: selector, in: tab)
  }

  /// Goes to a page by its link at the top.
  func turn(to page: String) throws {
    try follow(".top a[href$='/\(page)']")
  }

  /// What there is of text on the page.
  func text() throws -> String {
    try browser.evaluate("document.body.innerText", in: tab) as? String ?? ""
  }
}
