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
      case "Network.requestWillBeSent": note(params, session)
      case "Network.webSocketCreated":
        guard let url = params["url"]?.string, visit.requests.count < Self.requestLimit else {
          break
        }
        let index = add(url, "WebSocket", [:], frame(nil, session))
        if options.archive != nil {
          // Nobody is there who could answer.
          visit.requests[index].isMissing = true
          break
        }
        visit.requests[index].prevention =
          isForeign(url)
          ? Self.withheld + ": whether it took place, Chromium has decided"
          : "Chromium does not let connections of WebSocket be stopped: it took place"
      case "Network.responseReceived":
        let response = params["response"]?.object
        update(params) { $0.status = response?["status"]?.integer }
      case "Network.loadingFinished":
        let bytes = params["encodedDataLength"]?.number ?? 0
        update(params) { request in
          // What a frame shows in place of a document that did not come is Chromium's own.
          guard request.failure == nil, !request.isMissing, !request.isWithheld else { return }
          request.bytes = max(request.bytes, Int(exactly: bytes.rounded()) ?? 0)
        }
        end(params)
      case "Network.loadingFailed":
        let words = [params["errorText"], params["blockedReason"]].compactMap { $0?.string }
          .filter { !$0.isEmpty }
        update(params) {
          $0.failure = words.isEmpty ? "refused by Chromium" : words.joined(separator: ", ")
        }
        end(params)
      case "Page.loadEventFired" where session == self.session:
        if pageURL != "about:blank", firstTime != nil { loadTime = params["timestamp"]?.number }
        lastEvent = .now
      case "Page.frameNavigated":
        guard let frame = params["frame"]?.object, let id = frame["id"]?.string
        else { break }
        let url = frame["url"]?.string ?? ""
        documents[id] = url
        if let session { sessions[id] = session }
        if let parent = frame["parentId"]?.string { parents[id] = parent }
        if id == mainFrame, url != "about:blank", !url.hasPrefix("chrome-error:") { pageURL = url }
        injected[id] = nil
        try inject(into: id)
      case "Page.frameAttached":
        if let id = params["frameId"]?.string {
          parents[id] = params["parentFrameId"]?.string
        }
      case "Target.attachedToTarget": try attach(params, session)
      case "Page.javascriptDialogOpening":
        try browser.send("Page.handleJavaScriptDialog", ["accept": false], session: session)
      default: break
      }
    } catch {
      failure = failure ?? error
    }
  }

  /// Notes a request that is about to be sent.
  func note(_ params: DevToolsConnection.Object, _ session: String?) {
    lastEvent = .now
    guard let id = params["requestId"]?.string,
      let request = params["request"]?.object, let url = request["url"]?.string,
      !url.hasPrefix("data:"), !url.hasPrefix("chrome"),
      !Self.isIcon(url, params["type"]?.string)
    else { return }
    if firstTime == nil { firstTime = params["timestamp"]?.number }
    // The pause of the new request may have come before this.
    let isKnown = current[id].map { visit.requests[$0].url == Self.withoutFragment(url) } ?? false
    if let response = params["redirectResponse"]?.object,
      let index = isKnown ? earlier[id] : current[id]
    {
      visit.requests[index].status = response["status"]?.integer
      visit.requests[index].bytes = response["encodedDataLength"]?.integer ?? 0
    }
    underWay.insert(id)
    guard visit.requests.count < Self.requestLimit else {
      if !isCut { visit.notes.append("only the first \(Self.requestLimit) requests are shown") }
      isCut = true
      return
    }
    let type = params["type"]?.string ?? "Other"
    let isOfWorker = session.map { workerSessions.contains($0) } ?? false
    if isKnown {
      if isOfWorker { retype(id, type, request, session) }
      return
    }
    let frame = frame(params["frameId"], session)
    guard isOfWorker else {
      current[id] = add(url, type, request, frame)
      return
    }
    let told = WorkerRequest(url: url, type: type, request: request, session: session)
    if params["frameId"] != nil {
      current[id] = addUnpaused(told, frame)
    } else {
      // The pause tells the frame, and comes later.
      untold[id] = told
    }
  }

  /// Adds what workers have told of requests for which no pause has come.
  func addUntold() {
    for (id, told) in untold.sorted(by: { $0.key < $1.key })
    where visit.requests.count < Self.requestLimit {
      current[id] = addUnpaused(told, frame(nil, told.session))
    }
    untold.removeAll()
  }

  /// Adds a request of a worker that is not paused, and so not decided.
  private func addUnpaused(_ told: WorkerRequest, _ frame: String) -> Int {
    let added = add(told.url, told.knownType, told.request, frame)
    if visit.requests[added].verdict.isBlocked {
      visit.requests[added].prevention =
        "Chromium does not let the scripts of such workers be stopped: it took place"
    }
    return added
  }

  /// Corrects the type of a worker's script, where the browser tells two.
  func retype(
    _ id: String,
    _ word: String,
    _ request: DevToolsConnection.Object,
    _ session: String?
  ) {
    guard let index = current[id], word == "Other", visit.requests[index].type == "script" else {
      return
    }
    let old = visit.requests[index]
    let load = load(old.url, word, request, frame(nil, session))
    guard let load else { return }
    visit.requests[index].type = LoadWords.word(for: load.resourceType)
    visit.requests[index].verdict = decider.verdict(of: load)
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
    _ request: DevToolsConnection.Object,
    _ frameID: String
  ) -> Int {
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
    _ request: DevToolsConnection.Object,
    _ frameID: String
  ) -> ResourceLoad? {
    guard let url = WebURL(text) else { return nil }
    let word = word.lowercased()
    let isMain = frameID == mainFrame
    let headers = request["headers"]?.texts ?? [:]
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
    guard let id = params["requestId"]?.string, let index = current[id] else { return }
    change(&visit.requests[index])
  }

  func end(_ params: DevToolsConnection.Object) {
    if let id = params["requestId"]?.string { underWay.remove(id) }
  }
}
