import Foundation
import TestSupport
import Testing

@Suite("tickbird reduce")
struct ReduceCommandTests {
  private func prepared() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.file("a.json", ListTestCommandTests.list)
    return scratch
  }

  private func run(_ arguments: [String], _ scratch: Scratch) throws -> Command.Result {
    try Command.run(["reduce", "--list", "a.json"] + arguments, in: scratch.folder)
  }

  private static let load = [
    "--url", "https://cdn.test/ad/ours.js", "--type", "script", "--page", "https://shop.test/",
  ]

  @Test("the result is a list with the rules' own text, and its rules are named")
  func result() throws {
    let scratch = try prepared()
    let result = try run(Self.load + ["--expect", "loaded"], scratch)
    #expect(
      result
        == .init(
          output: """
            [
              {"trigger": {"url-filter": "/ad"}, "action": {"type": "block"}},
              {"trigger": {"url-filter": "/ad/ours"}, "action": {"type": "ignore-previous-rules"}}
            ]

            """,
          error: """
            2 rules of 4: 0 (a.json:2:3), 1 (a.json:3:3); 2 matched; no smaller set does it

            """,
          status: 0
        )
    )
    try scratch.file("few.json", result.output)
    let check = try Command.run(["check", "few.json"], in: scratch.folder)
    #expect(check.output.hasPrefix("few.json: accepted, 2 rules"))
  }

  @Test("hidden selectors, test files, a file to write and JSON")
  func forms() throws {
    let scratch = try prepared()
    let hidden = try run(
      [
        "--url", "https://shop.test/", "--type", "document", "--expect", "hidden:.ad", "-o",
        "few.json",
      ],
      scratch
    )
    #expect(hidden.status == 0 && hidden.output == "")
    #expect(hidden.error.hasPrefix("1 rule of 4: 3 (a.json:6:3); "))
    let few = try String(contentsOf: scratch.folder.appending(path: "few.json"), encoding: .utf8)
    #expect(few.contains("css-display-none") && !few.contains("block"))
    try scratch.file("a.tests", "https://shop.test/ad image => block\n")
    let json = try run(["--test", "a.tests", "--format", "json"], scratch)
    #expect(
      json.output == #"{"rules":[{"rule":0,"line":2,"column":3,"text":"{\"trigger\": "#
        + #"{\"url-filter\": \"/ad\"}, \"action\": {\"type\": \"block\"}}"}],"of":4,"matched":1,"#
        + #""fewest":true}"# + "\n"
    )
  }

  @Test("JSON is an object also where there is no result")
  func refusalsAsJSON() throws {
    let scratch = try prepared()
    for (arguments, output) in [
      (
        Self.load + ["--expect", "blocked"],
        #"{"rules":null,"of":4,"code":"not-met","text":"a.json does not do that"}"#
      ),
      (
        ["--url", "https://b.test/", "--type", "image", "--expect", "loaded"],
        #"{"rules":null,"of":4,"code":"no-rule-needed","#
          + #""text":"no rule is needed for that; it is so without any"}"#
      ),
    ] {
      let result = try run(arguments + ["--format", "json"], scratch)
      #expect(result.status == 1 && result.output == output + "\n", "\(arguments)")
    }
  }

  @Test("what the list does not do is explained, and needs no rule or is wrong use")
  func refusals() throws {
    let scratch = try prepared()
    try scratch.file("a.tests", "https://shop.test/ad image => block by rule 0\n")
    try scratch.file("b.tests", "nonsense\n")
    for (arguments, status, message) in [
      (Self.load + ["--expect", "blocked"], 1, "cancelled by ignore-previous-rules of rule 1"),
      (
        ["--url", "https://b.test/", "--type", "image", "--expect", "loaded"], 1,
        "no rule is needed for that"
      ),
      (Self.load + ["--expect", "blokced"], 2, "did you mean blocked?"),
      (Self.load + ["--expect", "hidden:"], 2, "hide needs a selector"),
      (Self.load, 2, "Say by --expect"),
      (["--expect", "blocked"], 2, "Say what to keep"),
      (["--test", "a.tests", "--url", "x"], 2, "leave out the options of a load"),
      (["--test", "a.tests"], 2, "a.tests:1:31: numbers of rules change"),
      (["--test", "b.tests"], 2, "b.tests:1:1: the line has no =>"),
      (["--test", "none.tests"], 2, "there is no file none.tests"),
      (Self.load + ["--expect", "loaded", "-o", "none/x"], 2, "none/x cannot be written"),
    ] as [([String], Int32, String)] {
      let result = try run(arguments, scratch)
      #expect(result.status == status, "\(arguments)")
      #expect(result.error.contains(message), "\(arguments): \(result.error)")
      #expect(result.output == "", "\(arguments)")
    }
  }
}
