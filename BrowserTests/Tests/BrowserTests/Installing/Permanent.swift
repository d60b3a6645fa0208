import BrowserDriving
import Foundation
import Testing

/// The extension installed for good: packed by the product, put where its commands say.
struct Permanent {
  let session: Session

  init(_ browser: TestBrowser) throws { session = try Session.with(browser, isPermanent: true) }

  /// Those of the run's browsers that it can be installed in.
  static let browsers = everyBrowser.filter(\.mayBlock).without { browser in
    obstacle(browser.kind).map { "the extension installed for good in \(browser.rawValue): \($0)" }
  }

  /// Why a browser cannot be given files of the system's for itself; nil if it can.
  private static func obstacle(_ kind: BrowserKind) -> String? {
    guard Service.program != nil else { return "tickbird-host is not built" }
    guard getuid() == 0 else { return "only root can show a browser other files of the system" }
    guard (try? Tool.run(["/usr/bin/unshare", "--mount", "/bin/true"])) != nil else {
      return "there are no mount namespaces here"
    }
    for place in Service.systemPlaces(kind)
    where !FileManager.default.fileExists(atPath: place) {
      return "there is no \(place)"
    }
    return nil
  }

  private static let pixel = "http://third.test/pixel"
  private static let blockPixels = Array(
    #"[{"trigger": {"url-filter": "pixel"}, "action": {"type": "block"}}]"#.utf8
  )

  /// The scenarios that need requests to be stopped and changed.
  func blocks() throws {
    let scenarios = Scenarios(in: session)
    try scenarios.stopsATracker()
    try scenarios.stripsCookies()
    try scenarios.upgrades()
    let canBlock = try session.browser.evaluateInBackground("tickbird.state.canBlock")
    #expect(canBlock as? Bool == true)
  }

  /// After a restart without a host the lists are there, from the browser's own store.
  func keepsListsOverARestart() throws {
    try session.use(["rules": Self.blockPixels])
    let service = try #require(session.service)
    try session.restart {
      service.stop()
      try service.run("browser", "uninstall")
    }
    defer {
      try? service.install(in: session.browser.kind)
      try? service.start()
    }
    session.server.answer { _ in .page("<p>News") }
    let count = try eventually("the lists are read") {
      let count =
        try session.browser.evaluateInBackground(
          "tickbird.state.lists.all.filter((list) => list.handle).length"
        ) as? Int
      return count == 1 ? count : nil
    }
    #expect(count == 1)
    try session.visit("http://open.com/") { tab in
      let reached = try [Self.pixel, "http://third.test/other"].map {
        try session.reaches($0, from: tab)
      }
      #expect(reached == [false, true])
    }
    #expect(!session.server.urls.contains(Self.pixel))
  }

  /// The page that the browser opens by itself at its start.
  ///
  /// Firefox waits for the answer; Chromium has rules of its own until the matcher is there.
  func actsFromTheFirstPage() throws {
    let browser = session.browser.kind
    try session.use(["rules": Self.blockPixels])
    if browser == .chromium {
      _ = try eventually("the browser has rules for its start") {
        let rules = try session.browser.evaluateInBackground(
          "api.declarativeNetRequest.getDynamicRules()"
        )
        return (rules as? [Any])?.isEmpty == false ? true : nil
      }
    }
    let page = "http://first.test/"
    session.server.answer { request in
      request.url == page
        ? .page("<body><img src=\(Self.pixel)><img src=http://third.test/other><p>First")
        : .init("image/png", "")
    }
    // The second start is the first that knows what the extension listens to.
    for start in 1...3 {
      let before = reached("http://third.test/other")
      let leaked = reached(Self.pixel)
      try session.restart(opening: page)
      _ = try eventually("the page is loaded") {
        reached("http://third.test/other") > before ? true : nil
      }
      if browser == .chromium {
        do {
          _ = try eventually("what was done at the start \(start) is reported") {
            // Chromium waits neither for its rules nor for the script: then what passed is
            // reported.
            let counts = try session.page(page)["counts"] as? [String: Int]
            if reached(Self.pixel) > leaked { return counts?["passed"] == 1 ? true : nil }
            return counts?["block"] == 1 && counts?["passed"] == 0 ? true : nil
          }
        } catch let error as DrivingError {
          throw DrivingError("\(error); \(try stateAtStart(page))")
        }
      } else {
        // The image that is blocked was asked for before the other.
        _ = try eventually("the page is there") {
          try session.page(page)["loads"] as? Int ?? 0 >= 3 ? true : nil
        }
        #expect(reached(Self.pixel) == 0)
      }
    }
    let leaked = reached(Self.pixel)
    // The browser's rules would find this in the fragment; the matcher decides again.
    try session.visit("http://open.com/") { tab in
      let answers = try ["http://third.test/other#pixel", Self.pixel].map {
        try session.reaches($0, from: tab)
      }
      #expect(answers == [true, false])
    }
    #expect(reached(Self.pixel) == leaked)
  }
}

extension Permanent {
  /// How many requests for a URL have reached the server.
  private func reached(_ url: String) -> Int { session.server.received.count { $0.url == url } }

  /// What the extension and the server know of a page that the browser started with, for a message.
  private func stateAtStart(_ page: String) throws -> String {
    let rules = try session.browser.evaluateInBackground(
      """
      JSON.stringify([await api.declarativeNetRequest.getDynamicRules(),
        await api.declarativeNetRequest.getSessionRules(), tickbird.state.declarative,
        tickbird.state.lists.all, await api.webNavigation.getAllFrames(
          { tabId: \(try session.number(ofTabAt: page) ?? -1) })])
      """
    )
    let urls = session.server.received.map(\.url)
    return "the page: \(try session.page(page)); rules: \(rules ?? "none"); reached: \(urls)"
  }
}
