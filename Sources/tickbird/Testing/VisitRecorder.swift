internal import BrowserPipe
internal import Foundation

/// Makes a network log of what the DevTools protocol says.
struct VisitRecorder {
  static var attaching: [String: Any] {
    ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true]
  }
  /// The most requests to record.
  private static let requestLimit = 100_000

  private struct Entry {
    var request: String
    var page: String?
    var type: String
    var initiator: [String: Any]
    var url: String
    var method: String
    var headers: [String: Any]
    var time: Double
    var response: [String: Any] = [:]
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
  private var sent: [String: [[String: Any]]] = [:]
  private var pages: [(url: String, time: Double)] = []
  private var workers: Set<String> = []

  init(frame: String, session: String) {
    self.frame = frame
    self.session = session
  }

  /// Hears an event.
  mutating func hear(
    _ method: String,
    _ parameters: [String: Any],
    from sender: String,
    _ browser: DevToolsConnection
  ) {
    let request = sender + " " + (parameters["requestId"] as? String ?? "")
    switch method {
    case "Target.attachedToTarget":
      // Frames in processes of their own, and workers.
      guard let child = parameters["sessionId"] as? String, child != session else { return }
      let target = parameters["targetInfo"] as? [String: Any]
      if let kind = target?["type"] as? String, kind != "iframe" { workers.insert(child) }
      // If the browser is gone, whoever waits for it hears of that.
      try? browser.send("Network.enable", session: child)
      try? browser.send("Target.setAutoAttach", Self.attaching, session: child)
      try? browser.send("Runtime.runIfWaitingForDebugger", session: child)
    case "Page.loadEventFired": if sender == session { hasLoaded = true }
    case "Page.javascriptDialogOpening":
      try? browser.send("Page.handleJavaScriptDialog", ["accept": true], session: sender)
    case "Network.requestWillBeSent": begin(parameters, sender, request)
    case "Network.requestWillBeSentExtraInfo":
      sent[request, default: []].append(parameters["headers"] as? [String: Any] ?? [:])
    case "Network.webSocketCreated":
      var described = parameters
      described["request"] = ["url": parameters["url"] ?? "", "method": "GET"]
      described["type"] = "WebSocket"
      begin(described, sender, request)
    case "Network.responseReceived":
      guard let place = hops[request]?.last else { return }
      entries[place].response = parameters["response"] as? [String: Any] ?? [:]
    default: break
    }
  }

  private mutating func begin(_ parameters: [String: Any], _ sender: String, _ request: String) {
    let described = parameters["request"] as? [String: Any] ?? [:]
    guard let url = described["url"] as? String, !url.hasPrefix("data:"),
      !url.hasPrefix("blob:"), entries.count < Self.requestLimit
    else { return }
    lastRequest = .now
    var type = parameters["type"] as? String ?? "Other"
    // What a worker calls a script is the script of a worker, for which WebKit has no type.
    if type == "Script", workers.contains(sender) { type = "Other" }
    let redirect = parameters["redirectResponse"] as? [String: Any]
    if let redirect, let place = hops[request]?.last { entries[place].response = redirect }
    let isTopFrame = parameters["frameId"] as? String == frame
    let time =
      parameters["wallTime"] as? Double ?? entries.last?.time ?? Date().timeIntervalSince1970
    if type == "Document", isTopFrame {
      if redirect == nil || pages.isEmpty { pages.append((url, time)) }
      pages[pages.count - 1].url = url
    }
    let initiator = parameters["initiator"] as? [String: Any] ?? [:]
    hops[request, default: []].append(entries.count)
    entries.append(
      Entry(
        request: request,
        // Frames in processes of their own, and workers, are targets without a page.
        page: sender == session && !pages.isEmpty ? "page_\(pages.count)" : nil,
        type: type.lowercased(),
        initiator: initiator.filter { ["type", "url", "lineNumber", "stack"].contains($0.key) },
        url: url.split(separator: "#", maxSplits: 1).first.map(String.init) ?? url,
        method: described["method"] as? String ?? "GET",
        headers: described["headers"] as? [String: Any] ?? [:],
        time: time
      )
    )
  }

  /// The log, as developer tools write it.
  func archive() -> [UInt8] {
    let written = entries.enumerated().map { place, entry -> [String: Any] in
      let hop = hops[entry.request]?.firstIndex(of: place) ?? 0
      let extra = sent[entry.request] ?? []
      let headers = hop < extra.count ? extra[hop] : entry.headers
      let answered = entry.response["headers"] as? [String: Any] ?? [:]
      let location = answered.first { $0.key.lowercased() == "location" }?.value ?? ""
      var members: [String: Any] = [
        "_initiator": entry.initiator, "_resourceType": entry.type,
        "startedDateTime": Self.date(entry.time), "time": 1,
        "request": ["method": entry.method, "url": entry.url, "headers": Self.list(headers)],
        "response": [
          "status": entry.response["status"] ?? 0, "redirectURL": location,
          "headers": Self.list(answered),
          "content": ["size": 0, "mimeType": entry.response["mimeType"] ?? "x-unknown"],
        ],
      ]
      members["pageref"] = entry.page
      return members
    }
    let named = pages.enumerated().map { number, page in
      [
        "id": "page_\(number + 1)", "title": page.url, "startedDateTime": Self.date(page.time),
        "pageTimings": [String: Any](),
      ] as [String: Any]
    }
    let log: [String: Any] = [
      "version": "1.2", "creator": ["name": "WebInspector", "version": "537.36"], "pages": named,
      "entries": written,
    ]
    return (try? JSONSerialization.data(withJSONObject: ["log": log])).map { Array($0) } ?? []
  }

  private static func list(_ headers: [String: Any]) -> [[String: Any]] {
    headers.sorted { $0.key < $1.key }.map { ["name": $0.key, "value": $0.value] }
  }

  private static func date(_ seconds: Double) -> String {
    let format = ISO8601DateFormatter()
    format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
    return format.string(from: Date(timeIntervalSince1970: seconds))
  }
}
