import BrowserDriving
import ContentBlocking
import Foundation
import ResourceLoads
import Testing
import WebURL

/// A log that a browser records, explained, beside what its protocol says of the same loads.
struct RecordedLog {
  /// The top-level domain of all hosts: with `localhost`, browsers send Sec-Fetch headers.
  let domain: String
  let browser: TestBrowser

  /// The command, where it is built.
  static let command: URL? = {
    let built = ["debug", "release"].map {
      Session.packageRoot.appending(path: ".build/\($0)/tickbird").resolvingSymlinksInPath()
    }
    return built.first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }()

  private func url(_ host: String, _ path: String) -> String { "http://\(host).\(domain)/\(path)" }

  /// A page with frames of its own and of other sites, redirects, a worker, failures, prefetching.
  private func answer(_ request: LoopbackServer.Request) -> LoopbackServer.Response {
    switch request.url {
    case url("start", "go"): return redirect(url("page", "p"))
    case url("page", "p"):
      return .page(
        """
        <link rel=stylesheet href='\(url("cdn", "s.css"))'><link rel=prefetch href='\(url("next", "n"))'>
        <body><p>Text<img src='/own.png'><img src='\(url("cdn", "page.png"))'>
        <img src='https://dead.\(domain)/x.png'><script src='\(url("cdn", "lib.js"))'></script>
        <iframe src='\(url("frame", "f"))'></iframe><iframe src='/same'></iframe>
        <script>new Worker('/worker.js')</script>
        """
      )
    case url("cdn", "s.css"):
      return .init("text/css", "body { background: url(\(url("cdn", "back.png"))) }")
    case url("cdn", "page.png"): return .page("no image")
    case url("cdn", "lib.js"):
      return .init(
        "text/javascript",
        "fetch('\(url("api", "x"))' + location.pathname);"
          + "new Image().src = '\(url("pixel", "a"))' + location.pathname;"
      )
    case url("frame", "f"):
      return .page(
        """
        <body><script src='\(url("cdn", "lib.js"))'></script><iframe src='\(url("inner", "i"))'></iframe>
        <img src='/in-frame.png'>
        """
      )
    case url("inner", "i"): return .page("<img src='\(url("cdn", "inner.png"))'>")
    case url("page", "same"): return .page("<img src='\(url("cdn", "same.png"))'>")
    case url("page", "worker.js"):
      return .init("text/javascript", "fetch('\(url("api", "worker"))')")
    default:
      if request.url.hasPrefix(url("api", "")) { return .init("application/json", "{}") }
      if request.url.hasPrefix(url("pixel", "a/")) { return redirect(url("other", "b")) }
      return .init("image/png", "")
    }
  }

  private func redirect(_ url: String) -> LoopbackServer.Response {
    var response = LoopbackServer.Response("text/plain", "", headers: ["Location": url])
    response.status = 302
    return response
  }

  /// Explains the log and compares each load with the protocol's.
  func check() throws {
    Session.closeAll()
    let session = try Session(browser, hasHost: false, hasExtension: false)
    defer { session.close() }
    let page = self
    session.server.answer { page.answer($0) }
    let last = ["api/worker", "cdn/back.png", "cdn/inner.png", "cdn/same.png", "page/own.png"]
      .map { $0.split(separator: "/") }.map { url(String($0[0]), String($0[1])) }
    let server = session.server
    let log = try session.browser.networkLog(of: url("start", "go")) {
      server.urls.isSuperset(of: last) && server.urls.contains(page.url("api", "x/f"))
        && server.urls.contains(page.url("api", "x/p"))
    }
    if let place = ProcessInfo.processInfo.environment["TICKBIRD_LOGS"] {
      try log.archive.write(to: URL(filePath: "\(place)/\(browser.rawValue)-\(domain).har"))
    }
    let explained = try explain(log.archive, in: session.folder)
    try compare(explained, log.loads)
  }

  private func explain(_ archive: Data, in folder: URL) throws -> [[String: Any]] {
    let command = try #require(Self.command)
    let place = folder.appending(path: "log.har")
    try archive.write(to: place)
    let list = folder.appending(path: "list.json")
    try Data(Self.list(domain)).write(to: list)
    let text = try Tool.run([
      command.path, "explain", "--list", list.path, "--har", place.path, "--format", "json",
    ])
    return try text.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  /// Rules that tell loads apart by page, frame, type, frame context and party.
  private static func list(_ domain: String) -> [UInt8] {
    let triggers = [
      #""if-frame-url":["^http://frame\\."],"resource-type":["fetch"]"#,
      #""if-top-url":["^http://page\\."],"load-context":["top-frame"],"resource-type":["image"]"#,
      #""load-context":["child-frame"],"resource-type":["script"]"#,
      #""if-frame-url":["^http://inner\\."]"#, #""if-frame-url":["^about:blank"]"#,
      #""resource-type":["other"],"load-type":["third-party"]"#,
    ]
    let rules = triggers.map {
      #"{"trigger":{"url-filter":".*",\#($0)},"action":{"type":"block"}}"#
    }
    return Array("[\(rules.joined(separator: ","))]".utf8)
  }

  private static let fields = ["top_url", "frame_url", "resource_type", "load_context"]

  private func compare(_ explained: [[String: Any]], _ loads: [NetworkLog.Load]) throws {
    let list = try ContentRuleList(identifier: "l", encodedContentRuleList: Self.list(domain))
    var blocker = ContentBlocker(lists: [list])
    var waiting = Dictionary(grouping: loads, by: \.url)
    var compared = 0
    var blocked = 0
    var guesses = 0
    for line in explained {
      let url = line["url"] as? String ?? ""
      guard var same = waiting[url], !same.isEmpty else { continue }
      let told = same.removeFirst()
      waiting[url] = same
      guard let load = load(told) else { continue }
      let found = Self.fields.map { line[$0] as? String ?? "" }
      let type =
        ResourceType.words.first { $0.type == load.resourceType }.map { "\($0.word)" } ?? ""
      let wanted = [
        load.topURL.serialized, load.frameURL.serialized, type,
        load.loadContext == .topFrame ? "top-frame" : "child-frame",
      ]
      // What the log does not tell may be wrong if it is said to be a guess.
      let guessed = line["guessed"] as? [String] ?? []
      if found != wanted, !guessed.isEmpty {
        let isRight = zip(Self.fields, zip(found, wanted)).allSatisfy { field, values in
          values.0 == values.1 || guessed.contains(field)
            || field == "load_context" && guessed.contains("frame_url")
        }
        #expect(isRight, "\(url) \(told) \(found), guessed \(guessed)")
        guesses += 1
        continue
      }
      #expect(found == wanted, "\(url) \(told)")
      let isBlocked = (line["decision"] as? [String: Any])?["blocked"] as? Bool
      #expect(isBlocked == blocker.outcome(for: load).isBlocked, "\(url)")
      compared += 1
      blocked += isBlocked == true ? 1 : 0
    }
    #expect(compared >= 20 && blocked >= 5 && blocked < compared, "\(compared), \(blocked)")
    #expect(guesses <= 3, "\(guesses) wrong guesses")
    let missed = waiting.values.flatMap(\.self).filter { load($0) != nil }
    #expect(missed.isEmpty, "\(missed)")
  }

  /// The load as WebKit would have it; `nil` for one whose type the protocol does not tell.
  private func load(_ told: NetworkLog.Load) -> ResourceLoad? {
    guard let url = WebURL(told.url), let top = WebURL(told.top), let frame = WebURL(told.frame)
    else { return nil }
    let type: ResourceType? =
      switch told.kind {
      case _ where told.isDocument: told.isTopFrame ? .topDocument : .childDocument
      case "stylesheet", "style": .styleSheet
      case "image": .image
      case "font": .font
      case "script" where told.url.hasSuffix("worker.js"): .other
      case "script": .script
      case "xhr", "fetch": .fetch
      case "other", "worker": .other
      default: nil
      }
    // The browser asks for its icons itself. Without Sec-Fetch headers Chromium's logs call the
    // script of a worker a script like any other.
    guard let type, !told.url.hasSuffix("/favicon.ico"),
      !told.url.hasSuffix("/worker.js") || domain == "localhost" || browser == .firefox
    else { return nil }
    if told.url == self.url("next", "n") {
      // What a page fetches ahead is a document of its own, and no navigation.
      var load = ResourceLoad(url: url, resourceType: .topDocument)
      load.topURL = top
      load.frameURL = top
      return load
    }
    if told.isDocument { return ResourceLoad(url: url, topURL: top, resourceType: type) }
    return ResourceLoad(
      url: url,
      topURL: top,
      frameURL: told.isTopFrame ? nil : frame,
      resourceType: type,
      loadContext: told.isTopFrame ? .topFrame : .childFrame
    )
  }
}
