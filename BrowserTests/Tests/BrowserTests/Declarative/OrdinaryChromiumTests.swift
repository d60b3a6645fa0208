import BrowserDriving
import Testing

extension BrowserTests.InChromium {
  @Suite("Ordinary Chromium", .serialized)
  struct Ordinary {
    static let kind = BrowserKind.chromium

    @Test("scenario 1.1: hidden on one site, or on all others", arguments: [false, true])
    func hiding(negated: Bool) throws {
      try Scenarios(Self.kind, mayBlock: false).hidesOnOneSite(negated: negated)
    }

    @Test("scenario 1.2: a tracker is stopped where it is third-party")
    func tracker() throws { try Scenarios(Self.kind, mayBlock: false).stopsATracker() }

    @Test("scenario 1.3: the accident and the ways out", arguments: WayOut.allCases)
    func wayOut(_ way: WayOut) throws { try way.check(Scenarios(Self.kind, mayBlock: false)) }

    @Test("scenario 1.6: cookies are neither sent nor set")
    func cookies() throws {
      try Scenarios(Self.kind, mayBlock: false).stripsCookies()
      try Scenarios(Self.kind, mayBlock: false).keepsAnswersFromSettingCookies()
    }

    @Test("scenario 1.6: http without a port becomes https")
    func upgrade() throws { try Scenarios(Self.kind, mayBlock: false).upgrades() }

    @Test("switches, exempted sites and changed lists act at once")
    func switches() throws { try Life(Self.kind, mayBlock: false).actsAtOnce() }

    @Test("what was blocked is reported with its rule, and nothing else")
    func journal() throws { try OrdinaryChromium().tellsWhatWasBlocked() }

    @Test("the first request is blocked, in a new profile and after a new start")
    func restart() throws { try OrdinaryChromium.blocksFromTheFirstRequest() }

    @Test(
      "what exact rules decide is what reaches the server",
      .enabled(if: Logs.folder != nil, "there is no folder of data")
    )
    func outcome() throws { try OrdinaryChromium().actsAsTheEngine() }

    @Test("with the service: lists are turned on and off, changed and removed", .withService)
    func service() throws { try ServiceLife(Self.kind, mayBlock: false).followsTheService() }

    @Test("Chromium says of its rules what the model says")
    func model() throws { try OrdinaryChromium().checksTheModel() }
  }
}
