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
}
