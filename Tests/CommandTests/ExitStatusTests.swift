import Foundation
import TestSupport
import Testing

/// The statuses of `Documentation/Compatibility.md`, in every command that takes lists.
@Suite struct ExitStatusTests {
  /// The arguments of each command; LIST stands for the list.
  static let commands: [[String]] = [
    ["check", "LIST"], ["compile", "LIST", "-o", "made"], ["dump", "LIST"],
    ["match", "-l", "LIST", "loads.ndjson"], ["explain", "-l", "LIST", "loads.ndjson"],
    ["audit", "-l", "LIST", "loads.ndjson"], ["test", "-l", "LIST", "good.tests"],
    ["test", "-l", "good.json", "-l", "LIST", "good.tests"],
    ["test", "--record", "log.har", "-l", "LIST"],
    ["reduce", "-l", "LIST", "--test", "good.tests"],
    [
      "reduce", "-l", "LIST", "--url", "https://a.test/x", "--type", "image", "--expect", "blocked",
    ],
    ["analyze", "LIST"], ["diff", "LIST", "good.json"], ["diff", "good.json", "LIST"],
    ["optimize", "LIST"], ["split", "LIST"], ["merge", "good.json", "LIST"],
    ["convert", "LIST", "--from", "webkit", "--to", "dnr"], ["translate", "LIST"],
    ["preview", "-l", "LIST", "page.html", "-o", "report.html"],
  ]

  private func run(_ arguments: [String], _ list: String) throws -> Command.Result {
    let scratch = try Scratch()
    let rule = #"[{"trigger":{"url-filter":"x"},"action":{"type":"block"}}]"#
    try scratch.file("good.json", rule)
    try scratch.file("refused.json", rule.replacing("x", with: "x{2}"))
    try scratch.file("words.json", "this is no list")
    try scratch.file("loads.ndjson", #"{"url":"https://a.test/x","resource_type":"image"}"# + "\n")
    try scratch.file("log.har", #"{"log":{"entries":[]}}"#)
    try scratch.file("good.tests", "https://a.test/x image => block\n")
    try scratch.file("page.html", "<!doctype html><p>x")
    return try Command.run(
      arguments.map { $0 == "LIST" ? list : $0 },
      in: scratch.folder
    )
  }

  @Test(arguments: commands, ["refused.json", "words.json"])
  func aRefusedListHasStatusOne(arguments: [String], list: String) throws {
    let result = try run(arguments, list)
    #expect(result.status == 1, "\(arguments): \(result.error)")
    // `check` tells it on standard output.
    let told = result.error + result.output
    #expect(told.contains("\(list):1:"), "\(arguments): \(told)")
  }

  @Test(arguments: commands)
  func aMissingListHasStatusTwo(arguments: [String]) throws {
    let result = try run(arguments, "missing.json")
    #expect(result.status == 2, "\(arguments): \(result.error)")
    #expect(result.error.contains("there is no file missing.json"), "\(arguments): \(result.error)")
  }

  @Test(arguments: commands.filter { $0.contains("good.json") })
  func ofTwoStatusesTheHigherOneCounts(arguments: [String]) throws {
    let both = try run(arguments.map { $0 == "good.json" ? "refused.json" : $0 }, "missing.json")
    // A test stops at the first list.
    #expect(both.status == (arguments[0] == "test" ? 1 : 2), "\(arguments): \(both.error)")
  }

  @Test func rulesOfChromiumThatAreNoneAreRefused() throws {
    let result = try run(["convert", "LIST", "--from", "dnr"], "words.json")
    #expect(result.status == 1 && result.output.isEmpty, "\(result.error)")
    #expect(result.error.contains("words.json:1:1: expected"), "\(result.error)")
    #expect(result.error.contains("declarative rules are a JSON array of objects"))
  }
}
