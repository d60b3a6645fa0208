package import BrowserPipe
internal import Foundation
internal import WebURL

/// Opens a page in a browser, with or without the lists, and notes what happens.
package final class BrowserVisit {
  /// How a page is visited.
  package struct Options: Sendable {
    /// The page's URL.
    package var url: String
    /// How long a page may take, in seconds.
    package var patience: Int
    /// The archive that all answers come from; without one, from the network.
    package var archive: PageArchive?

    /// Creates options.
    package init(url: String, patience: Int = 30, archive: PageArchive? = nil) {
      self.url = url
      self.patience = patience
      self.archive = archive
    }
  }

  static let width = 1_280
  static let viewHeight = 900
  /// The most of a page that a picture shows, in pixels.
  static let pictureHeight = 4_000
  /// The most requests to note.
  static let requestLimit = 20_000
  /// How long no request may be under way before a page counts as loaded.
  static let quietTime = Duration.milliseconds(600)
  /// How long the browser may take to show the document of a saved page.
  static let startPatience = Duration.seconds(60)

  let browser: DevToolsConnection
  let options: Options
  let decider: any PreviewDeciding
  let appliesLists: Bool
  /// Whether the page itself is on the local network.
  let isLocal: Bool

  var visit: PageVisit
  var session = ""
  var mainFrame = ""
  var pageURL: String
  /// The documents of frames, by their ids.
  var documents: [String: String] = [:]
  /// The frames that frames are in.
  var parents: [String: String] = [:]
  /// The session of each frame.
  var sessions: [String: String] = [:]
  /// The frame at the root of each session: that of a worker's session is the one that it belongs to.
  var roots: [String: String] = [:]
  var workerSessions: Set<String> = []
  var serviceWorkers: Set<String> = []
  /// What workers have told of requests that were not paused until now, by the browser's numbers.
  var untold: [String: WorkerRequest] = [:]

  /// A request of a worker as the worker tells it, which does not tell the frame.
  struct WorkerRequest {
    var url: String
    var type: String
    var request: DevToolsConnection.Object
    var session: String?

    /// The type in the browser's words; WebKit knows none for the scripts of workers.
    var knownType: String { type == "Script" ? "Other" : type }
  }

  /// The request that is under way for a number of the browser's, as an index of the visit's.
  var current: [String: Int] = [:]
  /// The request before it, which was redirected.
  var earlier: [String: Int] = [:]
  /// The requests that were paused and answered out of the archive, or found not to be in it.
  var decided: Set<Int> = []
  var underWay: Set<String> = []
  var lastEvent = ContinuousClock.now
  var firstTime: Double?
  var loadTime: Double?
  var failure: BrowserFailure?
  /// The rules that hide in each frame, and the style sheets for them.
  var hiding: [String: [HidingRule]] = [:]
  var injected: [String: Int] = [:]
  var isCut = false
  /// Whether the page answers no more, so that nothing can be asked about it.
  var isHung = false
  /// Whether the page was at rest within its time.
  var isSettled = false
  /// The local address that a page of the internet has led to first.
  var localAddress: String?

  /// Creates a visit.
  package init(
    _ options: Options,
    browser: DevToolsConnection,
    decider: any PreviewDeciding,
    appliesLists: Bool
  ) {
    self.options = options
    self.browser = browser
    self.decider = decider
    self.appliesLists = appliesLists
    isLocal = WebURL(options.url).map { LocalNetwork.contains($0) } ?? false
    pageURL = options.url
    visit = PageVisit(url: options.url)
  }

  /// Visits the page.
  ///
  /// - Returns: What happened.
  /// - Throws: ``BrowserFailure`` if the browser fails, or the user interrupts.
  package func run() throws(BrowserFailure) -> PageVisit {
    decider.forgetHiding()
    browser.onEvent = { [weak self] method, params, session in
      self?.handle(method, params, session)
    }
    defer { browser.onEvent = nil }
    // Cookies, storage and caches of its own, so that the second visit finds what the first one did.
    let created = try browser.call("Target.createBrowserContext", ["disposeOnDetach": true])
    let context = created["browserContextId"]?.string ?? ""
    defer {
      try? browser.send("Target.disposeBrowserContext", ["browserContextId": .string(context)])
    }
    let target = try browser.call(
      "Target.createTarget",
      ["url": "about:blank", "browserContextId": .string(context)]
    )
    mainFrame = target["targetId"]?.string ?? ""
    let attached = try browser.call(
      "Target.attachToTarget",
      ["targetId": .string(mainFrame), "flatten": true]
    )
    session = attached["sessionId"]?.string ?? ""
    sessions[mainFrame] = session
    roots[session] = mainFrame
    _ = try browser.call("Page.enable", session: session)
    _ = try browser.call("DOM.enable", session: session)
    _ = try browser.call("CSS.enable", session: session)
    try prepare(session)
    try attachWorkers()
    defer { try? detachWorkers() }
    _ = try browser.call(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .integer(Self.width), "height": .integer(Self.viewHeight),
        "deviceScaleFactor": 1, "mobile": false,
      ],
      session: session
    )
    try load()
    addUntold()
    markUnanswered()
    try applyHiding(waits: true)
    try calm()
    if !isHung {
      try takePicture()
      if !appliesLists { try findHidden() }
    }
    collectHiding()
    if let failure { throw failure }
    _ = try? browser.call(
      "Target.closeTarget",
      ["targetId": .string(mainFrame)],
      within: Self.calmPatience
    )
    visit.url = pageURL
    return visit
  }

  func load() throws(BrowserFailure) {
    var isAnswered = false
    var error: String?
    try browser.send("Page.navigate", ["url": .string(options.url)], session: session) { result in
      isAnswered = true
      switch result {
      case .success(let answer): error = answer["errorText"]?.string
      case .failure(let failure): error = failure.message
      }
    }
    if options.archive != nil {
      // What comes out of a file waits for the browser alone, and that is not the page's time.
      try browser.wait(until: .now + Self.startPatience) { [self] in
        isAnswered || failure != nil
      }
    }
    let deadline = ContinuousClock.now + .seconds(options.patience)
    try browser.wait(until: deadline) { [self] in
      isSettled =
        isAnswered && loadTime != nil && underWay.isEmpty
        && ContinuousClock.now - lastEvent > Self.quietTime
      return failure != nil || error != nil || isSettled
    }
    if let failure { throw failure }
    if let error {
      let isOwn = visit.requests.first?.verdict.isBlocked ?? false
      guard appliesLists, isOwn else {
        if let localAddress {
          throw BrowserFailure(
            .refused,
            "\(options.url) leads to \(localAddress), which is on the local network; give that address "
              + "if it is what you want to see"
          )
        }
        // A download ends a navigation, too.
        throw BrowserFailure(
          .refused,
          "\(options.url) cannot be opened as a page: \(error); check the URL, or give a saved page"
        )
      }
      visit.notes.append("the lists block the page itself")
    } else if loadTime == nil {
      visit.notes.append(
        "the page was not loaded within \(options.patience) seconds; what is shown is how far it came"
      )
    } else if !underWay.isEmpty {
      visit.notes.append("some requests were still under way after \(options.patience) seconds")
    }
    // What comes out of a file says nothing about the network's time.
    if options.archive == nil, let first = firstTime, let last = loadTime {
      visit.seconds = max(0, last - first)
    }
  }
}
