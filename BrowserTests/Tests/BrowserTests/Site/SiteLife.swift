import BrowserDriving
import Foundation
import Testing

/// The site's pages in a browser.
struct SiteLife {
  private let session: SiteSession

  init(_ browser: TestBrowser) throws { session = try SiteSession(browser) }

  // MARK: Search

  /// A search from the field of any page, and on a page of its own.
  func searches() throws {
    defer { session.close() }
    for base in [session.served, session.files] {
      try session.load(base + "files/Examples/index.html")
      try session.browser.type("mending", into: "#query", in: session.tab)
      try session.wait("document.querySelector('#found-list a') !== null")
      #expect(try session.text(of: "#found-count").contains("place"), "\(base)")
      let first = try session.text(of: "#found-list a .place")
      #expect(first == "Checking lists › Mending", "\(base)")
      #expect(try session.isTrue("document.querySelector('#found-list mark') !== null"))
      // Down to what is found, and back; then down again and into it.
      try session.browser.press("ArrowDown", in: session.tab)
      #expect(try session.isTrue("document.activeElement.matches('#found-list a')"), "\(base)")
      try session.browser.press("ArrowUp", in: session.tab)
      #expect(try session.isTrue("document.activeElement.id === 'query'"), "\(base)")
      try session.browser.press("ArrowDown", in: session.tab)
      try session.browser.press("Enter", in: session.tab)
      try session.wait("location.pathname.endsWith('/Check.html') && location.hash === '#mending'")
      try escapes(base)
      try findsNothing(base)
    }
    session.expectNothingElseAsked()
  }

  private func escapes(_ base: String) throws {
    try session.load(base + "index.html")
    try session.browser.type("sandbox", into: "#query", in: session.tab)
    try session.wait("!document.querySelector('#found').hidden")
    try session.browser.press("Escape", in: session.tab)
    #expect(try session.isTrue("document.querySelector('#found').hidden"), "\(base)")
    try session.browser.press("Enter", in: session.tab)
    try session.wait("location.pathname.endsWith('/search.html')")
    try session.wait("document.querySelectorAll('#results li').length > 8")
    #expect(try session.text(of: "#results .place").hasPrefix("The sandbox"), "\(base)")
  }

  private func findsNothing(_ base: String) throws {
    let words = "<img src=x onerror=\"window.isInjected=1\"> \u{202E}zzz"
    let escaped = words.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    try session.load(base + "search.html#" + escaped)
    try session.wait("document.querySelector('#results-count').textContent === 'Nothing found'")
    #expect(try session.isTrue("window.isInjected === undefined"), "\(base)")
    // What nobody could have typed does not stop the page either.
    try session.load(base + "search.html#%E0%A4%A")
    try session.wait("document.querySelector('#results-count').textContent.startsWith('Type')")
  }

  // MARK: Pages

  private static let pages = [
    "index.html", "README.html", "Convert.html", "BrowserExtension.html", "Performance.html",
    "ListAuthor.html", "documents.html", "search.html#rules", "files/Examples/index.html",
    "files/NOTICE.html",
  ]

  func pagesAreWhole() throws {
    defer { session.close() }
    for base in [session.served, session.files] {
      for page in Self.pages {
        try session.load(base + page)
        try expectReadable(session.tab, session.browser)
        // The style sheet and the scripts are let in by the page's own policy.
        #expect(
          try session.isTrue("getComputedStyle(document.querySelector('.top')).display === 'flex'"),
          "\(page)"
        )
        #expect(try session.isTrue("!document.querySelector('#search').hidden"), "\(page)")
        #expect(try picturesLoad(), "\(base)\(page)")
        #expect(try refusesInjection(), "\(base)\(page)")
        try session.browser.setSize(width: 360, height: 740, of: session.tab)
        #expect(try session.overhang() == 0, "\(page)")
        try session.browser.setSize(width: 1200, height: 900, of: session.tab)
      }
      try session.load(base + "Check.html")
      try session.browser.click(".code .copy", in: session.tab)
      try session.wait("['Copied', 'Marked'].includes(document.querySelector('.copy').textContent)")
      #expect(try session.isTrue("document.querySelector('.contents details').open"))
    }
    session.expectNothingElseAsked()
  }

  private func picturesLoad() throws -> Bool {
    try session.isTrue(
      """
      Promise.all([...document.querySelectorAll('img')].map((image) => {
        image.loading = 'eager';
        return image.decode().then(() => image.naturalWidth > 0, () => false);
      })).then((all) => all.length > 0 && all.every(Boolean))
      """
    )
  }

  /// Whether a script that gets into the page does not run.
  private func refusesInjection() throws -> Bool {
    try session.isTrue(
      """
      new Promise((resolve) => {
        const script = document.createElement('script');
        script.textContent = 'window.isInjected = true';
        document.head.append(script);
        setTimeout(() => resolve(window.isInjected === undefined), 50);
      })
      """
    )
  }

  // MARK: For everybody

  func reachedByKeyboard() throws {
    defer { session.close() }
    for page in ["index.html", "Explain.html", "search.html#optimize"] {
      try session.load(session.served + page)
      if page.hasPrefix("search") {
        try session.wait("document.querySelector('#results li') !== null")
      }
      try Keyboard.reachesEverything(
        "\(page) in \(session.browser.kind.rawValue)",
        session.browser,
        session.tab
      )
    }
  }

  func areAccessible() throws {
    defer { session.close() }
    for colours in ["light", "dark", "forced"] {
      try session.browser.setDark(colours == "dark")
      try session.browser.setForcedColors(colours == "forced")
      for page in ["index.html", "BrowserExtension.html", "Performance.html", "search.html#rules"] {
        try session.renewTab()
        try session.load(session.served + page)
        try expectNoViolation(page, colours)
      }
      // With findings, and with an explanation.
      for (example, sign) in [(3, ".findings .error"), (2, ".matches li")] {
        try session.renewTab()
        try session.load(session.served + "index.html")
        try session.browser.click(".examples button:nth-of-type(\(example))", in: session.tab)
        try session.wait("document.querySelector(\(quoted(sign))) !== null")
        try expectNoViolation("example \(example)", colours)
      }
    }
    try session.browser.setDark(false)
    try session.browser.setForcedColors(false)
  }

  private func expectNoViolation(_ page: String, _ colours: String) throws {
    try Accessibility.expectNoViolation(
      "\(page), \(colours) in \(session.browser.kind.rawValue)",
      session.browser,
      session.tab,
      colours
    )
  }
}
