import Foundation
import TestSupport
import Testing

@Suite("Subcommands that tickbird-host carries out")
struct ServiceCommandTests {
  /// A program that says how it was called.
  private static let program = """
    #!/bin/sh
    echo "$#: $*"
    exit 3
    """

  @Test(
    "All arguments, help and the status go through",
    arguments: [
      (["links", "--help"], "2: links --help"),
      (["help", "links"], "2: links --help"),
      (["links"], "1: links"),
      (["gallery", "build", "my folder", "--", "-y"], "5: gallery build my folder -- -y"),
      (["install", "--version"], "2: install --version"),
      (["package", ""], "2: package "),
    ]
  )
  func passing(_ arguments: [String], _ seen: String) throws {
    let scratch = try Scratch()
    let program = try scratch.program("host", Self.program)
    let result = try Command.run(
      arguments,
      variables: ["TICKBIRD_HOST_PROGRAM": program.path]
    )
    #expect(result == .init(output: seen + "\n", error: "", status: 3))
  }

  @Test("A program that is not there is named, with the way to get it")
  func missing() throws {
    let result = try Command.run(
      ["links"],
      variables: ["TICKBIRD_HOST_PROGRAM": "/nowhere/tickbird-host"]
    )
    #expect(result.status == 2)
    #expect(result.error.contains("tickbird-host"))
    #expect(result.error.contains("Scripts/install"))
  }
}
