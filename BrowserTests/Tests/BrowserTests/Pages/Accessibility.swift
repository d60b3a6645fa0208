import BrowserDriving
import Foundation
import Testing

/// What axe-core says of the extension's pages.
struct Accessibility {
  private let tour: Tour
  private var browser: any Browser { tour.browser }

  init(_ browser: TestBrowser, language: String) throws {
    tour = try Tour(browser, language: language)
  }

  /// The script of axe-core, which `TICKBIRD_AXE` names or a Python package has; `nil` if it is nowhere.
  static let script: String? = {
    let environment = ProcessInfo.processInfo.environment
    let named =
      environment["TICKBIRD_AXE"]
      ?? (try? Tool.run([
        "/usr/bin/env", "python3", "-c",
        "import importlib.util, pathlib\n"
          + "spec = importlib.util.find_spec('axe_playwright_python')\n"
          + "print(pathlib.Path(spec.origin).with_name('axe.min.js') if spec else '', end='')",
      ]))
    return named.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }
  }()

  /// No page has a violation, whatever the colours.
  func isGivenEverywhere() throws {
    for colours in ["light", "dark", "forced"] { try isGivenIn(colours) }
  }

  /// No page has a violation in these colours.
  func isGivenIn(_ colours: String) throws {
    try browser.setDark(colours == "dark")
    try browser.setForcedColors(colours == "forced")
    defer {
      try? browser.setDark(false)
      try? browser.setForcedColors(false)
    }
    try tour.visit { name, tab throws in
      try Self.expectNoViolation(
        "\(name), \(colours) in \(browser.kind.rawValue)",
        browser,
        tab,
        colours
      )
    }
  }

  /// Expects a page that is shown to have no violation in these colours.
  static func expectNoViolation(
    _ page: String,
    _ browser: any Browser,
    _ tab: BrowserTab,
    _ colours: String
  ) throws {
    let script = try #require(script)
    let isForced = try browser.evaluate("matchMedia('(forced-colors: active)').matches", in: tab)
    #expect(isForced as? Bool == (colours == "forced"), "\(page)")
    // As an expression, since the page's policy lets no other script in.
    _ = try browser.evaluate(
      "(() => { \(script)\n; globalThis.axe = window.axe; return true; })()",
      in: tab
    )
    let found = try browser.evaluate(
      """
      axe.run(document, { resultTypes: ["violations"] }).then(({ violations, passes }) => [
        String(passes.length),
        ...violations.flatMap(({ id, nodes }) => nodes.map((node) =>
          `${id}: ${node.target.join(" ")}: ${node.html.slice(0, 160)}: ${node.any[0]?.message ?? ""}`))])
      """,
      in: tab
    )
    let lines = try #require(found as? [String])
    #expect(Int(lines[0]) ?? 0 > 10, "\(page): axe-core has looked at little")
    for violation in lines.dropFirst() { Issue.record("\(page): \(violation)") }
  }
}

extension Trait where Self == ConditionTrait {
  /// Needs axe-core.
  static var withAxe: ConditionTrait {
    .enabled(
      if: Accessibility.script != nil,
      "axe-core is not there: pip install axe-playwright-python, or TICKBIRD_AXE=…/axe.min.js"
    )
  }
}
