import ContentRules
import Foundation
import TestSupport
import Testing

@Suite struct CheckReportTests {
  private static let mendable =
    #"[{"trigger":{"url-filter":"x","if-domain":["A.test"]},"action":{"type":"block"}}]"#

  // MARK: Codes

  @Test func allCodesAreListed() throws {
    let text = try Command.run(["check", "--list-codes"], variables: ["COLUMNS": "80"])
    #expect(text.status == 0)
    let lines = text.output.split(separator: "\n").map(String.init)
    let listed = lines.filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }.map { $0.dropFirst(2) }
    let codes = DiagnosticCode.all.filter { $0 != .moreOfTheSame }
    #expect(Set(listed) == Set(codes.map { $0.rawValue[...] }))
    #expect(listed.count == codes.count)
    #expect(lines.allSatisfy { $0.count <= 80 })
    let json = try Command.run(["check", "--list-codes", "--format", "json"]).output
    #expect(json.split(separator: "\n").count == codes.count)
    #expect(json.contains(#"{"code":"unknown-key","severity":"warning","meaning":"A key"#))
  }

  /// What the document's table has is what `--ignore` takes.
  @Test func theDocumentHasTheCodesThatCanBeIgnored() throws {
    let path = SharedData.packageRoot.appending(path: "Documentation/Check.md")
    let document = try String(contentsOf: path, encoding: .utf8)
    let start = try #require(document.range(of: "### Codes"))
    let end = try #require(document.range(of: "### Accepted findings"))
    let rows = document[start.upperBound..<end.lowerBound].split(separator: "\n").filter {
      $0.hasPrefix("| `")
    }
    let expected = DiagnosticCode.all.filter { $0.severity < .error && $0 != .moreOfTheSame }.map {
      "| `\($0.rawValue)` | \($0.severity == .note ? "note" : "warning") | \($0.meaning) |"
    }
    #expect(Set(rows.map(String.init)) == Set(expected))
  }

  @Test func whereAllCodesAreListedIsSaid() throws {
    let unknown = try Command.run(["check", "--ignore", "foo", "a.json"])
    #expect(unknown.status == 2)
    #expect(
      unknown.error.contains("there is no code foo; tickbird check --list-codes has them all")
    )
    let lists = try Command.run(["check", "--list-codes", "a.json"])
    #expect(lists.status == 2)
    #expect(lists.error.contains("checks no list"))
    let nothing = try Command.run(["check"])
    #expect(nothing.error.contains("Give at least one list"))
  }

  // MARK: What was mended

  @Test func everyFormSaysWhatWasMended() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", Self.mendable)
    try scratch.file("b.json", Self.mendable)
    func check(_ arguments: String...) throws -> String {
      try Command.run(["check"] + arguments, in: scratch.folder).output
    }
    #expect(try check("a.json", "--fix", "--format", "json").contains(#""mended":1,"ignored""#))
    #expect(try check("a.json", "--fix", "--format", "json").contains(#""mended":0,"#))
    #expect(try !check("a.json", "--format", "json").contains("mended"))
    let log = try check("a.json", "b.json", "--fix", "--format", "sarif")
    let object = try JSONSerialization.jsonObject(with: Data(log.utf8)) as? [String: Any]
    let run = try #require((object?["runs"] as? [[String: Any]])?.first)
    let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
    let notes = try #require(invocation["toolExecutionNotifications"] as? [[String: Any]])
    #expect(notes.count == 1)
    #expect(notes.first?["message"] as? [String: String] == ["text": "1 finding mended"])
    #expect("\(notes)".contains("b.json"))
  }

  // MARK: Files

  @Test func settingsMayBeginWithAByteOrderMark() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", #"[{"trigger":{"url-filter":"x","y":1},"action":{"type":"block"}}]"#)
    try scratch.file("tickbird.toml", "\u{FEFF}[check]\r\nignore = [\"unknown-key\"]\r\n")
    let result = try Command.run(["check", "a.json"], in: scratch.folder)
    #expect(result.status == 0, "\(result.error)")
    // Anywhere else it is an error, reported with its line.
    try scratch.file("tickbird.toml", "[check]\n\u{FEFF}limit = 1\n")
    let inside = try Command.run(["check", "a.json"], in: scratch.folder)
    #expect(inside.error.contains("tickbird.toml:2: expected a name of letters"))
  }

  @Test func aNameThatIsNotUTF8IsNamedAsTheReason() throws {
    let scratch = try Scratch()
    let path = Array("\(scratch.folder.path)/lists/".utf8) + [0xE4] + Array(".json\0".utf8)
    try FileManager.default.createDirectory(
      at: scratch.folder.appending(path: "lists"),
      withIntermediateDirectories: true
    )
    try scratch.file("lists/b.json", Self.mendable)
    let file = unsafe path.withUnsafeBytes {
      unsafe fopen($0.assumingMemoryBound(to: CChar.self).baseAddress!, "w")
    }
    // Some file systems refuse such a name.
    guard let file = unsafe file else { return }
    unsafe fclose(file)
    let result = try Command.run(["check", "lists"], in: scratch.folder)
    #expect(result.status == 2)
    #expect(result.error.contains("its name is not UTF-8"), "\(result.error)")
    #expect(result.error.contains("rename it"))
    #expect(result.output.contains("lists/b.json: refused"))
  }

  /// Who has faults that `--fix` mends is told so, once.
  @Test(arguments: [
    ([#"[{"trigger":{"url-filter":"a"},"action":{"type":"block"}},]"#], "can mend 1 finding\n"),
    (
      [
        "\u{FEFF}[{\"trigger\":{\"url-filter\":\"a\"},\"action\":{\"type\":\"block\"}}]",
        #"[{"trigger":{"url-filter":"a","if-domain":"A.test"},"action":{"type":"block"}}]"#,
      ], "can mend 2 findings\n"
    ),
    ([#"[{"trigger":{"url-filter":"a"},"action":{"type":"block"}}]"#], nil),
    ([#"[{"trigger":{"url-filter":"a|b"},"action":{"type":"block"}}]"#], nil),
  ])
  func whatFixMendsIsSaid(texts: [String], ending: String?) throws {
    let scratch = try Scratch()
    let names = texts.indices.map { "list\($0).json" }
    for (name, text) in zip(names, texts) { try scratch.file(name, text) }
    let told = try Command.run(["check"] + names, in: scratch.folder).output
    #expect(told.contains("tickbird check --fix") == (ending != nil), "\(told)")
    if let ending { #expect(told.hasSuffix("tickbird check --fix " + ending), "\(told)") }
    for option in ["--quiet", "--fix"] {
      let output = try Command.run(["check", option] + names, in: scratch.folder).output
      #expect(!output.contains("tickbird check --fix"), "\(output)")
    }
  }
}
