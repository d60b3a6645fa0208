import Foundation
import TestSupport
import Testing

@Suite("Commands do not write over what they read")
struct OwnInputTests {
  private static let inputs = [
    "list.json", "other.json", "part-1.json", "a.tests", "page.har", "ads.txt",
    "other.tickbird",
  ]

  private func prepared() throws -> Scratch {
    let scratch = try Scratch()
    let list = #"[{"trigger":{"url-filter":"ad"},"action":{"type":"block"}}]"#
    for name in ["list.json", "other.json", "part-1.json", "other.tickbird"] {
      try scratch.file(name, list)
    }
    try scratch.file("a.tests", "list: list.json\nhttps://a.test/ad image => block\n")
    try scratch.file(
      "page.har",
      #"{"log":{"entries":[{"_resourceType":"image","request":{"url":"https://a.test/ad"}}]}}"#
    )
    try scratch.file("ads.txt", "||ads.test^\n")
    try FileManager.default.createSymbolicLink(
      atPath: scratch.folder.appending(path: "link").path,
      withDestinationPath: "list.json"
    )
    return scratch
  }

  @Test(
    "under whatever name",
    arguments: [
      ["convert", "ads.txt", "-o", "ads.txt"],
      ["convert", "ads.txt", "-o", "x", "--map", "./ads.txt"],
      ["merge", "list.json", "other.json", "-o", "other.json"],
      ["merge", "list.json", "other.json", "-o", "link"], ["split", "part-1.json", "-o", "part"],
      ["test", "a.tests", "--coverage-file", "a.tests"],
      ["test", "a.tests", "--coverage-file", "list.json"],
      ["test", "--record", "page.har", "--list", "list.json", "-o", "page.har"],
      ["test", "--record", "page.har", "--list", "list.json", "-o", "link"],
      ["preview", "--har", "page.har", "--list", "list.json", "-o", "page.har"],
      ["preview", "--har", "page.har", "--list", "list.json", "-o", "./list.json"],
      ["reduce", "--list", "list.json", "--test", "a.tests", "-o", "list.json"],
      ["compile", "list.json", "-o", "list.json"], ["compile", "list.json", "-o", "./link"],
      ["compile", "other.tickbird", "-o", "."], ["optimize", "list.json", "-o", "link"],
      ["audit", "--list", "list.json", "page.har", "--partial", "page.har"],
      ["reduce", "--list", "list.json", "--test", "a.tests", "-o", "a.tests"],
    ]
  )
  func refused(_ arguments: [String]) throws {
    let scratch = try prepared()
    func contents() throws -> [Data] {
      try Self.inputs.map { try Data(contentsOf: scratch.folder.appending(path: $0)) }
    }
    let before = try contents()
    let result = try Command.run(arguments, in: scratch.folder)
    #expect(result.status == 2)
    #expect(result.error.contains("give another file for the output"), "\(result.error)")
    #expect(try contents() == before)
  }
}
