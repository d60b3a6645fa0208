import Foundation
import TestSupport
import Testing

@Suite("tickbird analyze, diff, optimize, split and merge")
struct ListAnalysisCommandTests {
  private func rule(_ filter: String, _ keys: String = "", _ action: String = "block") -> String {
    #"{"trigger":{"url-filter":"\#(filter)"\#(keys)},"action":{"type":"\#(action)"}}"#
  }

  private func file(_ name: String, _ rules: [String], in scratch: Scratch) throws {
    try scratch.file(name, "[\(rules.joined(separator: ",\n"))]")
  }

  private func json(_ result: Command.Result) throws -> [String: Any] {
    try #require(
      try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    )
  }

  @Test func analyze() throws {
    let scratch = try Scratch()
    try file("list.json", [rule("/ads/"), rule("/ads/x"), rule("/b/")], in: scratch)
    let text = try Command.run(["analyze", "list.json"], in: scratch.folder)
    #expect(text.status == 1)
    #expect(text.output.contains("list.json:2:1: rule 1: rule 0 does the same"))
    let found = try json(
      try Command.run(["analyze", "list.json", "--format", "json"], in: scratch.folder)
    )
    let findings = try #require(found["findings"] as? [[String: Any]])
    #expect(findings.count == 1)
    #expect(findings[0]["rule"] as? Int == 1)
    #expect(findings[0]["code"] as? String == "redundant")
    #expect(findings[0]["because"] as? [Int] == [0])
    let none = try Command.run(
      ["analyze", "list.json", "--only", "never-matches"],
      in: scratch.folder
    )
    #expect(none.status == 0)
  }

  @Test func diff() throws {
    let scratch = try Scratch()
    try file("old.json", [rule("/ads/"), rule("/gone/")], in: scratch)
    try file(
      "new.json",
      [rule("/ads/", #","resource-type":["script"]"#), rule("/new/")],
      in: scratch
    )
    let found = try json(
      try Command.run(["diff", "old.json", "new.json", "--format", "json"], in: scratch.folder)
    )
    #expect(found["equal"] as? Bool == false)
    let changes = try #require(found["changes"] as? [[String: Any]])
    #expect(changes.map { $0["kind"] as? String } == ["narrower", "added", "removed"])
    #expect(changes[1]["old"] is NSNull && changes[1]["new"] as? Int == 1)
    #expect(changes[2]["old"] as? Int == 1 && changes[2]["new"] is NSNull)
    for change in changes {
      let witness = try #require(change["witness"] as? [String: Any])
      #expect(witness["url"] is String && witness["page"] is String && witness["type"] is String)
    }
    let same = try Command.run(["diff", "old.json", "old.json"], in: scratch.folder)
    #expect(same.status == 0)
    #expect(same.output == "no rule differs; both lists decide every load alike\n")
  }

  @Test(
    "diff names the context of an example unless it follows from the frame",
    arguments: ["top-frame", "child-frame"]
  )
  func differenceOfContext(context: String) throws {
    let scratch = try Scratch()
    try file("old.json", [rule("/none/")], in: scratch)
    let trigger = #","load-context":["\#(context)"],"if-frame-url":["^http://a/"]"#
    try file("new.json", [rule("/none/"), rule("/new/", trigger)], in: scratch)
    let found = try json(
      try Command.run(["diff", "old.json", "new.json", "--format", "json"], in: scratch.folder)
    )
    let changes = try #require(found["changes"] as? [[String: Any]])
    let witness = try #require(changes.first?["witness"] as? [String: Any])
    #expect(witness["frame"] is String)
    // Of a frame that is not the page it is a child frame unless told otherwise.
    #expect(witness["context"] as? String == (context == "top-frame" ? context : nil))
  }

  @Test(
    "what --fail-on names alone makes the status 1",
    arguments: [
      ("newly-blocked", Int32(1)), ("newly-blocked:script", 1), ("newly-blocked:font", 0),
      ("newly-loaded", 0), ("newly-blocked:first-party,script", 1), ("newly-blocked:x", 2),
    ]
  )
  func failOn(condition: String, status: Int32) throws {
    let scratch = try Scratch()
    try file("old.json", [rule("/a/")], in: scratch)
    try file("new.json", [rule("/a/"), rule("/b/", #","resource-type":["script"]"#)], in: scratch)
    let result = try Command.run(
      ["diff", "old.json", "new.json", "--fail-on", condition],
      in: scratch.folder
    )
    #expect(result.status == status, "\(result)")
  }

  @Test func logs() throws {
    let scratch = try Scratch()
    try file("old.json", [rule("/a/")], in: scratch)
    try file("new.json", [rule("/b/")], in: scratch)
    try scratch.file(
      "log.tsv",
      """
      url\tsource\ttype
      https://x.test/a/1\thttps://p.test/\tscript
      https://x.test/b/1\thttps://p.test/\timage
      https://x.test/c/1\thttps://p.test/\timage

      """
    )
    let arguments = ["diff", "old.json", "new.json", "--log", "log.tsv"]
    let text = try Command.run(arguments, in: scratch.folder)
    #expect(text.output.contains("newly-blocked in the logs: 1 load\n  by site: p.test 1\n"))
    #expect(text.output.contains("in the logs 2 of 3 loads differ"))
    let found = try json(try Command.run(arguments + ["--format", "json"], in: scratch.folder))
    let logs = try #require(found["logs"] as? [String: Any])
    #expect((logs["differences"] as? [[String: Any]])?.count == 2)
  }

  @Test("a rule for loads that no browser makes goes, and is tried on none")
  func impossibleLoads() throws {
    let scratch = try Scratch()
    let dead = [
      #""resource-type":["child-document"],"load-context":["top-frame"]"#,
      #""resource-type":["top-document"],"load-context":["child-frame"]"#,
    ].map { #"{"trigger":{"url-filter":"ads",\#($0)},"action":{"type":"block"}}"# }
    let rule = #"{"trigger":{"url-filter":"foo"},"action":{"type":"block"}}"#
    try scratch.file("all.json", "[\(dead[0]),\(dead[1]),\(rule)]")
    try scratch.file("one.json", "[\(rule)]")
    let optimized = try Command.run(["optimize", "all.json", "-o", "o.json"], in: scratch.folder)
    #expect(optimized.status == 0 && optimized.output.contains(" 2 removed"), "\(optimized)")
    let difference = try Command.run(["diff", "all.json", "one.json"], in: scratch.folder)
    #expect(!difference.output.contains("newly-loaded"), "\(difference)")
  }

  @Test func optimizeSplitAndMerge() throws {
    let scratch = try Scratch()
    let rules =
      (0..<20).map { rule("/a\($0)/") } + [
        rule("/a1/x"), rule("/a1/x", "", "ignore-previous-rules"),
      ]
    try file("list.json", rules, in: scratch)
    let optimized = try Command.run(["optimize", "list.json", "-o", "o.json"], in: scratch.folder)
    #expect(optimized.status == 0)
    #expect(optimized.output.contains("22 rules and "))
    #expect(optimized.output.contains(" 1 removed, 0 merged"))
    let split = try Command.run(
      ["split", "list.json", "--max-rules", "8", "-o", "part"],
      in: scratch.folder
    )
    #expect(split.status == 0, "\(split)")
    let parts = try FileManager.default.contentsOfDirectory(atPath: scratch.folder.path)
      .filter { $0.hasPrefix("part-") }.sorted()
    #expect(parts.count == 3 || parts.count == 4)
    let merged = try Command.run(["merge"] + parts + ["-o", "whole.json"], in: scratch.folder)
    #expect(merged.status == 0, "\(merged)")
    let same = try Command.run(["diff", "list.json", "whole.json"], in: scratch.folder)
    #expect(same.status == 0, "\(same)")
  }

  @Test func mergeNamesBothRules() throws {
    let scratch = try Scratch()
    try file("a.json", [rule("/ads/")], in: scratch)
    try file("b.json", [rule("/x/"), rule("/ads/y", "", "ignore-previous-rules")], in: scratch)
    let result = try Command.run(["merge", "a.json", "b.json", "-o", "c.json"], in: scratch.folder)
    #expect(result.status == 1)
    #expect(result.error.contains("b.json:2:1 (rule 1) is an exception, "), "\(result.error)")
    #expect(result.error.contains("it might cancel a.json:1:2 (rule 0) as well"))
    #expect(!FileManager.default.fileExists(atPath: scratch.folder.appending(path: "c.json").path))
  }

  @Test(
    "wrong input ends with status 2 and a reason",
    arguments: [
      ["analyze", "absent.json"], ["diff", "list.json"],
      ["diff", "-", "-"], ["split", "list.json", "--max-rules", "0"], ["merge", "absent.json"],
      ["split", "list.json", "--max-bytes", "19X"], ["optimize", "list.json", "-o", "no/such/x"],
    ]
  )
  func wrongInput(arguments: [String]) throws {
    let scratch = try Scratch()
    try file("list.json", [rule("/a/")], in: scratch)
    let result = try Command.run(arguments, in: scratch.folder)
    #expect(result.status == 2)
    #expect(!result.error.isEmpty)
  }
}
