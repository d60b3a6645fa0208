import BrowserDriving
import Foundation
import Testing

/// The extension with the product's own host: lists that are on act, and what happens to them.
struct ServiceLife {
  let session: Session
  let service: Service

  init(_ browser: TestBrowser) throws {
    session = try Session.with(browser, hasService: true)
    service = try #require(session.service)
  }

  private func list(_ word: String) -> String {
    #"[{"trigger": {"url-filter": "\#(word)"}, "action": {"type": "block"}}]"#
  }

  private func expect(_ url: String, comesToReach isWanted: Bool, _ tab: BrowserTab) throws {
    do {
      _ = try eventually("\(url) is \(isWanted ? "let through" : "stopped")") {
        try session.reaches(url, from: tab) == isWanted ? true : nil
      }
    } catch let error as DrivingError {
      let state = try session.browser.evaluateInBackground(
        """
        (({ host, lists, canBlock, declarative }) => JSON.stringify({ canBlock, host: host.state,
          message: host.message, fault: lists.fault, lists: lists.all, rules: declarative?.fault,
          digest: declarative?.digestInForce }))(tickbird.state)
        """
      )
      throw DrivingError("\(error); the extension: \(state ?? "nothing")")
    }
  }

  /// Installed, turned off and on, changed, with the host killed in between: an open page feels it.
  func followsTheService() throws {
    let identifier = try service.use("Pixels", list("pixel"))
    session.server.answer { _ in .page("<p>News") }
    let pixel = "http://third.test/pixel"
    try session.visit("http://open.com/") { tab in
      try expect(pixel, comesToReach: false, tab)
      try service.run("extensions", "off", identifier)
      try expect(pixel, comesToReach: true, tab)
      try service.run("extensions", "on", identifier)
      try expect(pixel, comesToReach: false, tab)
      // Nothing asks the service while pages load.
      service.stop()
      try expect(pixel, comesToReach: false, tab)
      try service.start()
      try service.use("Pixels", list("beacon"))
      try expect(pixel, comesToReach: true, tab)
      try expect("http://third.test/beacon", comesToReach: false, tab)
      try service.run("extensions", "remove", identifier)
      try expect("http://third.test/beacon", comesToReach: true, tab)
    }
  }

  /// What decides comes without the list's text, which comes when a person looks at a rule, and stays.
  func fetchesTextsOnDemand() throws {
    let text = "[\n\n" + list("pixel").dropFirst()
    let identifier = try service.use("Lines", text)
    session.server.answer { _ in .page("<p>News") }
    try session.visit("http://open.com/") { tab in
      try expect("http://third.test/pixel", comesToReach: false, tab)
    }
    let list = "tickbird.state.lists.all.find((list) => list.identifier === '\(identifier)')"
    let missing =
      try session.browser.evaluateInBackground(
        """
        new Promise((resolve) => {
          const opening = indexedDB.open("tickbird");
          opening.onsuccess = () => {
            const getting = opening.result.transaction("lists").objectStore("lists")
              .get("\(identifier)");
            getting.onsuccess = () => {
              opening.result.close();
              resolve(getting.result.size - getting.result.bytes.length);
            };
          };
        })
        """
      ) as? Int
    #expect(try #require(missing) >= text.utf8.count)
    func line() throws -> Int? {
      try session.browser.evaluateInBackground("tickbird.state.matcher.texts.line(\(list), 0)")
        as? Int
    }
    #expect(try line() == nil)
    _ = try session.browser.evaluateInBackground("tickbird.state.matcher.texts.know()")
    #expect(try line() == 3)
    // From now on the host is not asked for it.
    let kept =
      try session.browser.evaluateInBackground(
        """
        (() => {
          const { host } = tickbird.state;
          const fetch = host.fetch;
          host.fetch = () => Promise.reject(new Error("asked"));
          return tickbird.state.lists.source(\(list))
            .then((bytes) => new TextDecoder().decode(bytes))
            .finally(() => { host.fetch = fetch; });
        })()
        """
      ) as? String
    #expect(kept == text)
    try service.run("extensions", "remove", identifier)
  }

  /// The host that the browser started is killed: the extension starts another, lists stay.
  func outlivesItsHost() throws {
    try service.use("Pixels", list("pixel"))
    session.server.answer { _ in .page("<p>News") }
    try session.visit("http://open.com/") { tab in
      try expect("http://third.test/pixel", comesToReach: false, tab)
      func host() throws -> Int32? {
        let answer = try session.browser.evaluateInBackground(
          "tickbird.state.host.ask({ request: 'hello' }).catch(() => null)"
        )
        return ((answer as? [String: Any])?["process"] as? Int).map(Int32.init)
      }
      let first = try #require(try host())
      kill(first, SIGKILL)
      try expect("http://third.test/pixel", comesToReach: false, tab)
      let second = try eventually("there is another host") { try host() }
      #expect(second != first)
      try expect("http://third.test/pixel", comesToReach: false, tab)
    }
    try service.run("extensions", "remove", "list.pixels")
  }
}
