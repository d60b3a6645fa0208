import Foundation
import TestSupport
import Testing

private let blockList =
  #"[{"trigger":{"url-filter":"/ad"},"action":{"type":"block"}}]"#
private let refusedList =
  #"[{"trigger":{"url-filter":"a|b"},"action":{"type":"block"}}]"#
private let warnedList =
  #"[{"trigger":{"url-filter":"/ad","iff-domain":["a.test"]},"action":{"type":"block"}}]"#

@Suite struct CheckTests {
  @Test func acceptedListsExitWithZero() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", blockList)
    let text = try Command.run(["check", "a.json"], in: scratch.folder)
    #expect(text == .init(output: "a.json: accepted, 1 rule\n", error: "", status: 0))
    let json = try Command.run(["check", "--format", "json", "a.json"], in: scratch.folder)
    #expect(
      json.output
        == #"{"file":"a.json","accepted":true,"error":null,"rules":1,"skipped":0,"#
        + #""ignored":[],"diagnostics":[]}"# + "\n"
    )
  }

  @Test func refusalsBearWebKitsNameAndMessage() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", refusedList)
    let result = try Command.run(["check", "--format", "json", "a.json"], in: scratch.folder)
    #expect(result.status == 1)
    let start =
      #"{"file":"a.json","accepted":false,"error":{"code":"JSONInvalidRegex","message":"#
      + #""Invalid or unsupported regular expression."},"rules":1,"skipped":0,"ignored":[],"#
      + #""diagnostics":["#
      + #"{"severity":"error","code":"invalid-pattern","message":"#
    #expect(result.output.hasPrefix(start))
    #expect(
      result.output.contains(
        #""reason":"Disjunction","rule":0,"path":"[0].trigger.url-filter","line":1,"column":29"#
      )
    )
  }

  @Test func warningsAreFindings() throws {
    let result = try Command.run(["check", "-"], input: Data(warnedList.utf8))
    #expect(result.status == 1)
    #expect(result.output.contains("standard input: accepted, 1 rule; 1 warning"))
  }

  @Test func gapsOfATargetAreFindings() throws {
    let list =
      #"[{"trigger":{"url-filter":"/ad","request-method":"get"},"action":{"type":"block"}}]"#
    #expect(try Command.run(["check", "-"], input: Data(list.utf8)).status == 0)
    for target in ["2.46", "webkitgtk-2.46", "2025-03"] {
      let result = try Command.run(["check", "-", "--target", target], input: Data(list.utf8))
      #expect(result.status == 1, "\(target)")
      #expect(result.output.contains("April 2025"))
    }
    #expect(try Command.run(["check", "-", "--target", "9"], input: Data(list.utf8)).status == 2)
  }

  @Test func unreadableFilesDoNotStopTheOthers() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", blockList)
    try FileManager.default.createDirectory(
      at: scratch.folder.appendingPathComponent("folder"),
      withIntermediateDirectories: false
    )
    let result = try Command.run(
      ["check", "--format", "json", "none.json", "folder", "a.json"],
      in: scratch.folder
    )
    #expect(result.status == 2)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.last?.contains(#""file":"a.json","accepted":true"#) == true)
    #expect(result.error.contains("there is no file none.json"))
    #expect(result.error.contains("folder holds no lists"))
  }

  @Test func sarifHasAResultForEachFinding() throws {
    let scratch = try Scratch()
    try scratch.file("ä.json", refusedList)
    let result = try Command.run(["check", "--format", "sarif", "ä.json"], in: scratch.folder)
    let log = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    )
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == 1)
    #expect(results[0]["level"] as? String == "error")
    #expect(results[0]["ruleId"] as? String == "invalid-pattern")
    let driver = (run["tool"] as? [String: Any])?["driver"] as? [String: Any]
    let rules = try #require(driver?["rules"] as? [[String: Any]])
    let number = try #require(results[0]["ruleIndex"] as? Int)
    #expect(rules[number]["id"] as? String == "invalid-pattern")
    #expect(result.output.contains(#""uri":"%C3%A4.json""#))
    #expect(result.output.contains(#""startLine":1,"startColumn":29"#))
  }
}

@Suite struct CompileTests {
  @Test func compiledListsDecideAsTheirSources() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", blockList)
    let made = try Command.run(["compile", "a.json", "-o", "a.tickbird"], in: scratch.folder)
    #expect(made.status == 0)
    #expect(made.output.hasPrefix("a.json -> a.tickbird: 1 rule, "))
    let request =
      #"{"url":"http://x.test/ad","top_url":"http://x.test/","resource_type":"image"}"#
    for list in ["a.json", "a.tickbird"] {
      let result = try Command.run(
        ["match", "--list", list],
        input: Data(request.utf8),
        in: scratch.folder
      )
      #expect(
        result.output
          == #"{"blocked":true,"cookies_blocked":false,"actions":[{"type":"block","list":0,"#
          + #""rules":[0]}],"hiding_rules":0,"stylesheets":0}"# + "\n"
      )
    }
    let check = try Command.run(["check", "a.tickbird"], in: scratch.folder)
    #expect(check.output.contains("is compiled; this is about the source that it keeps"))
  }

  @Test func refusedListsLeaveTheOldFile() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", refusedList)
    try scratch.file("a.tickbird", "old")
    let result = try Command.run(["compile", "a.json", "-o", "a.tickbird"], in: scratch.folder)
    #expect(result.status == 1)
    #expect(result.error.contains("JSONInvalidRegex"))
    let old = try Data(contentsOf: scratch.folder.appendingPathComponent("a.tickbird"))
    #expect(old == Data("old".utf8))
  }

  @Test func placesThatCannotBeWrittenAreNamed() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", blockList)
    let result = try Command.run(["compile", "a.json", "-o", "none/a"], in: scratch.folder)
    #expect(result.status == 2)
    #expect(result.error.contains("none/a cannot be written"))
  }

  @Test func severalListsNeedAFolder() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", blockList)
    try scratch.file("b.json", blockList)
    let refused = try Command.run(["compile", "a.json", "b.json", "-o", "x"], in: scratch.folder)
    #expect(refused.status == 2)
    #expect(refused.error.contains("-o must be a folder"))
    let folder = scratch.folder.appendingPathComponent("x")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let made = try Command.run(["compile", "a.json", "b.json", "-o", "x"], in: scratch.folder)
    #expect(made.status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "a.tickbird", "b.tickbird",
      ]
    )
  }

  @Test func damagedFilesAreNamed() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", blockList)
    _ = try Command.run(["compile", "a.json", "-o", "a.tickbird"], in: scratch.folder)
    var bytes = try Data(contentsOf: scratch.folder.appendingPathComponent("a.tickbird"))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: scratch.folder.appendingPathComponent("a.tickbird"))
    let result = try Command.run(["match", "--list", "a.tickbird"], in: scratch.folder)
    #expect(result.status == 2)
    #expect(result.error.contains("compile the list again"))
    // Another version is compiled again from the source it keeps.
    bytes[bytes.count / 2] ^= 1
    bytes[8] = 99
    try bytes.write(to: scratch.folder.appendingPathComponent("a.tickbird"))
    let other = try Command.run(["match", "--list", "a.tickbird"], in: scratch.folder)
    #expect(other.status == 0)
    #expect(other.error.contains("compiled by another version"))
  }
}

@Suite struct DumpTests {
  @Test(
    "a list whose text is damaged decides, and is not quoted",
    arguments: [
      [
        "explain", "--list", "a.tickbird", "--page", "https://a.test/", "--url",
        "https://b.test/ad", "--type", "image",
      ],
      ["audit", "--list", "a.tickbird", "log.ndjson"],
    ]
  )
  func damagedSource(arguments: [String]) throws {
    let scratch = try Scratch()
    try scratch.file("a.json", blockList)
    let load = #"{"url":"https://b.test/ad","top_url":"https://a.test/","resource_type":"image"}"#
    try scratch.file("log.ndjson", load + "\n")
    _ = try Command.run(["compile", "a.json", "-o", "a.tickbird"], in: scratch.folder)
    var bytes = try Data(contentsOf: scratch.folder.appendingPathComponent("a.tickbird"))
    let filter = try #require(bytes.range(of: Data("/ad".utf8), options: .backwards))
    bytes[filter.lowerBound + 1] = UInt8(ascii: "z")
    _ = try scratch.file("a.tickbird", bytes)

    let shown = try Command.run(arguments, in: scratch.folder)
    #expect(shown.status == 2)
    #expect(shown.output == "")
    #expect(
      shown.error.contains(
        "a.tickbird: the JSON text in this compiled list is damaged, so its rules cannot be shown; "
          + "compile it again from its JSON"
      )
    )
    let match = try Command.run(
      ["match", "--list", "a.tickbird", "log.ndjson"],
      in: scratch.folder
    )
    #expect(match.status == 0)
    #expect(match.output.contains("block"))
    let dump = try Command.run(["dump", "a.tickbird"], in: scratch.folder)
    #expect(dump.output.contains("bytes, damaged; compile the list again from its JSON\n"))
    #expect(!dump.output.contains("/zd"))
  }

  @Test func dumpsAreTheSameForJSONAndItsCompiledForm() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", blockList)
    _ = try Command.run(["compile", "a.json", "-o", "a.tickbird"], in: scratch.folder)
    let compiled = try Command.run(["dump", "a.tickbird"], in: scratch.folder)
    #expect(compiled.status == 0)
    #expect(compiled.output.hasPrefix("compiled rule list, format version "))
    #expect(compiled == (try Command.run(["dump", "a.json"], in: scratch.folder)))
    let rule = try Command.run(["dump", "a.json", "--rule", "0"], in: scratch.folder)
    #expect(rule.status == 0 && rule.output.contains("block"))
    let wide = try Command.run(["dump", "a.json", "--wide"], in: scratch.folder)
    #expect(wide.status == 0 && wide.output.contains("/ad"))
    let absent = try Command.run(["dump", "a.json", "--rule", "1"], in: scratch.folder)
    #expect(absent.status == 2 && absent.error.contains("has no rule 1"))
    let section = try Command.run(["dump", "a.json", "--section", "slot"], in: scratch.folder)
    #expect(section.status == 2 && section.error.contains("did you mean slots?"))
  }
}

@Suite struct MatchTests {
  @Test func everyLineIsAnsweredInItsPlace() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", blockList)
    let lines = [
      #"{"url":"http://x.test/ad","top_url":"http://x.test/","resource_type":"image"}"#,
      "", "nonsense",
      #"{"url":"http://x.test/","top_url":"http://x.test/","resource_type":"imag"}"#,
      #"{"url":"x","top_url":"http://x.test/","resource_type":"image"}"#,
      #"{"top_url":"http://x.test/","resource_type":"image"}"#,
      #"{"url":"http://x.test/","top_url":"http://x.test/","resource_type":"document"}"#,
    ]
    let result = try Command.run(
      ["match", "--list", "a.json"],
      input: Data(lines.joined(separator: "\r\n").utf8),
      in: scratch.folder
    )
    #expect(result.status == 1)
    let answers = result.output.split(separator: "\n").map(String.init)
    // The empty line has no answer, but counts.
    #expect(answers.count == lines.count - 1)
    #expect(answers[0].hasPrefix(#"{"blocked":true"#))
    #expect(answers[1].contains("line 3: the line is not JSON"))
    #expect(answers[2].contains("did you mean image?"))
    #expect(answers[3].contains("not an absolute URL"))
    #expect(answers[4].contains(#"\"url\" is missing"#))
    #expect(answers[5].hasPrefix(#"{"blocked":false"#))
  }

  @Test func nothingInGivesNothingOut() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", blockList)
    let result = try Command.run(["match", "--list", "a.json"], in: scratch.folder)
    #expect(result == .init(output: "", error: "", status: 0))
  }

  @Test(arguments: [
    [], ["match"], ["match", "--list"], ["match", "--list", "none.json"], ["chek"],
    ["explain", "--list", "a.json"], ["compile", "a.json"], ["check"],
  ])
  func wrongUseExitsWithTwo(_ arguments: [String]) throws {
    let result = try Command.run(arguments)
    // Without any argument the help is shown.
    #expect(result.status == (arguments.isEmpty ? 0 : 2))
    #expect(!(arguments.isEmpty ? result.output : result.error).isEmpty)
  }
}

@Suite struct ExampleTests {
  static let folder = SharedData.packageRoot.appendingPathComponent("Examples")

  @Test(arguments: [
    ("1.1-hide-on-one-site", ["blockerList.json"], "expected.ndjson"),
    ("1.1-hide-on-one-site", ["blockerList-unless.json"], "expected-unless.ndjson"),
    ("1.2-stop-a-tracker", ["blockerList.json"], "expected.ndjson"),
    ("1.6-cookies-and-https", ["blockerList.json"], "expected.ndjson"),
    ("1.7-order", ["blockerList.json"], "expected.ndjson"),
    ("1.7-order", ["blockerList.json", "otherList.json"], "expected-both.ndjson"),
  ])
  func examplesDecideAsExpected(_ name: String, _ lists: [String], _ expected: String) throws {
    let folder = Self.folder.appendingPathComponent(name)
    let result = try Command.run(
      ["match", "--selectors"] + lists.flatMap { ["--list", $0] } + ["requests.ndjson"],
      in: folder
    )
    #expect(result.status == 0)
    #expect(result.output == (try text(folder, expected)))
    #expect(!result.output.isEmpty)
  }

  @Test(arguments: ["", "-images-only", "-exception"])
  func theMistakeAndTheWaysOutAreShown(_ variant: String) throws {
    let folder = Self.folder.appendingPathComponent("1.3-cute-puppies")
    let result = try Command.run(
      ["explain", "--list", "blockerList\(variant).json", "--har", "requests.har"],
      in: folder
    )
    #expect(result.status == 0)
    #expect(result.output == (try text(folder, "expected\(variant).txt")))
    let isStyled = result.output.contains("loaded      style-sheet     /cats-and-dogs.css")
    #expect(isStyled == !variant.isEmpty)
    #expect(result.output.contains("BLOCKED     image           /cat-in-a-box.jpg"))
  }

  @Test(
    "the documentation shows what is printed of a long log",
    arguments: [
      ([], "expected"), (["--by", "rule"], "expected-by-rule"),
      (["--blocked", "--host", "video-ads.example"], "expected-blocked"),
    ]
  )
  func longLogs(_ options: [String], _ expected: String) throws {
    let folder = Self.folder.appendingPathComponent("1.8-a-long-log")
    let result = try Command.run(
      ["explain", "--list", "blockerList.json", "requests.ndjson"] + options,
      in: folder
    )
    #expect(result.status == 0)
    #expect(result.output == (try text(folder, "\(expected).txt")))
    let page = SharedData.packageRoot.appendingPathComponent("Documentation/Explain.md")
    #expect(
      try String(contentsOf: page, encoding: .utf8).contains(
        "<!-- \(expected).txt -->\n```text\n\(result.output)```\n"
      )
    )
  }

  @Test func consoleLinesNameTheRule() throws {
    let folder = Self.folder.appendingPathComponent("1.3-cute-puppies")
    let result = try Command.run(
      ["explain", "--list", "blockerList.json", "--format", "json", "console.txt"],
      in: folder
    )
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.contains(#""rule":1,"file":"blockerList.json","line":6"#) })
  }

  private func text(_ folder: URL, _ name: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
  }
}
