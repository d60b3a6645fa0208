import Foundation
import TestSupport
import Testing

/// `tickbird convert` from and to Chromium's declarative rules.
@Suite("tickbird convert of declarative rules")
struct ConvertDeclarativeTests {
  private let rules = #"""
    [
    {"id": 1, "action": {"type": "block"}, "condition": {"requestDomains": ["a.test", "b.test"]}},
    {"id": 2, "action": {"type": "block"}, "condition": {"regexFilter": "^https://(x|y)\\.test/[0-9]{2}"}},
    {"id": 3, "action": {"type": "block"}, "condition": {"tabIds": [1]}}
    ]
    """#

  private func json(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  @Test("a file of rules becomes a list that is accepted, with an account of each rule")
  func file() throws {
    let scratch = try Scratch()
    try scratch.file("rules.json", rules)
    let result = try Command.run(
      ["convert", "--from", "dnr", "rules.json", "-o", "list.json", "--map", "map.json"],
      in: scratch.folder
    )
    #expect(result.status == 0)
    #expect(result.error.hasPrefix("3 rules: 2 converted, 0 approximated, 1 impossible"))
    let check = try Command.run(["check", "list.json"], in: scratch.folder)
    #expect(check.status == 0 && check.output.contains("accepted, 3 rules"))
    let map = try json(
      String(contentsOf: scratch.folder.appending(path: "map.json"), encoding: .utf8)
    )
    let lines = try #require(map["lines"] as? [[String: Any]])
    #expect(lines.compactMap { $0["line"] as? Int } == [2, 3, 4])
    #expect(lines.compactMap { $0["rules"] as? [Int] } == [[0, 1], [2], []])
    #expect(
      try Command.run(
        ["convert", "--from", "dnr", "--strict", "rules.json", "-o", "list.json"],
        in: scratch.folder
      ).status == 1
    )
  }

  @Test("the enabled rules of an extension's folder are read, and nothing outside of it")
  func folder() throws {
    let scratch = try Scratch()
    func manifest(_ path: String) -> String {
      """
      {"manifest_version": 3, "declarative_net_request": {"rule_resources": [
       {"id": "on", "enabled": true, "path": "\(path)"},
       {"id": "off", "enabled": false, "path": "missing.json"}]}}
      """
    }
    try FileManager.default.createDirectory(
      at: scratch.folder.appending(path: "extension/rules"),
      withIntermediateDirectories: true
    )
    try scratch.file("extension/manifest.json", manifest("rules/on.json"))
    try scratch.file("extension/rules/on.json", rules)
    for path in ["extension", "extension/manifest.json"] {
      let result = try Command.run(["convert", "--from", "dnr", path], in: scratch.folder)
      #expect(result.status == 0 && result.error.hasPrefix("3 rules: 2 converted"), "\(path)")
    }
    try scratch.file("extension/manifest.json", manifest("../rules.json"))
    try scratch.file("rules.json", rules)
    let outside = try Command.run(["convert", "--from", "dnr", "extension"], in: scratch.folder)
    #expect(outside.status == 2 && outside.error.contains("outside of its folder"))
  }

  @Test("rule lists and filters become declarative rules, and come back")
  func back() throws {
    let scratch = try Scratch()
    try scratch.file("a.txt", "||ads.test^$image\n@@||ads.test/ok$image\n##.ad\n! comment\n")
    let made = try Command.run(
      ["convert", "--to", "dnr", "a.txt", "-o", "rules.json", "--format", "json"],
      in: scratch.folder
    )
    let summary = try json(made.output)
    #expect(summary["converted"] as? Int == 2)
    #expect(summary["impossible"] as? Int == 1)
    #expect(summary["comments"] as? Int == 1)
    let back = try Command.run(
      ["convert", "--from", "dnr", "rules.json", "-o", "list.json"],
      in: scratch.folder
    )
    #expect(back.status == 0)
    let again = try Command.run(
      ["convert", "--from", "webkit", "--to", "dnr", "list.json"],
      in: scratch.folder
    )
    // What is read are rules, and not lines.
    #expect(again.error.contains(" rules: 2 converted, 0 approximated, "), "\(again.error)")
    #expect(again.error.contains("\nthey became 2 rules of at most"), "\(again.error)")
    #expect(again.status == 0 && again.output.contains(#""requestDomains":["ads.test"]"#))
  }

  @Test(
    "what is wrong with the rules or the options is told",
    arguments: [
      (["--from", "dnr", "missing.json"], "missing.json"),
      (["--from", "dnr", "--target", "safari17", "rules.json"], "leave out"),
      (["--from", "dnr", "--to", "dnr", "rules.json"], "there is no conversion from dnr to dnr"),
      (["--to", "dnr", "--target", "safari17", "text.txt"], "leave it out"),
    ]
  )
  func faults(arguments: [String], message: String) throws {
    let scratch = try Scratch()
    try scratch.file("rules.json", rules)
    try scratch.file("text.txt", "||ads.test^\n")
    let result = try Command.run(["convert"] + arguments, in: scratch.folder)
    #expect(result.status == 2)
    #expect(result.error.contains(message), "\(result.error)")
  }
}
