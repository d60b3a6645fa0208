import ContentBlocking
import ContentRules
import DeclarativeModel
import DeclarativeRules
import ResourceLoads
import Testing
import WebURL

/// Lists as browser rules, together with an engine for the same lists.
final class Bench {
  let translation: Translation
  let model: DeclarativeModel
  var blocker: ContentBlocker
  /// The number of rules of each list.
  let ruleCounts: [Int]

  init(_ texts: [String], browser: DeclarativeBrowser = .chromium) throws {
    var lists: [DeclarativeList] = []
    var compiled: [ContentRuleList] = []
    for (number, text) in texts.enumerated() {
      let report = RuleListReader.read(text)
      let list = try #require(report.ruleList, "\(report.webKitError?.message ?? "")")
      lists.append(DeclarativeList(name: "list \(number)", rules: list.rules))
      compiled.append(
        try ContentRuleList(identifier: "\(number)", encodedContentRuleList: Array(text.utf8))
      )
    }
    ruleCounts = lists.map(\.rules.count)
    translation = Translator.translate(lists, to: browser)
    model = try DeclarativeModel(translation.rules)
    blocker = ContentBlocker(lists: compiled)
  }

  /// A list of rules, each a trigger's fields and an action.
  convenience init(
    rules: [(trigger: String, action: String)],
    browser: DeclarativeBrowser = .chromium
  ) throws {
    let rules = rules.map { trigger, action in
      "{\"trigger\": {\(trigger)}, \"action\": {\"type\": \"\(action)\"}}"
    }
    try self.init(["[" + rules.joined(separator: ",") + "]"], browser: browser)
  }

  var verdicts: [Verdict] { translation.lists[0].verdicts.map(\.verdict) }

  func load(
    _ url: String,
    on page: String = "https://page.example/",
    _ type: ResourceType = .image,
    frame: String? = nil
  ) throws -> ResourceLoad {
    ResourceLoad(
      url: try #require(WebURL(url)),
      topURL: try #require(WebURL(type == .topDocument ? url : page)),
      frameURL: try frame.map { try #require(WebURL($0)) },
      resourceType: type,
      loadContext: frame == nil && type != .childDocument ? .topFrame : .childFrame
    )
  }

  /// Returns whether the browser blocks a load; expects that the engine does the same.
  func blocks(
    _ url: String,
    on page: String = "https://page.example/",
    _ type: ResourceType = .image,
    frame: String? = nil
  ) throws -> Bool {
    let load = try load(url, on: page, type, frame: frame)
    let seen = model.outcome(try #require(BrowserLoad(load))).isBlocked
    #expect(seen == blocker.outcome(for: load).isBlocked, "\(url) on \(page)")
    return seen
  }
}
