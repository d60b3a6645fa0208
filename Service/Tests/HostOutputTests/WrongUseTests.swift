import HostTestSupport
import Testing

/// What the program ends with, and what its help says of it.
@Suite struct WrongUseTests {
  @Test(
    "wrong use ends with 2, and says where the help is",
    arguments: [
      ["frobnicate"], ["--frobnicate"], ["links", "frobnicate"], ["notes", "show"],
      ["links", "list", "--limit", "0"], ["gallery", "build", "--days", "0", "."],
      ["browser", "install", "lynx"],
    ]
  )
  func wrongUse(_ arguments: [String]) async throws {
    let home = EmptyHome()
    defer { home.remove() }
    let outcome = try await home.program.run(arguments)
    #expect(outcome.status == 2)
    #expect(outcome.bytes.isEmpty)
    #expect(outcome.errors.contains("--help"), "\(outcome.errors)")
  }

  @Test("the help of each group of commands says what the status means")
  func help() async throws {
    let home = EmptyHome()
    defer { home.remove() }
    let groups = Set(
      try await CommandTree.commands(home.program).compactMap { $0.split(separator: " ").first }
    )
    #expect(groups.count >= 10)
    for group in groups.map(String.init) + [""] where group != "help" {
      let help = try await home.program.run(
        group.split(separator: " ").map(String.init) + ["--help"]
      )
      let words = help.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("Exit status: 0 all is well;"), "\(group)")
      #expect(words.contains("2 wrong use."), "\(group)")
    }
  }
}
