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

/// Those in which pages are looked at for their accessibility: all, or the one that `TICKBIRD_ACCESSIBILITY` names.
let accessibilityBrowsers = browsers.without { browser in
  guard let turn = accessibilityTurn, browser != turn else { return nil }
  return otherTurn("accessibility", in: browser)
}

/// Those in which pages are read in other languages: all, or the one that has no turn at accessibility.
let languageBrowsers = browsers.without { browser in
  guard let turn = accessibilityTurn, browser == turn else { return nil }
  return otherTurn("other languages", in: browser)
}

/// The browser that alone has the tests of accessibility, where the other one has those of languages.
///
/// Both take minutes, and look at the same pages, style sheets and texts in each browser. Where one of the browsers is
/// not installed, the other one has all.
private let accessibilityTurn: TestBrowser? = {
  guard TestBrowser.chromium.absence == nil, TestBrowser.firefox.absence == nil else { return nil }
  switch ProcessInfo.processInfo.environment["TICKBIRD_ACCESSIBILITY"] ?? "" {
  case "": return nil
  case "chromium": return .chromium
  case "firefox": return .firefox
  case let name:
    preconditionFailure("TICKBIRD_ACCESSIBILITY names “\(name)”, neither chromium nor firefox")
  }
}()

private func otherTurn(_ subject: String, in browser: TestBrowser) -> String {
  "tests of \(subject) in \(browser.rawValue), which have their turn on another day; "
    + "Scripts/test-browsers --browser \(browser.rawValue) runs them"
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
