import CommandInput
import CommandOutput
import DurableFiles
import Foundation
import TestSupport
import Testing
import TextOutput

@testable import tickbird

@Suite struct CheckIntrusionTests {
  private static let mendable =
    #"[{"trigger":{"url-filter":"x","if-domain":["A.test"]},"action":{"type":"block"}}]"#

  @Test func whatChangedWhileItWasMendedIsLeftAlone() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", Self.mendable)
    let path = scratch.folder.appending(path: "a.json").path
    var correction = ListCorrection(settings: CheckSettings())

    var source = try ListFile.source(path: path)
    correction.willWrite = { try? Data("[1]".utf8).write(to: URL(filePath: path)) }
    let refused = try correction.correct(path, &source)
    #expect(refused.correctedCount == 0)
    #expect(refused.status == .wrongUse)
    #expect(refused.notes.first?.contains("has changed meanwhile") == true)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "[1]")
    // Reports must quote the text that was read, not the corrected one, which was not written.
    #expect(source.text == Array(Self.mendable.utf8))

    try scratch.file("a.json", Self.mendable)
    correction.willWrite = {}
    let mended = try correction.correct(path, &source)
    #expect(mended.correctedCount == 1)
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains(#"["a.test"]"#))
  }

  @Test func aWriteProtectedListIsLeftAlone() throws {
    let scratch = try Scratch()
    let file = try scratch.file("a.json", Self.mendable)
    try setPermissions(0o444, file)
    let result = try Command.run(["check", "--fix", "a.json"], in: scratch.folder)
    #expect(result.status == 2)
    #expect(
      result.error.contains("a.json is write-protected (permissions 0444) and was left as it is")
    )
    #expect(result.error.contains("chmod u+w"))
    #expect(try String(contentsOf: file, encoding: .utf8) == Self.mendable)
    // With nothing to mend, the write protection is not reported.
    let fine = try scratch.file(
      "b.json",
      #"[{"trigger":{"url-filter":"x"},"action":{"type":"block"}}]"#
    )
    try setPermissions(0o444, fine)
    #expect(try Command.run(["check", "--fix", "b.json"], in: scratch.folder).status == 0)
  }

  @Test func whoMayWriteIsNamed() throws {
    let scratch = try Scratch()
    let file = try scratch.file("a.json", Self.mendable)
    try setPermissions(0o644, file)
    let standing = try FileStanding(of: file.path)
    let owner = FileStanding.name(ofUser: standing.owner)
    let other = OutputFile.refusal("a.json", standing, EACCES, user: standing.owner + 1)
    #expect(other.contains("a.json belongs to \(owner), who lets nobody like you write to it"))
    #expect(other.contains("have \(owner) run the command, or run it on a copy"))
    #expect(!other.contains("chmod"))
    #expect(OutputFile.refusal("a.json", standing, EACCES, user: 0).contains("chmod u+w"))
    let disk = OutputFile.refusal("a.json", standing, EROFS, user: standing.owner)
    #expect(disk.contains("the file system is read-only"))
    #expect(FileStanding.name(ofUser: 4_000_000_001) == "user 4000000001")
  }

  @Test func aFileOfSeveralNamesIsLeftAlone() throws {
    let scratch = try Scratch()
    let file = try scratch.file("a.json", Self.mendable)
    let other = scratch.folder.appending(path: "other.json")
    try FileManager.default.linkItem(at: file, to: other)
    let result = try Command.run(["check", "--fix", "a.json"], in: scratch.folder)
    #expect(result.status == 2)
    #expect(result.error.contains("a.json is one of 2 names of a file (hard links)"))
    #expect(result.error.contains("a file of its own with cp and mv"))
    for file in [file, other] {
      #expect(try String(contentsOf: file, encoding: .utf8) == Self.mendable)
    }
  }

  @Test func whatALinkLeadsToIsMendedAndSaid() throws {
    let scratch = try Scratch()
    let folder = scratch.folder.appending(path: "lists")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = try scratch.file("lists/a.json", Self.mendable)
    try setPermissions(0o640, file)
    let link = scratch.folder.appending(path: "link.json")
    try FileManager.default.createSymbolicLink(
      atPath: link.path,
      withDestinationPath: "lists/a.json"
    )
    let result = try Command.run(["check", "--fix", "link.json"], in: scratch.folder)
    #expect(result.status == 0)
    #expect(result.error.contains("link.json is a link; what was mended is /"))
    #expect(result.error.contains("/lists/a.json"))
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "lists/a.json"
    )
    #expect(try String(contentsOf: file, encoding: .utf8).contains(#"["a.test"]"#))
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o640)
  }

  private func setPermissions(_ permissions: Int, _ file: URL) throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: permissions],
      ofItemAtPath: file.path
    )
  }

  /// A device stands for a pipe here, since a test of one would wait for ever where it fails.
  @Test func onlyPlainFilesAreReadThatNobodyNamed() throws {
    let scratch = try Scratch()
    let rule = #"[{"trigger":{"url-filter":"x"},"action":{"type":"block"}}]"#
    try FileManager.default.createDirectory(
      at: scratch.folder.appending(path: "lists"),
      withIntermediateDirectories: true
    )
    try scratch.file("lists/a.json", rule)
    func link(_ name: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: scratch.folder.appending(path: name).path,
        withDestinationPath: "/dev/null"
      )
    }
    try link("lists/b.json")
    let folder = try Command.run(["check", "lists"], in: scratch.folder)
    #expect(folder.status == 0)
    #expect(!folder.output.contains("b.json"))

    try link("lists/accepted")
    try scratch.file("lists/tickbird.toml", "[check]\nbaseline = \"accepted\"\n")
    let baseline = try Command.run(["check", "lists/a.json"], in: scratch.folder)
    #expect(baseline.status == 2)
    #expect(baseline.error.contains("tickbird.toml:2: lists/accepted is not a plain file"))

    try FileManager.default.removeItem(at: scratch.folder.appending(path: "lists/tickbird.toml"))
    try link("lists/tickbird.toml")
    let settings = try Command.run(["check", "lists/a.json"], in: scratch.folder)
    #expect(settings.status == 2)
    #expect(settings.error.contains("lists/tickbird.toml is not a plain file"))
  }

  @Test(arguments: ["[check]\n\(endless) = 1", "[check]\nlimit = \(endless)"])
  func aFaultInAnEndlessLineIsToldInOne(text: String) throws {
    let scratch = try Scratch()
    try scratch.file("a.json", Self.mendable)
    try scratch.file("tickbird.toml", text)
    let result = try Command.run(["check", "a.json"], in: scratch.folder)
    #expect(result.status == 2)
    #expect(result.error.contains("tickbird.toml:2: "))
    #expect(result.error.utf8.count < 600)
  }
}

private let endless = String(repeating: "x", count: 100_000)
