import BrowserDriving
import Foundation
import Testing

/// What the tests of the picker do and see.
extension PickerLife {
  /// The user's own rules.
  func own() throws -> String {
    let json = try service.run("lists", "own", "--format", "json")
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    return try #require(object?["text"] as? String)
  }

  /// Begins to pick in a tab, and returns the tab's number.
  func start(_ tab: BrowserTab, _ url: String) throws -> Int {
    let number = try #require(try session.number(ofTabAt: url))
    // A background that has just started may hear only now that the page has come, which ends what was begun
    // on the page before it.
    _ = try eventually("picking begins") { () -> Bool? in
      _ = try browser.evaluateInBackground("tickbird.answer({ type: 'pick', tabId: \(number) })")
      let deadline = Date(timeIntervalSinceNow: 5)
      while Date() < deadline {
        if try browser.element(".shield", in: tab) != nil { return true }
        Thread.sleep(forTimeInterval: 0.05)
      }
      return nil
    }
    try expectPicking(tab)
    return number
  }

  /// Waits until an element can be picked in a tab.
  func expectPicking(_ tab: BrowserTab) throws {
    _ = try eventually("an element can be picked") {
      try browser.element(".shield", in: tab) != nil ? true : nil
    }
    // The frames' scripts come with the page's, or a moment later.
    Thread.sleep(forTimeInterval: 0.5)
  }

  func pickerURL(_ number: Int) -> String {
    browser.extensionURL + "picker/picker.html?tab=\(number)"
  }

  /// The window that shows what was picked.
  func pickerWindow(_ number: Int) throws -> BrowserTab {
    let window = try eventually("the picker's window is there") {
      try browser.tab(at: pickerURL(number))
    }
    try expectShown(window)
    return window
  }

  /// Waits until a page of the extension has what it shows in its place.
  func expectShown(_ page: BrowserTab) throws {
    _ = try eventually("the page shows something") { () -> Bool? in
      try browser.evaluate("document.documentElement?.dataset.shown", in: page) as? String
        == "true" ? true : nil
    }
  }

  func close(_ picker: BrowserTab) throws {
    try browser.closeTab(picker)
  }

  /// The selectors or addresses that are offered.
  func subjects(_ page: BrowserTab) throws -> [String] {
    let script = "[...document.querySelectorAll('.subject')].map((each) => each.textContent)"
    return try browser.evaluate(script, in: page) as? [String] ?? []
  }

  /// Chooses one of the rules.
  func choose(_ subject: String, _ page: BrowserTab) throws {
    _ = try eventually("\(subject) is offered") { () -> Bool? in
      try browser.evaluate(
        """
        (() => {
          const found = [...document.querySelectorAll(".choice")].find((each) =>
            each.querySelector(".subject").textContent === \(quoted(subject)));
          found?.querySelector("input").click();
          return !!found;
        })()
        """,
        in: page
      ) as? Bool == true ? true : nil
    }
  }

  /// Presses the first element that a selector finds with the mouse, as soon as it acts.
  func press(_ selector: String, _ page: BrowserTab) throws {
    try pressWhere(selector, "", page)
  }

  /// Presses the first element that a selector finds and that has a text.
  func pressWhere(_ selector: String, _ text: String, _ page: BrowserTab) throws {
    try browser.tellingText(of: page) {
      _ = try eventually("\(selector) “\(text)” acts") { () -> Bool? in
        let isThere = try browser.click(
          elementOf: """
            [...document.querySelectorAll(\(quoted(selector)))].find((each) =>
              !each.disabled && each.textContent.includes(\(quoted(text)))
                && each.getClientRects().length > 0)
            """,
          in: page
        )
        return isThere ? true : nil
      }
    }
  }

  func expectText(_ text: String, _ page: BrowserTab) throws {
    try browser.expectText(text, in: page)
  }

  /// Waits until a part of a page has a text after a rule was chosen.
  func expectText(
    _ text: String,
    _ page: BrowserTab,
    _ part: String,
    afterChoosing subject: String
  ) throws {
    // The host is named by its own pattern, with what it blocks.
    _ = try eventually("\(subject) is offered") { () -> Bool? in
      let filters =
        try browser.evaluate(
          """
          [...document.querySelectorAll("\(part) .choice")].map((each) => {
            each.querySelector("input").click();
            return document.querySelector(".rule-filter").textContent;
          })
          """,
          in: page
        ) as? [String]
      return filters?.last == text ? true : nil
    }
  }

  func expect(_ selector: String, isShown: Bool, _ tab: BrowserTab) throws {
    _ = try eventually("\(selector) is \(isShown ? "shown" : "hidden")") {
      try session.isShown(selector, in: tab) == isShown ? true : nil
    }
  }

  /// Expects that these elements, and no others among some, have an outline.
  func expect(outlined: [String], in all: String = "body *", _ tab: BrowserTab) throws {
    let script = """
      (() => {
        const all = [...Document.prototype.querySelectorAll.call(document, \(quoted(all)))]
          .filter((each) => getComputedStyle(each).outlineStyle === "solid");
        const wanted = [\(outlined.map(quoted).joined(separator: ", "))].map((each) => document.querySelector(each));
        return all.length === wanted.length && wanted.every((each) => all.includes(each));
      })()
      """
    _ = try eventually("\(outlined) have an outline") {
      try browser.evaluate(script, in: tab) as? Bool == true ? true : nil
    }
  }

  /// Expects that an element of the page is hidden, or is not, when the page is loaded anew.
  func expectHiddenAfterLoading(_ selector: String, isHidden: Bool) throws {
    _ = try eventually("\(selector) is \(isHidden ? "" : "not ")hidden by a rule") { () -> Bool? in
      try session.visit(Self.page) { tab in
        Thread.sleep(forTimeInterval: 0.3)
        return try session.isShown(selector, in: tab) == !isHidden
      } ? true : nil
    }
  }

  func expect(_ url: String, comesToReach isWanted: Bool) throws {
    try session.visit("http://plain.test/") { tab in
      _ = try eventually("\(url) is \(isWanted ? "let through" : "stopped")") {
        try session.reaches(url, from: tab) == isWanted ? true : nil
      }
    }
  }
}
