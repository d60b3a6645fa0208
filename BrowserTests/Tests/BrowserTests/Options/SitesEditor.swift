import BrowserDriving
import Foundation
import Testing

/// The options page's settings of single sites, its appearance, and many lists.
extension OptionsLife {
  private func kept() throws -> [String: [String]] {
    let json = try browser.evaluateInBackground(
      "tickbird.answer({ type: 'choices' }).then(({ entries }) => JSON.stringify(entries))"
    )
    let entries = try JSONSerialization.jsonObject(with: Data((json as? String ?? "[]").utf8))
    return Dictionary(
      uniqueKeysWithValues: (entries as? [[String: Any]] ?? []).map {
        ($0["site"] as? String ?? "", $0["choices"] as? [String] ?? [])
      }
    )
  }

  private func awaitKept(_ wanted: [String: [String]]) throws {
    _ = try eventually("\(wanted) is kept") { try kept() == wanted ? true : nil }
  }

  /// A site is added, set, seen again and removed, by keyboard; an ending is no site.
  func editsSites() throws {
    try visitOptions("sites") { page throws in
      try fill("choices-address", "com", page)
      try submit("add-choices", page)
      try expectText("“com” is no site, but an ending that many sites share", page)
      try fill("choices-address", "about:blank", page)
      try submit("add-choices", page)
      try expectText("is not the address of a site", page)
      try fill("choices-address", "https://www.set.example/path", page)
      try submit("add-choices", page)
      _ = try eventually("the site's part is open") {
        try count(".choice-site[open]", page) == 1 ? true : nil
      }
      #expect(try kept().isEmpty)
      try expectReadable(page, browser)
      _ = try browser.evaluate("document.querySelector('[data-choice=fonts]').focus()", in: page)
      try browser.press(" ", in: page)
      try awaitKept(["set.example": ["fonts"]])
      #expect(
        try browser.evaluate("document.activeElement.dataset.choice", in: page) as? String
          == "fonts"
      )
      _ = try browser.evaluate(
        """
        (() => {
          const field = document.querySelector(".choice-site select");
          field.value = "strict";
          field.dispatchEvent(new Event("change"));
        })()
        """,
        in: page
      )
      try awaitKept(["set.example": ["fonts", "strict"]])
      try expectText("Scripts and frames from other sites are blocked too.", page)
      try expectReadable(page, browser)
    }
    try visitOptions("sites") { page throws in
      _ = try eventually("the site is listed") {
        try browser.evaluate("document.querySelector('.choice-site summary').innerText", in: page)
          as? String == "set.exampleNo web fonts, Strict" ? true : nil
      }
      try press(".choice-site .card-actions button", "Remove", page)
      try awaitKept([:])
      _ = try eventually("the focus is where a site is added") {
        try browser.evaluate("document.activeElement.id", in: page) as? String == "choices-address"
          ? true : nil
      }
    }
  }

  /// The number on the button goes and comes back with its switch, by keyboard.
  func choosesAppearance() throws {
    try session.use(json: #"[{"trigger": {"url-filter": "pixel"}, "action": {"type": "block"}}]"#)
    session.server.answer { _ in .page("<p>News<img src=http://third.test/pixel>") }
    try session.visit("http://open.com/") { _ throws in
      let number = try #require(try session.number(ofTabAt: "http://open.com/"))
      func awaitBadge(_ wanted: String) throws {
        _ = try eventually("the button has “\(wanted)”") {
          try browser.evaluateInBackground(
            "(api.action ?? api.browserAction).getBadgeText({ tabId: \(number) })"
          ) as? String == wanted ? true : nil
        }
      }
      try awaitBadge("1")
      try visitOptions("appearance") { page throws in
        try expectText("Number on the toolbar button", page)
        try expectReadable(page, browser)
        for (isOn, words) in [(false, ""), (true, "1")] {
          _ = try browser.evaluate("document.getElementById('badge-switch').focus()", in: page)
          try browser.press(" ", in: page)
          try awaitBadge(words)
          let isShown = "tickbird.state.settings.showsBadge"
          #expect(try browser.evaluateInBackground(isShown) as? Bool == isOn)
        }
      }
    }
  }

  /// Fifty subscriptions are fifty cards, and come by as few questions as one.
  func keepsFiftyLists() throws {
    session.server.answer { request in
      .init(
        "text/plain",
        "! Title: \(request.url.suffix(8))\n||third.test/\(request.url.suffix(8))\n"
      )
    }
    try service.removeLists(but: [])
    var costs: [(elements: Int, messages: [String])] = []
    for range in [1...1, 2...50] {
      for each in range {
        try service.run(
          "lists",
          "add",
          "http://127.0.0.1:\(session.server.port)/list-\(each + 100)"
        )
      }
      _ = try eventually("\(range.upperBound) lists are there") {
        try browser.evaluateInBackground("tickbird.state.lists.all.length") as? Int
          == range.upperBound ? true : nil
      }
      try browser.noteMessages(fromPagesIn: "options")
      try visitOptions("lists") { page throws in
        #expect(try count("#list-rows > li", page) == range.upperBound)
        let messages = try browser.notedMessagesWhenQuiet()
        costs.append((try count("*", page), messages))
      }
    }
    #expect(costs[1].elements - costs[0].elements <= 49 * 14, "\(costs)")
    #expect(costs[1].messages.count <= costs[0].messages.count, "\(costs)")
    for list in try lists() { try service.run("lists", "remove", list) }
  }

  /// Writes pictures of what is set for sites, of the appearance, and of what is asked before rules act.
  func siteSettingsArePictured(in folder: URL) throws {
    session.server.answer { _ in .page("<p>News") }
    try session.use(json: #"[{"trigger": {"url-filter": "pixel"}, "action": {"type": "block"}}]"#)
    for entry in ["news.example", "open.com"] {
      _ = try browser.evaluateInBackground(
        "tickbird.answer({ type: 'choose', site: '\(entry)', choice: 'fonts', isOn: true })"
      )
    }
    _ = try browser.evaluateInBackground(
      "tickbird.answer({ type: 'choose', site: 'open.com', choice: 'strict', isOn: true })"
    )
    for isDark in [false, true] {
      try browser.setDark(isDark)
      let pictures = Pictures(browser: browser, folder: folder, isDark: isDark)
      try session.visit("http://open.com/") { _ in
        try withPopUp(of: "http://open.com/") { popUp throws in
          try expectText("On this site", popUp)
          _ = try browser.evaluate("document.getElementById('on-site').open = true", in: popUp)
          try pictures.take("popup-site", 380, 900, of: popUp)
        }
      }
      try visitOptions("sites") { page throws in
        _ = try browser.evaluate("document.querySelector('.choice-site').open = true", in: page)
        try pictures.take("options-site-settings", 900, 1100, of: page)
      }
      try visitOptions("appearance") { try pictures.take("options-appearance", 900, 420, of: $0) }
      try service.run("lists", "own", "-", input: "||third.test/beacon\n")
      try visitOptions("own") { page throws in
        try expectText("rules act.", page)
        try fill("own-text", "||third.test/dot\n", page)
        try service.run("lists", "own", "-", input: "||third.test/line\n")
        try submit("own-form", page)
        try expectText("changed elsewhere", page)
        try pictures.take("options-own-conflict", 900, 980, of: page)
        try press("#own-take-theirs", nil, page)
      }
      try service.run("lists", "own", "-", input: "")
      try visitOptions("backup") { page throws in
        let file =
          #"{"format":"tickbird-settings","version":2,"sites":["a.example"],"#
          + #""ownRules":"||ads.example^\n##.sponsored\n"}"#
        try choose(file: file, page)
        try expectText("The file brings 2 rules of your own", page)
        try pictures.take("options-import", 900, 620, of: page)
      }
      try session.visit("http://open.com/") { _ in
        try session.visit(browser.extensionURL + "logger/logger.html") {
          try expectText("Choose the tab", $0)
          try pictures.take("logger-tabs", 900, 320, of: $0)
        }
      }
    }
    try browser.setDark(false)
    for entry in ["news.example", "open.com"] {
      _ = try browser.evaluateInBackground(
        "tickbird.answer({ type: 'take-choices', entries: [{ site: '\(entry)', choices: [] }] })"
      )
    }
  }
}
