internal import BrowserPipe
internal import Foundation

/// Makes a network log of what the DevTools protocol says.
struct VisitRecorder {
  static var attaching: DevToolsConnection.Object {
    ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true]
  }
  /// The most requests to record.
  private static let requestLimit = 100_000

  private struct Entry {
    var request: String
    var page: String?
    var type: String
    var initiator: DevToolsConnection.Object
    var url: String
    var method: String
    var headers: DevToolsConnection.Object
    var time: Double
    var response: DevToolsConnection.Object = [:]
  }

  /// The main frame, whose name is that of its target.
  private let frame: String
  private let session: String
  private(set) var hasLoaded = false
  private(set) var lastRequest = ContinuousClock.now
  private var entries: [Entry] = []
  /// The places of each request's hops.
  private var hops: [String: [Int]] = [:]
  /// Headers as they were sent, hop by hop.
  private var sent: [String: [DevToolsConnection.Object]] = [:]
  private var pages: [(url: String, time: Double)] = []
  private var workers: Set<String> = []

  init(frame: String, session: String) {
    self.frame = frame
    self.session = session
  }

  /// Hears an event.
  mutating func hear(
    _ method: String,
    _ parameters: DevToolsConnection.Object,
    from sender: String,
    _ browser: DevToolsConnection
  ) {
    let request = sender + " " + (parameters["requestId"]?.string ?? "")
    switch method {
    case "Target.attachedToTarget":
      // Frames in processes of their own, and workers.
      guard let child = parameters["sessionId"]?.string, child != session else { return }
      let target = parameters["targetInfo"]?.object
      if let kind = target?["type"]?.string, kind != "iframe" { workers.insert(child) }
      // If the browser is gone, whoever waits for it hears of that.
      try? browser.send("Network.enable", session: child)
      try? browser.send("Target.setAutoAttach", Self.attaching, session: child)
      try? browser.send("Runtime.runIfWaitingForDebugger", session: child)
    case "Page.loadEventFired": if sender == session { hasLoaded = true }
    case "Page.javascriptDialogOpening":
      try? browser.send("Page.handleJavaScriptDialog", ["accept": true], session: sender)
    case "Network.requestWillBeSent": begin(parameters, sender, request)
    case "Network.requestWillBeSentExtraInfo":
      sent[request, default: []].append(parameters["headers"]?.object ?? [:])
    case "Network.webSocketCreated":
      var described = parameters
      described["request"] = ["url": parameters["url"] ?? "", "method": "GET"]
      described["type"] = "WebSocket"
      begin(described, sender, request)
    case "Network.responseReceived":
      guard let place = hops[request]?.last else { return }
      entries[place].response = parameters["response"]?.object ?? [:]
    default: break
    }
  }

  private mutating func begin(
    _ parameters: DevToolsConnection.Object,
    _ sender: String,
    _ request: String
  ) {
    let described = parameters["request"]?.object ?? [:]
    guard let url = described["url"]?.string, !url.hasPrefix("data:"),
      !url.hasPrefix("blob:"), entries.count < Self.requestLimit
    else { return }
    lastRequest = .now
    var type = parameters["type"]?.string ?? "Other"
    // What a worker calls a script is the script of a worker, for which WebKit has no type.
    if type == "Script", workers.contains(sender) { type = "Other" }
    let redirect = parameters["redirectResponse"]?.object
    if let redirect, let place = hops[request]?.last { entries[place].response = redirect }
    let isTopFrame = parameters["frameId"]?.string == frame
    let time =
      parameters["wallTime"]?.number ?? entries.last?.time ?? Date().timeIntervalSince1970
    if type == "Document", isTopFrame {
      if redirect == nil || pages.isEmpty { pages.append((url, time)) }
      pages[pages.count - 1].url = url
    }
    let initiator = parameters["initiator"]?.object ?? [:]
    hops[request, default: []].append(entries.count)
    entries.append(
      Entry(
        request: request,
        // Frames in processes of their own, and workers, are targets without a page.
        page: sender == session && !pages.isEmpty ? "page_\(pages.count)" : nil,
        type: type.lowercased(),
        initiator: initiator.filter { ["type", "url", "lineNumber", "stack"].contains($0.key) },
        url: url.split(separator: "#", maxSplits: 1).first.map(String.init) ?? url,
        method: described["method"]?.string ?? "GET",
        headers: described["headers"]?.object ?? [:],
        time: time
      )
    )
  }

  /// The log, as developer tools write it.
  func archive() -> [UInt8] {
    let written = entries.enumerated().map { place, entry -> JSONValue in
      let hop = hops[entry.request]?.firstIndex(of: place) ?? 0
      let extra = sent[entry.request] ?? []
      let headers = hop < extra.count ? extra[hop] : entry.headers
      let answered = entry.response["headers"]?.object ?? [:]
      let location = answered.first { $0.key.lowercased() == "location" }?.value ?? ""
      var members: DevToolsConnection.Object = [
        "_initiator": .object(entry.initiator), "_resourceType": .string(entry.type),
        "startedDateTime": Self.date(entry.time), "time": 1,
        "request": [
          "method": .string(entry.method), "url": .string(entry.url),
          "headers": Self.list(headers),
        ],
        "response": [
          "status": entry.response["status"] ?? 0, "redirectURL": location,
          "headers": Self.list(answered),
          "content": ["size": 0, "mimeType": entry.response["mimeType"] ?? "x-unknown"],
        ],
      ]
      members["pageref"] = entry.page.map { .string($0) }
      return .object(members)
    }
    let named = pages.enumerated().map { number, page -> JSONValue in
      [
        "id": .string("page_\(number + 1)"), "title": .string(page.url),
        "startedDateTime": Self.date(page.time), "pageTimings": [:],
      ]
    }
    let log: JSONValue = [
      "version": "1.2", "creator": ["name": "WebInspector", "version": "537.36"],
      "pages": .array(named), "entries": .array(written),
    ]
    return JSONValue.object(["log": log]).bytes
  }

  private static func list(_ headers: DevToolsConnection.Object) -> JSONValue {
    .array(
      headers.sorted { $0.key < $1.key }.map { ["name": .string($0.key), "value": $0.value] }
    )
  }

  private static func date(_ seconds: Double) -> JSONValue {
    // The style cuts off what is less than a thousandth.
    let date = Date(timeIntervalSince1970: seconds + 0.000_5)
    return .string(date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
  }
}
