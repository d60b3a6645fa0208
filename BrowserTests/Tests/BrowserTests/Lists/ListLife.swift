import BrowserDriving
import ContentBlocking
import Foundation
import Testing

/// Lists of the host: switched, changed, damaged, and kept while the host is away.
struct ListLife {
  let session: Session

  init(_ browser: TestBrowser) throws { session = try Session.with(browser) }

  private static let blockPixels = """
    [{"trigger": {"url-filter": "pixel"}, "action": {"type": "block"}}]
    """

  /// Asks for a URL from an open page, and checks whether an answer comes.
  private func expect(_ url: String, reaches isWanted: Bool, _ tab: BrowserTab) throws {
    #expect(try session.reaches(url, from: tab) == isWanted, "\(url)")
  }

  /// Waits until the toolbar's button has a title on the open page.
  private func expectButton(_ title: String) throws {
    let number = try session.number(ofTabAt: "http://www.open.com/") ?? -1
    _ = try eventually("the button says “\(title)”") {
      try session.browser.evaluateInBackground(
        "(api.action ?? api.browserAction).getTitle({ tabId: \(number) })"
      ) as? String == title ? true : nil
    }
  }

  /// Switching a list, exempting a site and changing a list act on an open page's next load.
  func actsAtOnce() throws {
    try session.use(["first": Array(Self.blockPixels.utf8)])
    session.server.answer { _ in .page("<p>News") }
    let pixel = "http://third.test/pixel"
    func say(_ message: String) throws {
      _ = try session.browser.evaluateInBackground("tickbird.answer(\(message))")
    }
    try session.visit("http://www.open.com/") { tab in
      try expect(pixel, reaches: false, tab)
      try say("{ type: 'switch', identifier: 'first', isOn: false }")
      try expect(pixel, reaches: true, tab)
      try expectButton("Tickbird: no list is on")
      try say("{ type: 'switch', identifier: 'first', isOn: true }")
      try expect(pixel, reaches: false, tab)
      #expect(try session.page("http://www.open.com/")["site"] as? String == "open.com")
      try expectButton("Tickbird")
      try say("{ type: 'allow', site: 'open.com', isAllowed: true }")
      try expectButton("Tickbird: this site is exempt")
      try expect(pixel, reaches: true, tab)
      #expect(try session.page("http://www.open.com/")["isAllowed"] as? Bool == true)
      try say("{ type: 'allow', site: 'open.com', isAllowed: false }")
      try expect(pixel, reaches: false, tab)
      let other = Self.blockPixels.replacing("pixel", with: "beacon")
      try session.use(["first": Array(other.utf8)])
      try expect(pixel, reaches: true, tab)
      try expect("http://third.test/beacon", reaches: false, tab)
    }
    // The host never learns what is visited.
    #expect(session.hostQuestions.contains { $0.contains(#""type":"lists""#) })
    for page in ["open.com", "third.test"] {
      #expect(!session.hostQuestions.contains { $0.contains(page) })
    }
  }

  /// Lists that cannot be had or opened leave the old ones active, and are told of.
  func keepsTheOldList() throws {
    let list = try session.use(["kept": Array(Self.blockPixels.utf8)])[0]
    session.server.answer { _ in .page("<p>News") }
    var damaged = try ContentRuleList.compile(list.source).file
    damaged[40] ^= 0xFF
    try session.offer([session.entry("kept", damaged)])
    let fault = try eventually("the fault is reported") {
      try session.browser.evaluateInBackground("tickbird.state.lists.fault") as? String
    }
    #expect(fault.contains("damaged or of another version"))
    var wrong = try session.entry("kept", damaged)
    wrong["digest"] = String(repeating: "0", count: 64)
    try session.offer([wrong])
    _ = try eventually("the fault is reported") {
      (try session.browser.evaluateInBackground("tickbird.state.lists.fault") as? String)?
        .contains("not the list’s") == true ? true : nil
    }
    try session.visit("http://open.com/") { tab in
      try expect("http://third.test/pixel", reaches: false, tab)
    }
  }

  /// Without its host the extension goes on with what it has, and comes back to it.
  func outlivesTheHost() throws {
    try session.use(["kept": Array(Self.blockPixels.utf8)])
    session.server.answer { _ in .page("<p>News") }
    try session.setHostStopped(true)
    _ = try eventually("the host's end is noticed") {
      try session.browser.evaluateInBackground("tickbird.state.host.state") as? String == "stopped"
        ? true : nil
    }
    try session.visit("http://open.com/") { tab in
      try expect("http://third.test/pixel", reaches: false, tab)
    }
    try session.setHostStopped(false)
    try session.use(["kept": Array(Self.blockPixels.replacing("pixel", with: "dot").utf8)])
    try session.visit("http://open.com/") { tab in
      try expect("http://third.test/pixel", reaches: true, tab)
      try expect("http://third.test/dot", reaches: false, tab)
    }
  }
}
