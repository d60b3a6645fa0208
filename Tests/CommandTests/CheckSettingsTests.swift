import Foundation
import TestSupport
import Testing

@Suite struct CheckSettingsTests {
  /// A warning and a note.
  private static let list =
    #"[{"trigger":{"url-filter":"/ad","note":1,"if-domain":["a.test","a.test"]},"#
    + #""action":{"type":"block"}}]"#

  private func scratch() throws -> Scratch {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(
      at: scratch.folder.appending(path: "lists"),
      withIntermediateDirectories: true
    )
    try scratch.file("lists/a.json", Self.list)
    try scratch.file("lists/b.json", Self.list)
    try scratch.file("lists/tickbird.toml", "[check]\nignore = [\"unknown-key\"]\n")
    return scratch
  }

  private func check(_ arguments: [String], _ scratch: Scratch) throws -> Command.Result {
    try Command.run(["check"] + arguments, in: scratch.folder)
  }

  @Test func whatAFileBesideAListHidesIsTold() throws {
    let scratch = try scratch()
    let text = try check(["lists", "--ignore", "repeated-member"], scratch)
    #expect(text.status == 0)
    let ignored = "ignored: 1 by --ignore, 1 by lists/tickbird.toml (ignore)\n"
    #expect(text.output.hasPrefix("lists/a.json: accepted, 1 rule; 2 \(ignored)"))
    #expect(
      text.output.hasSuffix(
        "2 lists: 2 accepted; 4 ignored: 2 by --ignore, 2 by lists/tickbird.toml (ignore)\n"
      )
    )

    // Options override the settings.
    let same = try check(["lists/a.json", "--ignore", "unknown-key"], scratch)
    #expect(same.output.contains("1 note; 1 ignored by --ignore\n"))

    _ = try check(["lists/a.json", "--no-config", "--write-baseline", "lists/accepted"], scratch)
    try scratch.file(
      "lists/tickbird.toml",
      "[check]\nseverity = \"warning\"\nbaseline = \"accepted\"\n"
    )
    let baseline = try check(["lists/a.json"], scratch)
    #expect(
      baseline.output == "lists/a.json: accepted, 1 rule; 2 ignored: "
        + "1 by lists/tickbird.toml (baseline), 1 by lists/tickbird.toml (severity)\n"
    )
  }

  @Test func whatIsHiddenIsInJSONAndSARIF() throws {
    let scratch = try scratch()
    let output = try check(["lists/a.json", "--format", "json", "--quiet"], scratch).output
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
    )
    let ignored = try #require(report["ignored"] as? [[String: Any]])
    #expect(ignored.map { $0["setting"] as? String } == ["quiet", "ignore"])
    #expect(ignored.map { $0["file"] as? String } == [nil, "lists/tickbird.toml"])
    #expect(ignored.map { $0["count"] as? Int } == [1, 1])

    let log = try check(["lists", "missing.json", "--format", "sarif"], scratch).output
    let runs =
      try #require(
        try JSONSerialization.jsonObject(with: Data(log.utf8)) as? [String: Any]
      )["runs"] as? [[String: Any]]
    let invocation = try #require((runs?.first?["invocations"] as? [[String: Any]])?.first)
    #expect(invocation["executionSuccessful"] as? Bool == false)
    let notifications = try #require(
      invocation["toolConfigurationNotifications"] as? [[String: Any]]
    )
    #expect(notifications.count == 1)
    let notification = try #require(notifications.first)
    let message = notification["message"] as? [String: String]
    #expect(message == ["text": "2 findings ignored by lists/tickbird.toml (ignore)"])
    #expect(notification["level"] as? String == "note")
    let place = try #require((notification["locations"] as? [[String: Any]])?.first)
    #expect("\(place)".contains("lists/tickbird.toml"))
  }

  @Test func aFileBesideAListIsNotReadWhereThatIsAskedFor() throws {
    let scratch = try scratch()
    let without = try check(["lists", "--no-config"], scratch)
    #expect(without.status == 1)
    #expect(without.output.contains("[unknown-key]"))
    #expect(!without.output.contains("ignored by"))
    // Not even an invalid one is read.
    try scratch.file("lists/tickbird.toml", "{")
    #expect(try check(["lists", "--no-config"], scratch).status == 1)
    #expect(try check(["lists"], scratch).status == 2)

    try scratch.file("own.toml", "[check]\nignore = [\"unknown-key\"]\n")
    let own = try check(["lists/a.json", "--config", "own.toml"], scratch)
    #expect(own.status == 0)
    #expect(own.output.contains("1 note; 1 ignored by own.toml (ignore)\n"))
    let both = try check(["lists", "--config", "own.toml", "--no-config"], scratch)
    #expect(both.status == 2)
    #expect(both.error.contains("give one of them"))
    let missing = try check(["lists", "--config", "none.toml"], scratch)
    #expect(missing.status == 2)
    #expect(missing.error.contains("none.toml"))
  }

  /// Standard input stands for any file that can be read once only.
  @Test func aBaselineIsReadOnce() throws {
    let scratch = try scratch()
    _ = try check(["lists", "--no-config", "--write-baseline", "accepted"], scratch)
    let accepted = try Data(contentsOf: scratch.folder.appending(path: "accepted"))
    let result = try Command.run(
      ["check", "lists", "--no-config", "--baseline", "-"],
      input: accepted,
      in: scratch.folder
    )
    #expect(result.status == 0, "\(result.error)")
    #expect(result.output.hasSuffix("2 lists: 2 accepted; 4 ignored by --baseline\n"))
  }
}
