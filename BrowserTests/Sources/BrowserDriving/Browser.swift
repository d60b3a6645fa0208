public import Foundation

/// Which browser.
public enum BrowserKind: String, Sendable, CaseIterable {
  case chromium
  case firefox

  /// The program, as Debian installs it.
  public var path: String {
    switch self {
    case .chromium: "/usr/lib/chromium/chromium"
    case .firefox: "/usr/lib/firefox-esr/firefox-esr"
    }
  }

  /// Starts the browser.
  ///
  /// - Throws: ``DrivingError`` if it does not come up.
  public func start(_ options: BrowserOptions) throws -> any Browser {
    switch self {
    case .chromium: try Chromium(options)
    case .firefox: try Firefox(options)
    }
  }

  /// Whether the program is there.
  public var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }
}

/// A JSON value as Foundation gives it.
public typealias JSONValue = Any

/// A tab of a browser.
public struct BrowserTab: Hashable, Sendable {
  /// The browser's own word for it.
  public var identifier: String
  /// The connection to it, where a tab has one of its own.
  var session: String
}

/// An element of a page.
public struct PageElement: Sendable {
  /// Its text as it is shown.
  public var text: String
  /// Where it is in the window, in CSS pixels.
  public var frame: CGRect
  /// Whether the keyboard's input goes to it.
  public var hasFocus: Bool
  /// Milliseconds from the navigation to the first content that its document painted; 0 before that.
  public var firstPaint: Double

  /// Reads what ``PageElement/script`` answers.
  init?(_ value: JSONValue?) {
    guard let value = value as? [String: Any], let text = value["text"] as? String,
      let box = value["box"] as? [Double], box.count == 4
    else { return nil }
    self.text = text
    frame = CGRect(x: box[0], y: box[1], width: box[2], height: box[3])
    hasFocus = value["hasFocus"] as? Bool ?? false
    firstPaint = value["firstPaint"] as? Double ?? 0
  }

  /// A function that describes an element.
  static let script = """
    (element) => {
      const box = element.getBoundingClientRect();
      return {
        text: element.innerText, box: [box.x, box.y, box.width, box.height],
        hasFocus: element.getRootNode().activeElement === element,
        firstPaint: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
      };
    }
    """
}

/// A running browser with the extension in it.
///
/// All calls wait for their answer; a browser belongs to one thread.
public protocol Browser: AnyObject {
  /// Which browser it is.
  var kind: BrowserKind { get }
  /// The address that the extension's pages begin with, with a slash at its end.
  var extensionURL: String { get }
  /// Opens an empty tab.
  func openTab() throws -> BrowserTab
  /// The tab that shows a URL, however it was opened; `nil` if there is none.
  func tab(at url: String) throws -> BrowserTab?
  /// Closes a tab.
  func closeTab(_ tab: BrowserTab) throws
  /// Goes to a URL, and waits until it is loaded; a page that cannot be loaded is none.
  func load(_ url: String, in tab: BrowserTab) throws
  /// Evaluates an expression in the tab's page; a promise is waited for.
  func evaluate(_ expression: String, in tab: BrowserTab) throws -> JSONValue?
  /// Closes the alert that a page shows.
  func answerAlert(in tab: BrowserTab) throws
  /// Evaluates an expression in the extension's background, with `tickbird` and `api` at hand.
  func evaluateInBackground(_ expression: String) throws -> JSONValue?
  /// Evaluates an expression where the browser manages its extensions: Chromium's page of extensions,
  /// Firefox's window.
  func evaluateInBrowser(_ expression: String) throws -> JSONValue?
  /// The extension's side panel or sidebar, once it is open.
  ///
  /// In Firefox it can be evaluated in, and a picture of it is one of the whole window; no more.
  ///
  /// - Parameter page: The name of the page that it shows.
  /// - Returns: What stands for it in other calls.
  /// - Throws: ``DrivingError`` if it does not open.
  func panel(_ page: String) throws -> BrowserTab
  /// The first element that a selector finds, in closed shadow roots as well; `nil` if there is none.
  func element(_ selector: String, in tab: BrowserTab) throws -> PageElement?
  /// Presses a key, as a person does: `Tab`, `Enter`, `Escape`, `Space`, `ArrowUp` and
  /// the like, or a character.
  func press(_ key: String, in tab: BrowserTab) throws
  /// Clicks with the mouse at a place of the tab's window, in CSS pixels, as a person does, or with its
  /// secondary button, which opens a menu.
  func click(x: Double, y: Double, in tab: BrowserTab, isSecondary: Bool) throws
  /// Clicks the extension's item in the toolbar, for the tab that is shown.
  func clickToolbarItem(of identifier: String) throws
  /// Chooses an item of the menu that a click with the secondary button has opened.
  ///
  /// In Chromium the menu is not drawn, and the extension is told as if the item was chosen.
  ///
  /// - Returns: Whether the item is there; in Chromium always.
  func chooseMenuItem(_ label: String, id: String, of identifier: String) throws -> Bool
  /// The badge of the extension's item in the toolbar, for the tab that is shown.
  func toolbarBadge(of identifier: String) throws -> String?
  /// Types a text into what has the focus.
  func type(_ text: String, in tab: BrowserTab) throws
  /// A picture of a tab, as PNG.
  func screenshot(of tab: BrowserTab) throws -> Data
  /// Sets the size of a tab's page in CSS pixels, each of four.
  func setSize(width: Int, height: Int, of tab: BrowserTab) throws
  /// Lets pages of tabs that are opened from now on see a dark or a light system.
  func setDark(_ isDark: Bool) throws
  /// Lets pages of tabs that are opened from now on have the few colours that their user has chosen.
  func setForcedColors(_ isForced: Bool) throws
  /// Lets an extension into private windows, as its user can; it is started again.
  func allowPrivateWindows(to identifier: String) throws
  /// What a screen reader is told of a page; nil where the browser does not tell.
  func accessibleNodes(of tab: BrowserTab) throws -> [AccessibleNode]?
  /// Loads a page in a tab of its own and records the network log that its developer tools save,
  /// until a function says that everything has been asked for.
  func networkLog(of url: String, until isDone: () -> Bool) throws -> NetworkLog
  /// Lets the browser end itself, so that it writes down what it keeps.
  ///
  /// - Throws: ``DrivingError`` if it has not ended within half a minute.
  func quit() throws
  /// Ends the browser at once.
  func close()
}

/// What a browser is started with.
public struct BrowserOptions: Sendable {
  /// The folder of the built extension; `nil` starts the browser without it.
  public var extensionFolder: URL?
  /// The server that stands for the whole web.
  public var proxyPort: Int
  /// A folder of the browser's own, for its profile and its home.
  public var folder: URL
  /// The native host's program; `nil` registers none.
  public var nativeHost: URL?
  /// The name that the native host is registered under.
  public var nativeHostName: String
  /// The extension's identifier.
  public var extensionID: String
  /// Whether Chromium lets the extension stop requests, as it does for one that a policy installs.
  public var mayBlock = true
  /// Folders that stand in the place of the system's, by those, for this browser alone.
  ///
  /// Only root can have any. With them the extension is one that the system installs: Chromium is not
  /// told to let it stop requests, and may ask for updates.
  public var systemFolders: [String: URL] = [:]
  /// The page that the browser opens by itself when it starts.
  public var startPage = "about:blank"
  /// Hosts of this machine that are reached by themselves, and not through the server that stands for
  /// the web; names lead to 127.0.0.1.
  public var directHosts: [String] = []

  /// Firefox's settings beyond those of all tests, by their names, as its file has them.
  public var preferences: [String: String] = [:]

  /// The folders of other extensions that are loaded beside it.
  public var otherExtensions: [URL] = []

  /// Whether every certificate is taken, so that the server may speak `https` for all hosts.
  public var takesAnyCertificate = false

  /// A page of the extension, from which Firefox's driver reaches the background.
  ///
  /// It stays open, and so is one that does nothing: the pop-up added 50 MiB to the memory that was measured. With
  /// `nil` none is opened, and the background cannot be reached.
  public var extensionPage: String? = "icons/icon.svg"

  /// Creates options.
  public init(
    extensionFolder: URL?,
    proxyPort: Int,
    folder: URL,
    nativeHost: URL?,
    nativeHostName: String,
    extensionID: String
  ) {
    self.extensionFolder = extensionFolder
    self.proxyPort = proxyPort
    self.folder = folder
    self.nativeHost = nativeHost
    self.nativeHostName = nativeHostName
    self.extensionID = extensionID
  }

  /// A command in whose view of the file system the folders are in their places.
  func command(_ words: [String]) -> [String] {
    guard !systemFolders.isEmpty else { return words }
    var arguments: [String] = []
    for (place, folder) in systemFolders.sorted(by: { $0.key < $1.key }) {
      arguments += [folder.path, place]
    }
    let script = """
      while [ "$1" != -- ]; do mount --bind "$1" "$2" || exit 1; shift 2; done; shift; exec "$@"
      """
    return [
      "/usr/bin/unshare", "--mount", "--propagation", "private", "/bin/sh", "-c", script, "sh",
    ]
      + arguments + ["--"] + words
  }

  /// Writes the file by which a browser finds the native host.
  func registerHost(in place: URL, _ allowed: [String: [String]]) throws {
    guard let nativeHost else { return }
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    var manifest: [String: Any] = [
      "name": nativeHostName, "description": "Lists for a test", "path": nativeHost.path,
      "type": "stdio",
    ]
    for (key, value) in allowed { manifest[key] = value }
    try JSONSerialization.data(withJSONObject: manifest)
      .write(to: place.appendingPathComponent("\(nativeHostName).json"))
  }
}

/// Calls a function until it gives something.
///
/// A document that goes away while it is asked gives nothing.
///
/// - Throws: ``DrivingError`` when it has not for a minute, and what the function throws.
public func eventually<Value>(
  _ what: String,
  _ body: () throws -> Value?
) throws -> Value {
  let deadline = Date(timeIntervalSinceNow: 60)
  while true {
    var loss = ""
    do {
      if let value = try body() { return value }
    } catch let error as DrivingError where error.isOfLostDocument {
      loss = "; \(error)"
    }
    guard Date() < deadline else { throw DrivingError("it did not come to: \(what)\(loss)") }
    Thread.sleep(forTimeInterval: 0.03)
  }
}

/// How long a browser may take to answer.
func answerDeadline() -> Date { Date(timeIntervalSinceNow: 120) }

/// Calls a function, and lets its errors say what was asked of the browser.
func naming<Answer>(_ method: String, _ body: () throws -> Answer) throws -> Answer {
  do {
    return try body()
  } catch let error as DrivingError {
    throw DrivingError("\(method): \(error)")
  }
}

/// Reads the JSON that an expression was turned into by ``promise(of:)``.
func parsed(_ text: Any?) throws -> JSONValue? {
  guard let text = text as? String else { return nil }
  let value = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
  return value is NSNull ? nil : value
}

/// An expression that gives another one's value as JSON text.
func promise(of expression: String) -> String {
  "(async () => JSON.stringify((await (\(expression))) ?? null))()"
}
