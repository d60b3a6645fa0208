import BrowserDriving
import Foundation
import Testing

/// The extension in another language than English.
struct Languages {
  let language: String
  private let tour: Tour
  private var browser: any Browser { tour.browser }

  static let all = ["de", "ja", "ar"]

  init(_ browser: TestBrowser, _ language: String) throws {
    self.language = language
    tour = try Tour(browser, language: language)
  }

  /// A language's texts, as the extension has them.
  private func texts(_ language: String) throws -> [String: String] {
    let file = Session.packageRoot
      .appending(path: "BrowserExtension/WebExtension/_locales/\(language)/messages.json")
    let object = try JSONSerialization.jsonObject(with: Data(contentsOf: file))
    let entries = try #require(object as? [String: [String: Any]])
    return entries.compactMapValues { $0["message"] as? String }
  }

  /// No page shows a key or an English text, or is wider than 360 pixels.
  func areSpokenEverywhere() throws {
    let english = try texts("en")
    let own = try texts(language)
    // What is the same in both languages is no fault.
    let foreign = Set(english.values).subtracting(own.values)
    try tour.visit(width: 360) { name, tab throws in
      let page = "\(name) in \(language), \(browser.kind.rawValue)"
      let about = try browser.evaluate(Self.aboutPage, in: tab) as? [String: Any] ?? [:]
      #expect(about["language"] as? String == language, "\(page)")
      #expect(about["direction"] as? String == (language == "ar" ? "rtl" : "ltr"), "\(page)")
      let width = about["width"] as? Int ?? 0
      #expect(width <= 360, "\(page) is \(width) wide: \(about["wide"] ?? "")")
      let shown = about["texts"] as? [String] ?? []
      #expect(shown.count > 4, "\(page) shows \(shown)")
      for text in shown {
        #expect(
          english[text] == nil && english["\(text)_other"] == nil,
          "\(page) shows the key \(text)"
        )
        #expect(!foreign.contains(text), "\(page) shows “\(text)”")
        #expect(text.firstMatch(of: Self.englishWords) == nil, "\(page) shows “\(text)”")
      }
    }
  }

  /// A note in place of a page, as a person sees it.
  func isSpokenByNotes() throws {
    let notes = try NoteLife(tour.session)
    let own = try texts(language)
    notes.serve("Words")
    try notes.add("noted.example", "Daily words 1")
    try tour.session.visit("http://noted.example/") { tab throws in
      try notes.expectNote(tab)
      let note = try #require(try browser.element(".tickbird-note", in: tab))
      for key in ["note_leave", "note_view"] {
        let words = try #require(own[key])
        #expect(note.text.contains(words), "\(note.text)")
      }
      #expect(note.text.firstMatch(of: Self.englishWords) == nil, "\(note.text)")
    }
    try notes.removeAll()
  }

  /// Words that are in English sentences alone.
  static var englishWords: Regex<Substring> {
    /\b(?:the|is|are|were|this|your|with|from|which|not)\b/.ignoresCase()
  }

  /// The texts and labels that a person sees or hears, but for code, and how the page is laid out.
  static let aboutPage = """
    (() => {
      const texts = new Set([document.title]);
      const isSeen = (element) => element.checkVisibility() && !element.closest("code, pre, textarea");
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const { data, parentElement } = walker.currentNode;
        // What a list is called and how it is licensed is the same in every language.
        if (data.trim() && isSeen(parentElement) && !parentElement.closest("dd")) texts.add(data.trim());
      }
      for (const element of document.body.querySelectorAll("*")) {
        if (!isSeen(element)) continue;
        for (const name of ["title", "placeholder", "aria-label", "aria-description", "alt"]) {
          const value = element.getAttribute(name)?.trim();
          if (value) texts.add(value);
        }
      }
      const wide = [...document.body.querySelectorAll("*")].filter((each) => {
        const { left, right, width } = each.getBoundingClientRect();
        return width > 0 && (right > innerWidth + 1 || left < -1) && !each.closest(".unseen");
      }).slice(0, 4).map((each) => each.outerHTML.slice(0, 120));
      const { lang, dir, scrollWidth } = document.documentElement;
      return { texts: [...texts], language: lang, direction: dir, width: scrollWidth, wide };
    })()
    """

  /// Writes pictures of the pop-up, the options page, a note and a blocked page.
  func arePictured(in folder: URL) throws {
    let names = [
      "popup": 780, "popup-note": 860, "options-lists": 900, "options-notes": 500, "blocked": 560,
      "note": 700,
    ]
    for isDark in [false, true] {
      try browser.setDark(isDark)
      try tour.visit { name, tab throws in
        guard let height = names[name] else { return }
        try browser.setSize(width: name.hasPrefix("popup") ? 380 : 900, height: height, of: tab)
        Thread.sleep(forTimeInterval: 0.7)
        let file = "\(name)-\(language)-\(browser.kind.rawValue)-\(isDark ? "dark" : "light").png"
        try browser.screenshot(of: tab).write(to: folder.appending(path: file))
      }
    }
    try browser.setDark(false)
  }
}
