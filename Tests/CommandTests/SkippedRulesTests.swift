import Foundation
import TestSupport
import Testing

/// A newer Safari may take what this one skips, so that nothing is left out without a word.
@Suite struct SkippedRulesTests {
  private static let block = #"{"trigger":{"url-filter":"/ads/"},"action":{"type":"block"}}"#
  private static let other = #"{"trigger":{"url-filter":"/x/y"},"action":{"type":"block"}}"#
  private static let skipped =
    #"{"trigger":{"url-filter":".*"},"action":{"type":"css-display-none","selector":"a:new(b)"}}"#
  private static let note =
    "1 rule that WebKit skips is left out: list.json:2:81 (rule 1); tickbird check says why"

  private func scratch() throws -> Scratch {
    let scratch = try Scratch()
    try scratch.file("list.json", "[\(Self.block),\n\(Self.skipped),\n\(Self.other)]")
    return scratch
  }

  private func json(_ result: Command.Result) throws -> [String: Any] {
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
    return try #require(object as? [String: Any])
  }

  /// What is made of a list leaves them out, and says so.
  @Test(arguments: [
    ["split", "list.json", "-o", "new"], ["split", "list.json", "-o", "new", "--max-rules", "1"],
    ["merge", "list.json", "-o", "new-1.json"], ["optimize", "list.json", "-o", "new-1.json"],
  ])
  func whatIsMadeOfAListSaysWhatItLeavesOut(arguments: [String]) throws {
    let scratch = try scratch()
    let result = try Command.run(arguments, in: scratch.folder)
    #expect(result.status == 0, "\(result)")
    #expect(result.output.contains(Self.note), "\(result.output)")
    let made = try String(contentsOf: scratch.folder.appending(path: "new-1.json"), encoding: .utf8)
    #expect(!made.contains(":new(b)") && made.contains("/ads/"))
  }

  @Test func theSizesSayWhatIsSkipped() throws {
    let scratch = try scratch()
    for command in ["split", "optimize", "analyze"] {
      let result = try Command.run([command, "list.json"], in: scratch.folder)
      #expect(
        (result.output + result.error).contains("list.json: 2 rules and 1 skipped"),
        "\(result)"
      )
    }
    let difference = try Command.run(["diff", "list.json", "list.json"], in: scratch.folder)
    #expect(
      difference.output.contains(
        "not compared are the rules that WebKit skips, 1 of list.json and 1 of list.json"
      )
    )
  }

  @Test func programsAreToldAsWell() throws {
    let scratch = try scratch()
    let file = ["-o", "new.json"]
    let format = ["--format", "json"]
    let split = try json(try Command.run(["split", "list.json"] + format, in: scratch.folder))
    #expect(split["skipped"] as? Int == 1 && split["rules"] as? Int == 2)
    let merge = try json(
      try Command.run(["merge", "list.json"] + file + format, in: scratch.folder)
    )
    #expect(merge["skipped"] as? Int == 1)
    let optimize = try json(
      try Command.run(["optimize", "list.json"] + file + format, in: scratch.folder)
    )
    #expect((optimize["before"] as? [String: Any])?["skipped"] as? Int == 1)
    let analyze = try json(try Command.run(["analyze", "list.json"] + format, in: scratch.folder))
    #expect(analyze["skipped"] as? Int == 1)
    let diff = try json(
      try Command.run(["diff", "list.json", "list.json"] + format, in: scratch.folder)
    )
    #expect(diff["skipped"] as? [String: Int] == ["old": 1, "new": 1])
  }

  /// They count for WebKit's limit, so that a list with many is cut although few act.
  @Test func aListThatIsTooLongByThemAloneIsCut() throws {
    let scratch = try scratch()
    let result = try Command.run(
      ["split", "list.json", "--max-rules", "2", "-o", "part", "--format", "json"],
      in: scratch.folder
    )
    #expect(result.status == 0, "\(result)")
    let parts = try #require(try json(result)["parts"] as? [[String: Any]])
    #expect(parts.map { $0["rules"] as? Int } == [2])
    let check = try Command.run(["check", "part-1.json"], in: scratch.folder)
    #expect(check.output.contains("accepted, 2 rules"))
  }

  @Test func translationsCountThem() throws {
    let scratch = try scratch()
    let text = try Command.run(["translate", "list.json"], in: scratch.folder)
    #expect(text.output.contains("  1 rule skipped, as in Safari\n"), "\(text.output)")
    let object = try json(
      try Command.run(["translate", "list.json", "--format", "json"], in: scratch.folder)
    )
    #expect((object["lists"] as? [[String: Any]])?[0]["skipped"] as? Int == 1)
    let converted = try Command.run(
      ["convert", "--from", "webkit", "--to", "dnr", "list.json"],
      in: scratch.folder
    )
    #expect(converted.error.contains("1 rule that WebKit skips is left out"), "\(converted.error)")
  }

  @Test func anAuditCountsThem() throws {
    let scratch = try scratch()
    try scratch.file("log.tsv", "url\ttop_url\tresource_type\nhttps://a.test/ads/\t\timage\n")
    let arguments = ["audit", "--list", "list.json", "log.tsv"]
    let text = try Command.run(arguments, in: scratch.folder)
    #expect(text.output.contains("and 1 rule that WebKit skips"), "\(text.output)")
    let found = try json(try Command.run(arguments + ["--format", "json"], in: scratch.folder))
    let lists = try #require(found["lists"] as? [[String: Any]])
    #expect(lists[0]["skipped_rules"] as? Int == 1)
    let unmatched = try Command.run(arguments + ["--unmatched"], in: scratch.folder)
    #expect(unmatched.output.contains("block rule 2, list.json:3:1  /x/y\n"), "\(unmatched.output)")
    let table = try Command.run(arguments + ["--unmatched", "--format", "csv"], in: scratch.folder)
    #expect(table.output.contains("list.json,2,3,1,block,/x/y,"), "\(table.output)")
  }
}
