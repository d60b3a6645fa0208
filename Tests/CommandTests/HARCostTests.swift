import Foundation
import Testing

/// What reading an archive costs, counted in instructions of the command.
///
/// Twice the entries may cost twice as much; what grows with their square is an archive's way to
/// stop the command for hours.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/valgrind")))
struct HARCostTests {
  enum Shape: String, CaseIterable {
    case manyFrames, manyPages, manyLoadsOfOneFrame, manyReferrers, manyRedirects

    /// An entry of the archive.
    func entry(_ number: Int) -> String {
      switch self {
      case .manyFrames: Self.entry("http://f.test/\(number)", type: "document")
      case .manyPages: Self.entry("http://a.test/\(number)", type: "document", page: "p\(number)")
      case .manyLoadsOfOneFrame:
        number == 1
          ? Self.entry("http://f.test/", type: "document")
          : Self.entry("http://b.test/\(number)", type: "image", referrer: "http://f.test/")
      case .manyReferrers:
        Self.entry(
          "http://f.test/\(number)",
          type: "document",
          referrer: "http://f.test/\(number - 1)"
        )
      case .manyRedirects:
        Self.entry(
          "http://a.test/\(number)",
          type: "document",
          redirect: "http://a.test/\(number + 1)"
        )
      }
    }

    private static func entry(
      _ url: String,
      type: String,
      page: String = "p",
      referrer: String? = nil,
      redirect: String = ""
    ) -> String {
      let headers = referrer.map { #"{"name":"Referer","value":"\#($0)"}"# } ?? ""
      return #"{"pageref":"\#(page)","_resourceType":"\#(type)","#
        + #""request":{"method":"GET","url":"\#(url)","headers":[\#(headers)]},"#
        + #""response":{"redirectURL":"\#(redirect)"}}"#
    }

    func archive(_ count: Int) -> String {
      let entries = (0..<count).map(entry).joined(separator: ",")
      return #"{"log":{"entries":[\#(entries)]}}"#
    }
  }

  private func instructions(_ shape: Shape, _ count: Int, _ scratch: Scratch) throws -> Int {
    try scratch.file("list.json", #"[{"trigger":{"url-filter":"ad"},"action":{"type":"block"}}]"#)
    try scratch.file("log.har", shape.archive(count))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/valgrind")
    process.arguments = [
      "--tool=callgrind", "--callgrind-out-file=/dev/null",
      try #require(Command.executable).path, "explain", "--list", "list.json", "--har", "log.har",
      "--matched",
    ]
    process.currentDirectoryURL = scratch.folder
    let errors = try scratch.file("errors", "")
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    let text = try String(contentsOf: errors, encoding: .utf8)
    let line = try #require(
      text.split(separator: "\n").first { $0.contains("Collected : ") },
      "\(text)"
    )
    return try #require(Int(line.split(separator: " ").last ?? ""))
  }

  @Test(arguments: Shape.allCases)
  func anArchiveCostsInProportionToItsEntries(_ shape: Shape) throws {
    let scratch = try Scratch()
    let base = try instructions(shape, 1, scratch)
    let once = try instructions(shape, 300, scratch) - base
    let twice = try instructions(shape, 600, scratch) - base
    // A square would make it four times as much.
    #expect(Double(twice) < 2.5 * Double(once), "\(base), \(once), \(twice)")
  }
}
