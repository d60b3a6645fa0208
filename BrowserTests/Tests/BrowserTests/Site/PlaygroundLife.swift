import BrowserDriving
import Foundation
import Testing

/// The playground on the site's first page.
struct PlaygroundLife {
  private let session: SiteSession

  init(_ browser: TestBrowser) throws { session = try SiteSession(browser) }

  /// Waits until the verdict, or what happens to the load, has a text.
  private func wait(for words: String, in selector: String = "#verdict") throws {
    try session.wait(
      "document.querySelector(\(quoted(selector))).textContent.includes(\(quoted(words)))"
    )
  }

  // MARK: Lists and loads

  func diagnoses() throws {
    defer { session.close() }
    for base in [session.served, session.files] {
      try session.load(base + "index.html")
      try wait(for: "There is no list yet")
      try findsFaults(base)
      try explains(base)
    }
    session.expectNothingElseAsked()
  }

  private func findsFaults(_ base: String) throws {
    // As a person types it, into the field.
    let text = #"[{"trigger": {"url-filter": "é|b"}, "#
    try session.browser.type(text, into: "#list", in: session.tab)
    try wait(for: "WebKit refuses this list")
    #expect(try session.isTrue("document.querySelector('.findings .error') !== null"), "\(base)")
    let list = """
      [
        {"trigger": {"url-filter": "ü", "if-domain": ["News.test"]}, "action": {"type": "block"}}
      ]
      """
    try session.fill("#list", list)
    try wait(for: "(2 errors)")
    #expect(try session.text(of: "#findings").contains("line 2, column 31"), "\(base)")
    // What is underlined is the place, though bytes before it are more than its letters.
    let marked = "[...document.querySelectorAll('.marks .error')].map((each) => each.textContent)"
    #expect(try session.evaluate(marked) as? [String] == ["ü", "N"], "\(base)")
    #expect(try session.isTrue("document.querySelector('#list').ariaInvalid === 'true'"))
    // The marks lie on the letters of the field.
    #expect(
      try session.isTrue(
        """
        (() => {
          const field = document.querySelector('#list'), marks = document.querySelector('.marks > div');
          return field.clientWidth === marks.offsetWidth
            && field.scrollHeight >= marks.offsetHeight - 30
            && getComputedStyle(field).font === getComputedStyle(marks).font;
        })()
        """
      ),
      "\(base)"
    )
    try session.browser.click(".findings li:nth-child(2) .place-button", in: session.tab)
    let selected = """
      (({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd))(
        document.querySelector('#list'))
      """
    #expect(try session.evaluate(selected) as? String == "N", "\(base)")
    try session.browser.click(".findings .mend", in: session.tab)
    try wait(for: "(1 error)")
    #expect(try session.isTrue("document.querySelector('#list').value.includes('\"news.test\"')"))
  }

  private func explains(_ base: String) throws {
    let list = """
      [{"trigger": {"url-filter": "/ads/"}, "action": {"type": "block"}},
       {"trigger": {"url-filter": "/ads/ours/"}, "action": {"type": "ignore-previous-rules"}}]
      """
    try session.fill("#list", list)
    try wait(for: "WebKit accepts this list: 2 rules")
    try session.fill("#load-url", "https://cdn.test/ads/a.js")
    try session.fill("#load-page", "https://news.test/")
    try wait(for: "Blocked", in: "#outcome-words")
    let details = try session.text(of: "#outcome-details")
    #expect(details.contains("Rule 0: block acts"), "\(base)")
    #expect(details.contains("line 1, column 2"), "\(base)")
    #expect(details.contains("third-party image"), "\(base)")
    #expect(try session.text(of: ".matches mark") == "/ads/", "\(base)")
    try session.fill("#load-url", "https://cdn.test/ads/ours/b.js")
    try wait(for: "Loaded", in: "#outcome-words")
    try wait(for: "cancelled by ignore-previous-rules of rule 1", in: "#outcome-details")
    try session.fill("#load-url", "https://cdn.test/other")
    try wait(for: "No rule matches this load.", in: "#outcome-details")
    try session.fill("#load-url", "no address")
    try wait(for: "not an absolute URL", in: "#outcome-words")
    try session.fill("#list", " \n")
    try wait(for: "There is no list yet")
  }

  /// Each example, by a click.
  func examples() throws {
    defer { session.close() }
    try session.load(session.served + "index.html")
    let expected = [
      ("WebKit accepts this list: 2 rules", "Blocked"),
      ("WebKit accepts this list: 5 rules", "Loaded"),
      ("WebKit refuses this list (2 errors, 1 warning)", "decides nothing"),
      ("WebKit accepts this list: 3 rules", "https://news.example/"),
    ]
    for (number, (verdict, outcome)) in expected.enumerated() {
      try session.browser.click(
        ".examples button:nth-of-type(\(number + 1))",
        in: session.tab
      )
      try wait(for: verdict)
      try wait(for: outcome, in: "#outcome")
    }
    #expect(
      try session.isTrue(
        "document.querySelectorAll('.examples button').length === \(expected.count)"
      )
    )
    #expect(try session.text(of: "#outcome").contains("#sponsored, .newsletter"))
  }

  // MARK: Limits

  func limits() throws {
    defer { session.close() }
    try session.load(session.served + "index.html")
    try session.browser.click(".examples button", in: session.tab)
    try wait(for: "Blocked", in: "#outcome-words")
    // A worker that hears nothing stands for one that is busy for ever.
    let silence = """
      void (window.post ??= Worker.prototype.postMessage,
        Worker.prototype.postMessage = function (data) { if (data.module) post.call(this, data); })
      """
    try session.evaluate(silence)
    try session.fill("#load-url", "http://cutepuppiesandcats.com/other")
    try session.wait("!document.querySelector('#stop').hidden")
    // The field goes on meanwhile.
    try session.browser.type("x", into: "#load-url", in: session.tab)
    #expect(try session.isTrue("document.querySelector('#load-url').value.includes('x')"))
    try wait(for: "needed more than 5 seconds and was stopped")
    #expect(try session.text(of: "#outcome-words") == "Not decided")
    // Another worker takes its place.
    try session.evaluate("void (Worker.prototype.postMessage = window.post)")
    try session.fill("#load-url", "http://cutepuppiesandcats.com/dogs.png")
    try wait(for: "Loaded", in: "#outcome-words")
    // And one that is stopped by hand.
    try session.evaluate(silence)
    try session.fill("#load-url", "http://cutepuppiesandcats.com/more.png")
    try session.wait("!document.querySelector('#stop').hidden")
    try session.browser.click("#stop", in: session.tab)
    try wait(for: "Stopped.")
    try session.evaluate("void (Worker.prototype.postMessage = window.post)")
    try session.evaluate(
      "void (document.querySelector('#list').value = 'x'.repeat((4 << 20) + 1))"
    )
    try session.fill("#load-url", "http://a.test/")
    try wait(for: "longer than 4 MiB")
    // A list of many rules is still answered.
    try session.evaluate(
      """
      void (document.querySelector('#list').value = JSON.stringify(Array.from({ length: 3000 }, (_, number) =>
        ({ trigger: { "url-filter": `/path${number}/.*[0-9]` }, action: { type: "block" } }))))
      """
    )
    try session.fill("#load-url", "http://a.test/path7/x1")
    try wait(for: "3000 rules")
    try wait(for: "Blocked", in: "#outcome-words")
  }

  // MARK: Links

  func links() throws {
    defer { session.close() }
    let list = #"[{"trigger": {"url-filter": "ö<b>&\"\\"}, "action": {"type": "block"}}]"# + "\n"
    for base in [session.served, session.files] {
      try session.load(base + "index.html")
      try session.fill("#list", list)
      try session.fill("#load-url", "https://a.test/?q=ß#x")
      try session.fill("#load-page", "https://b.test/")
      try session.evaluate("void (document.querySelector('#load-type').value = 'font')")
      try session.browser.click("#share", in: session.tab)
      try session.wait("document.querySelector('#share-words').textContent !== ''")
      try session.wait("location.hash.startsWith('#try=')")
      let address = try #require(try session.evaluate("location.href") as? String)
      let before = session.server.received.count
      try session.renewTab()
      try session.load(address)
      try session.wait("document.querySelector('#list').value !== ''")
      let fields = try session.evaluate(
        "['#list', '#load-url', '#load-page', '#load-type'].map((each) => document.querySelector(each).value)"
      )
      #expect(
        fields as? [String] == [list, "https://a.test/?q=ß#x", "https://b.test/", "font"],
        "\(base)"
      )
      try wait(for: "WebKit refuses this list")
      // What a link carries is not sent.
      #expect(session.server.received[before...].allSatisfy { !$0.url.contains("try=") })
      // Something that no link can carry.
      try session.evaluate(
        """
        void (document.querySelector('#list').value = Array.from({ length: 60000 }, () =>
          Math.random().toString(36)).join(" "))
        """
      )
      try session.browser.click("#share", in: session.tab)
      try wait(for: "too long for a link", in: "#share-words")
    }
    session.expectNothingElseAsked()
  }

  /// Whoever writes a link wants to run a script, or to stop the page.
  func hostileLinks() throws {
    defer { session.close() }
    let attack =
      "</textarea><img src=x onerror=isInjected=1><script>window.isInjected=1</script>"
    let page = session.served + "index.html"
    try session.load(page)
    let made = try session.evaluate(
      """
      (async () => {
        const text = \(quoted(attack));
        const plain = (value) => "#try=p" + base64url(new TextEncoder().encode(JSON.stringify(value)));
        const bomb = await streamed(new Uint8Array(8 << 20), new CompressionStream("deflate-raw"), 8 << 20);
        const rule = JSON.stringify([{ trigger: { "url-filter": "onerror" },
          action: { type: "css-display-none", selector: text } }, { [text]: 1, trigger: { "url-filter": "onerror",
          "if-domain": [text] }, action: { type: text } }]);
        const shown = JSON.stringify([{ trigger: { "url-filter": ".*" },
          action: { type: "css-display-none", selector: "a, .x > img[src='<img src=x onerror=isInjected=1>']" } }]);
        return {
          good: [await linkOf({ list: text, url: text, page: text, type: text }),
            await linkOf({ list: rule, url: "https://a.test/" + text, page: "javascript:isInjected=1", type: "image" }),
            await linkOf({ list: shown, url: "https://a.test/?<img src=x onerror=isInjected=1>", page: "", type: "image" })],
          damaged: ["#try=", "#try=x", "#try=p!!", "#try=dAAAA", plain({ list: text }), plain([text]), plain(null),
            plain([1, 2, 3, 4]), plain([[text], "", "", ""]), plain(["a", "b", "c", "d", "e"]),
            "#try=d" + base64url(bomb), "#try=p" + "A".repeat(40000), "#try=p" + base64url(new Uint8Array([255, 254]))],
        };
      })()
      """
    )
    let links = try #require(made as? [String: [String]])
    for link in links["good"] ?? [] {
      try session.load(page + link)
      try session.wait("document.querySelector('#verdict').className !== ''")
      Thread.sleep(forTimeInterval: 0.2)
      #expect(try session.isTrue("window.isInjected === undefined"), "\(link)")
      #expect(try session.isTrue("document.querySelector('img[src=x]') === null"), "\(link)")
      #expect(
        try session.isTrue("document.querySelector('#load-type').selectedIndex >= 0"),
        "\(link)"
      )
    }
    for link in links["damaged"] ?? [] {
      try session.load(page + link)
      try wait(for: "damaged, or too long", in: "#share-words")
      #expect(try session.isTrue("document.querySelector('#list').value === ''"), "\(link)")
    }
    #expect(links["good"]?.count == 3 && links["damaged"]?.count == 13)
    // A fragment that is none of ours, and a mark that is only an anchor's.
    for fragment in ["#%22%3E%3Cscript%3E", "#guides"] {
      try session.load(page + fragment)
      try wait(for: "There is no list yet")
      #expect(try session.text(of: "#share-words").isEmpty)
    }
    session.expectNothingElseAsked()
  }

  // MARK: Pictures

  func arePictured(in folder: URL, isDark: Bool) throws {
    defer { session.close() }
    try session.browser.setDark(isDark)
    for (name, page, example) in [
      ("site", "index.html", 3), ("site-explained", "index.html", 2),
      ("site-document", "Explain.html", 0), ("site-search", "search.html#optimize", 0),
    ] {
      for width in [1200, 360] {
        try session.renewTab(width: width)
        try session.load(session.served + page)
        if example > 0 {
          try session.browser.click(".examples button:nth-of-type(\(example))", in: session.tab)
          try session.wait("document.querySelector('#verdict').className !== ''")
          try session.evaluate("scrollTo(0, 0)")
        }
        let size = width == 360 ? "-narrow" : ""
        let kind = session.browser.kind.rawValue
        let file = "\(name)\(size)-\(kind)-\(isDark ? "dark" : "light").png"
        try session.browser.screenshot(of: session.tab).write(to: folder.appending(path: file))
      }
    }
    try session.browser.setDark(false)
  }
}
