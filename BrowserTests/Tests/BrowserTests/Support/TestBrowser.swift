import BrowserDriving
import Foundation
import Testing

/// A browser as a test has it.
enum TestBrowser: String, CaseIterable, Sendable {
  /// Chromium that lets the extension stop requests, as it does where a policy installs it.
  case chromium
  /// Chromium as most people have it: the extension may stop nothing, the browser's own rules block.
  case ordinaryChromium = "ordinary-chromium"
  case firefox

  var kind: BrowserKind {
    switch self {
    case .chromium, .ordinaryChromium: .chromium
    case .firefox: .firefox
    }
  }

  /// Whether the browser lets the extension stop requests.
  var mayBlock: Bool { self != .ordinaryChromium }

  /// Why nothing can be tested in it; `nil` if it is installed.
  var absence: String? { kind.isInstalled ? nil : "\(rawValue) is not installed" }
}

extension [TestBrowser] {
  /// Those that nothing prevents from being tested; of the others it is said why they are skipped.
  func without(_ obstacle: (TestBrowser) -> String?) -> [TestBrowser] {
    filter { browser in
      guard let obstacle = obstacle(browser) else { return true }
      try? FileHandle.standardError.write(contentsOf: Data("skipped: \(obstacle)\n".utf8))
      return false
    }
  }
}

/// The browsers of this run: those that `TICKBIRD_BROWSERS` names, with commas in between, or all.
let everyBrowser: [TestBrowser] = {
  let names = ProcessInfo.processInfo.environment["TICKBIRD_BROWSERS"] ?? ""
  let chosen = names.split(separator: ",").map { name in
    guard let browser = TestBrowser(rawValue: String(name)) else {
      preconditionFailure("TICKBIRD_BROWSERS names “\(name)”, which is no browser of the tests")
    }
    return browser
  }
  return (chosen.isEmpty ? TestBrowser.allCases : chosen).without(\.absence)
}()

/// Those in which the extension's matcher decides every request.
let browsers = everyBrowser.filter(\.mayBlock)

/// Those in which pages are looked at for their accessibility.
let accessibilityBrowsers = takingTurns(browsers, beginningWith: .chromium)

/// Those in which pages are read in other languages.
let languageBrowsers = takingTurns(browsers, beginningWith: .firefox)

/// Of two browsers, one today and the other tomorrow, if `TICKBIRD_SEED` is the seed of a day, as where changes land;
/// otherwise all.
///
/// For what takes minutes in each, and is the same pages, style sheets and texts in both.
private func takingTurns(
  _ browsers: [TestBrowser],
  beginningWith first: TestBrowser
) -> [TestBrowser] {
  guard let seed = ProcessInfo.processInfo.environment["TICKBIRD_SEED"].flatMap({ Int($0) }) else {
    return browsers
  }
  // `Scripts/check` gives each day ten thousand seeds.
  let isOfFirst = (seed / 10_000).isMultiple(of: 2)
  return browsers.without { browser in
    guard (browser == first) != isOfFirst else { return nil }
    return "\(browser.rawValue) takes its turn on another day, with another TICKBIRD_SEED"
  }
}

/// Those as most people have them.
let everydayBrowsers = everyBrowser.filter { $0 != .chromium }

/// Those that load pages before anybody goes to them, which Firefox does not.
let prerenderingBrowsers = everyBrowser.filter { $0.kind == .chromium }

extension Trait where Self == ConditionTrait {
  /// A test that makes sense in one browser alone.
  static func only(in browser: TestBrowser, because reason: String) -> ConditionTrait {
    .enabled(if: everyBrowser.contains(browser), "for \(browser.rawValue) alone: \(reason)")
  }

  /// Needs the service's program.
  static var withService: ConditionTrait {
    .enabled(
      if: Service.program != nil,
      "tickbird-host is not built; see swift build --package-path Service"
    )
  }

  /// Needs real lists and logs.
  static var withLogs: ConditionTrait {
    .enabled(if: Logs.folder != nil, "there is no folder of data")
  }

  /// Needs a folder to put pictures into.
  static var withPictures: ConditionTrait {
    .enabled(if: pictures != nil, "TICKBIRD_PICTURES names no folder for pictures")
  }
}

/// Where pictures of the pop-up are wanted.
let pictures = ProcessInfo.processInfo.environment["TICKBIRD_PICTURES"].map { URL(filePath: $0) }
