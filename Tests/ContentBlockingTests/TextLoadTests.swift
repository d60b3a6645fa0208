import CaseGenerators
import ContentBlocking
import EngineComparison
import ReferenceMatcher
import ResourceLoads
import TestSupport
import Testing
import WebURL

@Suite("Loads given as text")
struct TextLoadTests {
  /// Blocks third-party loads, and takes cookies from loads on two pages and in one frame.
  private func makeList() throws -> ContentRuleList {
    try contentRuleList(
      listText([
        (#""url-filter":".*","load-type":["third-party"]"#, #""type":"block""#),
        (#""url-filter":".*","if-top-url":["^https://b\\.test/$"]"#, #""type":"block-cookies""#),
        (#""url-filter":".*","if-frame-url":["^https://f\\.test/"]"#, #""type":"make-https""#),
      ])
    )
  }

  @Test("text in any spelling has the outcome of the parsed load, whatever came before")
  func anySpelling() throws {
    let urls = [
      "https://a.test/x", "https://b.test/", "HTTPS://B.test", "http://a.test:80/../y", "data:,x",
      "https://user@a.test/", "https://f.test/#f", "about:blank", "https://c.a.test/",
      "blob:https://a.test/1",
      " https://ä.test/ü\n", "file:///x", "https://b.test/?'", "https://b.test/\u{1F600}",
    ]
    let frames = ["https://f.test/", "HTTPS://f.test/", "https://b.test/", "about:blank"]
    let list = try makeList()
    var text = ContentBlocker(lists: [list])
    var bytes = ContentBlocker(lists: [list])
    var parsed = ContentBlocker(lists: [list])
    var random = RandomSource(seed: 3)
    var top = urls[0]
    var frame: String?
    for step in 0..<3_000 {
      let url = random.pick(urls)
      if random.chance(33) { top = random.pick(urls) }
      if random.chance(33) { frame = random.chance(50) ? nil : random.pick(frames) }
      let load = ResourceLoad(
        url: try webURL(url),
        topURL: try webURL(top),
        frameURL: try frame.map { try webURL($0) },
        resourceType: random.pick([.image, .childDocument, .topDocument, .popup])
      )
      var fresh = ContentBlocker(lists: [list])
      let expected = fresh.outcome(for: load)
      let type = load.resourceType
      let place: Comment = "step \(step): \(url) on \(top), \(frame ?? "no frame")"
      #expect(parsed.outcome(for: load) == expected, place)
      // Both ways of asking share the page.
      if random.chance(25) { _ = text.outcome(for: load) }
      #expect(
        text.outcome(url: url, topURL: top, frameURL: frame, resourceType: type) == expected,
        place
      )
      let (urlBytes, topBytes) = (Array(url.utf8), Array(top.utf8))
      if let frame {
        let frameBytes = Array(frame.utf8)
        let found = bytes.outcome(
          url: urlBytes.span,
          topURL: topBytes.span,
          frameURL: frameBytes.span,
          resourceType: type
        )
        #expect(found == expected, place)
      } else {
        let found = bytes.outcome(
          url: urlBytes.span,
          topURL: topBytes.span,
          resourceType: type
        )
        #expect(found == expected, place)
      }
    }
  }

  @Test("text that is not an absolute URL has no outcome, and leaves no page behind")
  func noURL() throws {
    var blocker = ContentBlocker(lists: [try makeList()])
    let good = "https://b.test/"
    let expected = blocker.outcome(url: good, topURL: good, resourceType: .image)
    #expect(expected?.blocksCookies == true)
    #expect(expected?.isBlocked == false)
    #expect(blocker.outcome(url: "", topURL: good, resourceType: .image) == nil)
    for bad in ["x", "/a", "https://", "https://a b/", "http://[::1", "//a.test/"] {
      #expect(blocker.outcome(url: bad, topURL: good, resourceType: .image) == nil)
      #expect(blocker.outcome(url: good, topURL: bad, resourceType: .image) == nil)
      #expect(
        blocker.outcome(url: good, topURL: good, frameURL: bad, resourceType: .image) == nil
      )
      #expect(blocker.outcome(url: "data:,", topURL: bad, resourceType: .image) == nil)
      #expect(blocker.outcome(url: good, topURL: good, resourceType: .image) == expected)
    }
  }

  @Test("a given load type takes the place of comparing the hosts")
  func loadTypeOverride() throws {
    var blocker = ContentBlocker(lists: [try makeList()])
    func isBlocked(_ url: String, _ type: LoadType?) -> Bool? {
      blocker.outcome(
        url: url,
        topURL: "https://a.test/",
        resourceType: .image,
        loadType: type
      )?.isBlocked
    }
    for (url, isThirdParty) in [("https://a.test/", false), ("HTTPS://x.test/", true)] {
      #expect(isBlocked(url, nil) == isThirdParty)
      #expect(isBlocked(url, .firstParty) == false)
      #expect(isBlocked(url, .thirdParty) == true)
    }
  }

  @Test("generated loads have the same outcome as text and parsed")
  func generated() throws {
    var compared = 0
    for seed in GeneratedCaseTests.seeds {
      let made = ComparisonCase(seed: seed)
      let lists = made.texts.enumerated().compactMap { number, text in
        try? ContentRuleList(identifier: String(number), encodedContentRuleList: text)
      }
      var text = ContentBlocker(lists: lists)
      var parsed = ContentBlocker(lists: lists)
      for exact in made.loads.compactMap(\.resourceLoad) {
        // A text load completes these URLs, so the parsed load must be completed, too.
        let load = ResourceLoad(
          url: exact.url,
          topURL: exact.topURL,
          frameURL: exact.frameURL,
          resourceType: exact.resourceType,
          loadContext: exact.loadContext,
          requestMethod: exact.requestMethod,
          loadType: exact.loadTypeOverride
        )
        let found = text.outcome(
          url: load.url.serialized,
          topURL: load.topURL.serialized,
          frameURL: load.frameURL.serialized,
          resourceType: load.resourceType,
          loadContext: load.loadContext,
          requestMethod: load.requestMethod,
          loadType: load.loadTypeOverride
        )
        #expect(found == parsed.outcome(for: load), "seed \(seed), \(load)")
        compared += 1
      }
    }
    #expect(compared > 500)
  }
}
