import FuzzTargets
import PagePreview

/// Reads pages that browsers have saved in one file.
enum SavedPageBody: FuzzBody {
  static let name = "saved-page"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    guard let parts = MHTML.parts(of: input) else { return }
    var size = 0
    for part in parts {
      try require(!part.url.contains("#") || part.url == parts[0].url, "a URL has its fragment")
      size += part.bytes.count
    }
    // Ids of frames become URLs, which may double a document and add 64 KiB to it.
    try require(
      size <= 2 * input.count + parts.count << 17,
      "\(input.count) bytes become \(size)"
    )
  }

  private static func page(_ parts: [String], end: String = "--b--\r\n") -> [UInt8] {
    let head =
      "Snapshot-Content-Location: https://a.test/\r\nContent-Type: multipart/related;\r\n\t"
      + "type=\"text/html\"; boundary=\"b\"\r\n\r\n"
    return Array((head + parts.map { "--b\r\n\($0)\r\n" }.joined() + end).utf8)
  }

  static var seeds: [[UInt8]] {
    let html =
      "Content-Type: text/html\r\nContent-Transfer-Encoding: quoted-printable\r\n"
      + "Content-Location: https://a.test/\r\n\r\n<p class=3D\"ad\">=C3=A9 =\r\n</p>"
    let image =
      "Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n"
      + "Content-Location: https://a.test/x.png#y\r\n\r\naGVsbG8=\r\n"
    let frame = "Content-Type: text/html\r\nContent-ID: <frame@x>\r\n\r\n<p>"
    let user = html.replacing("<p", with: "<iframe src=3D\"cid:frame@x\"></iframe><p")
    return [
      page([html, image]), page([user, frame]), page([html], end: ""), page([]),
      page([image, image, frame, frame]), page(["\r\n\r\n", "Content-Location: x"]),
      page([html + "=", html + "=4", html + "=\r"]), Array("<!doctype html>".utf8), [],
      Array("Content-Type: multipart/related; boundary=\r\n\r\n--\r\n".utf8),
    ]
  }
}
