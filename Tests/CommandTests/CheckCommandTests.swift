import Foundation
import TestSupport
import Testing

/// A rule with a warning that is its own.
private func warned(_ number: Int) -> String {
  #"{"trigger":{"url-filter":"/ad\#(number)","note":\#(number)},"action":{"type":"block"}}"#
}

private func list(_ rules: [String]) -> String { "[" + rules.joined(separator: ",\n") + "]" }

private func json(_ text: String) throws -> [String: Any] {
  try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
}

private func results(_ text: String) throws -> [[String: Any]] {
  let run = try #require((try json(text)["runs"] as? [[String: Any]])?.first)
  return try #require(run["results"] as? [[String: Any]])
}

@Suite struct CheckOutputTests {
  @Test(arguments: [300, 2_400])
  func everyFindingIsInJSONAndSARIF(count: Int) throws {
    let scratch = try Scratch()
    // The error that WebKit reports is the last one, so it is known only after reading everything.
    let refused = #"{"trigger":{"url-filter":"a|b"},"action":{"type":"block"}}"#
    try scratch.file("a.json", list((0..<count).map(warned) + [refused]))
    let output = try Command.run(["check", "--format", "json", "a.json"], in: scratch.folder).output
    let diagnostics = try #require(try json(output)["diagnostics"] as? [[String: Any]])
    #expect(diagnostics.count == count + 1)
    #expect(Set(diagnostics.compactMap { $0["rule"] as? Int }).count == count + 1)
    let log = try Command.run(["check", "--format", "sarif", "a.json"], in: scratch.folder).output
    #expect(try results(log).count == count + 1)
    #expect(log.components(separatedBy: "WebKit reports:").count == 2)
    let text = try Command.run(["check", "--limit", "7", "a.json"], in: scratch.folder).output
    #expect(text.components(separatedBy: "[unknown-key]").count == 8)
    #expect(text.contains("a.json: and \(count - 7 == 293 ? "293" : "2,393") more unknown-key"))
    #expect(text.contains("1 error, \(count == 300 ? "300" : "2,400") warnings"))
  }

  @Test func sarifSaysWhereAndWhat() throws {
    let scratch = try Scratch()
    let text = list([
      #"{"trigger":{"url-filter":"ä","if-domain":["b.test"],"if-top-url":["c"]},"#
        + #""action":{"type":"block"}}"#
    ])
    try scratch.file("a.json", text)
    let log = try Command.run(["check", "--format", "sarif", "a.json"], in: scratch.folder).output
    let second = try #require(
      try results(log).first { $0["ruleId"] as? String == "multiple-conditions" }
    )
    let locations = try #require(second["locations"] as? [[String: Any]])
    let physical = try #require(locations[0]["physicalLocation"] as? [String: Any])
    let region = try #require(physical["region"] as? [String: Int])
    // Columns are characters: the ä before it counts once.
    let start = try #require(text.range(of: "\"if-top-url\""))
    let column = text.distance(from: text.startIndex, to: start.lowerBound) + 1
    #expect(region["startColumn"] == column)
    #expect(region["endColumn"] == column + 12)
    #expect(region["endLine"] == 1)
    let logical = try #require(locations[0]["logicalLocations"] as? [[String: Any]])
    #expect(logical[0]["fullyQualifiedName"] as? String == "[0].trigger.if-top-url")
    #expect((second["properties"] as? [String: Any])?["rule"] as? Int == 0)
    let run = try #require((try json(log)["runs"] as? [[String: Any]])?.first)
    let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
    for rule in try #require(driver["rules"] as? [[String: Any]]) {
      let help = try #require((rule["help"] as? [String: Any])?["text"] as? String)
      #expect(help.contains("."))
    }
  }

  @Test func correctionsAreEditsOfTheText() throws {
    let scratch = try Scratch()
    let text = #"[{"trigger":{"url-filter":"a","if-domain":["A.test"]},"action":{"type":"block"}}]"#
    try scratch.file("a.json", text)
    let output = try Command.run(["check", "--format", "json", "a.json"], in: scratch.folder).output
    let diagnostics = try #require(try json(output)["diagnostics"] as? [[String: Any]])
    let correction = try #require(diagnostics[0]["correction"] as? [String: Any])
    #expect(correction["keepsMeaning"] as? Bool == true)
    let edit = try #require((correction["edits"] as? [[String: Any]])?.first)
    var bytes = Array(text.utf8)
    let offset = try #require(edit["offset"] as? Int)
    let length = try #require(edit["length"] as? Int)
    let replacement = try #require(edit["replacement"] as? String)
    bytes.replaceSubrange(offset..<offset + length, with: Array(replacement.utf8))
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == text.replacingOccurrences(of: "A.test", with: "a.test")
    )
  }
}

@Suite struct CheckChoiceTests {
  private let repeated =
    #"[{"trigger":{"url-filter":"a","if-domain":["a.test","a.test"]},"action":{"type":"block"}}]"#

  @Test func notesNeverChangeTheStatus() throws {
    let result = try Command.run(["check", "-"], input: Data(repeated.utf8))
    #expect(result.status == 0)
    #expect(result.output.contains("note: a.test stands twice in if-domain [repeated-member]"))
  }

  @Test func whatIsNotToBeToldDoesNotCount() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", list([warned(1), warned(2)]))
    func run(_ arguments: String...) throws -> Command.Result {
      try Command.run(["check", "a.json"] + arguments, in: scratch.folder)
    }
    #expect(try run().status == 1)
    let ignored = try run("--ignore", "unknown-key")
    #expect(
      ignored
        == .init(
          output: "a.json: accepted, 2 rules; 2 ignored by --ignore\n",
          error: "",
          status: 0
        )
    )
    #expect(try run("--severity", "error").status == 0)
    #expect(try run("--max-findings", "1").status == 1)
    #expect(try run("--max-findings", "2").status == 0)
    #expect(try run("--quiet").output.hasSuffix("at [1].trigger.note\n"))
    let errors = try run("--ignore", "invalid-pattern")
    #expect(errors.status == 2)
    #expect(errors.error.contains("cannot be ignored"))
    let unknown = try run("--ignore", "unknown-kee")
    #expect(unknown.error.contains("did you mean unknown-key?"))
    #expect(unknown.status == 2)
  }

  @Test func aFileBesideTheListSaysTheSame() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", list([warned(1)]))
    try scratch.file(
      "tickbird.toml",
      """
      # What this list is for.
      [check]
      ignore = [
        'unknown-key', # on purpose
      ]
      max-findings = 0
      """
    )
    #expect(try Command.run(["check", "a.json"], in: scratch.folder).status == 0)
    // The settings also apply from another folder, and options of the command line override them.
    let path = scratch.folder.path + "/a.json"
    #expect(try Command.run(["check", path]).status == 0)
    try scratch.file("tickbird.toml", "[check]\nmax-findings = 5\nseverity = \"note\"\n")
    #expect(try Command.run(["check", path]).status == 0)
    #expect(try Command.run(["check", path, "--max-findings", "0"]).status == 1)
  }

  @Test(arguments: [
    ("ignore = []", "tickbird.toml:1: ignore must be under [check]"),
    ("[check]\nignor = []", "tickbird.toml:2: there is no setting ignor; did you mean ignore?"),
    ("[check]\n\nlimit = \"5\"", "tickbird.toml:3: limit must be a whole number from 1"),
    ("[check]\nlimit = 0", "tickbird.toml:2: limit must be"),
    ("[check]\nlimit = 1\nlimit = 2", "tickbird.toml:3: limit appears twice"),
    ("[check]\n[check]", "tickbird.toml:2: [check] appears twice"),
    ("\n[chek]", "tickbird.toml:2: there is no table [chek]; did you mean [check]?"),
    (
      "[check]\nlimit = 1\n[Check]\nlimit = 2",
      "tickbird.toml:3: there is no table [Check]; did you"
    ),
    (
      "[rules]\nlimit = 1",
      "tickbird.toml:1: there is no table [rules]; settings belong under [check]"
    ),
    ("[check]\nignore = [\"a\"\n\"b\"]", "tickbird.toml:3: expected , or ] in the array"),
    ("[check]\nignore = [1]", "tickbird.toml:2: an array must contain strings"),
    ("[check]\nignore = [\"x-y\"]", "tickbird.toml:2: there is no code x-y"),
    ("[check]\nseverity = \"loud\"", "tickbird.toml:2: severity is note, warning or error"),
    ("[check]\nbaseline = \"a\\q\"", "tickbird.toml:2: \\q is not an escape in TOML"),
    ("[check]\nbaseline = \"a", "tickbird.toml:2: the string has no end"),
    ("[check]\nlimit = 5 6", "tickbird.toml:2: expected the end of the line"),
    ("[check]\nlimit = 1979-05-27", "tickbird.toml:2: 1979-05-27 is not a valid value"),
    ("[check]\nlimit", "tickbird.toml:2: expected = after limit"),
    ("[check]\nlimit = ", "tickbird.toml:2: expected a value"),
    ("[check]\ntarget = \"safari8\"", "tickbird.toml:2: safari8 is not a target"),
    ("[check]\nbaseline = \"none\"", "none"),
  ])
  func aBadFileIsRefusedWithItsLine(text: String, message: String) throws {
    let scratch = try Scratch()
    try scratch.file("a.json", list([warned(1)]))
    try scratch.file("tickbird.toml", text)
    let result = try Command.run(["check", "a.json"], in: scratch.folder)
    #expect(result.status == 2)
    #expect(result.error.contains(message), "\(result.error)")
  }

  @Test func acceptedFindingsAreKnownWhereverTheirRulesMove() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", list([warned(1), warned(2), warned(2)]))
    func run(_ arguments: String...) throws -> Command.Result {
      try Command.run(["check", "a.json"] + arguments, in: scratch.folder)
    }
    let written = try run("--write-baseline", "accepted")
    #expect(written.status == 0)
    #expect(written.output.hasSuffix("accepted: 4 findings accepted\n"))
    #expect(try run("--baseline", "accepted").status == 0)
    // Other order, other white space.
    let moved = list([warned(2), "  " + warned(1).replacingOccurrences(of: ":{", with: ": {\n  ")])
    try scratch.file("a.json", moved)
    let again = try run("--baseline", "accepted")
    #expect(again.status == 0)
    #expect(again.output == "a.json: accepted, 2 rules; 2 ignored by --baseline\n")
    // One more of the same, reported as a duplicate, and a new one.
    try scratch.file("a.json", list([warned(2), warned(2), warned(2), warned(3)]))
    let more = try run("--baseline", "accepted")
    #expect(more.status == 1)
    #expect(more.output.contains("2 warnings, 1 note; 3 ignored by --baseline"))
    // Errors cannot be accepted.
    try scratch.file("a.json", #"[{"trigger":{"url-filter":"a|b"},"action":{"type":"block"}}]"#)
    #expect(try run("--write-baseline", "accepted").status == 1)
    #expect(try run("--baseline", "accepted").status == 1)
    try scratch.file("accepted", "[]")
    #expect(try run("--baseline", "accepted").error.contains("accepted is not a baseline"))
  }

  @Test func foldersAndPatternsAreAllTheirLists() throws {
    let scratch = try Scratch()
    let lists = scratch.folder.appendingPathComponent("lists/more")
    try FileManager.default.createDirectory(at: lists, withIntermediateDirectories: true)
    try scratch.file("lists/b.json", list([warned(1)]))
    try scratch.file("lists/more/a.json", repeated)
    try scratch.file("lists/.hidden.json", "{")
    try scratch.file("lists/notes.txt", "{")
    let folder = try Command.run(["check", "lists"], in: scratch.folder)
    #expect(folder.output.contains("lists/b.json: accepted"))
    #expect(folder.output.contains("lists/more/a.json: accepted"))
    #expect(
      folder.output.hasSuffix(
        "2 lists: 2 accepted; 1 warning, 1 note\ntickbird check --fix can mend 1 finding\n"
      )
    )
    let pattern = try Command.run(["check", "lists/*.json"], in: scratch.folder)
    #expect(pattern.output.hasSuffix("lists/b.json: accepted, 1 rule; 1 warning\n"))
    let nothing = try Command.run(["check", "lists/*.xml"], in: scratch.folder)
    #expect(nothing.status == 2)
    #expect(nothing.error.contains("no file matches lists/*.xml"))
  }

  @Test func aMisspelledCommandIsSuggested() throws {
    let result = try Command.run(["chek", "a.json"])
    #expect(result.status == 2)
    #expect(result.error.contains("did you mean tickbird check?"))
  }
}

@Suite struct CheckTargetTests {
  private let hiding =
    #"[{"trigger":{"url-filter":".*","load-context":["top-frame"]},"#
    + #""action":{"type":"css-display-none","selector":"a:has(b)"}}]"#

  @Test(arguments: [
    ("safari15.6", [":has() appeared in Safari 16.4; Safari 15.6 skips the rule"]),
    ("ios14.4", ["Safari on iOS 14.4 ignores it", "Safari on iOS 14.4 skips the rule"]),
    ("safari16.4", []), ("ios26", []), ("2022-06", ["WebKit of June 2022 skips the rule"]),
    ("2.46", []),
  ])
  func targetsAreVersionsOfSafariAndMonths(target: String, messages: [String]) throws {
    let result = try Command.run(["check", "-", "--target", target], input: Data(hiding.utf8))
    #expect(result.status == (messages.isEmpty ? 0 : 1))
    for message in messages { #expect(result.output.contains(message), "\(result.output)") }
  }

  @Test func theLeastTargetIsNamedWithItsRules() throws {
    let result = try Command.run(["check", "-", "--min-target"], input: Data(hiding.utf8))
    #expect(
      result.output == """
        standard input: Safari 16.4 (iOS 16.4), or an engine of 2023-02
          Safari 16.4: :has(), first in rule 0, line 1
          Safari 15: load-context, first in rule 0, line 1

        """
    )
    #expect(result.status == 0)
    let plain = #"[{"trigger":{"url-filter":"a"},"action":{"type":"block"}}]"#
    let old = try Command.run(["check", "-", "--min-target"], input: Data(plain.utf8))
    #expect(old.output == "standard input: every Safari from 9 on, every iOS from 9 on\n")
    let object = try json(
      try Command.run(
        ["check", "-", "--min-target", "--format", "json"],
        input: Data(hiding.utf8)
      ).output
    )
    #expect(object["safari"] as? String == "16.4")
    let requirements = try #require(object["requirements"] as? [[String: Any]])
    #expect(requirements.map { $0["name"] as? String } == [":has()", "load-context"])
    #expect(requirements.allSatisfy { !($0["source"] as? String ?? "").isEmpty })
  }
}

@Suite struct CheckFixTests {
  private let broken = """
    [
      // of 2024
      {"trigger": {"url-filter": "/ad\\.js", "if-domain": "A.test"}, "action": {"type": "block"}}
      {"trigger": {"url-filter": "x",  "if-domain": ["b.test","b.test" , "C.test"]},
       "action": {"type": "block"}, },
    ]

    """
  private let mended = """
    [
      \u{20}
      {"trigger": {"url-filter": "/ad\\\\.js", "if-domain": ["a.test"]}, "action": {"type": "block"}},
      {"trigger": {"url-filter": "x",  "if-domain": ["b.test" , "c.test"]},
       "action": {"type": "block"} }
    ]

    """

  @Test func theListIsTheSameButForTheEdits() throws {
    let scratch = try Scratch()
    let file = try scratch.file("a.json", Data(broken.utf8))
    let result = try Command.run(["check", "--fix", "a.json"], in: scratch.folder)
    #expect(try String(contentsOf: file, encoding: .utf8) == mended)
    #expect(result.status == 0)
    #expect(result.output == "a.json: 9 findings mended\na.json: accepted, 2 rules\n")
    let again = try Command.run(["check", "--fix", "a.json"], in: scratch.folder)
    #expect(again.output == "a.json: accepted, 2 rules\n")
  }

  @Test func guessesAreLeftToTheAuthor() throws {
    let scratch = try Scratch()
    let text =
      #"[{"trigger":{"url-filter":"a","iff-domain":["a.test"]},"action":{"type":"block"}}]"#
    let file = try scratch.file("a.json", Data(text.utf8))
    let result = try Command.run(["check", "--fix", "a.json"], in: scratch.folder)
    #expect(result.status == 1)
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test func whatIsIgnoredIsNotMended() throws {
    let scratch = try Scratch()
    let text =
      #"[{"trigger":{"url-filter":"a","if-domain":["a.test","a.test"]},"action":{"type":"block"}}]"#
    let file = try scratch.file("a.json", Data(text.utf8))
    _ = try Command.run(
      ["check", "--fix", "--ignore", "repeated-member", "a.json"],
      in: scratch.folder
    )
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test func whatIsNoPlainListIsLeftAlone() throws {
    let scratch = try Scratch()
    let input = try Command.run(["check", "--fix", "-"], input: Data(broken.utf8))
    #expect(input.status == 2)
    #expect(input.error.contains("standard input cannot be mended; give --fix a file"))
    try scratch.file("a.json", mended)
    _ = try Command.run(["compile", "a.json", "-o", "a.tickbird"], in: scratch.folder)
    let compiled = try Command.run(["check", "--fix", "a.tickbird"], in: scratch.folder)
    #expect(compiled.status == 2)
    #expect(compiled.error.contains("mend its JSON, and compile it again"))
    // An empty list, compressed.
    let gzip = Data([
      0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0x8B, 0x8E, 5, 0, 0x29, 0xBB, 0x4C, 0x0D, 2, 0, 0, 0,
    ])
    let file = try scratch.file("a.json.gz", gzip)
    let compressed = try Command.run(["check", "--fix", "a.json.gz"], in: scratch.folder)
    #expect(compressed.status == 2)
    #expect(compressed.error.contains("unpack it with gzip -d"))
    #expect(try Data(contentsOf: file) == gzip)
  }
}
