import Testing
import WebURL

@testable import PagePreview

@Suite("Places of previewed pages")
struct PlaceTests {
  private let page = FramePlaces.Place(x: 0, y: 100, columns: 0..<1_280, rows: 0..<4_000)

  @Test("what a frame shows is cut off at its edges and those of the frames around it")
  func frames() throws {
    let outer = page.inner(x: 10, y: 20, width: 300, height: 200)
    #expect(outer == .init(x: 10, y: 120, columns: 10..<310, rows: 120..<320))
    let inner = outer.inner(x: 250, y: 150, width: 500, height: 500)
    #expect(inner == .init(x: 260, y: 270, columns: 260..<310, rows: 270..<320))
    #expect(inner.edges == [0, 0, 50, 50])
    let box = try #require(inner.box(rule: 7, x: -5, y: 10, width: 30, height: 900))
    #expect([box.rule, box.x, box.y, box.width, box.height] == [7, 260, 280, 25, 40])
    #expect(inner.box(rule: 0, x: 60, y: 0, width: 10, height: 10) == nil)
  }

  @Test("no number of a page overflows")
  func hugeNumbers() {
    for number in [Int.max, .min, 1 << 40] {
      let far = page.inner(x: number, y: number, width: number, height: number)
      _ = far.inner(x: number, y: number, width: number, height: number).edges
      _ = far.box(rule: 0, x: number, y: number, width: number, height: number)
    }
    #expect(Int(clamping: .nan) == 0)
    #expect(Int(clamping: .infinity) == .max)
    #expect(Int(clamping: -1e300) == .min)
    #expect(Int(clamping: 1.6) == 2)
  }

  @Test(
    "addresses that only this machine and its neighbours reach are known",
    arguments: [
      "http://127.0.0.1/", "http://0x7f.1/", "http://2130706433/", "https://localhost:8080/",
      "http://a.localhost./", "http://10.1.2.3/", "http://172.31.0.1/", "http://192.168.1.1/",
      "http://169.254.169.254/latest/meta-data/", "http://100.64.0.1/", "http://[::1]/",
      "http://[::]/", "http://0.0.0.0/", "http://[::ffff:127.0.0.1]/", "http://[fe80::1]/",
      "http://[fd00::1]/", "http://printer.local/", "http://metadata.google.internal/",
      "ws://127.0.0.1/",
    ]
  )
  func local(_ text: String) throws {
    #expect(LocalNetwork.contains(try #require(WebURL(text))))
  }

  @Test(
    "other addresses are the internet's",
    arguments: [
      "https://example.com/", "http://1.1.1.1/", "http://172.32.0.1/", "http://[2001:db8::1]/",
      "http://localhost.example/", "http://[::ffff:1.1.1.1]/", "data:text/plain,127.0.0.1",
      "http://11.0.0.1/", "http://notlocal/",
    ]
  )
  func foreign(_ text: String) throws {
    #expect(!LocalNetwork.contains(try #require(WebURL(text))))
  }
}
