import BrowserDriving
import Foundation
import Testing

/// Everything in a browser, one test after the other, and all of Chromium's before Firefox's.
@Suite("Browsers", .serialized)
struct BrowserTests {
  static let installed = BrowserKind.allCases.filter(\.isInstalled)

  @Suite(
    "Chromium",
    .serialized,
    .enabled(if: BrowserKind.chromium.isInstalled, "Chromium is not installed")
  )
  struct InChromium: BlockingTests {
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
  }

  @Suite(
    "Firefox",
    .serialized,
    .enabled(if: BrowserKind.firefox.isInstalled, "Firefox is not installed")
  )
  struct InFirefox: BlockingTests {
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
  }
}

/// Tests of a browser.
protocol BlockingTests {
  static var kind: BrowserKind { get }
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
