import ContentBlocking
import EngineComparison
import ResourceLoads
import RuleMatching
import TestSupport
import Testing
import WebURL

@Suite("Requests that hide more than documents do")
struct HidingRequestsTests {
  @Test(
    "lists that hide by the page alone, by hosts, and by any request",
    arguments: [
      (#"{"url-filter":".*"}"#, HidingRequests.none),
      (#"{"url-filter":".*","if-domain":["a.test"]}"#, .none),
      (#"{"url-filter":".*","unless-domain":["*a.test","b.test"]}"#, .none),
      (#"{"url-filter":".*","unless-top-url":["/a"]}"#, .any),
      (#"{"url-filter":".*","if-top-url":["[a-z][a-z+.-]*://([^/]*\\.)*a\\.test/b"]}"#, .any),
      (#"{"url-filter":"ad","resource-type":["document"]}"#, .none),
      (#"{"url-filter":".*","resource-type":["image"]}"#, .any),
      (#"{"url-filter":".*","load-type":["third-party"]}"#, .any),
      (#"{"url-filter":".*","if-frame-url":["/a"]}"#, .any),
      (#"{"url-filter":"ads/banner"}"#, .any),
      (#"{"url-filter":"^https?://"}"#, .any),
      (#"{"url-filter":"a.*b"}"#, .any),
      (
        #"{"url-filter":"^[^:]+://+([^:/]+\\.)?yahoo\\.com[/:]"}"#,
        .toHosts([Array("yahoo.com".utf8)])
      ),
      (
        #"{"url-filter":"^https?://([^/]+\\.)?a-b\\.test[/:]","if-domain":["c.test"]}"#,
        .toHosts([Array("a-b.test".utf8)])
      ),
      (#"{"url-filter":"^[^:]+://+([^:/]+\\.)?a_b\\.test[/:]"}"#, .any),
      (#"{"url-filter":"^https?://([^/]+\\.)?a\\.300[/:]"}"#, .any),
      (#"{"url-filter":"^https?://([^/]+\\.)?0\\.0\\.1[/:]"}"#, .any),
      (#"{"url-filter":"^https?://([^/]+\\.)?127\\.0\\.0\\.1[/:]"}"#, .any),
      (#"{"url-filter":".*","if-domain":["*\#(String(repeating: "x", count: 69)).onion"]}"#, .none),
      // What follows the beginning is no whole host.
      (#"{"url-filter":"^[^:]+://+([^:/]+\\.)?yahoo\\.com"}"#, .any),
      (#"{"url-filter":"[a-z][a-z+.-]*://([^/]*\\.)*yahoo\\.com[:/?#]"}"#, .any),
    ]
  )
  func kinds(_ trigger: String, _ expected: HidingRequests) throws {
    let hiding = #"{"trigger":\#(trigger),"action":{"type":"css-display-none","selector":".ad"}}"#
    #expect(try requests("[\(hiding)]") == expected)
    // What else the list does makes no difference, nor what hides everywhere.
    let blocking = #"{"trigger":\#(trigger),"action":{"type":"block"}}"#
    let usual =
      #"{"trigger":{"url-filter":".*"},"action":{"type":"css-display-none","selector":".top"}}"#
    #expect(try requests("[\(blocking),\(hiding),\(usual)]") == expected)
    #expect(try requests("[\(blocking),\(usual)]") == .none)
  }

  @Test("what only rules have that do not hide makes no difference")
  func others() throws {
    let hiding =
      #"{"trigger":{"url-filter":".*","if-domain":["*a.test"]},"#
      + #""action":{"type":"css-display-none","selector":".ad"}}"#
    for condition in [
      #""unless-domain":["*[::1]"]"#, #""if-top-url":["/path"]"#, #""if-frame-url":["/path"]"#,
    ] {
      for action in ["block", "ignore-previous-rules"] {
        let other = #"{"trigger":{"url-filter":"/x",\#(condition)},"action":{"type":"\#(action)"}}"#
        #expect(try requests("[\(hiding),\(other)]") == .none)
      }
    }
  }

  @Test("of many hosts, all requests are as well")
  func manyHosts() throws {
    let rules = (0..<70).map { number in
      #"{"trigger":{"url-filter":"^https?://([^/]+\\.)?h\#(number)\\.test[/:]"},"#
        + #""action":{"type":"css-display-none","selector":".ad"}}"#
    }
    #expect(try requests("[\(rules.joined(separator: ","))]") == .any)
    guard case .toHosts(let hosts) = try requests("[\(rules[..<60].joined(separator: ","))]") else {
      Issue.record("60 hosts are not too many")
      return
    }
    #expect(Set(hosts).count == 60)
  }

  @Test("other requests hide nothing more, in generated lists of every kind")
  func generated() throws {
    var compared = 0
    for seed in (0..<1_000 * UInt64(Effort.factor)).map({ $0 &+ Effort.seed << 20 }) {
      let made = ComparisonCase(seed: seed)
      let loads = made.loads.compactMap(\.resourceLoad)
      compared += try compare(String(decoding: made.texts[0], as: UTF8.self), loads).loads
    }
    #expect(compared > 500)
  }

  @Test("other requests hide nothing more, in lists that hide and ignore by hosts and pages")
  func hosts() throws {
    let hosts = ["a.test", "b.test", "c.a.test", "a.test.b.test"]
    var random = RandomSource(seed: Effort.seed)
    func pick<Value>(_ values: [Value]) -> Value {
      values[Int(random.next() % UInt64(values.count))]
    }
    func trigger(_ types: [String]) -> String {
      let filters = [".*", ".*", ".*", #"^https?://([^/]+\\.)?\#(pick(hosts))[/:]"#, "one"]
      let conditions = [
        "", "", #","if-domain":["*\#(pick(hosts))"]"#, #","if-domain":["\#(pick(hosts))"]"#,
        #","unless-domain":["*\#(pick(hosts))"]"#,
      ]
      return #"{"url-filter":"\#(pick(filters))"\#(pick(conditions))\#(pick(types))}"#
    }
    let types = ["", #","resource-type":["document"]"#, #","resource-type":["image"]"#]
    var compared = 0
    var hidden = 0
    for _ in 0..<400 * Effort.factor {
      let rules = (0...Int(random.next() % 8)).map { number in
        let ignore = pick(["ignore-previous-rules", "ignore-following-rules"])
        return random.next() % 3 == 0
          ? #"{"trigger":\#(trigger(types)),"action":{"type":"\#(ignore)"}}"#
          : #"{"trigger":\#(trigger([""])),"#
            + #""action":{"type":"css-display-none","selector":".s\#(number)"}}"#
      }
      let loads = try (0..<40).map { _ in
        let page = try #require(WebURL("http://\(pick(hosts))/\(pick(["", "one"]))"))
        let frame = try #require(WebURL("http://\(pick(hosts))/\(pick(["", "one"]))"))
        let url = try #require(WebURL("http://\(pick(hosts))/\(pick(["", "one", "two"]))"))
        let isTop = random.next() % 2 == 0
        return ResourceLoad(
          url: url,
          topURL: page,
          frameURL: isTop ? page : frame,
          resourceType: pick([.image, .script, .fetch]),
          loadContext: isTop ? .topFrame : .childFrame
        )
      }
      let found = try compare("[\(rules.joined(separator: ","))]", loads)
      compared += found.loads
      hidden += found.rules
    }
    #expect(compared > 2_000)
    #expect(hidden > 1_000)
  }

  /// Checks that loads hide nothing that their documents' do not, as far as they should not.
  ///
  /// - Returns: How many loads were compared, and how many rules they were hidden by.
  private func compare(_ text: String, _ loads: [ResourceLoad]) throws -> (loads: Int, rules: Int) {
    guard let list = try? ContentRuleList(identifier: "", encodedContentRuleList: text) else {
      return (0, 0)
    }
    let requests = list.compiled.hidingRequests()
    var found = (loads: 0, rules: 0)
    if requests == .any { return found }
    var blocker = ContentBlocker(lists: [list])
    // Requests for documents are told of in any case.
    let documents: ResourceType = [.topDocument, .childDocument]
    for load in loads
    where documents.isDisjoint(with: load.resourceType) && !isNamed(load.url, requests) {
      guard let hiding = hiding(ofDocumentOf: load, &blocker) else { continue }
      let decision = blocker.decision(for: load)
      #expect(rules(decision).isSubset(of: hiding.rules), "\(load) by \(text)")
      let hides = decision.lists.contains(where: \.hidesGlobally)
      #expect(!hides || hiding.isGlobal, "\(load) by \(text)")
      found.loads += 1
      found.rules += rules(decision).count
    }
    return found
  }

  private func requests(_ text: String) throws -> HidingRequests {
    try ContentRuleList(identifier: "", encodedContentRuleList: text).compiled.hidingRequests()
  }

  private func rules(_ decision: LoadDecision) -> Set<Int> {
    Set(decision.actions.filter { $0.kind == .cssDisplayNone }.flatMap(\.rules))
  }

  /// What the request for a load's document hides; `nil` where it does not say enough.
  private func hiding(
    ofDocumentOf load: ResourceLoad,
    _ blocker: inout ContentBlocker
  ) -> (rules: Set<Int>, isGlobal: Bool)? {
    let isTop = load.loadContext == .topFrame
    var document = ResourceLoad(
      url: isTop ? load.topURL : load.frameURL,
      topURL: load.topURL,
      resourceType: isTop ? .topDocument : .childDocument
    )
    document.topURL = load.topURL
    guard document.isChecked else { return nil }
    let explanation = blocker.explanation(for: document, sources: [])
    let decision = explanation.decision
    let isCut =
      !decision.lists.allSatisfy(\.attachesGlobalSheet)
      || explanation.matches.contains {
        if case .swallowed = $0.fate { true } else { false }
      }
    return isCut ? nil : (rules(decision), decision.lists.contains(where: \.hidesGlobally))
  }

  private func isNamed(_ url: WebURL, _ requests: HidingRequests) -> Bool {
    guard case .toHosts(let hosts) = requests else { return false }
    if url.serialized.contains("@") { return true }
    let host = Array(url.utf8[url.hostRange])
    return hosts.contains { host == $0 || host.suffix($0.count + 1) == [UInt8(ascii: ".")] + $0 }
  }
}
