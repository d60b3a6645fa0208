import BrowserDriving
import ContentBlocking
import Foundation

/// A browser with the extension, the server that is its web, and the native host's folder.
///
/// One session is open at a time, for a machine may not have memory for two browsers.
final class Session {
  private let wanted: TestBrowser
  private(set) var browser: any Browser
  let server: LoopbackServer
  let folder: URL
  private let hostFolder: URL
  /// The product's own host and service; `nil` where a host for tests stands for them.
  let service: Service?
  /// Whether the extension is installed for good, by files of the system.
  let isPermanent: Bool
  /// The language that the extension speaks.
  let language: String
  private var options: BrowserOptions
  /// Whether the browser lets the extension stop requests.
  var mayBlock: Bool { wanted.mayBlock }

  /// The names by which extension and host know each other, as the manifests have them.
  static let nativeHostName = "tickbird.host"
  static let identifiers: [BrowserKind: String] = [
    .chromium: "ikbgldcboihikpajmomppahfieejmdcj", .firefox: "tickbird@tickbird.example",
  ]

  static let packageRoot = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../..").standardizedFileURL

  /// Tests run one after the other; the lock is for the compiler.
  private nonisolated(unsafe) static var open: Session?

  /// The session with a browser, started if it is not there.
  static func with(
    _ wanted: TestBrowser,
    hasService: Bool = false,
    isPermanent: Bool = false,
    language: String = "en"
  ) throws -> Session {
    if let open = unsafe open, open.wanted == wanted, open.isPermanent == isPermanent,
      (open.service != nil) == (hasService || isPermanent), open.language == language
    {
      return open
    }
    closeAll()
    let session = try Session(
      wanted,
      hasService: hasService,
      isPermanent: isPermanent,
      language: language
    )
    unsafe open = session
    closeAtExit
    return session
  }

  /// Neither service nor folder may outlive a test run.
  private static let closeAtExit: Void = { atexit { Session.closeAll() } }()

  /// Ends the browser that is open.
  static func closeAll() {
    unsafe open?.close()
    unsafe open = nil
  }

  init(
    _ wanted: TestBrowser,
    hasHost: Bool = true,
    hasService: Bool = false,
    isPermanent: Bool = false,
    hasExtension: Bool = true,
    peer: Peer? = nil,
    isPeerPermanent: Bool = false,
    variant: Variant? = nil,
    language: String = "en"
  ) throws {
    self.wanted = wanted
    self.language = language
    let kind = wanted.kind
    let hasService = hasService || isPermanent
    self.isPermanent = isPermanent
    let files = FileManager.default
    folder = files.temporaryDirectory.appending(path: "tickbird-browser-\(UUID().uuidString)")
    hostFolder = folder.appending(path: "host")
    try files.createDirectory(at: hostFolder, withIntermediateDirectories: true)
    try Data("[]".utf8).write(to: hostFolder.appending(path: "lists.json"))
    let built = folder.appending(path: "extension")
    try Tool.run(
      [
        Self.packageRoot.appending(path: "Scripts/build-web-extension").path, kind.rawValue,
        built.path, "--matcher", try Matcher.module().path,
      ]
    )
    try Self.speak(language, in: built)
    try variant?.change(built)
    // The browsers start one program without arguments of ours.
    let host = folder.appending(path: "host.sh")
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "tickbird-test-host")
    try Data("#!/bin/sh\nexec '\(program.path)' '\(hostFolder.path)'\n".utf8).write(to: host)
    try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: host.path)
    service = hasService ? Service(home: folder) : nil
    try service?.install(in: kind)
    try service?.start()
    server = try LoopbackServer()
    let permanent = isPermanent ? try service?.installPermanently(built, in: kind) : nil
    options = BrowserOptions(
      extensionFolder: hasExtension && !isPermanent ? built : nil,
      proxyPort: server.port,
      folder: folder,
      nativeHost: hasHost && !hasService ? host : nil,
      nativeHostName: Self.nativeHostName,
      extensionID: permanent?.identifier ?? Self.identifiers[kind] ?? ""
    )
    options.mayBlock = wanted.mayBlock
    if let peer {
      options.extensionFolder = isPeerPermanent ? nil : peer.folder
      options.extensionID = peer.identifier
      // uBlock Origin now and then opens none of its pages at a start.
      options.extensionPage = isPeerPermanent ? nil : peer.page
      if isPeerPermanent { options.systemFolders = try peer.installed(in: folder) }
    }
    if let permanent { options.systemFolders = permanent.systemFolders }
    browser = try kind.start(options)
    // A page that is loaded before the extension is there would have nothing of it.
    if hasExtension, !isPermanent { _ = try browser.evaluateInBackground("true") }
    if hasExtension { try closeFirstPage() }
  }

  /// Waits for the page that a new extension opens by itself, and closes it.
  ///
  /// Firefox is told that a developer has loaded the extension, so that it opens none.
  private func closeFirstPage() throws {
    guard wanted.kind == .chromium || isPermanent else { return }
    _ = try eventually("the first page is open") {
      try browser.evaluateInBackground(
        "(await api.storage.local.get(['firstPageOpened'])).firstPageOpened ?? false"
      ) as? Bool == true ? true : nil
    }
    _ = try browser.evaluateInBackground(
      """
      api.tabs.query({}).then((tabs) => Promise.all(tabs
        .filter(({ url }) => url.includes("/first-run/")).map(({ id }) => api.tabs.remove(id))))
      """
    )
  }

  /// Lets a built extension have one language, which is then spoken whatever the browser's own is.
  private static func speak(_ language: String, in built: URL) throws {
    guard language != "en" else { return }
    let locales = built.appending(path: "_locales")
    for each in try FileManager.default.contentsOfDirectory(atPath: locales.path)
    where each != language {
      try FileManager.default.removeItem(at: locales.appending(path: each))
    }
    let manifest = built.appending(path: "manifest.json")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    try text.replacing("\"default_locale\": \"en\"", with: "\"default_locale\": \"\(language)\"")
      .write(to: manifest, atomically: true, encoding: .utf8)
  }

  /// Ends the browser as its user does, calls a function, and starts it again with the same profile.
  func restart(opening page: String = "about:blank", _ body: () throws -> Void = {}) throws {
    try browser.quit()
    try body()
    options.startPage = page
    browser = try browser.kind.start(options)
  }

  /// Ends the browser, calls a function, and starts it again with a page that it then loads.
  ///
  /// Chromium now and then never begins to load the page that it starts with, if an extension from the
  /// command line listens to requests: with one that does nothing else, two starts of five hang while
  /// others run, and none with the same extension installed, or with a page that is opened a moment
  /// later. Then it is started once more.
  func restart(loading page: String, _ body: () throws -> Void = {}) throws {
    for attempt in 1...4 {
      try restart(opening: page, body)
      for _ in 0..<300 where !server.urls.contains(page) { Thread.sleep(forTimeInterval: 0.03) }
      if server.urls.contains(page) { return }
      print("start \(attempt) loads no page")
    }
    throw DrivingError("the browser loads no page when it starts")
  }

  func close() {
    browser.close()
    service?.stop()
    try? FileManager.default.removeItem(at: folder)
  }

  // MARK: Lists

  /// Makes one list active, and no other.
  func use(json: String) throws { try use(["rules": Array(json.utf8)]) }

  /// Makes lists active, in the order of their names, and returns them as the engine has them.
  @discardableResult
  func use(_ lists: [String: [UInt8]]) throws -> [ContentRuleList] {
    if let service { return try use(lists, of: service) }
    var entries: [[String: Any]] = []
    var compiled: [ContentRuleList] = []
    for (name, json) in lists.sorted(by: { $0.key < $1.key }) {
      let file = try ContentRuleList.compile(json).file
      compiled.append(try ContentRuleList(identifier: name, compiledFile: file))
      entries.append(try entry(name, file))
    }
    try offer(entries)
    let wanted = entries.compactMap { $0["digest"] as? String }
    _ = try eventually("the lists are active") {
      let digests = try browser.evaluateInBackground(
        "tickbird.state.lists.all.map((list) => list.handle ? list.digest : null)"
      )
      return digests as? [String] == wanted ? true : nil
    }
    if !mayBlock { try awaitHostsRules() }
    return compiled
  }

  /// Lets the service have these lists and no others.
  private func use(_ lists: [String: [UInt8]], of service: Service) throws -> [ContentRuleList] {
    let lists = lists.sorted { $0.key < $1.key }
    var compiled: [ContentRuleList] = []
    var wanted: Set<String> = []
    for (name, json) in lists {
      // The service's bytes are the engine's: the same list compiles to the same file.
      let file = try ContentRuleList.compile(json).file
      compiled.append(try ContentRuleList(identifier: name, compiledFile: file))
      if let digest = try entry(name, file)["digest"] as? String { wanted.insert(digest) }
    }
    func areInForce() throws -> Bool {
      let digests = try browser.evaluateInBackground(
        "tickbird.state.lists.all.map((list) => list.handle ? list.digest : '')"
      )
      return (digests as? [String]).map(Set.init) == wanted
    }
    // The service may be a debug build, which takes its time with a large list.
    if try !areInForce() {
      try service.removeLists(but: lists.map(\.key))
      for (name, json) in lists {
        try service.use(name.capitalized, String(decoding: json, as: UTF8.self))
      }
      _ = try eventually("the service's lists are active") { try areInForce() ? true : nil }
    }
    if !mayBlock { try awaitHostsRules() }
    return compiled
  }

  /// Waits until Chromium has the rules that the host makes of its lists: they come later than the
  /// lists themselves, and what is loaded in between is blocked by nothing.
  func awaitHostsRules() throws {
    _ = try eventually("the browser's own rules are those of the host's lists") {
      try browser.evaluateInBackground(
        """
        tickbird.state.host.ask({ type: "declarative" }).then(({ digest }) =>
          digest !== undefined && digest === tickbird.state.declarative.digestInForce)
        """
      ) as? Bool == true ? true : nil
    }
  }

  /// What the host says of a compiled file.
  func entry(_ name: String, _ file: [UInt8]) throws -> [String: Any] {
    let place = hostFolder.appending(path: "\(name)-\(UUID().uuidString).tickbird")
    try Data(file).write(to: place)
    let digest = try Tool.run(["/usr/bin/sha256sum", place.path]).prefix(64)
    return [
      "identifier": name, "name": name.capitalized, "file": place.path, "digest": String(digest),
      "size": file.count,
    ]
  }

  /// Lets the host offer lists.
  func offer(_ entries: [[String: Any]]) throws {
    try JSONSerialization.data(withJSONObject: entries)
      .write(to: hostFolder.appending(path: "lists.json"), options: .atomic)
  }

  /// Lets the host end itself, now and whenever it is started, or lets it run again.
  func setHostStopped(_ isStopped: Bool) throws {
    let mark = hostFolder.appending(path: "stop")
    if isStopped {
      try Data().write(to: mark)
    } else {
      try FileManager.default.removeItem(at: mark)
    }
  }

  /// What the host was asked so far.
  var hostQuestions: [String] {
    let log = try? String(contentsOf: hostFolder.appending(path: "questions.log"), encoding: .utf8)
    return (log ?? "").split(separator: "\n").map(String.init)
  }
}
