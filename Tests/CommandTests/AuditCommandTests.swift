import CaseGenerators
import CommandOutput
import Foundation
import TestSupport
import Testing

@testable import CommandInput
@testable import RuleAudit

private let list =
  """
  [{"trigger":{"url-filter":"/ad"},"action":{"type":"block"}},
  {"trigger":{"url-filter":"/ad/ok"},"action":{"type":"ignore-previous-rules"}},
  {"trigger":{"url-filter":"never"},"action":{"type":"block"}}]
  """

private let log =
  """
  url\tsource\ttype\tcolour
  http://a.test/ad\thttp://www.b.co.uk/\timage\tred
  http://a.test/ad/ok\thttp://c.test/\tscript\tred
  http://a.test/\thttp://b.co.uk/\timage

  """

/// The same three loads in each form of log.
private let objects =
  """
  {"url":"http://a.test/ad","top_url":"http://www.b.co.uk/","resource_type":"image"}
  {"url":"http://a.test/ad/ok","top_url":"http://c.test/","resource_type":"script"}
  {"url":"http://a.test/","top_url":"http://b.co.uk/","resource_type":"image"}
  """

private let archive =
  """
  {"log":{"pages":[{"id":"b","title":"http://www.b.co.uk/"},{"id":"c","title":"http://c.test/"},
  {"id":"d","title":"http://b.co.uk/"}],"entries":[
  {"pageref":"b","_resourceType":"image","request":{"url":"http://a.test/ad"}},
  {"pageref":"c","_resourceType":"script","request":{"url":"http://a.test/ad/ok"}},
  {"pageref":"d","_resourceType":"image","request":{"url":"http://a.test/"}}]}}
  """

@Suite struct AuditCommandTests {
  private func folder(_ files: [String: String]) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.file("list.json", list)
    for (name, text) in files { try scratch.file(name, text) }
    return scratch
  }

  private func audit(_ arguments: [String], _ files: [String: String]) throws -> Command.Result {
    let scratch = try folder(files)
    return try Command.run(["audit", "--list", "list.json"] + arguments, in: scratch.folder)
  }

  @Test func parquetIsReadElsewhere() throws {
    let result = try audit(["log.parquet"], ["log.parquet": "PAR1\u{15}\u{4}\n"])
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.error.contains("python3 -m tickbird audit --list LIST --parquet log.parquet"))
  }

  @Test func reportsAreReadable() throws {
    let result = try audit(["log.tsv"], ["log.tsv": log])
    #expect(result.error == "")
    #expect(result.status == 0)
    #expect(
      result.output == """
        3 requests in 1 log
          blocked                          1   33.3 %
          without cookies                  0
          made https                       0
          with hiding rules                0
          none of these                    2   66.7 %

        Lists
             blocked     cookies       https      hiding  rules that matched, list
                   1           0           0           0  2 of 3, list.json

        Rules
             matched     applied   cancelled  rule
                   2           1           1  block rule 0, list.json:1:2
                            /ad
                            alone blocks 1 load
                      sites b.co.uk 1
                      first log.tsv:2 http://a.test/ad
                      last  log.tsv:3 http://a.test/ad/ok
                   1           1           0  ignore-previous-rules rule 1, list.json:2:1
                            /ad/ok
                            rescues 1 load that would be blocked without it
                      sites c.test 1
                      only  log.tsv:3 http://a.test/ad/ok

        Sites of pages
            requests     blocked   cancelled  site
                   2           1           0  b.co.uk
                   1           0           1  c.test

        1 rule of list.json never matched; --unmatched lists it

        """
    )
    let unmatched = try audit(["--unmatched", "--top", "0", "log.tsv"], ["log.tsv": log])
    #expect(
      unmatched.output.hasSuffix(
        "1 rule of list.json never matched\n  block rule 2, list.json:3:1  never\n"
      )
    )
    #expect(unmatched.output.contains("\nRules (0 of 2; --top shows more)\n"))
  }

  @Test("tables have a row for each rule, site, or rule on a site")
  func tables() throws {
    let columns =
      "list,rule,line,column,action,url_filter,conditions,selector,matched,applied,cancelled,"
      + "without_effect,only_blocker,rescued,first_party_documents,first_party_scripts,"
      + "first_party_style_sheets,sites,first_url\r\n"
    let rules = try audit(["--format", "csv", "--unmatched", "log.tsv"], ["log.tsv": log])
    #expect(rules.status == 0)
    #expect(
      rules.output == columns
        + "list.json,0,1,2,block,/ad,,,2,1,1,0,1,0,0,0,0,1,http://a.test/ad\r\n"
        + "list.json,1,2,1,ignore-previous-rules,/ad/ok,,,1,1,0,0,0,1,0,0,0,1,"
        + "http://a.test/ad/ok\r\n"
        + "list.json,2,3,1,block,never,,,0,0,0,0,0,0,0,0,0,0,\r\n"
    )
    let sites = try audit(["--format", "csv", "--by", "site", "log.tsv"], ["log.tsv": log])
    #expect(sites.output.contains("\r\nb.co.uk,2,1,0,0,0,1,0,0,0,1,1,0,0\r\n"))
    let pairs = try audit(["--format", "csv", "--by", "rule-site", "log.tsv"], ["log.tsv": log])
    #expect(
      pairs.output == "list,rule,line,column,action,url_filter,site,applied\r\n"
        + "list.json,0,1,2,block,/ad,b.co.uk,1\r\n"
        + "list.json,1,2,1,ignore-previous-rules,/ad/ok,c.test,1\r\n"
    )
  }

  @Test("texts with commas, quotation marks and line breaks are quoted in tables")
  func quotedCells() throws {
    let scratch = try Scratch()
    try scratch.file(
      "a,\"b\".json",
      #"[{"trigger":{"url-filter":"a.*","if-domain":["a.test","b.test"]},"action":{"type":"block"}}]"#
    )
    try scratch.file("log.tsv", "url\tsource\ttype\nhttp://a.test/\thttp://a.test/\timage\n")
    let result = try Command.run(
      ["audit", "--list", "a,\"b\".json", "--format", "csv", "log.tsv"],
      in: scratch.folder
    )
    #expect(
      result.output.contains(
        "\r\n\"a,\"\"b\"\".json\",0,1,2,block,a.*,\"if-domain a.test, b.test\",,1,1,"
      )
    )
  }

  @Test("no text of a list becomes a formula of a spreadsheet")
  func formulaCells() throws {
    let rules = ["=cmd", "@SUM", "-1", "a=b"].map {
      #"{"trigger":{"url-filter":"\#($0)"},"action":{"type":"block"}}"#
    }
    let scratch = try Scratch()
    try scratch.file("=list.json", "[" + rules.joined(separator: ",") + "]")
    try scratch.file("log.tsv", "url\tsource\ttype\nhttp://a.test/=cmd@SUM-1a=b\t\timage\n")
    let result = try Command.run(
      ["audit", "--list", "=list.json", "--format", "csv", "log.tsv"],
      in: scratch.folder
    )
    let rows = result.output.split(separator: "\r\n").dropFirst()
    let filters = rows.map { $0.split(separator: ",", omittingEmptySubsequences: false)[5] }
    #expect(filters == ["'=cmd", "'@SUM", "'-1", "a=b"], "\(result.output) \(result.error)")
    #expect(rows.allSatisfy { $0.hasPrefix("'=list.json,") }, "\(result.output)")
  }

  @Test("the document's recipe for one long file gives the counts of the whole file")
  func recipeForOneLongFile() throws {
    let document = SharedData.packageRoot.appendingPathComponent("Documentation/Audit.md")
    let text = try String(contentsOf: document, encoding: .utf8)
    let begin = try #require(text.range(of: "# One long file"))
    let end = try #require(text.range(of: "```", range: begin.upperBound..<text.endIndex))
    let recipe = String(text[begin.lowerBound..<end.lowerBound])
    let scratch = try folder([:])
    var random = RandomSource(seed: 16)
    let log = AuditCases.log(rows: 200, &random)
    try scratch.file("requests.tsv", log)
    try scratch.file("ads.json", AuditCases.lists[0])
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let command = try #require(Command.executable, "the command is not built")
    let programs = command.deletingLastPathComponent().path
    process.arguments = ["-euc", "PATH=\(programs):$PATH; \(recipe)"]
    process.currentDirectoryURL = scratch.folder
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let report = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(),
      as: UTF8.self
    )
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let whole = try Command.run(["audit", "-l", "ads.json", "requests.tsv"], in: scratch.folder)
    func counts(_ report: String) -> [Substring] {
      // The places of examples are those in the parts.
      report.split(separator: "\n").dropFirst().filter {
        !$0.contains("first ") && !$0.contains("last ") && !$0.contains("only ")
      }
    }
    #expect(report.hasPrefix("200 requests in 16 logs\n"))
    #expect(counts(report) == counts(whole.output))
  }

  @Test(arguments: ["log.ndjson", "log.har", "log.tsv"])
  func formatsAreToldApart(_ name: String) throws {
    let files = ["log.ndjson": objects, "log.har": archive, "log.tsv": log]
    for arguments in [[name], ["--input-format", String(name.dropFirst(4)), name]] {
      let result = try audit(["--format", "json"] + arguments, files)
      #expect(result.status == 0, "\(result.error)")
      let start =
        #"{"requests":3,"blocked":1,"cookies_blocked":0,"made_https":0,"hiding":0,"unaffected":2,"#
        + #""unchecked":0,"first_party_blocked":{"documents":0,"scripts":0,"style_sheets":0},"#
        + #""bad_lines":0,"logs":[{"name":"\#(name)","#
      #expect(result.output.hasPrefix(start), "\(result.output)")
      let line = name == "log.tsv" ? 2 : 1
      #expect(
        result.output.contains(
          #""rule":0,"line":1,"column":2,"action":"block","url_filter":"/ad","matched":2,"applied":1,"#
            + #""cancelled":1,"cancelled_by_previous":1,"cancelled_by_following":0,"#
            + #""without_effect":0,"first":{"log":0,"line":\#(line),"url":"http://a.test/ad"},"last":"#
        )
      )
      #expect(result.output.contains(#""unmatched_rules":[2]"#))
      #expect(
        result.output.contains(#"{"site":"b.co.uk","requests":2,"blocked":1,"cookies_blocked":0"#)
      )
    }
  }

  @Test func gzipAndStandardInputAreRead() throws {
    let scratch = try folder([:])
    let plain = try scratch.file("log.tsv", log)
    let packed = try scratch.file(
      "log.tsv.gz",
      Data(try #require(Gzip.compressed(Array(log.utf8))))
    )
    let arguments = ["audit", "--list", "list.json", "--format", "json"]
    let expected = try Command.run(arguments + ["log.tsv"], in: scratch.folder)
    let unpacked = try Command.run(arguments + ["log.tsv.gz"], in: scratch.folder)
    #expect(unpacked.output.replacing("log.tsv.gz", with: "log.tsv") == expected.output)
    for file in [plain, packed] {
      let piped = try Command.run(
        arguments + ["-"],
        input: try Data(contentsOf: file),
        in: scratch.folder
      )
      #expect(piped.output.replacing("standard input", with: "log.tsv") == expected.output)
    }
  }

  @Test func badLinesAreCountedAndShown() throws {
    let bad =
      log + "http://a.test/\thttp://b.co.uk/\tpicture\n\nhello\n"
      + "nonsense\thttp://b.co.uk/\timage\nhttp://a.test/\tnonsense\timage\n"
      + String(repeating: "x\n", count: 20)
    let result = try audit(["log.tsv"], ["log.tsv": bad])
    #expect(result.status == 1)
    #expect(result.output.hasPrefix("3 requests in 1 log; 25 bad lines left out\n"))
    let errors = result.error.split(separator: "\n")
    #expect(
      errors.prefix(5) == [
        "tickbird: error: log.tsv, line 5: column type: there is no type \"picture\"; "
          + "did you mean image?",
        "tickbird: error: log.tsv, line 6: the line is empty",
        "tickbird: error: log.tsv, line 7: the line has 1 column, and needs 3",
        "tickbird: error: log.tsv, line 8: column url is not an absolute URL: nonsense",
        "tickbird: error: log.tsv, line 9: column source is not an absolute URL: nonsense",
      ]
    )
    #expect(errors.count == 11)
    #expect(errors.last == "tickbird: error: 25 bad lines of 28 left out; the first 10 are above")
    for number in [1, 3] {
      let other = try audit(["--jobs", "\(number)", "log.tsv"], ["log.tsv": bad])
      #expect(other == result)
    }
  }

  @Test(arguments: ["", "url\tsource\ttype\n", "\u{FEFF}url\ttop_url\tresource_type"])
  func logsMayBeEmpty(_ text: String) throws {
    let result = try audit(["log.tsv"], ["log.tsv": text])
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.hasPrefix("0 requests in 1 log\n\nLists\n"))
  }

  @Test func listsMayDoNothing() throws {
    let scratch = try folder(["log.tsv": log, "tiny.json": list.replacing("/ad", with: "/none")])
    let result = try Command.run(["audit", "-l", "tiny.json", "log.tsv"], in: scratch.folder)
    #expect(result.status == 0)
    #expect(result.output.contains("0 of 3, tiny.json"))
    #expect(!result.output.contains("\nRules"))
    #expect(result.output.contains("3 rules of tiny.json never matched"))
  }

  @Test(arguments: [
    ("hello\nworld\n", "line 1: this is neither JSON nor a line of column names with url"),
    ("url\ttype\n", "line 1: there is no column top_url or source; the columns are url, type"),
    ("url\tsource\n", "there is no column resource_type or webkit_type or type"),
    ("{\"log\":1}", "is JSON, but no HAR file"),
  ])
  func logsThatMakeNoSenseAreRefused(_ text: String, _ message: String) throws {
    let result = try audit(["x.log"], ["x.log": text])
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.error.contains(message), "\(result.error)")
    #expect(result.error.contains("x.log"))
  }

  @Test func columnsCanBeNamed() throws {
    let rows = String(log.drop { $0 != "\n" }.dropFirst())
    let arguments = ["--columns", "url,source,type", "log.tsv"]
    let result = try audit(arguments, ["log.tsv": rows])
    #expect(result.output.hasPrefix("3 requests in 1 log\n"), "\(result.error)")
    // A log that names its columns itself is believed.
    let named = try audit(arguments, ["log.tsv": log])
    #expect(named.output.hasPrefix("3 requests in 1 log\n"))
    let wrong = try audit(["--columns", "url,src", "log.tsv"], ["log.tsv": rows])
    #expect(wrong.status == 2)
    #expect(wrong.error.contains("--columns: there is no column top_url or source"))
  }

  @Test func wrongUseIsExplained() throws {
    let scratch = try folder(["log.tsv": log])
    func error(_ arguments: [String]) throws -> String {
      let result = try Command.run(["audit"] + arguments, in: scratch.folder)
      #expect(result.status == 2)
      #expect(result.output == "")
      return result.error
    }
    #expect(try error([]).contains("Missing expected argument '--list <list> ...'"))
    #expect(try error(["--list", "list.json"]).contains("<logs>"))
    #expect(try error(["-l", "list.json", "none.tsv"]).contains("there is no file none.tsv"))
    #expect(try error(["-l", "list.json", "log.tsv", "."]).contains("is a folder"))
    #expect(try error(["-l", "-", "-"]).contains("only once"))
    #expect(try error(["-l", "list.json", "--jobs", "0", "log.tsv"]).contains("from 1 to 1024"))
    #expect(try error(["-l", "list.json", "--top", "-1", "log.tsv"]).contains("--top"))
    let nowhere = try error(["-l", "list.json", "--partial", "none/x.audit", "log.tsv"])
    #expect(nowhere.contains("none/x.audit cannot be written: no such file or directory"))
    #expect(try error(["-l", "list.json", "--partial", ".", "log.tsv"]).contains("is a directory"))
    let same = try error(["-l", "list.json", "log.tsv", "./log.tsv"])
    #expect(same.contains("./log.tsv and log.tsv are the same file"))
  }

  @Test func logsWithTheSameBytesAreNoticed() throws {
    let files = ["a.tsv": log, "b.tsv": log]
    let result = try audit(["a.tsv", "b.tsv"], files)
    #expect(result.status == 1)
    #expect(result.output.hasPrefix("6 requests in 2 logs\n"))
    #expect(result.error.contains("b.tsv has the same bytes as a.tsv"))
    let allowed = try audit(["--allow-duplicates", "a.tsv", "b.tsv"], files)
    #expect(allowed.status == 0)
    #expect(allowed.output == result.output)
  }

  @Test func partialsAreMerged() throws {
    let scratch = try folder([
      "a.tsv": log, "b.tsv": log.replacing("a.test", with: "d.test"), "c.ndjson": objects,
    ])
    func run(_ arguments: [String]) throws -> Command.Result {
      try Command.run(["audit"] + arguments, in: scratch.folder)
    }
    let names = ["a.tsv", "b.tsv", "c.ndjson"]
    for name in names {
      let made = try run(["-l", "list.json", "--partial", "\(name).audit", name])
      #expect(made == .init(output: "", error: "", status: 0))
    }
    let parts = names.map { "\($0).audit" }
    _ = try run(["merge", "--partial", "bc.audit"] + parts.dropFirst())
    for format in ["text", "json", "csv"] {
      let whole = try run(["-l", "list.json", "--format", format] + names)
      #expect(whole.status == 0)
      #expect(try run(["merge", "--format", format] + parts) == whole)
      #expect(try run(["merge", "--format", format, "a.tsv.audit", "bc.audit"]) == whole)
    }
    let twice = try run(["merge"] + parts + ["b.tsv.audit"])
    #expect(twice.status == 2)
    #expect(twice.error.contains("b.tsv.audit has the log b.tsv, which is the same as b.tsv"))
    let allowed = try run(["merge", "--allow-duplicates"] + parts + ["b.tsv.audit"])
    #expect(allowed.output.hasPrefix("12 requests in 4 logs\n"))
    let wrong = try run(["merge", "a.tsv.audit", "a.tsv"])
    #expect(wrong.status == 2)
    #expect(wrong.error.contains("a.tsv is not a partial audit"))
    let other = try run(["-l", "list.json", "-l", "list.json", "--partial", "-", "a.tsv"])
    #expect(other.status == 0)
    let help = try run(["merge", "--help"])
    #expect(help.output.contains("USAGE: tickbird audit-merge <partials>"))
  }
}

@Suite struct MatchStreamTests {
  private let request =
    #"{"url":"http://a.test/ad","top_url":"http://b.co.uk/","resource_type":"image"}"# + "\n"

  /// Many lines, more than one chunk, some of them bad, in the order of the input.
  @Test(arguments: [1, 2, 8])
  func orderIsKept(_ jobs: Int) throws {
    let scratch = try Scratch()
    try scratch.file("list.json", list)
    var input = ""
    for number in 0..<30_000 {
      let word = number % 3 == 0 ? "ad" : "page"
      input +=
        number % 1_000 == 7
        ? "bad\n"
        : #"{"url":"http://a.test/\#(word)\#(number)","top_url":"http://b\#(number / 9).test/","#
          + #""resource_type":"image"}"# + "\n"
    }
    let result = try Command.run(
      ["match", "--list", "list.json", "--jobs", "\(jobs)"],
      input: Data(input.utf8),
      in: scratch.folder
    )
    #expect(result.status == 1)
    #expect(result.error.contains("30 bad lines of 30,000"))
    let lines = result.output.split(separator: "\n")
    try #require(lines.count == 30_000)
    for (number, line) in lines.enumerated() {
      if number % 1_000 == 7 {
        #expect(line.hasPrefix(#"{"error":"line \#(number + 1): the line is not JSON"#))
      } else {
        #expect(line.hasPrefix(#"{"blocked":\#(number % 3 == 0),"#), "line \(number)")
      }
    }
  }

  /// Whoever sends one line and waits gets its answer while the input is open.
  @Test func linesAreAnsweredAtOnce() throws {
    let scratch = try Scratch()
    let file = try scratch.file("list.json", list)
    let process = Process()
    let executable: URL = try #require(Command.executable, "the command is not built")
    process.executableURL = executable
    process.arguments = ["match", "--list", file.path]
    let input = Pipe()
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    defer { process.terminate() }
    for _ in 0..<5 {
      try input.fileHandleForWriting.write(contentsOf: Data(request.utf8))
      var answer = Data()
      while answer.last != 0x0A {
        var question = pollfd(
          fd: output.fileHandleForReading.fileDescriptor,
          events: Int16(POLLIN),
          revents: 0
        )
        // Far longer than an answer takes, so that a slow machine does not fail.
        try #require(unsafe poll(&question, 1, 60_000) == 1, "there is no answer")
        answer += output.fileHandleForReading.availableData
      }
      #expect(String(decoding: answer, as: UTF8.self).hasPrefix(#"{"blocked":true"#))
    }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}

@Suite(.enabled(if: !SharedData.isAbsent, "The folder of real lists is not beside the package."))
struct RealAuditTests {
  /// The totals are those of WebKit's recorded decisions.
  @Test(arguments: ["blockparty", "ka-block", "brave-ios-upgrade-http-2021", "den-abpvn"])
  func totalsAreThoseOfWebKit(_ name: String) throws {
    func existing(_ path: String) throws -> String {
      try #require(SharedData.item("data/" + path)).path
    }
    let text = try ByteInput(path: existing("expected/\(name).txt")).readAll()
    let letters = String(decoding: text, as: UTF8.self).split(separator: "\n")
    let list = try ListFile(path: existing("lists/\(name).json")).list
    let audit = try Auditor(lists: [list]).run([existing("requests/top500-2019.tsv")]).audit
    #expect(audit.badLineCount == 0)
    #expect(audit.outcomes.requests == letters.count)
    #expect(audit.outcomes.blocked == letters.count { $0.contains("b") })
    #expect(audit.outcomes.withoutCookies == letters.count { $0.contains("c") })
    #expect(audit.outcomes.upgraded == letters.count { $0.contains("h") })
  }
}
