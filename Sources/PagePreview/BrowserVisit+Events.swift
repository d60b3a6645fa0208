internal import BrowserPipe
internal import CommandInput
internal import ContentBlocking
internal import Foundation
internal import ResourceLoads
internal import WebURL

extension BrowserVisit {
  func handle(_ method: String, _ params: DevToolsConnection.Object, _ session: String?) {
    do throws(BrowserFailure) {
      switch method {
      case "Fetch.requestPaused": try decide(params, session)
      case "Network.requestWillBeSent": note(params)
      case "Network.webSocketCreated":
        guard let url = params["url"] as? String, visit.requests.count < Self.requestLimit else {
          break
        }
        let index = add(url, "WebSocket", [:], nil)
        visit.requests[index].prevention =
          "Chromium does not let connections of WebSocket be stopped: it took place"
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
        parents[id] = frame["parentId"] as? String
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
  func note(_ params: DevToolsConnection.Object) {
    lastEvent = .now
    guard let id = params["requestId"] as? String,
      let request = params["request"] as? [String: Any], let url = request["url"] as? String,
      !url.hasPrefix("data:"), !url.hasPrefix("chrome"),
      !Self.isIcon(url, params["type"] as? String)
    else { return }
    if firstTime == nil { firstTime = params["timestamp"] as? Double }
    // The pause of the new request may have come before this.
    let isKnown = current[id].map { visit.requests[$0].url == Self.withoutFragment(url) } ?? false
    if let response = params["redirectResponse"] as? [String: Any],
      let index = isKnown ? earlier[id] : current[id]
    {
      visit.requests[index].status = response["status"] as? Int
      visit.requests[index].bytes = response["encodedDataLength"] as? Int ?? 0
    }
    underWay.insert(id)
    guard visit.requests.count < Self.requestLimit else {
      if !isCut { visit.notes.append("only the first \(Self.requestLimit) requests are shown") }
      isCut = true
      return
    }
    if isKnown { return }
    current[id] = add(url, params["type"] as? String ?? "Other", request, params["frameId"])
  }

  /// Whether a request is the browser's own for the page's icon, which it makes at times of its own
  /// and not in every visit.
  static func isIcon(_ url: String, _ word: String?) -> Bool {
    word == "Other" && url.hasSuffix("/favicon.ico")
  }

  /// Adds a request, and returns its index.
  func add(
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

  func frameKey(_ id: String) -> String {
    id + "\n" + (id == mainFrame ? pageURL : documents[id] ?? "")
  }

  static func withoutFragment(_ url: String) -> String {
    String(url.prefix { $0 != "#" })
  }

  /// Returns the load that WebKit would see; `nil` if the URL is none.
  func load(
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

  func update(
    _ params: DevToolsConnection.Object,
    _ change: (inout PageVisit.Request) -> Void
  ) {
    lastEvent = .now
    guard let id = params["requestId"] as? String, let index = current[id] else { return }
    change(&visit.requests[index])
  }

  func end(_ params: DevToolsConnection.Object) {
    if let id = params["requestId"] as? String { underWay.remove(id) }
  }
}
