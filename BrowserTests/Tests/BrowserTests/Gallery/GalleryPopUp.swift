import BrowserDriving
import Foundation
import Testing

/// The pop-up on pages of galleries, and on pages that pretend to be some.
struct GalleryPopUp {
  let session: Session
  let service: Service

  init(_ browser: TestBrowser) throws {
    session = try Session.with(browser, hasService: true)
    service = try #require(session.service)
  }

  private var browser: any Browser { session.browser }

  private func withPopUp(of page: String, _ body: (BrowserTab, BrowserTab) throws -> Void) throws {
    try session.visit(page) { tab in
      let tabID = try #require(try session.number(ofTabAt: page))
      try session.visit(browser.extensionURL + "popup/popup.html?tab=\(tabID)") { popUp in
        try body(tab, popUp)
      }
    }
  }

  private func text(_ popUp: BrowserTab) throws -> String {
    try browser.evaluate("document.querySelector('#gallery').innerText", in: popUp) as? String ?? ""
  }

  private func expectText(_ words: String, _ popUp: BrowserTab) throws {
    _ = try eventually(words) { try text(popUp).contains(words) ? true : nil }
  }

  /// From the page of an extension to the installed extension, with every question in between.
  func installs() throws {
    let gallery = try SampleGallery(service)
    defer { try? FileManager.default.removeItem(at: gallery.folder) }
    gallery.serve(on: session.server)
    let page =
      "http://127.0.0.1:\(session.server.port)/tickbird-gallery/com.example.quiet-news.html"
    try withPopUp(of: page) { tab, popUp in
      try expectText("com.example.quiet-news", popUp)
      // Nothing was fetched by the host before a click, and the page sees nothing of it.
      #expect(!session.server.received.contains { $0.url.hasSuffix("tickbird-gallery.txt") })
      #expect(
        try browser.evaluate(
          "document.documentElement.outerHTML.includes('extension://')",
          in: tab
        ) as? Bool == false
      )
      try browser.click("#gallery button", in: popUp)
      try expectText("Add the gallery", popUp)
      try expectText("Compare the key", popUp)
      #expect(try !service.run("gallery", "list").contains("Example gallery"))
      try browser.click("#gallery button", in: popUp)
      try expectText("Install", popUp)
      try expectText("The key is not known yet.", popUp)
      try expectText("Quiet News", popUp)
      #expect(try !service.run("extensions", "list").contains("com.example.quiet-news"))
      try browser.click("#gallery button", in: popUp)
      try expectText("is installed, and is off.", popUp)
      #expect(try service.run("extensions", "list").contains("com.example.quiet-news"))
    }
    try service.run("extensions", "remove", "com.example.quiet-news")
    try service.run("gallery", "remove", "Example gallery")
    try service.run("gallery", "forget", "com.example.quiet-news")
  }

  /// Other pages get no offer, and cannot name other servers.
  func ignoresOthers() throws {
    let port = session.server.port
    session.server.answer { request in
      request.url.contains("/foreign")
        ? .page(
          """
          <link rel="tickbird-gallery" href="http://127.0.0.1:1/tickbird-gallery.txt">
          <meta name="tickbird-extension" content="com.example.quiet-news"><p>Foreign
          """
        ) : .page("<p>Plain")
    }
    for path in ["plain", "foreign"] {
      try withPopUp(of: "http://127.0.0.1:\(port)/\(path)") { _, popUp in
        _ = try eventually("the pop-up is there") {
          try browser.evaluate("document.readyState === 'complete'", in: popUp) as? Bool == true
            ? true : nil
        }
        Thread.sleep(forTimeInterval: 0.5)
        #expect(
          try browser.evaluate("document.querySelector('#gallery').hidden", in: popUp) as? Bool
            == true
        )
      }
    }
  }
}

extension BrowserTests.Stream {
  @Test("gallery: the pop-up installs what a gallery's page is about", arguments: browsers)
  func galleryPopUp(_ browser: TestBrowser) throws { try GalleryPopUp(browser).installs() }

  @Test(
    "gallery: the pop-up ignores pages that are of no gallery of their own",
    arguments: browsers
  )
  func foreignGalleries(_ browser: TestBrowser) throws { try GalleryPopUp(browser).ignoresOthers() }
}
