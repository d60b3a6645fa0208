import CommandOutput
import ContentBlocking
import Foundation
import TestSupport
import Testing
import WebURL

@testable import PagePreview

/// Decides by the beginnings of URLs.
final class PlainDecider: PreviewDeciding {
  func verdict(of load: ResourceLoad) -> PreviewVerdict {
    let isBlocked = load.url.description.contains("ads")
    return PreviewVerdict(
      words: isBlocked ? "BLOCKED" : "loaded",
      isBlocked: isBlocked,
      rule: isBlocked ? PreviewRule(list: 0, number: 0, place: "a.json:1:2", gist: "ads") : nil
    )
  }

  func newHiding(of load: ResourceLoad, in frame: String) -> [HidingRule] { [] }

  func forgetHiding() {}
}

@Suite("Preview reports")
struct ReportTests {
  private static let hostile =
    "</title><script>alert(1)</script>\" onload='x' style=\"a\" &amp; \u{202E}\u{1B}[2J\n<b>"

  private func visit(_ urls: [String], bytes: Int = 10) -> PageVisit {
    var visit = PageVisit(url: urls[0])
    for url in urls {
      let isBlocked = url.contains("ads")
      var request = PageVisit.Request(
        url: url,
        type: "image",
        frame: nil,
        verdict: PreviewVerdict(words: isBlocked ? "BLOCKED" : "loaded", isBlocked: isBlocked)
      )
      request.bytes = bytes
      visit.requests.append(request)
    }
    return visit
  }

  @Test("no text of a stranger becomes markup, and nothing of the page can run")
  func escaping() {
    var visit = visit(["https://a.test/" + Self.hostile, "https://ads.test/"])
    visit.title = Self.hostile
    visit.notes = [Self.hostile]
    visit.url = Self.hostile
    let rule = PreviewRule(list: 0, number: 1, place: Self.hostile, gist: Self.hostile)
    visit.hiding = [HidingRule(rule: rule, selector: Self.hostile)]
    visit.boxes = [PageVisit.Box(rule: 0, x: -5, y: 10, width: 9_000, height: 50)]
    visit.matchCounts = [0: 3]
    visit.picture = PageVisit.Picture(
      base64: "aGVsbG8=",
      width: 1_280,
      height: 900,
      pageHeight: 9_999
    )
    visit.requests[0].frame = Self.hostile
    visit.requests[0].failure = Self.hostile
    visit.requests[0].type = Self.hostile
    visit.requests[0].verdict.rule = rule
    visit.requests[0].verdict.sentences = [Self.hostile + "; too late"]
    visit.requests[0].verdict.newURL = Self.hostile
    let report = PreviewReport(lists: [Self.hostile], without: visit, with: visit)
    let text = String(decoding: ReportPage(report).bytes, as: UTF8.self)
    #expect(!text.contains("<script"))
    #expect(!text.contains("<b>\n") && !text.contains("\u{1B}") && !text.contains("\u{202E}"))
    #expect(text.contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&#39;x&#39;"))
    #expect(text.contains("content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'"))
    // Every tag is one of the report's own.
    let tags = Set(
      text.matches(of: /<\/?([a-z0-9]+)/).map { String($0.output.1) }
    )
    #expect(
      tags.isSubset(of: [
        "html", "head", "meta", "title", "style", "body", "main", "header", "h1", "h2", "p", "code",
        "section", "div", "span", "b", "small", "ul", "li", "figure", "figcaption", "img", "i",
        "table", "thead", "tbody", "tr", "th", "td",
      ])
    )
    #expect(!text.contains("http-equiv=\"refresh\"") && !text.contains("src=\"http"))
    // An outline ends where the picture does.
    #expect(text.contains("left:0.00%") && text.contains("width:100.00%"))
  }

  @Test("requests of both visits are paired, and what is not asked for is told")
  func pairing() {
    let without = visit([
      "https://a.test/", "https://ads.test/x", "https://b.test/y", "https://a.test/",
    ])
    var with = visit(["https://a.test/", "https://ads.test/x", "https://new.test/"], bytes: 7)
    with.requests[1].bytes = 0
    let report = PreviewReport(lists: [], without: without, with: with)
    #expect(
      report.rows.map(\.outcome) == [
        "loaded", "BLOCKED", "not requested", "not requested", "loaded",
      ]
    )
    #expect(report.rows.map(\.bytesWithout) == [10, 10, 10, 10, nil])
    #expect(report.rows.map(\.bytesWith) == [7, nil, nil, nil, 7])
    #expect(report.bytes == (40, 14))
    #expect(report.blockedCount == 1)
    #expect(report.preventedCount == 2)
  }

  @Test("what gets no answer is not said to be loaded")
  func unanswered() {
    var with = visit([
      "https://a.test/", "https://gone.test/", "https://cut.test/", "https://up.test/",
    ])
    let without = with
    for index in 1...3 { with.requests[index].failure = "net::ERR_NAME_NOT_RESOLVED" }
    // A body that breaks off has been answered.
    with.requests[2].status = 200
    with.requests[3].verdict.words = "made https"
    with.requests[3].verdict.newURL = "https://up.test/"
    let report = PreviewReport(lists: [], without: without, with: with)
    #expect(report.rows.map(\.outcome) == ["loaded", "failed", "loaded", "made https"])
    // What failed without the lists alone is loaded with them.
    let swapped = PreviewReport(lists: [], without: with, with: without)
    #expect(swapped.rows[1].outcome == "loaded")
  }

  @Test("JSON has every request and what both visits took")
  func json() throws {
    var without = visit(["https://a.test/", "https://ads.test/x"])
    without.seconds = 1.5
    var json = JSONWriter()
    PreviewReport(lists: ["a.json"], without: without, with: visit(["https://a.test/"]))
      .write(to: &json)
    let object = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any]
    #expect(object?["page"] as? String == "https://a.test/")
    #expect((object?["requests"] as? [[String: Any]])?.count == 2)
    #expect((object?["bytes"] as? [String: Int]) == ["without": 20, "with": 10])
    let seconds = object?["seconds"] as? [String: Any]
    #expect(seconds?["without"] as? Double == 1.5)
    #expect(seconds?["with"] is NSNull)
  }

  @Test("sizes and times are told in figures that can be read")
  func figures() {
    #expect(
      [0, 999, 1_000, 9_949, 12_345, 999_499, 1_234_567, 5_000_000_000].map { ReportPage.size($0) }
        == ["0 B", "999 B", "1.0 kB", "9.9 kB", "12 kB", "999 kB", "1.2 MB", "5.0 GB"]
    )
    #expect([0.0123, 0.9994, 1.25].map { ReportPage.seconds($0) } == ["12 ms", "999 ms", "1.3 s"])
  }

  @Test("a network log gives the requests, their bytes, and what would not be asked for")
  func log() throws {
    let entries = [
      #"{"_resourceType":"document","request":{"url":"https://a.test/"},"response":{"status":200,"bodySize":100,"content":{"size":500}}}"#,
      #"{"_resourceType":"script","_initiator":{"type":"parser","url":"https://a.test/"},"request":{"url":"https://ads.test/a.js"},"response":{"status":200,"_transferSize":300}}"#,
      #"{"_resourceType":"image","_initiator":{"type":"script","url":"https://ads.test/a.js","stack":{"callFrames":[{"url":"https://ads.test/a.js"}]}},"request":{"url":"https://b.test/i.png"},"response":{"status":200,"bodySize":-1,"content":{"size":4000}}}"#,
    ]
    let text = #"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#
    let visit = try ArchivedLog.visit(Array(text.utf8), name: "x.har", decider: PlainDecider())
    #expect(visit.url == "https://a.test/")
    #expect(visit.requests.map(\.bytes) == [100, 300, 4_000])
    #expect(
      visit.requests[2].prevention == "not asked for, because https://ads.test/a.js is blocked"
    )
    let report = PreviewReport(lists: [], without: visit, with: nil)
    #expect(report.rows.map(\.outcome) == ["loaded", "BLOCKED", "not requested"])
    #expect(report.bytes == (4_400, 100))
    #expect(!String(decoding: ReportPage(report).bytes, as: UTF8.self).contains("<figure"))
    for bad in ["", "{}", #"{"log":{"entries":[]}}"#] {
      #expect(throws: (any Error).self) {
        try ArchivedLog.visit(Array(bad.utf8), name: "x.har", decider: PlainDecider())
      }
    }
  }
}
