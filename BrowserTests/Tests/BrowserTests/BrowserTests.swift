import BrowserDriving
import Foundation
import Testing

/// Where pictures of the pop-up are wanted.
let pictures = ProcessInfo.processInfo.environment["TICKBIRD_PICTURES"].map { URL(filePath: $0) }

/// Everything in a browser, one test after the other.
@Suite("Browsers", .serialized)
struct BrowserTests {
  @Suite(
    "Chromium",
    .serialized,
    .enabled(if: BrowserKind.chromium.isInstalled, "Chromium is not installed")
  )
  struct InChromium {
    static let kind = BrowserKind.chromium

    @Test("scenario 1.1: hidden on one site, or on all others", arguments: [false, true])
    func hiding(negated: Bool) throws { try Scenarios(Self.kind).hidesOnOneSite(negated: negated) }

    @Test("scenario 1.2: a tracker is stopped where it is third-party")
    func tracker() throws { try Scenarios(Self.kind).stopsATracker() }

    @Test("scenario 1.3: the accident and the ways out", arguments: WayOut.allCases)
    func wayOut(_ way: WayOut) throws { try way.check(Scenarios(Self.kind)) }

    @Test("scenario 1.6: cookies are neither sent nor set")
    func cookies() throws {
      try Scenarios(Self.kind).stripsCookies()
      try Scenarios(Self.kind).keepsAnswersFromSettingCookies()
    }

    @Test("scenario 1.6: http without a port becomes https, and is not matched again")
    func upgrade() throws { try Scenarios(Self.kind).upgrades() }

    @Test("elements are hidden before they are painted, in all frames")
    func paint() throws { try Life(Self.kind).hidesBeforePaint() }

    @Test("switches, exempted sites and changed lists act at once")
    func switches() throws { try Life(Self.kind).actsAtOnce() }

    @Test("a list that cannot be opened or had leaves the old one active")
    func damage() throws { try Life(Self.kind).keepsTheOldList() }

    @Test("the extension outlives its host and comes back to it")
    func host() throws { try Life(Self.kind).outlivesTheHost() }

    @Test("a hostile page finds no file and no way to speak")
    func hostile() throws { try Life(Self.kind).tellsPagesNothing() }

    @Test("the pop-up shows what was done by which rule")
    func popUp() throws { try Life(Self.kind).showsThePage(pictures) }

    @Test(
      "the log is decided as by the engine and by WebKit",
      .enabled(if: Logs.folder != nil, "there is no folder of data")
    )
    func log() throws { try EngineAnswers(Self.kind).decidesTheLog() }

    @Test(
      "what reaches the server is what the engine lets through",
      .enabled(if: Logs.folder != nil, "there is no folder of data")
    )
    func outcome() throws { try EngineAnswers(Self.kind).actsAsTheEngine() }

    @Test("with the service: lists are turned on and off, changed and removed", .withService)
    func service() throws { try ServiceLife(Self.kind).followsTheService() }

    @Test("with the service: a host that is killed is started again", .withService)
    func killedHost() throws { try ServiceLife(Self.kind).outlivesItsHost() }

    @Test(
      "a Chromium that does not let the extension block itself, and a missing host, are told of"
    )
    func ordinary() throws {
      Session.closeAll()
      let session = try Session(Self.kind, hasHost: false, mayBlock: false)
      defer { session.close() }
      session.server.answer { _ in .page("<p>News") }
      try session.visit("http://news.example/") { _ in
        let page = try eventually("the state is known") { () -> [String: Any]? in
          let page = try session.page("http://news.example/")
          let host = page["host"] as? [String: Any]
          return page["canBlock"] as? Bool == false && host?["state"] as? String == "missing"
            ? page : nil
        }
        #expect((page["lists"] as? [Any])?.isEmpty == true)
      }
      for shade in pictures == nil ? ["light"] : ["light", "dark"] {
        try session.browser.setDark(shade == "dark")
        try session.visit(session.browser.extensionURL + "popup/popup.html?tab=-1") { tab in
          let text = try eventually("the pop-up speaks") { () -> String? in
            let text = try session.browser.evaluate("document.body.innerText", in: tab) as? String
            return text?.contains("tickbird browser install") == true ? text : nil
          }
          #expect(text.contains("This browser blocks by its own rules"))
          if let pictures {
            try session.browser.setSize(width: 380, height: 420, of: tab)
            try session.browser.screenshot(of: tab)
              .write(to: pictures.appending(path: "popup-missing-chromium-\(shade).png"))
          }
        }
      }
    }
  }

  @Suite(
    "Firefox",
    .serialized,
    .enabled(if: BrowserKind.firefox.isInstalled, "Firefox is not installed")
  )
  struct InFirefox {
    static let kind = BrowserKind.firefox

    @Test("scenario 1.1: hidden on one site, or on all others", arguments: [false, true])
    func hiding(negated: Bool) throws { try Scenarios(Self.kind).hidesOnOneSite(negated: negated) }

    @Test("scenario 1.2: a tracker is stopped where it is third-party")
    func tracker() throws { try Scenarios(Self.kind).stopsATracker() }

    @Test("scenario 1.3: the accident and the ways out", arguments: WayOut.allCases)
    func wayOut(_ way: WayOut) throws { try way.check(Scenarios(Self.kind)) }

    @Test("scenario 1.6: cookies are neither sent nor set")
    func cookies() throws {
      try Scenarios(Self.kind).stripsCookies()
      try Scenarios(Self.kind).keepsAnswersFromSettingCookies()
    }

    @Test("scenario 1.6: http without a port becomes https, and is not matched again")
    func upgrade() throws { try Scenarios(Self.kind).upgrades() }

    @Test("elements are hidden before they are painted, in all frames")
    func paint() throws { try Life(Self.kind).hidesBeforePaint() }

    @Test("switches, exempted sites and changed lists act at once")
    func switches() throws { try Life(Self.kind).actsAtOnce() }

    @Test("a list that cannot be opened or had leaves the old one active")
    func damage() throws { try Life(Self.kind).keepsTheOldList() }

    @Test("the extension outlives its host and comes back to it")
    func host() throws { try Life(Self.kind).outlivesTheHost() }

    @Test("a hostile page finds no file and no way to speak")
    func hostile() throws { try Life(Self.kind).tellsPagesNothing() }

    @Test("the pop-up shows what was done by which rule")
    func popUp() throws { try Life(Self.kind).showsThePage(pictures) }

    @Test(
      "the log is decided as by the engine and by WebKit",
      .enabled(if: Logs.folder != nil, "there is no folder of data")
    )
    func log() throws { try EngineAnswers(Self.kind).decidesTheLog() }

    @Test(
      "what reaches the server is what the engine lets through",
      .enabled(if: Logs.folder != nil, "there is no folder of data")
    )
    func outcome() throws { try EngineAnswers(Self.kind).actsAsTheEngine() }

    @Test("with the service: lists are turned on and off, changed and removed", .withService)
    func service() throws { try ServiceLife(Self.kind).followsTheService() }

    @Test("with the service: a host that is killed is started again", .withService)
    func killedHost() throws { try ServiceLife(Self.kind).outlivesItsHost() }
  }
}

extension Trait where Self == ConditionTrait {
  /// Needs the service's program.
  static var withService: ConditionTrait {
    .enabled(
      if: Service.program != nil,
      "tickbird-host is not built; see swift build --package-path Service"
    )
  }
}

/// The accident of scenario 1.3, and what its author can do.
enum WayOut: CaseIterable {
  case none
  case ignorePreviousRules
  case imagesOnly

  func check(_ scenarios: Scenarios) throws {
    switch self {
    case .none: try scenarios.takesTheWayOut(nil, isStyled: false)
    case .ignorePreviousRules:
      try scenarios.takesTheWayOut(
        """
        {"trigger": {"url-filter": "cats-and-dogs"}, "action": {"type": "ignore-previous-rules"}}
        """,
        isStyled: true
      )
    case .imagesOnly:
      try scenarios.takesTheWayOut(
        nil,
        isStyled: true,
        restriction: ", \"resource-type\": [\"image\"]"
      )
    }
  }
}
