import CommandInput
import Foundation
import PagePreview
import TestSupport
import Testing

@Suite("Saved pages")
struct PageArchiveTests {
  private func text(_ archive: PageArchive, _ url: String) -> String? {
    archive.resource(at: url).map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test("an HTML file and what is beside it stand for the page's URL, and nothing else is read")
  func files() throws {
    let scratch = try Scratch()
    let folder = scratch.folder.appending(path: "saved/page files")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try scratch.file("saved/page.html", "<p>")
    try scratch.file("saved/page files/a b.css", "p{}")
    try scratch.file("secret", "secret")
    try FileManager.default.createSymbolicLink(
      at: scratch.folder.appending(path: "saved/link"),
      withDestinationURL: scratch.folder.appending(path: "secret")
    )
    let archive = try PageArchive(
      path: scratch.folder.appending(path: "saved/page.html").path,
      page: "https://shop.test/dir/x?y#z"
    )
    #expect(archive.url == "https://shop.test/dir/x?y")
    #expect(text(archive, archive.url) == "<p>")
    #expect(text(archive, "https://shop.test/dir/page%20files/a%20b.css?v=1") == "p{}")
    #expect(
      archive.resource(at: "https://shop.test/dir/page%20files/a%20b.css")?.mediaType == "text/css"
    )
    for url in [
      "https://shop.test/dir/../secret", "https://shop.test/dir/%2e%2e/secret",
      "https://shop.test/dir/link", "https://shop.test/dir/page%20files",
      "https://shop.test/dir/%00",
      "https://shop.test/other", "https://other.test/dir/page.html", "https://shop.test/dir/",
      "https://shop.test/dir//etc/passwd",
    ] {
      #expect(archive.resource(at: url) == nil, "\(url)")
    }
    let own = try PageArchive(
      path: scratch.folder.appending(path: "saved/page.html").path,
      page: nil
    )
    #expect(own.url == "https://page.example/page.html")
    #expect(throws: InputError.self) { try PageArchive(path: "/nowhere/x.html", page: nil) }
    #expect(throws: InputError.self) { try PageArchive(path: scratch.folder.path, page: nil) }
    try scratch.file("saved/index.html", "<b>")
    let site = try PageArchive(
      path: scratch.folder.appending(path: "saved").path,
      page: "https://shop.test/"
    )
    #expect(text(site, "https://shop.test/") == "<b>")
    #expect(text(site, "https://shop.test/page.html") == "<p>")
  }

  @Test("a page that is a link out of its folder does not open the folder that it leads to")
  func links() throws {
    let scratch = try Scratch()
    for folder in ["site", "outside"] {
      try FileManager.default.createDirectory(
        at: scratch.folder.appending(path: folder),
        withIntermediateDirectories: true
      )
    }
    try scratch.file("outside/x.html", "<script src=secret.js></script>")
    try scratch.file("outside/secret.js", "1")
    try scratch.file("site/real.html", "<p>")
    let index = scratch.folder.appending(path: "site/index.html")
    try FileManager.default.createSymbolicLink(
      at: index,
      withDestinationURL: scratch.folder.appending(path: "outside/x.html")
    )
    for path in [scratch.folder.appending(path: "site").path, index.path] {
      let error = #expect(throws: InputError.self) { try PageArchive(path: path, page: nil) }
      #expect(error?.message.contains("outside/x.html itself") == true)
    }
    try FileManager.default.removeItem(at: index)
    try FileManager.default.createSymbolicLink(
      atPath: index.path,
      withDestinationPath: "real.html"
    )
    let site = try PageArchive(path: scratch.folder.appending(path: "site").path, page: nil)
    #expect(text(site, site.url) == "<p>")
    // A link to the folder is the user's own.
    let link = scratch.folder.appending(path: "link")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "site")
    let linked = try PageArchive(path: link.path, page: "https://a.test/")
    #expect(text(linked, "https://a.test/real.html") == "<p>")
  }

  @Test(
    "what is no page is said to be something else, with the way out",
    arguments: [
      ("", "is empty"), ("[Adblock Plus 2.0]\n||a.test^\n", "is a filter list in Adblock syntax"),
      ("||a.test^\n||b.test^\n", "is a filter list"), ("0.0.0.0 a.test\n", "is a hosts file"),
      (#"[{"trigger":{}}]"#, "is JSON, such as a rule list"),
      (#"{ "log": {"entries": []}}"#, "is a network log (HAR), and no page; give it by --har"),
      ("TICKBIRD\0", "is a compiled rule list"),
      ("h\0i\0", "is UTF-16"), ("only words", "is a text without any tag"),
    ]
  )
  func noPages(text: String, message: String) throws {
    try expect(message, about: Data(text.utf8))
  }

  @Test func aPictureIsNoPage() throws {
    try expect("is a picture (PNG), and no page", about: Data([0x89, 0x50, 0x4E, 0x47, 0]))
  }

  private func expect(_ message: String, about bytes: Data) throws {
    let scratch = try Scratch()
    let path = try scratch.file("x", bytes).path
    let error = #expect(throws: InputError.self) { try PageArchive(path: path, page: nil) }
    #expect(error?.message.contains("\(path) \(message)") ?? false, "\(String(describing: error))")
  }

  @Test(arguments: [
    "<p>", " \n<svg/>", "\u{FEFF}<!DOCTYPE html>", "words, <b>bold</b>", "<\0p\0>\0",
  ])
  func pagesOfAnyKindAreShown(text: String) throws {
    let scratch = try Scratch()
    let path = try scratch.file("x", text).path
    #expect(throws: Never.self) { try PageArchive(path: path, page: nil) }
  }

  @Test(
    "the browser's own pages are no saved pages, whatever MHTML says",
    arguments: [
      "chrome://version/", "file:///etc/passwd", "javascript:alert(1)", "devtools://devtools/x",
      "x",
    ]
  )
  func foreignPages(_ url: String) throws {
    let scratch = try Scratch()
    let text =
      "Snapshot-Content-Location: \(url)\nContent-Type: multipart/related; boundary=b\n\n--b\n"
      + "Content-Type: text/html\nContent-Location: \(url)\n\n<p>\n--b--\n"
    let file = try scratch.file("a b.mhtml", text)
    let archive = try PageArchive(path: file.path, page: nil)
    #expect(archive.url == "https://page.example/a%20b.mhtml")
    #expect(self.text(archive, archive.url) == "<p>")
    let named = try PageArchive(path: file.path, page: "https://shop.test/")
    #expect(named.url == "https://shop.test/")
  }

  @Test("MHTML with very many parts and headers is read in bounded time")
  func costs() {
    let part = "--b\nContent-Location: https://a.test/\n" + String(repeating: "X: y\n", count: 20)
    let text =
      "Content-Type: multipart/related; boundary=b\n\n"
      + String(repeating: part + "\nx\n", count: 100_000) + "--b--\n"
    let start = ContinuousClock.now
    #expect(MHTML.parts(of: Array(text.utf8))?.count == 10_000)
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test("MHTML has the page, its parts in both encodings, and its frames")
  func mhtml() throws {
    let scratch = try Scratch()
    let page = """
      From: <Saved by Blink>
      Snapshot-Content-Location: https://shop.test/x
      Content-Type: multipart/related;
      \ttype="text/html";
      \tboundary="----b"


      ------b
      Content-Type: text/html
      Content-Transfer-Encoding: quoted-printable
      Content-Location: https://shop.test/x

      <p class=3D"=C3=A9">so=
      ft<iframe src=3D"cid:f@x"></iframe>
      ------b
      Content-Type: text/html
      Content-ID: <f@x>

      inside
      ------b
      Content-Type: image/png
      Content-Transfer-Encoding: base64
      Content-Location: https://shop.test/i.png

      aGVs
      bG8=
      ------b--

      """
    for lineEnd in ["\n", "\r\n"] {
      let bytes = Data(page.replacing("\n", with: lineEnd).utf8)
      let archive = try PageArchive(path: try scratch.file("page.mhtml", bytes).path, page: nil)
      #expect(archive.url == "https://shop.test/x")
      #expect(
        text(archive, archive.url)
          == "<p class=\"é\">soft<iframe src=\"https://frame.example/f@x\"></iframe>"
      )
      #expect(text(archive, "https://frame.example/f@x") == "inside")
      #expect(text(archive, "https://shop.test/i.png") == "hello")
      #expect(archive.resource(at: "https://shop.test/i.png")?.mediaType == "image/png")
      #expect(archive.resource(at: "https://shop.test/other") == nil)
    }
  }

  @Test("ids whose URLs have ids in them do not make a document grow without end")
  func growth() throws {
    var page = "Content-Type: multipart/related; boundary=\"b\"\r\n\r\n--b\r\n"
    page += "Content-Type: text/html\r\nContent-Location: https://a.test/\r\n\r\n'cid:x0'\r\n"
    for number in 0..<40 {
      let next = "cid:x\(number + 1)"
      page += "--b\r\nContent-ID: <x\(number)>\r\n"
      page += "Content-Location: https://a.test/'\(next)'\(next)'\r\n\r\n\r\n"
    }
    let parts = try #require(MHTML.parts(of: Array((page + "--b--").utf8)))
    #expect(String(decoding: parts[0].bytes, as: UTF8.self) == "'https://a.test/'cid:x1'cid:x1''")
    let many = String(repeating: "'cid:f'", count: 100_000)
    let long = "https://a.test/" + String(repeating: "x", count: 1_900)
    let wide =
      "Content-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n"
      + "Content-Location: https://a.test/\r\n\r\n\(many)\r\n--b\r\nContent-ID: <f>\r\n"
      + "Content-Location: \(long)\r\n\r\n\r\n--b--"
    let grown = try #require(MHTML.parts(of: Array(wide.utf8)))
    #expect(grown[0].bytes.count > many.utf8.count)
    #expect(grown[0].bytes.count <= 2 * many.utf8.count + 1 << 16)
  }
}
