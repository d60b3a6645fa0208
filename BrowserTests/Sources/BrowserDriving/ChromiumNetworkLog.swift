internal import Foundation

extension Chromium {
  /// Records by the protocol what Chromium's developer tools hear by it, and writes it as they do.
  func networkLog(of url: String, until isDone: () -> Bool) throws -> NetworkLog {
    let tab = try openTab()
    defer { try? closeTab(tab) }
    let recorder = ChromiumRecorder(tab) { [weak self] in
      _ = try self?.send($0, $1, session: $2)
    }
    listener = { try recorder.hear($0) }
    defer { listener = nil }
    _ = try call("Network.enable", session: tab.session)
    _ = try call("Target.setAutoAttach", ChromiumRecorder.attaching, session: tab.session)
    _ = try call("Page.navigate", ["url": url], session: tab.session)
    _ = try eventually("everything is asked for") {
      _ = try call("Browser.getVersion")
      return isDone() ? true : nil
    }
    // What was asked for last may not have been told of.
    for _ in 0..<10 {
      _ = try call("Browser.getVersion")
      Thread.sleep(forTimeInterval: 0.05)
    }
    return try recorder.log()
  }
}

/// Makes a network log of what the protocol says.
private final class ChromiumRecorder {
  static let attaching = [
    "autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true,
  ]

  private struct Entry {
    var session: String
    var request: String
    var page: String?
    var type: String
    var initiator: [String: Any]
    var url: String
    var method: String
    var headers: [String: Any]
    var time: Double
    var response: [String: Any] = [:]
    var error: String?
  }

  private let tab: BrowserTab
  private let send: (String, [String: Any], String) throws -> Void
  private var entries: [Entry] = []
  private var loads: [NetworkLog.Load] = []
  /// The places of each request's hops.
  private var hops: [String: [Int]] = [:]
  /// Headers as they were sent, hop by hop.
  private var sent: [String: [[String: Any]]] = [:]
  private var pages: [(url: String, time: Double)] = []
  /// For each worker's session the document that started it.
  private var owners: [String: (url: String, isTop: Bool)] = [:]
  /// The document of each session's own frame.
  private var documents: [String: String] = [:]

  init(_ tab: BrowserTab, send: @escaping (String, [String: Any], String) throws -> Void) {
    self.tab = tab
    self.send = send
  }

  func hear(_ message: [String: Any]) throws {
    let parameters = message["params"] as? [String: Any] ?? [:]
    let session = message["sessionId"] as? String ?? ""
    let request = session + " " + (parameters["requestId"] as? String ?? "")
    switch message["method"] as? String {
    case "Target.attachedToTarget":
      guard let child = parameters["sessionId"] as? String else { return }
      let target = parameters["targetInfo"] as? [String: Any] ?? [:]
      if (target["type"] as? String ?? "").contains("worker") {
        owners[child] = (documents[session] ?? "", session == tab.session)
      }
      try send("Network.enable", [:], child)
      try send("Target.setAutoAttach", Self.attaching, child)
      try send("Runtime.runIfWaitingForDebugger", [:], child)
    case "Network.requestWillBeSent": begin(parameters, session, request)
    case "Network.requestWillBeSentExtraInfo":
      sent[request, default: []].append(parameters["headers"] as? [String: Any] ?? [:])
    case "Network.webSocketCreated":
      var described = parameters
      described["request"] = ["url": parameters["url"] ?? "", "method": "GET"]
      described["type"] = "WebSocket"
      described["frameId"] = session == tab.session ? tab.identifier : ""
      described["documentURL"] = documents[session]
      begin(described, session, request)
    case "Network.responseReceived":
      guard let place = hops[request]?.last else { return }
      entries[place].response = parameters["response"] as? [String: Any] ?? [:]
    case "Network.loadingFailed":
      guard let place = hops[request]?.last else { return }
      entries[place].error = parameters["errorText"] as? String
    default: break
    }
  }

  private func begin(_ parameters: [String: Any], _ session: String, _ request: String) {
    let described = parameters["request"] as? [String: Any] ?? [:]
    guard let url = described["url"] as? String, !url.hasPrefix("data:") else { return }
    let type = parameters["type"] as? String ?? "Other"
    let redirect = parameters["redirectResponse"] as? [String: Any]
    if let redirect, let place = hops[request]?.last { entries[place].response = redirect }
    let frame = parameters["frameId"] as? String
    let isTopFrame = frame == tab.identifier
    let isDocument = type == "Document"
    let time =
      parameters["wallTime"] as? Double ?? entries.last?.time ?? Date().timeIntervalSince1970
    if isDocument, isTopFrame {
      if redirect == nil { pages.append((url, time)) }
      pages[pages.count - 1].url = url
    }
    if isDocument, isTopFrame || session != tab.session { documents[session] = url }
    let initiator = parameters["initiator"] as? [String: Any] ?? [:]
    hops[request, default: []].append(entries.count)
    entries.append(
      Entry(
        session: session,
        request: request,
        // Frames in processes of their own, and workers, are targets without a page.
        page: session == tab.session && !pages.isEmpty ? "page_\(pages.count)" : nil,
        type: type.lowercased(),
        initiator: initiator.filter { ["type", "url", "lineNumber", "stack"].contains($0.key) },
        url: url.split(separator: "#", maxSplits: 1).first.map(String.init) ?? url,
        method: described["method"] as? String ?? "GET",
        headers: described["headers"] as? [String: Any] ?? [:],
        time: time
      )
    )
    let top = pages.last?.url ?? ""
    let owner = owners[session]
    loads.append(
      NetworkLog.Load(
        url: entries[entries.count - 1].url,
        kind: type.lowercased(),
        isDocument: isDocument,
        isTopFrame: owner?.isTop ?? isTopFrame,
        top: top,
        frame: owner?.url ?? parameters["documentURL"] as? String ?? top
      )
    )
  }

  func log() throws -> NetworkLog {
    let written = entries.enumerated().map { place, entry -> [String: Any] in
      let hop = hops[entry.request]?.firstIndex(of: place) ?? 0
      let extra = sent[entry.request] ?? []
      let headers = hop < extra.count ? extra[hop] : entry.headers
      let answered = entry.response["headers"] as? [String: Any] ?? [:]
      let location = answered.first { $0.key.lowercased() == "location" }?.value ?? ""
      var response: [String: Any] = [
        "status": entry.response["status"] ?? 0, "redirectURL": location,
        "headers": Self.list(answered),
        "content": ["size": 0, "mimeType": entry.response["mimeType"] ?? "x-unknown"],
      ]
      response["_error"] = entry.error
      var members: [String: Any] = [
        "_initiator": entry.initiator, "_priority": "High", "_resourceType": entry.type,
        "cache": [String: Any](), "startedDateTime": Self.date(entry.time), "time": 1,
        "request": [
          "method": entry.method, "url": entry.url, "headers": Self.list(headers),
        ],
        "response": response,
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
    return NetworkLog(
      archive: try JSONSerialization.data(withJSONObject: ["log": log]),
      loads: loads
    )
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
