import CaseGenerators
import ContentBlocking
import EngineComparison
import Foundation
import ReferenceMatcher
import ResourceLoads
import RuleCompiler
import RuleMatching
import TestSupport
import Testing
import WebURL

/// Real lists and real requests, with WebKit's own decisions on them.
@Suite(
  .serialized,
  .enabled(if: !SharedData.isAbsent, "The folder of real lists is not beside the package.")
)
struct RealListTests {
  /// One request of the crawl that WebKit's decisions are recorded for.
  private struct Request {
    let load: ReferenceLoad
    /// The load for the facade, where all URLs are spelled as the parser spells them.
    let parsed: ResourceLoad?

    init?(_ row: Substring) {
      let columns = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard columns.count == 5 else { return nil }
      load = ReferenceLoad(
        url: columns[0],
        topURL: columns[1],
        resourceType: columns[3] == "document" ? "top-document" : columns[3],
        isFirstParty: columns[4] == "first-party",
        loadContext: "top-frame",
        method: "get"
      )
      let parsed = load.resourceLoad
      self.parsed =
        parsed?.url.serialized == load.url && parsed?.topURL.serialized == load.topURL
        ? parsed : nil
    }
  }

  private static let requests = Result {
    try SharedData.lines("data/requests/top500-2019.tsv").dropFirst().map {
      try #require(Request($0))
    }
  }

  /// Every list is accepted, and every request decided as WebKit decided it.
  ///
  /// The limits are for hostile lists; real ones keep to a tenth of them.
  @Test(arguments: SharedData.listNames)
  func decisionsAreThoseOfWebKit(_ name: String) throws {
    let start = ContinuousClock.now
    let text = try SharedData.bytes("data/lists/\(name).json")
    let file = try ContentRuleList.compile(text, limits: Self.tenth).file
    let list = try ContentRuleList(identifier: name, compiledFile: file)
    let compiled = ContinuousClock.now
    let requests = try Self.requests.get()
    let decisions = try SharedData.lines("data/expected/\(name).txt")
    try #require(requests.count == decisions.count && requests.count == 21_125)

    var blocker = ContentBlocker(lists: [list])
    var scratch = MatchScratch()
    scratch.prepare(for: list.compiled)
    var page = PageState()
    var pageURL: String?
    var throughFacade = 0
    var acted = 0
    for (request, decision) in zip(requests, decisions) {
      let found: String
      if let load = request.parsed {
        let outcome = blocker.outcome(for: load)
        found = Self.letters(outcome.isBlocked, outcome.blocksCookies, outcome.makesHTTPS)
        throughFacade += 1
      } else {
        // The engine gets exactly the URL that WebKit got.
        if pageURL != request.load.topURL {
          pageURL = request.load.topURL
          let top = Array(request.load.topURL.utf8)
          list.compiled.update(&page, topURL: top.span, frameURL: top.span, &scratch)
        }
        scratch.assign(Array(request.load.url.utf8).span)
        let outcome = list.compiled.decide(
          LoadProperties(
            resourceType: ResourceType.words.first { "\($0.word)" == request.load.resourceType }?
              .type ?? .other,
            loadType: request.load.isFirstParty ? .firstParty : .thirdParty,
            loadContext: .topFrame,
            requestMethod: .get
          ),
          page,
          &scratch
        )
        found = Self.letters(outcome.isBlocked, outcome.blocksCookies, outcome.makesHTTPS)
      }
      acted += found == "-" ? 0 : 1
      if found != decision {
        Issue.record("\(name): \(request.load.json.text) gave \(found), WebKit \(decision)")
      }
    }
    print(
      "\(name): \(requests.count) requests (\(throughFacade) through the facade), \(acted) acted",
      "on; compiled in \(compiled - start), decided in \(ContinuousClock.now - compiled)"
    )
  }

  private static let tenth: CompilerLimits = {
    var limits = CompilerLimits()
    limits.instructionsPerFilter /= 10
    limits.threadsPerFilter /= 10
    limits.instructionsPerLoad /= 10
    limits.instructionsPerLongURL /= 10
    limits.instructionsPerText /= 10
    limits.instructionsPerHost /= 10
    return limits
  }()

  private static func letters(_ blocked: Bool, _ cookies: Bool, _ https: Bool) -> String {
    let letters = (blocked ? "b" : "") + (cookies ? "c" : "") + (https ? "h" : "")
    return letters.isEmpty ? "-" : letters
  }

  // MARK: Against the reference

  /// The reference takes time for every rule, so large lists meet fewer requests.
  @Test(arguments: SharedData.listNames)
  func referenceAgreesOnSampledRequests(_ name: String) throws {
    let seed = ProcessInfo.processInfo.environment["TICKBIRD_SEED"].flatMap { UInt64($0) } ?? 1
    var random = RandomSource(seed: name.utf8.reduce(seed) { $0 &* 31 &+ UInt64($1) })
    let text = try SharedData.bytes("data/lists/\(name).json")
    #if DEBUG
    let budget = 300_000
    #else
    let budget = 6_000_000
    #endif
    func count(size: Int) -> Int {
      min(2_000, max(6, budget / max(1, size))) / SharedData.sampleStep
    }
    // One list has a single rule with a condition of 122,175 entries.
    let size = text.count / 400
    let ruleCount =
      count(size: size) > 0 ? try #require(JSONValue(parsing: text).array).count : size
    let count = count(size: max(ruleCount, size))
    guard count > 0 else {
      print("\(name): no request is in the sample that is compared with the reference")
      return
    }
    let engine = try ByteCodeEngine().load([text])
    let reference = try ReferenceEngine().load([text])
    #expect(engine.globalSelectors == reference.globalSelectors)
    let logs = [try Self.crawl.get(), try Self.labelled.get(), try Self.urls.get()]
    for number in 0..<count {
      let load = random.pick(logs[number % logs.count])
      let expected = reference.evaluate(load)
      let found = engine.evaluate(load)
      if expected != found {
        Issue.record(
          "\(name): \(load.json.text): \(found[0].json.text), reference \(expected[0].json.text)"
        )
      }
    }
    print("\(name): \(count) sampled requests compared with the reference, TICKBIRD_SEED=\(seed)")
  }

  private static let crawl = requests.map { requests in
    requests.filter { $0.parsed != nil }.map(\.load)
  }

  private static let labelled = Result {
    let types = [
      "xmlhttprequest": "fetch", "stylesheet": "style-sheet", "subdocument": "child-document",
      "main_frame": "top-document", "sub_frame": "child-document", "document": "top-document",
    ]
    return try #require(try SharedData.json("data/requests/labelled-brave.json").array)
      .compactMap(\.object).compactMap { fields -> ReferenceLoad? in
        guard let url = fields["url"]?.string, let source = fields["sourceUrl"]?.string,
          let type = fields["type"]?.string
        else { return nil }
        return load(url, source, types[type] ?? type)
      }
  }

  private static let urls = Result {
    let types = ["image", "script", "fetch", "top-document", "other", "media", "style-sheet"]
    return try SharedData.lines("data/requests/urls-top500-2015.txt").enumerated()
      .compactMap { number, line in
        load(String(line), "https://www.example.com/", types[number % types.count])
      }
  }

  private static func load(_ url: String, _ page: String, _ type: String) -> ReferenceLoad? {
    guard let url = WebURL(url), let page = WebURL(page) else { return nil }
    let types = Set(ResourceType.words.map { "\($0.word)" })
    return ReferenceLoad(
      url: url.serialized,
      topURL: page.serialized,
      resourceType: types.contains(type) ? type : "other",
      isFirstParty: PartyTest.isFirstParty(loadURL: url.utf8.span, topURL: page.utf8.span),
      loadContext: "top-frame",
      method: "get"
    )
  }
}
