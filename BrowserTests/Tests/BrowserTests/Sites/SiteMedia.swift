import BrowserDriving
import Foundation
import Testing

/// Large pictures and sounds that wait for a click.
struct SiteMedia {
  let settings: SiteSettings
  var session: Session { settings.session }
  var browser: any Browser { session.browser }

  init(_ browser: TestBrowser) throws { settings = try SiteSettings(browser) }

  private static let page = "http://www.choice.test/media"

  /// A grey picture that is as large as it says: 54 bytes, and three for each point.
  private static func bitmap(width: Int32, height: Int32) -> Data {
    func bytes(_ value: some FixedWidthInteger) -> Data {
      Data((0..<(value.bitWidth / 8)).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) })
    }
    let size = width * height * 3
    var data = Data("BM".utf8) + bytes(54 + size) + bytes(Int32(0)) + bytes(Int32(54))
    data += bytes(Int32(40)) + bytes(width) + bytes(height) + bytes(Int16(1)) + bytes(Int16(24))
    data +=
      bytes(Int32(0)) + bytes(size) + Data(count: 16) + Data(repeating: 0x90, count: Int(size))
    return data
  }

  private func answer() {
    let large = Self.bitmap(width: 200, height: 100)
    let small = Self.bitmap(width: 20, height: 10)
    session.server.answer { request in
      var response = LoopbackServer.Response("image/bmp", "")
      switch request.url {
      case let url where url.contains("/large"): response.body = large
      case let url where url.contains("/small"): response.body = small
      case let url where url.contains("/sound"):
        response = .init("audio/wav", String(repeating: "x", count: 60_000))
      default:
        response = .page(
          """
          <title>Media</title><h1>Media</h1>
          <a href=/followed><img id=large src=http://cdn.other.test/large.bmp alt=Large></a>
          <img id=second src=/large-second.bmp width=120 height=60>
          <img id=unseen src=/large-unseen.bmp style="display:none">
          <img id=small src=/small.bmp><audio id=sound src=/sound.wav preload=auto></audio>
          """
        )
      }
      return response
    }
  }

  private func width(_ id: String, _ tab: BrowserTab) throws -> Int? {
    try browser.evaluate("document.getElementById('\(id)').naturalWidth", in: tab) as? Int
  }

  /// What waits for a picture: itself, or what stands in its place where the browser takes it out of the page.
  private func waiting(_ id: String) -> String {
    session.mayBlock ? "#\(id)[data-tickbird-media]" : "#\(id) + span[data-tickbird-media]"
  }

  private func waits(_ id: String, _ tab: BrowserTab) throws -> Bool {
    try browser.evaluate("document.querySelector(\(quoted(waiting(id)))) !== null", in: tab)
      as? Bool == true
  }

  func waitsForAClick() throws {
    answer()
    try session.visit(Self.page) { tab throws in
      #expect(try width("large", tab) == 200)
    }
    try settings.choose("media")
    answer()
    try session.visit(Self.page) { tab throws in
      for id in ["large", "second"] {
        _ = try eventually("\(id) waits") { try waits(id, tab) ? true : nil }
        #expect(try width(id, tab) == 0)
      }
      #expect(try width("small", tab) == 20)
      #expect(try !waits("small", tab))
      // What the page hides stays hidden.
      let beside = "document.querySelector('#unseen + span') === null"
      #expect(try browser.evaluate(beside, in: tab) as? Bool == true)
      let place = "document.querySelector(\(quoted(waiting("large"))))"
      let label = try browser.evaluate(place + ".ariaLabel", in: tab)
      #expect(label as? String == "Load large.bmp")
      let rows = try session.page(Self.page)["rows"] as? [[String: Any]] ?? []
      #expect(
        rows.contains {
          ($0["by"] as? [[String: Any]])?.first?["identifier"] as? String == "choice:media"
        }
      )
      // A script's click is none, nor is its own mark.
      _ = try browser.evaluate(
        """
        (() => {
          document.getElementById("second").click();
          document.getElementById("small").setAttribute("data-tickbird-media", "");
        })()
        """,
        in: tab
      )
      Thread.sleep(forTimeInterval: 0.5)
      #expect(try width("second", tab) == 0)
      // It is there to be seen, and pressed by a person.
      let isSeen = place + ".getBoundingClientRect().width >= 32"
      #expect(try browser.evaluate(isSeen, in: tab) as? Bool == true)
      try browser.click(waiting("large"), in: tab)
      _ = try eventually("it is loaded") { try width("large", tab) == 200 ? true : nil }
      // The link around it is not followed, and the other one still waits.
      #expect(!session.server.urls.contains { $0.hasSuffix("/followed") })
      #expect(try width("second", tab) == 0)
      let second = "document.querySelector(\(quoted(waiting("second"))))"
      _ = try browser.evaluate(second + ".focus()", in: tab)
      try browser.press("Enter", in: tab)
      _ = try eventually("the second is loaded") { try width("second", tab) == 200 ? true : nil }
    }
    // A page that is loaded again begins anew.
    try session.visit(Self.page) { tab throws in
      _ = try eventually("it waits again") { try waits("large", tab) ? true : nil }
    }
    try settings.forget()
  }
}
