import ContentBlocking
import FuzzTargets
import ReferenceMatcher
import ResourceLoads
import RuleMatching
import WebURL

/// A load to decide by lists, as the types of the engine and the reference.
struct LoadSample {
  var url: [UInt8]
  var topURL: [UInt8]
  var frameURL: [UInt8]
  var type: Int
  var isChildFrame: Bool

  var properties: LoadProperties {
    LoadProperties(
      resourceType: ResourceType.words[type].type,
      loadType: isFirstParty ? .firstParty : .thirdParty,
      loadContext: isChildFrame ? .childFrame : .topFrame,
      requestMethod: .get
    )
  }

  var isFirstParty: Bool {
    PartyTest.isFirstParty(loadURL: url.span, topURL: topURL.span)
  }

  var reference: ReferenceLoad {
    ReferenceLoad(
      url: url.text,
      topURL: topURL.text,
      frameURL: frameURL.text,
      resourceType: "\(ResourceType.words[type].word)",
      isFirstParty: isFirstParty,
      loadContext: isChildFrame ? "child-frame" : "top-frame",
      method: "GET"
    )
  }

  /// The load for the library's interface; `nil` if a URL of the sample is invalid.
  var resourceLoad: ResourceLoad? {
    guard let url = WebURL(utf8: url), let top = WebURL(utf8: topURL),
      let frame = WebURL(utf8: frameURL)
    else { return nil }
    return ResourceLoad(
      url: url,
      topURL: top,
      frameURL: frame,
      resourceType: ResourceType.words[type].type,
      loadContext: isChildFrame ? .childFrame : .topFrame
    )
  }

  init(_ url: String, on topURL: String, in frameURL: String? = nil, type: Int = 4) {
    self.url = Array(url.utf8)
    self.topURL = Array(topURL.utf8)
    self.frameURL = Array((frameURL ?? topURL).utf8)
    self.type = type
    isChildFrame = frameURL != nil
  }

  static let all = [
    LoadSample("http://a.test/", on: "http://a.test/", type: 0),
    LoadSample("https://ads.b.test:8080/Ad/banner_1.js?x=1&y#f", on: "http://www.a.test/p"),
    LoadSample(
      "https://user@cdn.example.co.uk/aaaa/abcabcabc.gif",
      on: "https://example.co.uk/",
      in: "https://ads.b.test/frame.html",
      type: 2
    ),
    LoadSample("ws://127.0.0.1/socket", on: "file:///etc/index.html", type: 11),
    LoadSample("blob:https://a.test/0000-1111", on: "about:blank", in: "data:,x", type: 10),
  ]
}

/// A list with its scratch, for one load after the other.
struct ListRunner: ~Copyable {
  let list: CompiledRuleList
  private var scratch = MatchScratch()
  private var page = PageState()

  init(_ list: CompiledRuleList) {
    self.list = list
    scratch.prepare(for: list)
  }

  /// A list's answer for a load.
  struct Answer: Hashable {
    var decision: ListDecision
    var actions: [AppliedAction]
    var matched: [MatchedEntry]
  }

  mutating func answer(_ load: LoadSample) -> Answer {
    list.update(&page, topURL: load.topURL.span, frameURL: load.frameURL.span, &scratch)
    scratch.assign(load.url.span)
    let decision = list.decide(load.properties, page, &scratch)
    return Answer(
      decision: decision,
      actions: list.appliedActions(decision, page, scratch),
      matched: list.matchedEntries(page, scratch)
    )
  }
}

/// Decides the sample loads by the library's interface, with all permissions, so that redirects and
/// header changes happen.
func decideSamples(_ list: CompiledRuleList) throws(FuzzFinding) {
  var blocker = ContentBlocker(lists: [ContentRuleList(identifier: "l", compiled: list)])
  if let everything = try? URLMatchPattern("<all_urls>") {
    blocker.permissions["l"] = ContentBlocker.Permission(
      patterns: [everything],
      extensionBaseURL: WebURL("x-extension://id/")
    )
  }
  for load in LoadSample.all.compactMap(\.resourceLoad) {
    let isBlocked = blocker.outcome(for: load).isBlocked
    let decision = blocker.decision(for: load)
    // Unlike the short answer the long one knows of redirects, which outdo later blocks.
    try require(
      isBlocked || !decision.isBlocked,
      "the short answer for \(load.url) is not the long one"
    )
    if let url = decision.newURL {
      try require(WebURL(utf8: url.utf8) == url, "\(load.url) is led to \(url), which is no URL")
    }
  }
}
