import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
import FoundationXML
#endif

@Suite("tickbird test")
struct ListTestCommandTests {
  static let list = """
    [
      {"trigger": {"url-filter": "/ad"}, "action": {"type": "block"}},
      {"trigger": {"url-filter": "/ad/ours"}, "action": {"type": "ignore-previous-rules"}},
      {"trigger": {"url-filter": "script", "load-type": ["third-party"]},
       "action": {"type": "block"}},
      {"trigger": {"url-filter": ".*", "if-domain": ["shop.test"]},
       "action": {"type": "css-display-none", "selector": ".ad"}}
    ]
    """

  private static let passing = """
    list: lists/a.json
    [page https://shop.test/]
    page => load, hide .ad by ".*"
    https://cdn.test/ad.js script => block by "/ad"
    https://cdn.test/ad/ours.js script => load by rule 1

    """

  private static let failing = """
    list: lists/a.json
    [page https://shop.test/]
    https://cdn.test/ad/ours.js script => block
    https://shop.test/script image => block by "script" # not third-party
    https://cdn.test/ad.js script => load
    page => hide .ads, show .ad

    """

  private func prepared() throws -> Scratch {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      at: scratch.folder.appending(path: "lists"),
      withIntermediateDirectories: false
    )
    try scratch.file("lists/a.json", Self.list)
    try scratch.file("good.tests", Self.passing)
    try scratch.file("bad.tests", Self.failing)
    return scratch
  }

  private func run(_ arguments: [String], _ scratch: Scratch) throws -> Command.Result {
    try Command.run(["test"] + arguments, in: scratch.folder)
  }

  // MARK: Results

  @Test("expectations that hold are counted, from any folder")
  func holding() throws {
    let scratch = try prepared()
    let result = try run(["good.tests"], scratch)
    #expect(result == .init(output: "3 expectations: all hold\n", error: "", status: 0))
    let elsewhere = try Command.run(
      ["test", scratch.folder.appending(path: "good.tests").path],
      in: FileManager.default.temporaryDirectory
    )
    #expect(elsewhere.status == 0)
  }

  @Test("a failure says what explain says: the rules, their places, what overrode them")
  func failures() throws {
    let result = try run(["bad.tests", "good.tests"], try prepared())
    #expect(result.status == 1)
    #expect(result.error == "")
    #expect(
      result.output == """
        FAILED bad.tests:3:1
          https://cdn.test/ad/ours.js script => block
          in [page https://shop.test/]
            expected block, but it is loaded
            rule 0 (a.json:2:3) block, matched "/ad" at 16-19; cancelled by
            ignore-previous-rules of rule 1 (a.json:3:3)
                {"trigger": {"url-filter": "/ad"}, "action": {"type": "block"}}
            rule 1 (a.json:3:3) ignore-previous-rules, matched "/ad/ours" at 16-24
                {"trigger": {"url-filter": "/ad/ours"}, "action": {"type":
                "ignore-previous-rules"}}

        FAILED bad.tests:4:1
          https://shop.test/script image => block by "script"
          in [page https://shop.test/]
            expected block by "script", but it is loaded
            no rule matches the load
            not rule 2 (a.json:4:3): the load is first-party on the page shop.test, the
            rule's load-type is third-party

        FAILED bad.tests:5:1
          https://cdn.test/ad.js script => load
          in [page https://shop.test/]
            expected load, but it is blocked
            rule 0 (a.json:2:3) block, matched "/ad" at 16-19
                {"trigger": {"url-filter": "/ad"}, "action": {"type": "block"}}

        FAILED bad.tests:6:1
          page => hide .ads, show .ad
          in [page https://shop.test/]
            expected hide .ads, but it is not hidden
            no rule has the selector .ads
            expected show .ad, but it is hidden
            rule 3 (a.json:6:3) hides .ad, matches every URL
                {"trigger": {"url-filter": ".*", "if-domain": ["shop.test"]}, "action":
                {"type": "css-display-none", "selector": ".ad"}}

        bad.tests: 0 of 4 hold
        good.tests: 3 of 3 hold
        7 expectations in 2 files: 3 hold, 4 failed

        """
    )
  }

  @Test("a rule that would act on another type is named without being asked for")
  func nearMisses() throws {
    let scratch = try prepared()
    try scratch.file("a.tests", "https://shop.test/script font on https://shop.test/ => block\n")
    let result = try run(["a.tests", "--list", "lists/a.json"], scratch)
    #expect(result.output.contains("not rule 2 (a.json:4:3): the load is first-party"))
  }

  @Test("a redirect without permission says how to give it")
  func permission() throws {
    let scratch = try prepared()
    try scratch.file(
      "r.json",
      #"[{"trigger":{"url-filter":"from"},"action":{"type":"redirect","redirect":"#
        + #"{"url":"https://to.test/"}}}]"#
    )
    let line = "https://a.test/from image => redirect https://to.test/\n"
    try scratch.file("r.tests", "list: r.json\n" + line)
    let refused = try run(["r.tests"], scratch)
    #expect(refused.status == 1)
    let text = refused.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(text.contains("write permission: *://a.test/* at the file's beginning"))
    try scratch.file("r.tests", "list: r.json\npermission: *://a.test/*\n" + line)
    #expect(try run(["r.tests"], scratch).status == 0)
  }

  @Test("--filter chooses, --fail-fast stops, and both say what was not tried")
  func choosing() throws {
    let scratch = try prepared()
    let filtered = try run(["bad.tests", "good.tests", "--filter", "by rule"], scratch)
    #expect(filtered.status == 0)
    #expect(
      filtered.output.hasSuffix("1 expectation in 2 files: it holds; 6 left out by --filter\n")
    )
    let fast = try run(["bad.tests", "good.tests", "--fail-fast"], scratch)
    #expect(fast.status == 1)
    #expect(
      fast.output.hasSuffix("1 expectation in 2 files: 1 failed; 6 not tried after the failure\n")
    )
    let none = try run(["good.tests", "--filter", "nothing"], scratch)
    #expect(none.status == 2)
    #expect(none.error.contains("--filter: no expectation contains nothing"))
  }

  @Test("--list comes before the lists that a file names")
  func otherLists() throws {
    let scratch = try prepared()
    try scratch.file("b.json", #"[{"trigger":{"url-filter":"x"},"action":{"type":"block"}}]"#)
    let result = try run(["good.tests", "--list", "b.json"], scratch)
    #expect(result.status == 1)
    #expect(result.output.contains("no rule has the url-filter \"/ad\""))
    _ = try Command.run(["compile", "lists/a.json", "-o", "a.tickbird"], in: scratch.folder)
    #expect(try run(["good.tests", "-l", "a.tickbird"], scratch).status == 0)
  }

  // MARK: Trouble

  @Test("what keeps tests from running is trouble, and none of them is tried")
  func trouble() throws {
    let scratch = try prepared()
    try scratch.file("empty.tests", "# nothing yet\n")
    try scratch.file("log.har", "{\n  \"log\": {}}")
    try scratch.file("nolist.tests", "https://a.test/ image => load\n")
    try scratch.file("gone.tests", "# x\nlist: gone.json\nhttps://a.test/ image => load\n")
    try scratch.file("pipe.tests", "list: pipe\nhttps://a.test/ image => load\n")
    #expect(unsafe mkfifo(scratch.folder.appending(path: "pipe").path, 0o600) == 0)
    try scratch.file("endless.tests", "list: /dev/zero\nhttps://a.test/ image => load\n")
    try scratch.file("wrong.tests", "list: lists/a.json\nhttps://a.test/ imag => load\n[x\n")
    try scratch.file(
      "refused.json",
      #"[{"trigger":{"url-filter":"a|b"},"action":{"type":"block"}}]"#
    )
    for (arguments, message) in [
      (["empty.tests"], "empty.tests names no list"),
      (["empty.tests", "-l", "lists/a.json"], "empty.tests has no expectations; write one a line"),
      (["nolist.tests"], "nolist.tests names no list; write list: PATH"),
      (["gone.tests"], "gone.tests:2:7: there is no file gone.json"),
      (["pipe.tests"], "pipe.tests:1:7: pipe is not a plain file; give such a list by --list"),
      (["endless.tests"], "endless.tests:1:7: /dev/zero is not a plain file"),
      (["wrong.tests", "good.tests"], "wrong.tests:2:17: there is no type \"imag\"; did you mean"),
      (["wrong.tests"], "wrong.tests:3:1: the section has no ] at its end"),
      (["none.tests"], "there is no file none.tests"),
      (["good.tests", "-l", "refused.json"], "refused.json is refused"),
      (["good.tests", "-l", "none.json"], "there is no file none.json"),
      (["lists"], "lists is a folder"),
      (["lists/a.json"], "lists/a.json is a rule list; give it by --list"),
      (["log.har", "-l", "lists/a.json"], "log.har is JSON; if it is a network log"),
      ([], "Give at least one test file"),
      (["good.tests", "--format", "xml"], "'xml'"),
      (["--record", "x.har"], "give --list"),
      (["-", "-"], "Standard input (-) can be given only once"),
      (["good.tests", "--watch", "--format", "json"], "leave out --format"),
    ] {
      let result = try run(arguments, scratch)
      #expect(result.status == (arguments.last == "refused.json" ? 1 : 2), "\(arguments)")
      #expect(result.error.contains(message), "\(arguments): \(result.error)")
      #expect(result.output == "", "\(arguments)")
    }
    let piped = try Command.run(
      ["test", "-", "--list", "lists/a.json"],
      input: Data("https://a.test/ad image => block".utf8),
      in: scratch.folder
    )
    #expect(piped.status == 0)
    let list = try Command.run(
      ["test", "good.tests", "good.tests", "--list", "-"],
      input: Data(Self.list.utf8),
      in: scratch.folder
    )
    #expect(list == .init(output: list.output, error: "", status: 0))
  }

  // MARK: Formats

  @Test("--format json is one object that says everything")
  func json() throws {
    let scratch = try prepared()
    let result = try run(["bad.tests", "--format", "json", "--coverage"], scratch)
    #expect(result.status == 1)
    #expect(result.output.filter { $0 == "\n" }.count == 1)
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    )
    #expect(object["holds"] as? Bool == false)
    #expect(object["expectations"] as? Int == 4)
    let file = try #require((object["files"] as? [[String: Any]])?.first)
    #expect(file["lists"] as? [String] == ["lists/a.json"])
    let results = try #require(file["results"] as? [[String: Any]])
    #expect(results[0]["line"] as? Int == 3)
    #expect(results[0]["outcome"] as? String == "loaded")
    #expect((results[0]["reasons"] as? [String])?.contains { $0.contains("cancelled by") } == true)
    let coverage = try #require((object["coverage"] as? [[String: Any]])?.first)
    #expect(coverage["exercised"] as? Int == 3 && coverage["rules"] as? Int == 4)
    let missing = try #require((coverage["notExercised"] as? [[String: Any]])?.first)
    #expect(missing["rule"] as? Int == 2 && missing["line"] as? Int == 4)

    let broken = try run(["good.tests", "--list", "none.json", "--format", "json"], scratch)
    #expect(broken.status == 2)
    #expect(broken.output.hasPrefix(#"{"holds":null,"expectations":0"#))
    #expect(broken.output.contains("there is no file none.json") || !broken.error.isEmpty)
  }

  /// Collects what a reader of JUnit's XML takes from it.
  private final class JUnitReader: NSObject, XMLParserDelegate {
    var cases: [[String: String]] = []
    var suites: [[String: String]] = []
    var failures: [[String: String]] = []
    var errors = 0
    var text = ""

    func parser(
      _ parser: XMLParser,
      didStartElement name: String,
      namespaceURI: String?,
      qualifiedName: String?,
      attributes: [String: String] = [:]
    ) {
      switch name {
      case "testcase": cases.append(attributes)
      case "testsuite": suites.append(attributes)
      case "failure": failures.append(attributes)
      case "error": errors += 1
      default: break
      }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
  }

  @Test("--format junit is XML that a parser reads, whatever is in the lines")
  func junit() throws {
    let scratch = try prepared()
    try scratch.file(
      "odd.tests",
      "list: lists/a.json\nhttps://a.test/?a=1&b=<\"> image => load # \u{1}\u{FFFE}\n"
        + "https://a.test/ad?&\u{7} image => load\n"
    )
    let result = try run(["bad.tests", "odd.tests", "--format", "junit"], scratch)
    #expect(result.status == 1)
    let reader = JUnitReader()
    let parser = XMLParser(data: Data(result.output.utf8))
    parser.delegate = reader
    #expect(parser.parse(), "\(result.output)")
    #expect(reader.suites.map { $0["tests"] } == ["4", "2"])
    #expect(reader.suites.map { $0["failures"] } == ["4", "1"])
    #expect(reader.cases.count == 6 && reader.failures.count == 5)
    #expect(reader.cases.allSatisfy { $0["classname"] != nil && $0["time"] != nil })
    #expect(reader.cases[0]["line"] == "3")
    #expect(
      reader.cases[0]["name"]
        == "https://cdn.test/ad/ours.js script => block [page https://shop.test/]"
    )
    #expect(reader.text.contains("cancelled by ignore-previous-rules of rule 1 (a.json:3:3)"))

    try scratch.file("wrong.tests", "list: lists/a.json\nhttps://a.test/ imag => load\n")
    let broken = try run(["wrong.tests", "--format", "junit"], scratch)
    #expect(broken.status == 2)
    #expect(broken.output.contains("errors=\"1\"") && broken.output.contains("<error "))
  }

  @Test("--format sarif has a result for each failure, at its line")
  func sarif() throws {
    let scratch = try prepared()
    let result = try run(["bad.tests", "--format", "sarif"], scratch)
    #expect(result.status == 1)
    let log = try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    )
    #expect(log["version"] as? String == "2.1.0")
    let run = try #require((log["runs"] as? [[String: Any]])?.first)
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(results.count == 4)
    #expect(results.allSatisfy { $0["ruleId"] as? String == "failed-expectation" })
    #expect(result.output.contains(#""startLine":4,"startColumn":1,"endLine":4,"endColumn":52"#))
    let driver = (run["tool"] as? [String: Any])?["driver"] as? [String: Any]
    let rules = try #require(driver?["rules"] as? [[String: Any]])
    #expect(rules.map { $0["id"] as? String } == ["failed-expectation"])
    #expect(result.output.contains(#""defaultConfiguration":{"level":"error"}"#))
  }

  @Test("--format github has an annotation for each failure, with its line")
  func github() throws {
    let scratch = try prepared()
    try scratch.file("a,b.tests", "list: lists/a.json\nhttps://a.test/ad?%0A,b image => load\n")
    let result = try run(["bad.tests", "a,b.tests", "--format", "github"], scratch)
    #expect(result.status == 1)
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 6)
    #expect(
      lines[0].hasPrefix(
        "::error file=bad.tests,line=3,col=1,title=Failed%3A https%3A//cdn.test/ad/ours.js script => "
          + "block [page https%3A//shop.test/]::expected block, but it is loaded%0Arule 0 "
      )
    )
    #expect(lines[4].hasPrefix("::error file=a%2Cb.tests,line=2,col=1,title=Failed%3A "))
    #expect(lines[4].contains("https%3A//a.test/ad?%250A%2Cb image"))
    #expect(lines[5] == "5 expectations in 2 files: 5 failed")
    try scratch.file("wrong.tests", "list: lists/a.json\nhttps://a.test/ imag => load\n")
    let broken = try run(["wrong.tests", "--format", "github"], scratch)
    #expect(broken.status == 2)
    #expect(
      broken.output
        == "::error file=wrong.tests,line=2,col=17,title=Invalid test::there is no type "
        + "\"imag\"; did you mean image?\nnothing was tried\n"
    )
  }

  // MARK: Coverage

  @Test("--coverage counts rules, and --coverage-file names those that are left")
  func coverage() throws {
    let scratch = try prepared()
    let result = try run(["good.tests", "--coverage", "--coverage-file", "left.txt"], scratch)
    #expect(result.status == 0)
    #expect(
      result.output == """
        3 expectations: all hold
        lists/a.json: 3 of 4 rules exercised
          block                 1 of 2
          css-display-none      1 of 1
          ignore-previous-rules 1 of 1
          not exercised:
            lists/a.json:4:3: rule 2 block script: no load matched it

        """
    )
    let left = try String(
      contentsOf: scratch.folder.appending(path: "left.txt"),
      encoding: .utf8
    )
    #expect(left == "lists/a.json:4:3: rule 2 block script: no load matched it\n")
  }

  // MARK: Recording

  @Test("--record writes tests from a network log, which hold")
  func record() throws {
    let scratch = try prepared()
    let folder = SharedData.packageRoot.appending(path: "Examples/1.3-cute-puppies")
    for name in ["requests.har", "blockerList.json"] {
      try scratch.file(name, try Data(contentsOf: folder.appending(path: name)))
    }
    let result = try run(
      ["--record", "requests.har", "-l", "blockerList.json", "-o", "lists/cats.tests"],
      scratch
    )
    #expect(result == .init(output: "", error: "", status: 0))
    let text = try String(
      contentsOf: scratch.folder.appending(path: "lists/cats.tests"),
      encoding: .utf8
    )
    #expect(text.contains("\nlist: ../blockerList.json\n"))
    #expect(
      text.contains("\nhttp://cutepuppiesandcats.com/cats-and-dogs.css style-sheet => block\n")
    )
    #expect(try run(["lists/cats.tests"], scratch).output == "7 expectations: all hold\n")
    let shown = try run(["--record", "requests.har", "-l", "blockerList.json"], scratch)
    #expect(shown.output.contains("\nlist: blockerList.json\n"))
    let none = try run(["--record", "none.har", "-l", "blockerList.json"], scratch)
    #expect(none.status == 2 && none.error.contains("there is no file none.har"))
  }

  @Test(
    "a list whose path would mean something else in the file is not recorded",
    arguments: ["a\nhttps://evil.example/ script => load", "a # b.json", "a.json "]
  )
  func unspeakablePaths(_ path: String) throws {
    let scratch = try prepared()
    let folder = SharedData.packageRoot.appending(path: "Examples/1.3-cute-puppies")
    try scratch.file("requests.har", try Data(contentsOf: folder.appending(path: "requests.har")))
    try scratch.file("list.json", Self.list)
    let name = path.replacing("/", with: ":")
    try FileManager.default.copyItem(
      atPath: scratch.folder.appending(path: "list.json").path,
      toPath: scratch.folder.path + "/" + name
    )
    let result = try run(["--record", "requests.har", "-l", name, "-o", "x.tests"], scratch)
    #expect(result.status == 2)
    #expect(result.error.contains("cannot stand in a test file"), "\(result.error)")
    #expect(
      !FileManager.default.fileExists(atPath: scratch.folder.appending(path: "x.tests").path)
    )
  }

  @Test("a long list that is given as a test file is called a list")
  func longMistake() throws {
    let scratch = try prepared()
    try scratch.file("long.json", "[{" + String(repeating: " ", count: 17 << 20) + "}]")
    let result = try run(["long.json"], scratch)
    #expect(result.status == 2)
    #expect(result.error.contains("is a rule list; give it by --list"), "\(result.error)")
  }

  // MARK: Watching

  @Test("--watch runs again when a file is rewritten or replaced, and ^C ends with the last status")
  func watch() throws {
    let scratch = try prepared()
    let process = Process()
    let executable: URL = try #require(Command.executable, "the command is not built")
    process.executableURL = executable
    process.arguments = ["test", "--watch", "good.tests"]
    process.currentDirectoryURL = scratch.folder
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let identifier = process.processIdentifier
    defer { if process.isRunning { kill(identifier, SIGKILL) } }
    var text = ""
    /// Reads until a text is there; the process ends, if it never comes, by the deadline below.
    func wait(for wanted: String) {
      while !text.contains(wanted), let piece = try? output.fileHandleForReading.read(upToCount: 1),
        !piece.isEmpty
      {
        text += String(decoding: piece, as: UTF8.self)
      }
    }
    let deadline = DispatchWorkItem { kill(identifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + 30, execute: deadline)
    defer { deadline.cancel() }
    wait(for: "3 expectations: all hold\n")
    // As editors do that keep what was there: a new file in the place of the old one.
    let other = try scratch.file("new.json", Self.list.replacing("/ad/ours", with: "/theirs"))
    try FileManager.default.removeItem(at: scratch.folder.appending(path: "lists/a.json"))
    try FileManager.default.moveItem(at: other, to: scratch.folder.appending(path: "lists/a.json"))
    wait(for: "3 expectations: 2 hold, 1 failed\n")
    #expect(!text.contains("\u{1B}"))
    // A broken file is no end, and what mends it is noticed.
    try scratch.file("good.tests", "nonsense\n")
    Thread.sleep(forTimeInterval: 1)
    try scratch.file("good.tests", "list: lists/a.json\nhttps://a.test/ad image => block\n")
    wait(for: "1 expectation: it holds\n")
    process.interrupt()
    process.waitUntilExit()
    #expect(text.hasSuffix("1 expectation: it holds\n"), "\(text)")
    #expect(process.terminationReason == .exit && process.terminationStatus == 0)
  }

  // MARK: Documents and examples

  @Test(
    "the examples' tests hold",
    arguments: ["1.7-order", "1.3-cute-puppies", "1.6-cookies-and-https"]
  )
  func examples(_ name: String) throws {
    let folder = SharedData.packageRoot.appending(path: "Examples/\(name)")
    let result = try Command.run(["test", "blockerList.tests"], in: folder)
    #expect(result.status == 0, "\(result)")
    #expect(result.output.hasSuffix(" expectations: all hold\n"))
  }
}
