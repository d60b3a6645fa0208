package import BrowserPipe
internal import ContentBlocking
internal import CommandInput
internal import Foundation
internal import ResourceLoads
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
  private static let requestLimit = 20_000
  /// How long no request may be under way before a page counts as loaded.
  private static let quietTime = Duration.milliseconds(600)

  private let browser: DevToolsConnection
  private let options: Options
  private let decider: any PreviewDeciding
  private let appliesLists: Bool

  private var visit: PageVisit
  private var session = ""
  private var mainFrame = ""
  private var pageURL: String
  /// The documents of frames, by their ids.
  private var documents: [String: String] = [:]
  /// The session of each frame.
  private var sessions: [String: String] = [:]
  /// The request that is under way for a number of the browser's, as an index of the visit's.
  private var current: [String: Int] = [:]
  private var underWay: Set<String> = []
  private var lastEvent = ContinuousClock.now
  private var firstTime: Double?
  private var loadTime: Double?
  private var failure: BrowserFailure?
  /// The rules that hide in each frame, and the style sheets for them.
  private var hiding: [String: [HidingRule]] = [:]
  private var injected: [String: Int] = [:]
  private var isCut = false

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
    let context =
      try browser.call("Target.createBrowserContext", ["disposeOnDetach": true])["browserContextId"]
      as? String ?? ""
    defer { try? browser.send("Target.disposeBrowserContext", ["browserContextId": context]) }
    let target = try browser.call(
      "Target.createTarget",
      ["url": "about:blank", "browserContextId": context]
    )
    let attached = try browser.call(
      "Target.attachToTarget",
      ["targetId": target["targetId"] ?? "", "flatten": true]
    )
    session = attached["sessionId"] as? String ?? ""
    mainFrame = target["targetId"] as? String ?? ""
    sessions[mainFrame] = session
    _ = try browser.call("Page.enable", session: session)
    _ = try browser.call("DOM.enable", session: session)
    _ = try browser.call("CSS.enable", session: session)
    try prepare(session)
    _ = try browser.call(
      "Emulation.setDeviceMetricsOverride",
      ["width": Self.width, "height": Self.viewHeight, "deviceScaleFactor": 1, "mobile": false],
      session: session
    )
    try load()
    try applyHiding(waits: true)
    try takePicture()
    if !appliesLists { try findHidden() }
    collectHiding()
    if let failure { throw failure }
    _ = try? browser.call("Target.closeTarget", ["targetId": mainFrame])
    visit.url = pageURL
    return visit
  }

  /// Has a session tell its requests, and wait where they are decided.
  private func prepare(_ session: String) throws(BrowserFailure) {
    try browser.send("Network.enable", session: session)
    if appliesLists || options.archive != nil {
      try browser.send(
        "Fetch.enable",
        ["patterns": [["urlPattern": "*", "requestStage": "Request"]]],
        session: session
      )
    }
    try browser.send(
      "Target.setAutoAttach",
      ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true],
      session: session
    )
  }

  private func load() throws(BrowserFailure) {
    let deadline = ContinuousClock.now + .seconds(options.patience)
    var isAnswered = false
    var error: String?
    try browser.send("Page.navigate", ["url": options.url], session: session) { result in
      isAnswered = true
      switch result {
      case .success(let answer): error = answer["errorText"] as? String
      case .failure(let failure): error = failure.message
      }
    }
    try browser.wait(until: deadline) { [self] in
      failure != nil || error != nil
        || isAnswered && loadTime != nil && underWay.isEmpty
          && ContinuousClock.now - lastEvent > Self.quietTime
    }
    if let failure { throw failure }
    if let error {
      let isOwn = visit.requests.first?.verdict.isBlocked ?? false
      guard appliesLists, isOwn else {
        throw BrowserFailure(.refused, "\(options.url) cannot be opened: \(error)")
      }
      visit.notes.append("the lists block the page itself")
    } else if loadTime == nil {
      visit.notes.append(
        "the page was not loaded within \(options.patience) seconds; what is shown is how far it came"
      )
      try browser.send("Page.stopLoading", session: session)
    } else if !underWay.isEmpty {
      visit.notes.append("some requests were still under way after \(options.patience) seconds")
    }
    if let first = firstTime, let last = loadTime { visit.seconds = max(0, last - first) }
  }

  // MARK: Events

  private func handle(_ method: String, _ params: DevToolsConnection.Object, _ session: String?) {
    do throws(BrowserFailure) {
      switch method {
      case "Fetch.requestPaused": try decide(params, session)
      case "Network.requestWillBeSent": note(params)
      case "Network.responseReceived":
        let response = params["response"] as? [String: Any]
        update(params) { $0.status = response?["status"] as? Int }
      case "Network.loadingFinished":
        let bytes = params["encodedDataLength"] as? Double ?? 0
        update(params) { $0.bytes = max($0.bytes, Int(exactly: bytes.rounded()) ?? 0) }
        end(params)
      case "Network.loadingFailed":
        let words = params["errorText"] as? String ?? "failed"
        update(params) { $0.failure = words }
        end(params)
      case "Page.loadEventFired" where session == self.session:
        if pageURL != "about:blank", firstTime != nil { loadTime = params["timestamp"] as? Double }
        lastEvent = .now
      case "Page.frameNavigated":
        guard let frame = params["frame"] as? [String: Any], let id = frame["id"] as? String
        else { break }
        let url = frame["url"] as? String ?? ""
        documents[id] = url
        if let session { sessions[id] = session }
        if id == mainFrame, url != "about:blank", !url.hasPrefix("chrome-error:") { pageURL = url }
        injected[id] = nil
        try inject(into: id)
      case "Target.attachedToTarget":
        guard let inner = params["sessionId"] as? String else { break }
        try browser.send("Page.enable", session: inner)
        try browser.send("DOM.enable", session: inner)
        try browser.send("CSS.enable", session: inner)
        try prepare(inner)
        try browser.send("Runtime.runIfWaitingForDebugger", session: inner)
      case "Page.javascriptDialogOpening":
        try browser.send("Page.handleJavaScriptDialog", ["accept": false], session: session)
      default: break
      }
    } catch {
      failure = failure ?? error
    }
  }

  /// Notes a request that is about to be sent.
  private func note(_ params: DevToolsConnection.Object) {
    lastEvent = .now
    guard let id = params["requestId"] as? String,
      let request = params["request"] as? [String: Any], let url = request["url"] as? String,
      !url.hasPrefix("data:"), !url.hasPrefix("chrome"),
      !Self.isIcon(url, params["type"] as? String)
    else { return }
    if firstTime == nil { firstTime = params["timestamp"] as? Double }
    if let response = params["redirectResponse"] as? [String: Any], let index = current[id] {
      visit.requests[index].status = response["status"] as? Int
      visit.requests[index].bytes = response["encodedDataLength"] as? Int ?? 0
    }
    underWay.insert(id)
    guard visit.requests.count < Self.requestLimit else {
      if !isCut { visit.notes.append("only the first \(Self.requestLimit) requests are shown") }
      isCut = true
      return
    }
    // The pause may have come first.
    if let index = current[id], visit.requests[index].url == Self.withoutFragment(url) { return }
    current[id] = add(url, params["type"] as? String ?? "Other", request, params["frameId"])
  }

  /// Whether a request is the browser's own for the page's icon, which it makes at times of its own
  /// and not in every visit.
  private static func isIcon(_ url: String, _ word: String?) -> Bool {
    word == "Other" && url.hasSuffix("/favicon.ico")
  }

  /// Adds a request, and returns its index.
  private func add(
    _ url: String,
    _ word: String,
    _ request: [String: Any],
    _ frameID: Any?
  ) -> Int {
    let frameID = frameID as? String ?? mainFrame
    let load = load(url, word, request, frameID)
    let type = load.map { LoadWords.word(for: $0.resourceType) } ?? "other"
    let verdict =
      load.map { decider.verdict(of: $0) }
      ?? PreviewVerdict(words: "not checked", isBlocked: false)
    if let load {
      let isDocument = load.resourceType == .topDocument || load.resourceType == .childDocument
      if isDocument { hiding[frameID] = nil }
      let new = decider.newHiding(
        of: load,
        in: isDocument ? frameID + "\n" + url : frameKey(frameID)
      )
      if !new.isEmpty { hiding[frameID, default: []] += new }
    }
    let frame = frameID == mainFrame ? nil : documents[frameID]
    visit.requests.append(
      PageVisit.Request(
        url: Self.withoutFragment(url),
        type: type,
        frame: frame,
        verdict: verdict
      )
    )
    return visit.requests.count - 1
  }

  private func frameKey(_ id: String) -> String {
    id + "\n" + (id == mainFrame ? pageURL : documents[id] ?? "")
  }

  private static func withoutFragment(_ url: String) -> String {
    String(url.prefix { $0 != "#" })
  }

  /// Returns the load that WebKit would see; `nil` if the URL is none.
  private func load(
    _ text: String,
    _ word: String,
    _ request: [String: Any],
    _ frameID: String
  ) -> ResourceLoad? {
    guard let url = WebURL(text) else { return nil }
    let word = word.lowercased()
    let isMain = frameID == mainFrame
    let headers = request["headers"] as? [String: String] ?? [:]
    let type: ResourceType
    switch word {
    case "document": type = isMain ? .topDocument : .childDocument
    case "prefetch": type = .topDocument
    case "ping":
      // WebKit counts only hyperlink pings as pings.
      let content = headers.first { $0.key.lowercased() == "content-type" }?.value ?? ""
      type = content.hasPrefix("text/ping") ? .ping : .other
    case "cspviolationreport": type = .cspReport
    default: type = LoadWords.resourceType(word) ?? .other
    }
    if type == .topDocument { pageURL = text }
    let page = WebURL(pageURL)
    let frame = isMain || type == .childDocument ? nil : documents[frameID].flatMap { WebURL($0) }
    return ResourceLoad(
      url: LoadWords.url(url, ofType: word),
      topURL: page,
      frameURL: frame,
      resourceType: type,
      loadContext: isMain || type == .childDocument ? nil : .childFrame
    )
  }

  private func update(
    _ params: DevToolsConnection.Object,
    _ change: (inout PageVisit.Request) -> Void
  ) {
    lastEvent = .now
    guard let id = params["requestId"] as? String, let index = current[id] else { return }
    change(&visit.requests[index])
  }

  private func end(_ params: DevToolsConnection.Object) {
    if let id = params["requestId"] as? String { underWay.remove(id) }
  }

  // MARK: Deciding

  /// Decides a request that waits.
  private func decide(
    _ params: DevToolsConnection.Object,
    _ session: String?
  ) throws(BrowserFailure) {
    guard let id = params["requestId"] as? String,
      let request = params["request"] as? [String: Any], let url = request["url"] as? String
    else { return }
    lastEvent = .now
    let plain = Self.withoutFragment(url)
    if Self.isIcon(url, params["resourceType"] as? String) {
      if let archive = options.archive { return try answer(id, plain, from: archive, session) }
      return try browser.send("Fetch.continueRequest", ["requestId": id], session: session)
    }
    let network = params["networkId"] as? String
    var index = network.flatMap { current[$0] }
    if index.map({ visit.requests[$0].url != plain }) ?? true,
      visit.requests.count < Self.requestLimit
    {
      let added = add(url, params["resourceType"] as? String ?? "Other", request, params["frameId"])
      if let network { current[network] = added }
      index = added
    }
    let verdict = index.map { visit.requests[$0].verdict }
    if appliesLists, let verdict {
      if verdict.isBlocked {
        return try browser.send(
          "Fetch.failRequest",
          ["requestId": id, "errorReason": "BlockedByClient"],
          session: session
        )
      }
      if let new = verdict.newURL, new != plain, options.archive == nil {
        return try browser.send(
          "Fetch.fulfillRequest",
          [
            "requestId": id, "responseCode": 307,
            "responseHeaders": [
              ["name": "Location", "value": new],
              ["name": "Access-Control-Allow-Origin", "value": "*"],
            ],
          ],
          session: session
        )
      }
    }
    if let archive = options.archive {
      // What came out of the archive is not counted by the browser.
      if let index {
        let resource = archive.resource(at: plain)
        visit.requests[index].bytes = resource?.bytes.count ?? 0
        visit.requests[index].isMissing = resource == nil
      }
      return try answer(id, plain, from: archive, session)
    }
    var answer: DevToolsConnection.Object = ["requestId": id]
    if appliesLists, verdict?.blocksCookies ?? false {
      let headers = request["headers"] as? [String: String] ?? [:]
      answer["headers"] =
        headers.filter { $0.key.lowercased() != "cookie" }.sorted { $0.key < $1.key }
        .map { ["name": $0.key, "value": $0.value] } + [["name": "Cookie", "value": ""]]
    }
    try browser.send("Fetch.continueRequest", answer, session: session)
  }

  /// Answers a request out of an archive.
  private func answer(
    _ id: String,
    _ url: String,
    from archive: PageArchive,
    _ session: String?
  ) throws(BrowserFailure) {
    guard let resource = archive.resource(at: url) else {
      return try browser.send(
        "Fetch.failRequest",
        ["requestId": id, "errorReason": "InternetDisconnected"],
        session: session
      )
    }
    try browser.send(
      "Fetch.fulfillRequest",
      [
        "requestId": id, "responseCode": 200,
        "responseHeaders": [
          ["name": "Content-Type", "value": resource.mediaType],
          ["name": "Access-Control-Allow-Origin", "value": "*"],
        ],
        "body": Data(resource.bytes).base64EncodedString(),
      ],
      session: session
    )
  }

  // MARK: Hiding

  /// Hides what the lists hide in every frame.
  private func applyHiding(waits: Bool) throws(BrowserFailure) {
    guard appliesLists else { return }
    for frame in hiding.keys.sorted() { try inject(into: frame) }
    if waits { try browser.wait(until: .now + .milliseconds(300)) }
  }

  /// Adds a style sheet to a frame's document, with what it hides and did not hide before.
  private func inject(into frame: String) throws(BrowserFailure) {
    guard appliesLists, let rules = hiding[frame], documents[frame] != nil || frame == mainFrame,
      let session = sessions[frame]
    else { return }
    let done = injected[frame] ?? 0
    guard rules.count > done else { return }
    injected[frame] = rules.count
    // One rule for each, so that one selector that Chromium does not know takes nothing with it.
    let text = rules[done...].map { "\($0.selector){display:none!important}" }
      .joined(separator: "\n")
    try browser.send("CSS.createStyleSheet", ["frameId": frame], session: session) {
      [weak self] result in
      guard let self, case .success(let answer) = result,
        let sheet = answer["styleSheetId"] as? String
      else { return }
      try? browser.send(
        "CSS.setStyleSheetText",
        ["styleSheetId": sheet, "text": text],
        session: session
      )
    }
  }

  private func collectHiding() {
    // What is hidden on the page itself was collected with its places.
    if visit.hiding.isEmpty { visit.hiding = Self.unique(hiding[mainFrame] ?? []) }
    for frame in hiding.keys.sorted() where frame != mainFrame {
      for rule in Self.unique(hiding[frame] ?? []) where !visit.hiding.contains(rule) {
        // Rules that hide everywhere are told once.
        guard visit.hiding.count < 200_000 else { return }
        visit.hiding.append(rule)
      }
    }
  }

  private static func unique(_ rules: [HidingRule]) -> [HidingRule] {
    var seen: Set<HidingRule> = []
    return rules.filter { seen.insert($0).inserted }
  }

  /// Finds the elements that the lists would hide, and where they are.
  private func findHidden() throws(BrowserFailure) {
    let rules = Self.unique(hiding[mainFrame] ?? [])
    visit.hiding = rules
    guard !rules.isEmpty else { return }
    // A world of its own, where the page's scripts have changed nothing.
    let world = try browser.call(
      "Page.createIsolatedWorld",
      ["frameId": mainFrame, "worldName": "tickbird"],
      session: session
    )
    guard let context = world["executionContextId"] as? Int else { return }
    let answer = try browser.call(
      "Runtime.callFunctionOn",
      [
        "executionContextId": context, "returnByValue": true,
        "functionDeclaration": Self.finder,
        "arguments": [["value": rules.map(\.selector)], ["value": Self.pictureHeight]],
      ],
      session: session
    )
    let value = (answer["result"] as? [String: Any])?["value"] as? [String: Any]
    for box in value?["boxes"] as? [[Int]] ?? [] where box.count == 5 && box[0] < rules.count {
      visit.boxes.append(
        PageVisit.Box(rule: box[0], x: box[1], y: box[2], width: box[3], height: box[4])
      )
    }
    for pair in value?["counts"] as? [[Int]] ?? [] where pair.count == 2 {
      visit.matchCounts[pair[0]] = pair[1]
    }
  }

  /// Finds elements by selectors: their places, at most 400 of them, and how many each matches.
  private static let finder = """
    function (selectors, height) {
      const boxes = [], counts = [], seen = new Set();
      selectors.forEach((selector, index) => {
        let found;
        try { found = document.querySelectorAll(selector); } catch { return; }
        if (found.length) counts.push([index, found.length]);
        for (const element of found) {
          if (boxes.length >= 400 || seen.has(element)) continue;
          seen.add(element);
          const place = element.getBoundingClientRect();
          const x = Math.round(place.left + scrollX), y = Math.round(place.top + scrollY);
          const width = Math.round(place.width), high = Math.round(place.height);
          if (width < 1 || high < 1 || y > height || x > 1280) continue;
          boxes.push([index, x, y, width, high]);
        }
      });
      return { boxes, counts };
    }
    """

  // MARK: Picture

  private func takePicture() throws(BrowserFailure) {
    let metrics = try browser.call("Page.getLayoutMetrics", session: session)
    let size = metrics["cssContentSize"] as? [String: Any]
    let pageHeight = Int((size?["height"] as? Double ?? 0).rounded())
    let height = min(max(pageHeight, Self.viewHeight), Self.pictureHeight)
    let answer = try browser.call(
      "Page.captureScreenshot",
      [
        "format": "jpeg", "quality": 70, "captureBeyondViewport": true,
        "clip": ["x": 0, "y": 0, "width": Self.width, "height": height, "scale": 0.6],
      ],
      session: session
    )
    guard let data = answer["data"] as? String, Data(base64Encoded: data) != nil else {
      visit.notes.append("the browser has made no picture")
      return
    }
    visit.picture = PageVisit.Picture(
      base64: data,
      width: Self.width,
      height: height,
      pageHeight: pageHeight
    )
    let title = try browser.call(
      "Target.getTargetInfo",
      ["targetId": mainFrame]
    )
    visit.title = (title["targetInfo"] as? [String: Any])?["title"] as? String ?? ""
  }
}
