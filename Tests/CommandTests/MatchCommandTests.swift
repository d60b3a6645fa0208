import CaseGenerators
import Foundation
import TestSupport
import Testing

/// What `tickbird match` writes, and the forms of requests that it takes.
@Suite("match")
struct MatchCommandTests {
  private static let list = """
    [{"trigger":{"url-filter":".*"},"action":{"type":"css-display-none","selector":".all"}},
    {"trigger":{"url-filter":"/ad"},"action":{"type":"block"}},
    {"trigger":{"url-filter":"/ad","load-type":["third-party"]},"action":{"type":"block"}},
    {"trigger":{"url-filter":".*","unless-domain":["b.test"]},
     "action":{"type":"css-display-none","selector":".x"}},
    {"trigger":{"url-filter":"/ad/ok"},"action":{"type":"ignore-previous-rules"}},
    {"trigger":{"url-filter":"^http:"},"action":{"type":"make-https"}},
    {"trigger":{"url-filter":"note"},"action":{"type":"notify","notification":"n"}}]
    """

  private func match(_ arguments: [String], _ lines: [String]) throws -> Command.Result {
    let scratch = try Scratch()
    try scratch.file("a.json", Self.list)
    return try Command.run(
      ["match", "--list", "a.json"] + arguments,
      input: Data((lines.joined(separator: "\n") + "\n").utf8),
      in: scratch.folder
    )
  }

  private static let loads = [
    ("https://c.test/ad", "https://a.test/", "image"),
    ("https://b.test/ad", "https://b.test/", "script"),
    ("https://c.test/ad/ok", "https://a.test/", "image"),
    ("http://c.test/", "https://a.test/", "xhr"),
    ("https://c.test/note", "https://a.test/", "image"),
    ("data:,ad", "https://a.test/", "image"),
  ]

  private static let answers = [
    #"{"blocked":true,"cookies_blocked":false,"actions":[{"type":"block","list":0,"rules":[1]},"#
      + #"{"type":"block","list":0,"rules":[2]}],"hiding_rules":1,"stylesheets":1}"#,
    #"{"blocked":true,"cookies_blocked":false,"actions":[{"type":"block","list":0,"rules":[1]}],"#
      + #""hiding_rules":0,"stylesheets":1}"#,
    #"{"blocked":false,"cookies_blocked":false,"actions":[],"#
      + #""exceptions":[{"type":"ignore-previous-rules","list":0,"rules":[4]}],"#
      + #""hiding_rules":0,"stylesheets":0}"#,
    #"{"blocked":false,"cookies_blocked":false,"url":"https://c.test/","#
      + #""actions":[{"type":"make-https","list":0,"rules":[5]}],"hiding_rules":1,"stylesheets":1}"#,
    #"{"blocked":false,"cookies_blocked":false,"#
      + #""actions":[{"type":"notify","notification":"n","list":0,"rules":[6]}],"#
      + #""hiding_rules":1,"stylesheets":1}"#,
    #"{"blocked":false,"cookies_blocked":false,"actions":[],"hiding_rules":0,"stylesheets":0}"#,
  ]

  @Test("a line says what happens, its rules and exceptions, and how many rules hide")
  func lines() throws {
    let lines = Self.loads.map { load in
      #"{"url":"\#(load.0)","top_url":"\#(load.1)","resource_type":"\#(load.2)"}"#
    }
    let result = try match([], lines)
    #expect(result.output.split(separator: "\n").map(String.init) == Self.answers)
    #expect(result.status == 0 && result.error.isEmpty)
  }

  @Test("request logs of the adblock community and columns are answered alike")
  func formsOfRequests() throws {
    let logs = Self.loads.map { load in
      #"{ "frameUrl": "\#(load.1)", "url": "\#(load.0)", "cpt": "\#(load.2)" }"#
    }
    let rows = Self.loads.map { "\($0.0)\t\($0.1)\t\($0.2)" }
    // Escapes take the careful way.
    let escaped = logs.map { $0.replacingOccurrences(of: "/", with: #"\/"#) }
    for (arguments, lines) in [
      ([], logs), ([], escaped), ([], ["url\tsource\ttype"] + rows),
      (["--columns", "url,top_url,resource_type"], rows),
    ] {
      let result = try match(arguments, lines)
      #expect(result.output.split(separator: "\n").map(String.init) == Self.answers)
      #expect(result.status == 0, "\(result.error)")
    }
  }

  @Test("columns out are named, and errors stand in a column of their own")
  func columns() throws {
    let rows = Self.loads.map { "\($0.0)\t\($0.1)\t\($0.2)" }
    let lines = ["url\tsource\ttype", "nowhere\t\timage", "https://a.test/\t\tnothing"] + rows
    let result = try match(["--format", "tsv"], lines)
    #expect(result.status == 1)
    #expect(
      result.output == """
        blocked\tcookies_blocked\turl\trules\texceptions\thiding_rules\tstylesheets\terror
        \t\t\t\t\t\t\tline 2: column url is not an absolute URL: nowhere
        \t\t\t\t\t\t\tline 3: column type: there is no type "nothing"; use one of document, \
        top-document, child-document, image, style-sheet, script, font, svg-document, media, \
        popup, ping, fetch, websocket, other, csp-report
        true\tfalse\t\tblock:0:1 block:0:2\t\t1\t1\t
        true\tfalse\t\tblock:0:1\t\t0\t1\t
        false\tfalse\t\t\tignore-previous-rules:0:4\t0\t0\t
        false\tfalse\thttps://c.test/\tmake-https:0:5\t\t1\t1\t
        false\tfalse\t\tnotify:0:6\t\t1\t1\t
        false\tfalse\t\t\t\t0\t0\t

        """
    )
  }

  @Test("the short line and all actions tell the same of random requests")
  func agreementWithAllActions() throws {
    let scratch = try Scratch()
    var random = RandomSource(seed: 12)
    var options: [String] = []
    for (number, list) in AuditCases.lists.enumerated() {
      try scratch.file("\(number).json", list)
      options += ["--list", "\(number).json"]
    }
    let rows = (0..<400).map { _ in AuditCases.line(&random) }
    try scratch.file(
      "log.tsv",
      (["url\ttop_url\ttype\tload_type"] + rows).joined(separator: "\n") + "\n"
    )
    func run(_ more: [String]) throws -> [[String: Any]] {
      let result = try Command.run(["match"] + options + more + ["log.tsv"], in: scratch.folder)
      #expect(result.status == 0, "\(result.error)")
      return try result.output.split(separator: "\n").map { line in
        try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      }
    }
    let short = try run([])
    let full = try run(["--selectors"])
    #expect(short.count == rows.count && full.count == rows.count)
    var hiding = 0
    var exceptions = 0
    for (row, (short, full)) in zip(rows, zip(short, full)) {
      let actions = try #require(full["actions"] as? [[String: Any]])
      let hides = actions.filter { $0["type"] as? String == "css-display-none" }
      let hidingRules = Set(
        hides.flatMap { action in
          (action["rules"] as? [Int] ?? []).map { [action["list"] as? Int ?? -1, $0] }
        }
      )
      #expect(short["hiding_rules"] as? Int == hidingRules.count, "\(row)")
      for key in ["blocked", "cookies_blocked", "url", "stylesheets"] {
        #expect(short[key] as? NSObject == full[key] as? NSObject, "\(key) of \(row)")
      }
      let others = actions.filter { $0["type"] as? String != "css-display-none" }
      #expect(short["actions"] as? NSArray == others as NSArray, "\(row)")
      hiding += hidingRules.count
      exceptions += short["exceptions"] == nil ? 0 : 1
    }
    #expect(hiding > rows.count && exceptions > 20)
  }

  @Test(
    "--selectors counts the sheet of all pages, as the help says, and lists what certain pages hide"
  )
  func sheetOfAllPages() throws {
    let scratch = try Scratch()
    let hide = #""action":{"type":"css-display-none","selector":"#
    try scratch.file(
      "list.json",
      """
      [{"trigger":{"url-filter":".*"},\(hide)".everywhere"}},
      {"trigger":{"url-filter":".*","if-domain":["a.test"]},\(hide)".here"}}]
      """
    )
    try scratch.file(
      "log",
      #"{"url":"https://a.test/","top_url":"https://a.test/","resource_type":"document"}"#
    )
    let result = try Command.run(
      ["match", "--list", "list.json", "--selectors", "log"],
      in: scratch.folder
    )
    #expect(result.output.contains(#""selector":".here""#), "\(result.error)")
    #expect(!result.output.contains("everywhere") && result.output.contains(#""stylesheets":1"#))
    let help = try Command.run(["match", "--help"]).output
    let words = help.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(
      words.contains("on every page is one style sheet, the same on each line, and only counted")
    )
  }

  @Test("archives are distinguished, and --selectors writes no columns")
  func wrongUse() throws {
    let archive = try match([], [#"{"log":{"entries":[]}}"#])
    #expect(archive.status == 2)
    #expect(archive.error.contains("standard input is an HTTP archive"))
    let columns = try match(["--selectors", "--format", "tsv"], [])
    #expect(columns.status == 2 && columns.error.contains("leave out --format tsv"))
    let missing = try match(["--columns", "url,source"], [])
    #expect(missing.status == 2)
    #expect(missing.error.contains("--columns: there is no column resource_type"))
  }
}
