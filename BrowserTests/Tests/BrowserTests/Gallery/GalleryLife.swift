import BrowserDriving
import Foundation
import Testing

/// A gallery in a browser: its static pages, and the local app's page.
struct GalleryLife {
  let session: LocalAppSession

  init(_ browser: TestBrowser) throws { session = try LocalAppSession(browser) }

  private func evaluate(_ expression: String) throws -> JSONValue? {
    try session.browser.evaluate(expression, in: session.tab)
  }

  private func isTrue(_ expression: String) throws -> Bool {
    try evaluate(expression) as? Bool == true
  }

  // MARK: The static pages

  /// The pages from files and from a server, by mouse and by keyboard, wide and narrow.
  func staticPages() throws {
    defer { session.close() }
    let gallery = try SampleGallery(session.service)
    gallery.serve(on: session.server)
    for base in ["http://127.0.0.1:\(session.server.port)/", gallery.folder.absoluteString] {
      try session.browser.load(base + "index.html", in: session.tab)
      try session.wait("document.readyState === 'complete'")
      try expectReadable(session.tab, session.browser)
      try looksComplete(base)
      try searches()
      try session.follow(".card h3 a[href*='quiet-news']")
      try showsTheExtension()
      try fitsNarrowWindows(base)
    }
    // Nothing was asked of anybody else.
    #expect(
      try isTrue(
        "performance.getEntriesByType('resource').every(({ name }) => new URL(name).host === location.host)"
      )
    )
  }

  private func looksComplete(_ base: String) throws {
    // The style and the script are let in by the page's own policy.
    #expect(
      try isTrue("getComputedStyle(document.querySelector('.cards')).display === 'grid'"),
      "\(base)"
    )
    #expect(try isTrue("!document.querySelector('#search').hidden"), "\(base)")
    #expect(
      try isTrue(
        """
        Promise.all([...document.querySelectorAll('img')].map((image) => {
          image.loading = 'eager';
          return image.decode().then(() => image.naturalWidth > 0, () => false);
        })).then((all) => all.length === 2 && all.every(Boolean))
        """
      ),
      "\(base)"
    )
    #expect(try evaluate("document.querySelectorAll('.card').length") as? Int == 4)
    #expect(try evaluate("document.querySelectorAll('.card .warning').length") as? Int == 2)
    #expect(try isTrue("document.querySelector('img[src=x]') === null"))
    // A page of this gallery can load no more than its own.
    #expect(
      try isTrue(
        """
        new Promise((resolve) => {
          const script = document.createElement('script');
          script.textContent = 'window.isInjected = true';
          document.head.append(script);
          setTimeout(() => resolve(window.isInjected === undefined), 50);
        })
        """
      ),
      "\(base)"
    )
  }

  private func searches() throws {
    try session.type("quietly", into: "#query")
    try session.wait("document.querySelector('#found').textContent === '1 extension'")
    #expect(
      try evaluate("document.querySelectorAll('.category:not([hidden])').length") as? Int == 1
    )
    _ = try evaluate("void (document.querySelector('#query').value = '')")
    try session.type("الإعلانات", into: "#query")
    try session.wait("document.querySelector('#found').textContent === '1 extension'")
    _ = try evaluate("void (document.querySelector('#query').value = '')")
    try session.type("<nothing>", into: "#query")
    try session.wait("document.querySelector('#found').textContent === 'Nothing found'")
    _ = try evaluate(
      "(() => { const field = document.querySelector('#query'); field.value = ''; "
        + "field.dispatchEvent(new Event('input')); })()"
    )
    try session.wait("document.querySelectorAll('.card:not([hidden])').length === 4")
    // The keyboard reaches the first card from the field.
    for _ in 0..<5 {
      try session.browser.press("Tab", in: session.tab)
      if try isTrue("document.activeElement.closest('.card') !== null") { break }
    }
    #expect(try isTrue("document.activeElement.closest('.card') !== null"))
  }

  private func showsTheExtension() throws {
    // The page's script shows the button, and may run after the page is there.
    try session.wait("document.querySelector('.copy')?.hidden === false")
    let text = try session.text()
    for words in [
      "Quiet News", "Nothing <b>is</b> sent anywhere.", "Example Ltd", "https://example.com/quiet",
      "com.example.quiet-news", "tickbird install com.example.quiet-news", "nothing", "1.2",
    ] {
      #expect(text.contains(words), "\(words)")
    }
    try expectReadable(session.tab, session.browser)
    try session.click(".copy")
    try session.wait("['Copied', 'Selected'].includes(document.querySelector('.copy').textContent)")
  }

  private func fitsNarrowWindows(_ base: String) throws {
    try session.browser.setSize(width: 360, height: 740, of: session.tab)
    for path in ["index.html", "tickbird-gallery/com.example.quiet-news.html"] {
      for direction in ["ltr", "rtl"] {
        try session.browser.load(base + path, in: session.tab)
        let width = try evaluate(
          """
          (document.documentElement.dir = '\(direction)',
            document.documentElement.scrollWidth - document.documentElement.clientWidth)
          """
        )
        #expect(
          ((width as? Double).map(Int.init) ?? width as? Int) == 0,
          "\(path) \(direction)"
        )
      }
    }
    try session.browser.setSize(width: 1000, height: 800, of: session.tab)
  }

  // MARK: The local app

  /// From nothing to an installed extension, by clicks.
  func localAppJourney() throws {
    defer { session.close() }
    let gallery = try SampleGallery(session.service)
    gallery.serve(on: session.server)
    try session.turn(to: "gallery")
    #expect(try session.text().contains("No gallery yet"))
    try session.type("http://127.0.0.1:\(session.server.port)", into: "#address")
    try session.follow("form[action$='/gallery/add'] button")
    #expect(try session.text().contains("Add the gallery Example gallery?"))
    try session.follow("button.main")
    #expect(try session.text().contains("Example gallery is added."))
    try expectReadable(session.tab, session.browser)
    try session.type("quiet", into: "#q")
    try session.follow("form[role='search'] button")
    #expect(try session.text().contains("2 extensions"))
    try session.follow(".card h2 a[href*='com.example.quiet-news']")
    #expect(
      try isTrue(
        """
        Promise.all([...document.querySelectorAll('main img')].map((image) => {
          image.loading = 'eager';
          return image.decode().then(() => image.naturalWidth > 0, () => false);
        })).then((all) => all.length === 3 && all.every(Boolean))
        """
      )
    )
    try session.follow("form[action$='/gallery/prepare'] button")
    #expect(try session.text().contains("This key is not known yet."))
    #expect(try !session.service.run("extensions", "list").contains("com.example.quiet-news"))
    try session.follow("form[action$='/gallery/install'] button")
    #expect(try session.text().contains("Quiet News 1.2 is installed, and is off."))
    #expect(try session.service.run("extensions", "list").contains("com.example.quiet-news"))
    try session.browser.setSize(width: 360, height: 740, of: session.tab)
    try session.turn(to: "gallery")
    let width = try evaluate(
      "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    #expect((width as? Double).map(Int.init) ?? width as? Int == 0)
  }

  // MARK: Pictures

  func showsPages(_ pictures: URL, isDark: Bool) throws {
    defer { session.close() }
    let gallery = try SampleGallery(session.service, address: "https://gallery.example")
    gallery.serve(on: session.server)
    let address = "http://127.0.0.1:\(session.server.port)"
    try session.service.run("gallery", "add", address, "--yes")
    let look = isDark ? "dark" : "light"
    if isDark { try session.browser.setDark(true) }
    let tab = try session.browser.openTab()
    try session.browser.setSize(width: 1000, height: 800, of: tab)
    for (name, place) in [
      ("gallery-index", address + "/"),
      ("gallery-extension", address + "/tickbird-gallery/com.example.quiet-news.html"),
      ("local-app-gallery", session.base + "/gallery"),
    ] {
      try session.browser.load(place, in: tab)
      let kind = session.browser.kind.rawValue
      try session.browser.screenshot(of: tab)
        .write(to: pictures.appending(path: "\(name)-\(kind)-\(look).png"))
    }
  }
}
