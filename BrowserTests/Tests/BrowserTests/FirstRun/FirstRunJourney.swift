import BrowserDriving
import Foundation
import Testing

/// The way from the installed package to the first blocked advertisement, as a person goes it: one
/// command, one press in the browser.
final class FirstRunJourney {
  let wanted: TestBrowser
  let folder: URL
  let server: LoopbackServer
  private let lists: ListServers
  private var system: [String: URL] = [:]
  private(set) var open: (any Browser)?
  private let built: URL
  /// What the person did.
  private(set) var steps: [String] = []
  /// What it took, in seconds from the beginning.
  private(set) var times: [(what: String, seconds: Double)] = []
  private var beginning = Date()

  /// The folders of the system that setup may write to.
  private static let places = ["/etc/chromium", "/usr/share/mozilla", "/usr/lib/mozilla"]
  private static let key = "ad.doubleclick.net"

  /// Those of the run's browsers in which it can be tried.
  static let browsers = everyBrowser.without { browser in
    obstacle.map { "the first run in \(browser.rawValue): \($0)" }
  }

  /// Those in which it is pictured.
  static let pictured = browsers.filter(\.mayBlock)

  private static let obstacle: String? = {
    guard Service.program != nil else { return "tickbird-host is not built" }
    guard getuid() == 0 else { return "only root can show a browser other files of the system" }
    guard (try? Tool.run(["/usr/bin/unshare", "--mount", "/bin/true"])) != nil else {
      return "there are no mount namespaces here"
    }
    let needed = places + ["/usr/bin/openssl", "/etc/ssl/certs/ca-certificates.crt"]
    return needed.first { !FileManager.default.fileExists(atPath: $0) }.map { "there is no \($0)" }
  }()

  init(_ wanted: TestBrowser) throws {
    Session.closeAll()
    self.wanted = wanted
    let files = FileManager.default
    folder = files.temporaryDirectory.appending(path: "tickbird-first-run-\(UUID().uuidString)")
    try files.createDirectory(at: folder, withIntermediateDirectories: true)
    server = try LoopbackServer()
    lists = try ListServers(in: folder, lists: Self.texts())

    // The package: programs and extensions in a folder that only root can write to.
    let prefix = folder.appending(path: "usr")
    built = prefix.appending(path: "share/tickbird/extension-\(wanted.kind.rawValue)")
    try files.createDirectory(
      at: prefix.appending(path: "bin"),
      withIntermediateDirectories: true
    )
    try files.createDirectory(
      at: built.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    let program = try #require(Service.program)
    for name in ["tickbird-host", "tickbird-reader"] {
      let source = program.deletingLastPathComponent().appending(path: name)
      guard files.fileExists(atPath: source.path) else { continue }
      try files.copyItem(at: source, to: prefix.appending(path: "bin/\(name)"))
    }
    try Tool.run([
      Session.packageRoot.appending(path: "Scripts/build-web-extension").path,
      wanted.kind.rawValue, built.path, "--matcher", try Matcher.module().path,
    ])

    system = lists.folders
    for (number, place) in Self.places.enumerated() {
      let copy = folder.appending(path: "system-\(number)")
      try files.copyItem(at: URL(filePath: place), to: copy)
      system[place] = copy
    }
    let state = folder.appending(path: "state")
    try files.createDirectory(at: state, withIntermediateDirectories: true)
    system["/var/lib"] = state
    server.answer { request in
      request.url.hasSuffix(".example/")
        ? .page(
          // Of a form that EasyList itself stops.
          "<img src=http://ads.example/banner-ads/1.gif><img src=http://pictures.example/a.gif>News"
        )
        : .init("image/gif", "")
    }
  }

  func close() {
    open?.close()
    lists.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  /// The lists that the first page offers first: the real ones where there are any.
  private static func texts() throws -> [String: Data] {
    let data = ProcessInfo.processInfo.environment["TICKBIRD_FIRST_RUN_LISTS"].map {
      URL(filePath: $0)
    }
    func text(_ name: String, _ rules: String) throws -> Data {
      guard let data else { return Data("! Title: \(name)\n\(rules)\n".utf8) }
      return try Data(contentsOf: data.appending(path: "\(name).txt"))
    }
    return [
      "https://easylist.to/easylist/easylist.txt":
        try text("easylist", "||ad.doubleclick.net^\n||ads.example^"),
      "https://easylist.to/easylist/easyprivacy.txt":
        try text("easyprivacy", "||google-analytics.com^$third-party"),
    ]
  }

  // MARK: The way

  /// Goes all the way.
  func reachesABlockedAd() throws {
    beginning = Date()
    try setUp()
    try startBrowser()
    let browser = try #require(open)
    let page = try firstPage(browser)
    _ = try eventually("lists are offered") {
      try browser.evaluate("document.getElementById('turn-on')?.disabled === false", in: page)
        as? Bool
        == true
        ? true : nil
    }
    #expect(lists.received.isEmpty, "something was fetched before the press")
    try browser.click("#turn-on", in: page)
    steps.append("press “Turn on these lists”")
    try expectBlock(on: page, of: browser)
    note("a request of the page itself is blocked")
    let tab = try browser.openTab()
    defer { try? browser.closeTab(tab) }
    _ = try eventually("the page is without its advertisement") { () -> Bool? in
      let before = server.received.count
      try browser.load("http://news.example/", in: tab)
      let asked = server.received.dropFirst(before).map(\.url)
      guard asked.contains("http://pictures.example/a.gif") else { return nil }
      return asked.contains("http://ads.example/banner-ads/1.gif") ? nil : true
    }
    note("the advertisement of a page is blocked")
    #expect(steps.count == 2, "\(steps)")
    #expect(Set(lists.received).count == 2, "\(lists.received)")
    // The request that is shown as blocked has not left the browser.
    #expect(!server.urls.contains { $0.contains(Self.key) }, "\(server.urls)")
  }

  /// Everything that setup has written is gone, and nothing else.
  func leavesNothing() throws {
    let before = try state()
    try setUp()
    #expect(try state() != before)
    try tickbird("setup", "--undo", "--yes")
    #expect(try state() == before)
  }

  func setUp() throws {
    // Root may change the system; where it may not, a person loads the extension by hand.
    var words = ["setup", "--yes", "--no-open"]
    if wanted == .ordinaryChromium { words += ["--only-me", "chromium"] }
    try tickbird(words)
    steps.append("run tickbird setup")
    note("set up")
  }

  private func note(_ what: String) {
    times.append((what, Date().timeIntervalSince(beginning)))
  }

  func expectBlock(on page: BrowserTab, of browser: any Browser) throws {
    do {
      _ = try eventually("a block is shown") { () -> Bool? in
        try browser.evaluate("document.documentElement.dataset.demonstrated", in: page) as? String
          == "blocked" ? true : nil
      }
    } catch let error as DrivingError {
      let text = try browser.evaluate("document.body.innerText", in: page)
      throw DrivingError("\(error): \(text ?? ""); served: \(lists.received)")
    }
    let rule = try eventually("the rule is shown") {
      try browser.evaluate("document.querySelector('#rule pre')?.textContent", in: page) as? String
    }
    #expect(rule.contains("url-filter") && rule.contains("doubleclick"), "\(rule)")
    let said = try browser.evaluate("document.getElementById('outcome').textContent", in: page)
    #expect((said as? String)?.contains("EasyList") == true || said != nil, "\(said ?? "nothing")")
  }

  // MARK: Means

  func startBrowser() throws {
    let kind = wanted.kind
    var identifier = Session.identifiers[kind] ?? ""
    if wanted == .chromium {
      let ids = folder.appending(path: "state/tickbird/extension-ids")
      identifier = try String(contentsOf: ids, encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      // So that the tests may ask what is going on in it.
      let policies = folder.appending(path: "system-0/policies/managed/tests.json")
      try Data(#"{"DeveloperToolsAvailability": 1}"#.utf8).write(to: policies)
    }
    var options = BrowserOptions(
      extensionFolder: wanted == .ordinaryChromium ? built : nil,
      proxyPort: server.port,
      folder: folder,
      nativeHost: nil,
      nativeHostName: Session.nativeHostName,
      extensionID: identifier
    )
    options.mayBlock = wanted.mayBlock
    options.systemFolders = system
    open = try kind.start(options)
  }

  func firstPage(_ browser: any Browser) throws -> BrowserTab {
    let url = browser.extensionURL + "first-run/first-run.html"
    let page = try eventually("the first page opens by itself") { try browser.tab(at: url) }
    note("the first page is open")
    return page
  }

  /// Runs the program where the system's folders are the test's.
  func tickbird(_ words: String...) throws { try tickbird(words) }

  func tickbird(_ words: [String]) throws {
    var mounts: [String] = []
    for (place, copy) in system.sorted(by: { $0.key < $1.key }) { mounts += [copy.path, place] }
    let script = """
      while [ "$1" != -- ]; do mount --bind "$1" "$2" || exit 1; shift 2; done; shift; exec "$@"
      """
    try Tool.run(
      [
        "/usr/bin/unshare", "--mount", "--propagation", "private", "/bin/sh", "-c", script, "sh",
      ] + mounts + [
        "--", "/usr/bin/env", "-i", "HOME=\(folder.path)", "PATH=/usr/bin:/bin", "LANG=C.UTF-8",
        folder.appending(path: "usr/bin/tickbird-host").path,
      ] + words
    )
  }

  /// All that is in the folders of the system and in the home's, with its contents.
  private func state() throws -> String {
    let home = [".config", ".mozilla", ".local"].map { folder.appending(path: $0).path }
    let places = (system.values.map(\.path) + home).sorted()
      .filter { FileManager.default.fileExists(atPath: $0) }
    let script = #"find "$@" \( -type f -exec sha256sum {} + \) -o -type d -print | LC_ALL=C sort"#
    return try Tool.run(["/bin/sh", "-c", script, "sh"] + places)
  }
}
