import CommandInput
import ContentBlocking
import Foundation
import ResourceLoads
import RuleAudit
import TestSupport
import Testing
import WebURL

/// One load, described at every door, is the same load.
@Suite struct LoadDoorsTests {
  /// A description, by the words of newline-delimited JSON; `nil` for what is left out.
  struct Described: CustomTestStringConvertible, Sendable {
    var url = "https://a.test/x"
    var page: String? = "https://page.test/"
    var frame: String?
    var type = "image"
    var context: String?
    /// `null` for a method that is not known.
    var method: String?
    var party: String?
    /// The rules that match, by their names.
    let matched: Set<String>

    var testDescription: String {
      [url, page, frame, type, context, method, party].map { $0 ?? "-" }.joined(separator: " ")
    }

    /// The load by its line, where what is left out is absent, or empty.
    func line(isEmpty: Bool) -> String {
      let fields: [(String, String?)] = [
        ("url", url), ("top_url", page), ("frame_url", frame), ("resource_type", type),
        ("load_context", context), ("method", method), ("load_type", party),
      ]
      let members = fields.compactMap { name, value -> String? in
        if name == "method", value == "null" { return #""method":null"# }
        return (value ?? (isEmpty ? "" : nil)).map { #""\#(name)":"\#($0)""# }
      }
      return "{" + members.joined(separator: ",") + "}"
    }

    var row: String {
      [url, page, frame, type, context, method, party].map { $0 ?? "" }.joined(separator: "\t")
    }

    /// As options of `tickbird explain`, which has none for the party.
    var options: [String]? {
      guard party == nil else { return nil }
      let named = [
        ("--url", url), ("--page", page), ("--frame", frame), ("--type", type),
        ("--context", context), ("--method", method),
      ]
      return named.flatMap { name, value in value.map { [name, $0] } ?? [] }
    }
  }

  private static let header =
    "url\ttop_url\tframe_url\tresource_type\tload_context\tmethod\tload_type"

  /// Rules that each tell one property.
  private static let rules: [(name: String, trigger: String)] = [
    ("top-frame", #""load-context":["top-frame"]"#),
    ("child-frame", #""load-context":["child-frame"]"#),
    ("get", #""request-method":"get""#), ("post", #""request-method":"post""#),
    ("third-party", #""load-type":["third-party"]"#),
    ("frame is blank", #""if-frame-url":["^about:blank$"]"#),
    ("frame is frame", #""if-frame-url":["^https://frame\\.test/$"]"#),
    ("frame is page", #""if-frame-url":["^https://page\\.test/(#here)?$"]"#),
    ("frame is load", #""if-frame-url":["^https://a\\.test/x$"]"#),
    ("page is blank", #""if-top-url":["^about:blank$"]"#),
    ("page is page", #""if-top-url":["^https://page\\.test/(#here)?$"]"#),
    ("page is load", #""if-top-url":["^https://a\\.test/x$"]"#),
    ("top-document", #""resource-type":["top-document"]"#),
    ("child-document", #""resource-type":["child-document"]"#),
  ]

  private static let list: [UInt8] = {
    var texts = rules.map {
      #"{"trigger":{"url-filter":".*",\#($0.trigger)},"action":{"type":"block"}}"#
    }
    texts.append(##"{"trigger":{"url-filter":"#"},"action":{"type":"block"}}"##)
    return Array("[\(texts.joined(separator: ","))]".utf8)
  }()

  private static func names(_ rules: some Sequence<Int>) -> Set<String> {
    Set(rules.map { $0 < Self.rules.count ? Self.rules[$0].name : "fragment" })
  }

  private static let onPage: Set = ["top-frame", "get", "third-party", "page is page"]
  private static let alone: Set = ["top-frame", "get", "page is load", "top-document"]

  static let cases: [Described] = [
    Described(matched: onPage.union(["frame is page"])),
    Described(
      page: nil,
      matched: ["top-frame", "get", "third-party", "page is blank", "frame is blank"]
    ),
    Described(frame: "https://page.test/", matched: onPage.union(["frame is page"])),
    Described(frame: "HTTPS://page.test:443", matched: onPage.union(["frame is page"])),
    Described(
      frame: "https://frame.test/",
      matched: ["child-frame", "get", "third-party", "page is page", "frame is frame"]
    ),
    Described(
      frame: "https://frame.test/",
      context: "top-frame",
      matched: onPage.union(["frame is frame"])
    ),
    Described(
      context: "child-frame",
      matched: ["child-frame", "get", "third-party", "page is page", "frame is page"]
    ),
    Described(
      type: "child-document",
      matched: [
        "child-frame", "get", "third-party", "page is page", "frame is blank", "child-document",
      ]
    ),
    Described(
      frame: "https://frame.test/",
      type: "child-document",
      method: "POST",
      matched: [
        "child-frame", "post", "third-party", "page is page", "frame is frame", "child-document",
      ]
    ),
    Described(page: nil, type: "top-document", matched: alone.union(["frame is load"])),
    // A navigation is its own page, whatever page it comes from.
    Described(type: "top-document", matched: alone.union(["frame is load"])),
    Described(
      frame: "https://page.test/",
      type: "top-document",
      matched: alone.union(["frame is page"])
    ),
    Described(page: nil, type: "document", matched: alone.union(["frame is load"])),
    Described(
      page: "https://A.test/x#there",
      type: "document",
      matched: alone.union(["frame is load"])
    ),
    Described(
      type: "document",
      matched: [
        "child-frame", "get", "third-party", "page is page", "frame is blank", "child-document",
      ]
    ),
    Described(type: "document", context: "top-frame", matched: alone.union(["frame is load"])),
    Described(
      method: "post",
      matched: onPage.subtracting(["get"]).union(["post", "frame is page"])
    ),
    Described(method: "null", matched: onPage.subtracting(["get"]).union(["frame is page"])),
    Described(method: "PROPFIND", matched: onPage.subtracting(["get"]).union(["frame is page"])),
    Described(
      party: "first-party",
      matched: onPage.subtracting(["third-party"]).union(["frame is page"])
    ),
    // Fragments of most loads are removed, those of pages are kept.
    Described(
      url: "https://a.test/x#f",
      page: "https://page.test/#here",
      matched: onPage.union(["frame is page"])
    ),
    Described(
      url: "https://a.test/x#f",
      type: "popup",
      matched: onPage.union(["frame is page", "fragment"])
    ),
    Described(
      url: "https://a.test/x#f",
      type: "media",
      matched: onPage.union(["frame is page", "fragment"])
    ),
    Described(
      url: "https://a.test/x#f",
      type: "ping",
      matched: onPage.union(["frame is page", "fragment"])
    ),
    Described(
      url: "https://a.test/x#f",
      type: "csp-report",
      matched: onPage.union(["frame is page", "fragment"])
    ),
    Described(
      url: "wss://a.test/x#f",
      type: "websocket",
      matched: onPage.union(["frame is page", "fragment"])
    ),
    Described(url: "data:text/css,a#f", matched: []),
    Described(url: "data:text/html,a", page: nil, type: "top-document", matched: []),
    Described(type: "stylesheet", matched: onPage.union(["frame is page"])),
  ]

  /// With words for types that say more than the type does.
  private static let worded =
    cases + [
      Described(
        url: "https://a.test/x#f",
        type: "texttrack",
        matched: onPage.union(["frame is page"])
      ),
      Described(
        url: "HTTP://a.test/x#f#g",
        type: "texttrack",
        matched: onPage.union(["frame is page"])
      ),
      Described(
        url: "file:///x#f",
        type: "texttrack",
        matched: onPage.union(["frame is page", "fragment"])
      ),
    ]

  private func blocker() throws -> ContentBlocker {
    ContentBlocker(
      lists: [try ContentRuleList(identifier: "list", encodedContentRuleList: Self.list)]
    )
  }

  private func matches(_ load: ResourceLoad) throws -> Set<String> {
    var blocker = try blocker()
    let matches = blocker.explanation(for: load, sources: [ListSource(Self.list)]).matches
    return Self.names(matches.map(\.rule))
  }

  @Test(arguments: worded)
  func aLineOfJSONIsTheLoad(_ described: Described) throws {
    var reader = RequestReader()
    for isEmpty in [false, true] {
      let load = try reader.read(Array(described.line(isEmpty: isEmpty).utf8).span)
      #expect(try matches(load) == described.matched)
    }
  }

  @Test(arguments: worded)
  func aRowIsTheLoad(_ described: Described) throws {
    let scratch = try Scratch()
    var auditor = Auditor(
      lists: [try ContentRuleList(identifier: "list", encodedContentRuleList: Self.list)]
    )
    auditor.workers = 1
    // A row of each kind before it, so that a page that is known already is used.
    let before = Self.cases.map { $0.row + "\n" }.joined()
    for text in [described.row, before + described.row] {
      let path = try scratch.file("log.tsv", Self.header + "\n" + text).path
      let audit = try auditor.run([path]).audit
      #expect(audit.badLineCount == 0, "\(audit.badLines)")
      let last = text.split(separator: "\n").count + 1
      let found = audit.lists[0].matches.filter { $0.value.record.last?.line == last }
      #expect(Self.names(found.keys) == described.matched)
    }
  }

  @Test(arguments: cases)
  func theLibraryMakesTheSameLoad(_ described: Described) throws {
    let page = described.page.flatMap { WebURL($0) }
    let url = try #require(WebURL(described.url))
    let context = described.context.flatMap { LoadWords.loadContext($0) }
    let type =
      LoadWords.resourceType(described.type)
      ?? LoadWords.documentType(context, url: url, page: page)
    let method = described.method.map { LoadWords.requestMethod($0) } ?? .get
    let party = described.party.flatMap { LoadWords.loadType($0) }
    let load = ResourceLoad(
      url: url,
      topURL: page,
      frameURL: described.frame.flatMap { WebURL($0) },
      resourceType: type,
      loadContext: context,
      requestMethod: method,
      loadType: party
    )
    #expect(try matches(load) == described.matched)
    // As text the same rules decide: each of them alone, so that one cannot stand for another.
    for (number, rule) in Self.rules.enumerated() {
      let trigger = #"{"url-filter":".*",\#(rule.trigger)}"#
      let json = #"[{"trigger":\#(trigger),"action":{"type":"block"}}]"#
      let list = try ContentRuleList(identifier: "one", encodedContentRuleList: Array(json.utf8))
      var blocker = ContentBlocker(lists: [list])
      let outcome = blocker.outcome(
        url: described.url,
        topURL: described.page,
        frameURL: described.frame ?? (number % 2 == 0 ? nil : ""),
        resourceType: type,
        loadContext: context,
        requestMethod: method,
        loadType: party
      )
      #expect(outcome?.isBlocked == described.matched.contains(rule.name), "\(rule.name)")
    }
  }

  /// All cases at once, since a process costs more than a load.
  @Test func theCommandsAgree() throws {
    let scratch = try Scratch()
    _ = try scratch.file("list.json", Data(Self.list))
    let objects = Self.worded.map { $0.line(isEmpty: false) }
    let rows = [Self.header] + Self.worded.map(\.row)
    for (lines, form) in [(objects, "JSON"), (rows, "columns")] {
      for (start, end) in [("", "\n"), ("\u{FEFF}", "\r\n")] {
        try scratch.file("loads", start + lines.map { $0 + end }.joined())
        try expectAgreement(in: scratch, "\(form), \(start.isEmpty ? "plain" : "of Windows")")
      }
    }
    try scratch.file("loads", "address\ttop_url\tresource_type\nhttps://a.test/\t\timage\n")
    for command in ["match", "audit", "explain"] {
      let result = try Command.run([command, "--list", "list.json", "loads"], in: scratch.folder)
      #expect(result.status == 2 && result.output.isEmpty, "\(command): \(result.output)")
      #expect(result.error.contains("with url among them"), "\(command): \(result.error)")
    }
  }

  private func expectAgreement(in scratch: Scratch, _ form: String) throws {
    let matched = try Command.run(["match", "--list", "list.json", "loads"], in: scratch.folder)
    let explained = try Command.run(
      ["explain", "--list", "list.json", "--format", "json", "loads"],
      in: scratch.folder
    )
    let audited = try Command.run(
      ["audit", "--list", "list.json", "--format", "json", "loads"],
      in: scratch.folder
    )
    #expect(matched.status == 0, "\(form): \(matched.error)")
    #expect(explained.status == 0, "\(form): \(explained.error)")
    #expect(audited.status == 0, "\(form): \(audited.error)")
    let blockedCount = Self.worded.filter { !$0.matched.isEmpty }.count
    #expect(audited.output.contains(#""blocked":\#(blockedCount),"#), "\(form)")
    let decisions = matched.output.split(separator: "\n")
    let explanations = explained.output.split(separator: "\n")
    try #require(decisions.count == Self.worded.count && explanations.count == Self.worded.count)
    for (number, described) in Self.worded.enumerated() {
      let isBlocked = !described.matched.isEmpty
      #expect(decisions[number].contains(#""blocked":\#(isBlocked)"#), "\(form): \(described)")
      let rules = try Self.matches(inLine: explanations[number])
      #expect(rules == described.matched, "\(form): \(described)")
    }
  }

  @Test(arguments: worded.filter { $0.options != nil })
  func optionsAreTheLoad(_ described: Described) throws {
    let scratch = try Scratch()
    _ = try scratch.file("list.json", Data(Self.list))
    let result = try Command.run(
      ["explain", "--list", "list.json", "--format", "json"] + (described.options ?? []),
      in: scratch.folder
    )
    #expect(result.status == 0, "\(result.error)")
    #expect(try Self.matches(inLine: Substring(result.output)) == described.matched)
  }

  private static func matches(inLine line: Substring) throws -> Set<String> {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    let matches = try #require(object?["matches"] as? [[String: Any]])
    return names(matches.compactMap { $0["rule"] as? Int })
  }
}
