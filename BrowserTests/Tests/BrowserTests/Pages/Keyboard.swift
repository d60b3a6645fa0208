import BrowserDriving
import Foundation
import Testing

/// The extension's pages without a mouse.
struct Keyboard {
  private let tour: Tour
  private var browser: any Browser { tour.browser }

  init(_ browser: TestBrowser) throws { tour = try Tour(browser) }

  /// Pressing the tabulator comes to every control once, in the page's order, and each shows it.
  func reachesEverything() throws {
    try tour.visit { name, tab throws in
      try Self.reachesEverything("\(name) in \(browser.kind.rawValue)", browser, tab)
    }
  }

  /// The same, on a page that is shown.
  static func reachesEverything(_ page: String, _ browser: any Browser, _ tab: BrowserTab) throws {
    let wanted = try #require(
      try browser.evaluate(Self.mark, in: tab) as? Int,
      "\(page)"
    )
    #expect(wanted > 0, "\(page) has no control")
    var reached: [Int] = []
    for _ in 0..<wanted * 4 + 12 {
      try browser.press("Tab", in: tab)
      let state = try browser.evaluate(Self.focused, in: tab) as? [String: Any] ?? [:]
      guard let number = state["number"] as? Int else {
        if Set(reached).count >= wanted { break }
        continue
      }
      if reached.last != number { reached.append(number) }
      #expect(
        state["isSeen"] as? Bool == true,
        "\(page): no focus is seen on \(state["html"] ?? "")"
      )
      if Set(reached).count >= wanted { break }
    }
    let missing = Set(0..<wanted).subtracting(reached)
    let html =
      try browser.evaluate(
        "[...document.querySelectorAll('[data-control]')].map((each) => each.outerHTML.slice(0, 120))",
        in: tab
      ) as? [String] ?? []
    #expect(
      missing.isEmpty,
      "\(page): \(missing.sorted().map { html.indices.contains($0) ? html[$0] : "" })"
    )
    // It begins where the address points to.
    let start = reached.firstIndex(of: reached.min() ?? 0) ?? 0
    let order = Array(reached[start...] + reached[..<start])
    #expect(order == order.sorted(), "\(page): the order is \(reached)")
  }

  /// Numbers the controls that can be used, and puts the focus before the first.
  ///
  /// Taking it away is not enough: Firefox goes on from where it was, at the end out of the page, and then comes
  /// back to the control that it has left.
  private static let mark = """
    (() => {
      const controls = [...document.querySelectorAll(
        "a[href], button, input, select, textarea, summary, [tabindex='0']")]
        .filter((each) => !each.disabled && each.checkVisibility({ visibilityProperty: true })
          // Of a group of radio buttons the chosen one is reached, and the others by arrows.
          && (each.type !== "radio" || each.checked));
      for (const [number, each] of controls.entries()) each.dataset.control = number;
      const start = document.createElement("span");
      start.tabIndex = -1;
      document.body.prepend(start);
      start.focus({ preventScroll: true });
      getSelection().removeAllRanges();
      scrollTo(0, 0);
      return controls.length;
    })()
    """

  /// The control that has the focus, and whether a person sees that.
  private static let focused = """
    (() => {
      const element = document.activeElement;
      const { control } = element?.dataset ?? {};
      if (control === undefined) return {};
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return {
        number: Number(control), html: element.outerHTML.slice(0, 120),
        // In a field of a time the browser marks the part that is typed into.
        isSeen: element.type === "time"
          || element.matches(":focus-visible") && outlineStyle !== "none" && outlineWidth !== "0px",
      };
    })()
    """
}
