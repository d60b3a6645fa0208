import BrowserDriving
import Foundation
import Testing

/// How the local app's pages look and what they say, each with something on it.
struct LocalAppLooks {
  private let life: LocalAppLife
  private var session: LocalAppSession { life.session }
  private var browser: any Browser { session.browser }

  init(_ browser: TestBrowser) throws { life = try LocalAppLife(browser) }

  /// No page shows a key or English words, or is wider than 360 pixels.
  func speakOneLanguage(_ language: String) throws {
    defer { session.close() }
    try furnish()
    try choose(language)
    try visit(width: 360) { name, tab throws in
      let page = "\(name) in \(language), \(browser.kind.rawValue)"
      let about = try browser.evaluate(Self.withoutEnglish, in: tab) as? [String: Any] ?? [:]
      #expect(about["language"] as? String == language, "\(page)")
      #expect(about["direction"] as? String == (language == "ar" ? "rtl" : "ltr"), "\(page)")
      let width = about["width"] as? Int ?? 0
      #expect(width <= 360, "\(page) is \(width) wide: \(about["wide"] ?? "")")
      let shown = about["texts"] as? [String] ?? []
      #expect(shown.count > 4, "\(page) shows \(shown)")
      for text in shown {
        #expect(text.firstMatch(of: Languages.englishWords) == nil, "\(page) shows “\(text)”")
      }
    }
  }

  /// What a page says and how it is laid out, without what is marked as English or as others' words.
  private static var withoutEnglish: String {
    """
    (() => {
      for (const each of document.querySelectorAll("[lang=en], bdi, option, .text, .excerpt, h2[dir=auto]")) {
        each.dataset.foreign = each.textContent;
        each.replaceChildren("–");
      }
      for (const each of document.querySelectorAll("[aria-label]")) {
        if (/ads|news|Weekly|Pixels|Banners|screen sharing|[.]test/i.test(each.ariaLabel)) each.removeAttribute("aria-label");
      }
      return \(Languages.aboutPage);
    })()
    """
  }

  /// No page has a violation that axe-core finds, whatever the colours.
  func areAccessible() throws {
    defer { session.close() }
    try furnish()
    for (colours, language) in [("light", "en"), ("dark", "en"), ("forced", "en"), ("light", "ar")]
    {
      try choose(language)
      try browser.setDark(colours == "dark")
      try browser.setForcedColors(colours == "forced")
      try visit(width: 1000) { name, tab throws in
        let page = "\(name), \(colours) and \(language) in \(browser.kind.rawValue)"
        try Accessibility.expectNoViolation(page, browser, tab, colours)
      }
    }
    try browser.setForcedColors(false)
  }

  func areReachedByKeyboard() throws {
    defer { session.close() }
    try furnish()
    try visit(width: 1000) { name, tab throws in
      try Keyboard.reachesEverything("\(name) in \(browser.kind.rawValue)", browser, tab)
    }
  }

  /// Pictures in Arabic and German, in both lights, of wide and narrow windows.
  func arePictured(in folder: URL) throws {
    defer { session.close() }
    try furnish()
    for language in ["ar", "de"] {
      try choose(language)
      for isDark in [false, true] {
        try browser.setDark(isDark)
        for width in [1000, 360] {
          try visit(width: width) { name, tab throws in
            let look = isDark ? "dark" : "light"
            let size = width == 360 ? "-narrow" : ""
            let kind = browser.kind.rawValue
            let file = "local-app-\(name)\(size)-\(language)-\(kind)-\(look).png"
            try browser.screenshot(of: tab).write(to: folder.appending(path: file))
          }
        }
      }
    }
    try browser.setDark(false)
  }

  /// Something on every page, a list that was subscribed to among it.
  private func furnish() throws {
    try life.furnish()
    let file = session.service.home.appending(path: "ads.txt")
    try Data("! Title: Ads\n||ads.example^\n##+js(a)\n".utf8).write(to: file)
    try session.service.run("lists", "add", file.path)
  }

  /// Chooses a language by the form below the page.
  private func choose(_ language: String) throws {
    try session.follow(".languages button[value='\(language)']")
    let lang = try browser.evaluate("document.documentElement.lang", in: session.tab)
    #expect(lang as? String == language)
  }

  /// Visits each page, at a width, and calls a function with its name.
  private func visit(width: Int, _ body: (String, BrowserTab) throws -> Void) throws {
    let found = try browser.evaluate(
      """
      (async () => {
        const first = async (path, pattern) => pattern.exec(await (await fetch(path)).text())?.[1] ?? "";
        return [
          await first("notes", /notes\\/note\\/([^"\\/]+)"/),
          await first("stream/sources", /sources\\/(\\d+)\\/remove/),
          await first("extensions", /extensions\\/extension\\/([^"\\/#]+)"/),
        ];
      })()
      """,
      in: session.tab
    )
    let parts = try #require(found as? [String])
    #expect(!parts.contains(""), "\(parts)")
    for (name, path) in [
      ("extensions", "/extensions"), ("extension", "/extensions/extension/\(parts[2])"),
      ("lists", "/lists"), ("rules", "/rules?example=yes"), ("stream", "/stream"),
      ("subscriptions", "/stream/sources"), ("unsubscribing", "/stream/sources/\(parts[1])/remove"),
      ("notes", "/notes"), ("note-editor", "/notes/note/\(parts[0])"),
      ("note-deletion", "/notes/note/\(parts[0])/delete"), ("problem", "/notes/note/none"),
    ] {
      let tab = try browser.openTab()
      defer { try? browser.closeTab(tab) }
      try browser.setSize(width: width, height: 900, of: tab)
      try browser.load(session.base + path, in: tab)
      try body(name, tab)
    }
  }
}
