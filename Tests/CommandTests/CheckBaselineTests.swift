import Foundation
import TestSupport
import Testing

/// A rule with a warning that is its own.
private func warned(_ number: Int) -> String {
  #"{"trigger":{"url-filter":"/ad\#(number)","note":\#(number)},"action":{"type":"block"}}"#
}

private func list(_ numbers: Int...) -> String {
  "[" + numbers.map(warned).joined(separator: ",\n") + "]"
}

@Suite struct CheckBaselineTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try FileManager.default.createDirectory(
      at: scratch.folder.appending(path: "g"),
      withIntermediateDirectories: true
    )
    try scratch.file("g/a.json", list(1))
    try scratch.file("g/b.json", list(2))
  }

  private func check(_ arguments: String..., in folder: String = "") throws -> Command.Result {
    try Command.run(["check"] + arguments, in: scratch.folder.appending(path: folder))
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: scratch.folder.appending(path: name), encoding: .utf8)
  }

  private func isThere(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: scratch.folder.appending(path: name).path)
  }

  // MARK: Where it is written

  /// The first is what comes of a file name that was forgotten.
  @Test(arguments: [
    ["--write-baseline", "g/a.json", "g/b.json"], ["g/a.json", "--write-baseline", "g/a.json"],
    ["g", "--write-baseline", "g/tickbird.toml"], ["g/a.json", "--write-baseline", "notes.txt"],
  ])
  func nothingButABaselineIsReplaced(arguments: [String]) throws {
    try scratch.file("g/tickbird.toml", "[check]\nlimit = 5\n")
    try scratch.file("notes.txt", "Accept nothing.\n")
    let names = ["g/a.json", "g/b.json", "g/tickbird.toml", "notes.txt"]
    let before = try names.map(text)
    let result = try Command.run(["check"] + arguments, in: scratch.folder)
    #expect(result.status == 2)
    #expect(result.output == "")
    #expect(result.error.contains("such as accepted.baseline"), "\(result.error)")
    #expect(try names.map(text) == before)
  }

  @Test func theSettingsFileIsNotMade() throws {
    let result = try check("g", "--write-baseline", "g/tickbird.toml")
    #expect(result.status == 2)
    #expect(!isThere("g/tickbird.toml"))
  }

  @Test func standardOutputIsNoPlaceForIt() throws {
    let result = try check("g", "--write-baseline", "-")
    #expect(result.status == 2)
    #expect(result.error.contains("--write-baseline needs a file"))
    #expect(!isThere("-"))
  }

  @Test func aBaselineThatIsGivenAsAListStays() throws {
    #expect(try check("g/a.json", "--write-baseline", "accepted").status == 0)
    let before = try text("accepted")
    let result = try check("g/b.json", "accepted", "--write-baseline", "accepted")
    #expect(result.status == 2)
    #expect(result.error.contains("accepted is one of the lists that were checked"))
    #expect(try text("accepted") == before)
  }

  @Test func anEmptyFileAndADamagedBaselineAreReplaced() throws {
    for start in ["", "{ \"tickbird-baseline\": 2,\n<<<<<<< ours\n"] {
      try scratch.file("accepted", start)
      #expect(try check("g", "--write-baseline", "accepted").status == 0)
      #expect(try check("g", "--baseline", "accepted").status == 0)
    }
  }

  /// In a folder of lists, a baseline may have a name like theirs.
  @Test func aBaselineAmongListsIsNoList() throws {
    for _ in 0..<2 { #expect(try check("g", "--write-baseline", "g/accepted.json").status == 0) }
    #expect(try check("g", "--baseline", "g/accepted.json").status == 0)
    #expect(try check("g/*.json", "--baseline", "g/accepted.json").status == 0)
  }

  @Test func whatCannotBeReadLeavesTheOldOneAndSaysSo() throws {
    #expect(try check("g", "--write-baseline", "accepted").status == 0)
    let before = try text("accepted")
    let result = try check("g/a.json", "g/none.json", "--write-baseline", "accepted")
    #expect(result.status == 2)
    #expect(result.error.contains("accepted was not written"))
    #expect(try text("accepted") == before)
  }

  // MARK: Renewing

  @Test func renewingAcceptsAllThatThereIs() throws {
    try scratch.file("g/tickbird.toml", "[check]\nbaseline = \"accepted\"\n")
    // The file that the settings name does not exist yet.
    let first = try check("a.json", "--write-baseline", "accepted", in: "g")
    #expect(first.status == 0, "\(first.error)")
    #expect(first.output.hasSuffix("accepted: 1 finding accepted\n"))
    let before = try text("g/accepted")
    #expect(try check("a.json", in: "g").status == 0)

    let same = try check("a.json", "--write-baseline", "accepted", in: "g")
    #expect(same.output.hasSuffix("accepted: 1 finding accepted\n"))
    #expect(try text("g/accepted") == before)
    let named = try check(
      "a.json",
      "--baseline",
      "accepted",
      "--write-baseline",
      "accepted",
      "--quiet",
      in: "g"
    )
    #expect(named.status == 0)
    #expect(try text("g/accepted") == before)
  }

  /// A note is a finding, too, though `--quiet` does not write it.
  @Test func quietHidesNothingFromIt() throws {
    try scratch.file(
      "g/a.json",
      #"[{"trigger":{"url-filter":"/a","if-domain":["a.test","a.test"]},"action":{"type":"block"}}]"#
    )
    _ = try check("g/a.json", "--quiet", "--write-baseline", "accepted")
    #expect(try text("accepted").contains("repeated-member"))
    _ = try check("g/a.json", "--severity", "warning", "--write-baseline", "accepted")
    #expect(try !text("accepted").contains("repeated-member"))
  }

  @Test func listsThatAreNotCheckedKeepWhatIsAccepted() throws {
    #expect(try check("g", "--write-baseline", "accepted").status == 0)
    try scratch.file("g/a.json", list(1, 3))
    let result = try check("g/a.json", "--write-baseline", "accepted")
    #expect(
      result.output.hasSuffix(
        "accepted: 2 findings accepted; 1 in other lists stay accepted\n"
      )
    )
    #expect(try check("g", "--baseline", "accepted").status == 0)
    // But not those that are gone.
    try FileManager.default.removeItem(at: scratch.folder.appending(path: "g/b.json"))
    _ = try check("g/a.json", "--write-baseline", "accepted")
    #expect(try !text("accepted").contains("b.json"))
  }

  // MARK: Lists

  @Test func whatIsAcceptedInOneListIsNotInAnother() throws {
    try scratch.file("g/b.json", list(1))
    _ = try check("g/a.json", "--write-baseline", "accepted")
    let other = try check("g/a.json", "g/b.json", "--baseline", "accepted")
    #expect(other.status == 1)
    #expect(other.output.contains("2 lists: 2 accepted; 1 warning; 1 ignored by --baseline"))
    // Two lists with one each are not one list with two.
    _ = try check("g", "--write-baseline", "accepted")
    #expect(try check("g", "--baseline", "accepted").status == 0)
    try scratch.file("g/a.json", list(1, 1))
    let twice = try check("g/a.json", "--baseline", "accepted")
    #expect(twice.status == 1)
    #expect(twice.output.contains("1 ignored by --baseline"))
    // A list that is given twice has its findings once.
    _ = try check("g/b.json", "g/../g/b.json", "--write-baseline", "again")
    #expect(try text("again").contains("\"count\":1"))
    try scratch.file("g/b.json", list(1, 1))
    #expect(try check("g/b.json", "--baseline", "again").status == 1)
  }

  @Test func aListIsKnownFromAnywhereAndMovesWithItsBaseline() throws {
    for folder in ["", "g"] {
      _ = try check(
        "\(folder.isEmpty ? "g/" : "")a.json",
        "--write-baseline",
        "accepted",
        in: folder
      )
    }
    for baseline in ["accepted", "g/accepted"] {
      let path = scratch.folder.path + "/"
      #expect(try check("g/a.json", "--baseline", baseline).status == 0)
      #expect(try check("../g/a.json", "--baseline", path + baseline, in: "g").status == 0)
      #expect(try check(path + "g/a.json", "--baseline", "../" + baseline, in: "g").status == 0)
    }
    // The whole folder moved, and reached through a symbolic link.
    let moved = scratch.folder.appending(path: "moved")
    try FileManager.default.createDirectory(at: moved, withIntermediateDirectories: true)
    for name in ["g", "accepted"] {
      try FileManager.default.moveItem(
        at: scratch.folder.appending(path: name),
        to: moved.appending(path: name)
      )
    }
    try FileManager.default.createSymbolicLink(
      at: scratch.folder.appending(path: "link"),
      withDestinationURL: moved
    )
    #expect(try check("moved/g/a.json", "--baseline", "moved/accepted").status == 0)
    #expect(try check("link/g/a.json", "--baseline", "moved/accepted").status == 0)
    // A baseline beside its list, and one above it.
    #expect(try check("a.json", "--baseline", "accepted", in: "moved/g").status == 0)
  }

  @Test func aBaselineOfTheOlderFormIsRefusedWithTheWayOut() throws {
    try scratch.file("accepted", #"{"tickbird-baseline": 1, "findings": []}"#)
    let result = try check("g", "--baseline", "accepted")
    #expect(result.status == 2)
    #expect(result.error.contains("write it anew with --write-baseline accepted"))
    #expect(try check("g", "--write-baseline", "accepted").status == 0)
    #expect(try check("g", "--baseline", "accepted").status == 0)
  }
}
