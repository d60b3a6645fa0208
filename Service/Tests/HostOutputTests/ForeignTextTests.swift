import Foundation
import HostTestSupport
import Testing

/// Strangers' texts in the output of every subcommand.
struct ForeignTextTests {
  private static let hostile =
    "Nice\u{1B}]0;pwned\u{7}\u{1B}[2J\u{1B}[31mX\nInstalled OK\r\u{9B}5m\u{7F}\u{202E}txt\u{2066}"
    + "\u{200B}\u{2028}\u{85}\u{E0041}"

  /// Returns whether a text contains a character that must not reach a terminal.
  private func hasControl(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x0A: false
      case 0x09: false
      case 0..<0x20, 0x7F..<0xA0, 0x200B, 0x2028...0x202E, 0x2060...0x2069, 0xFEFF,
        0xE0000...0xE007F:
        true
      default: false
      }
    }
  }

  @Test("no subcommand hands on a stranger's controls, or a line of theirs")
  func everySubcommand() async throws {
    let home = try await PreparedHome(text: Self.hostile)
    defer { home.remove() }
    let note = try await home.note()
    var shownCount = 0
    for command in try await CommandTree.commands(home.program) {
      guard let arguments = home.arguments(of: command, note: note) else { continue }
      var forms = [arguments]
      if try await home.program.run(arguments + ["--help"]).output.contains("--format") {
        forms.append(arguments + ["--format", "json"])
      }
      for form in forms {
        // Files for other programs, whose formats have their own escapes.
        if ["notes export", "links export"].contains(command) { continue }
        let copy = try home.copy()
        defer { copy.remove() }
        let outcome = try await copy.program.run(
          form.map { word in
            word.replacing(home.folder.path, with: copy.folder.path)
          }
        )
        for text in [outcome.output, outcome.errors] {
          #expect(!hasControl(text), "\(form)")
          // The whole of a note has the lines that it has.
          #expect(!text.contains("\nInstalled OK") || command == "notes show", "\(form)")
        }
        if outcome.output.contains("Nice") { shownCount += 1 }
      }
    }
    #expect(shownCount >= 4)
  }

  @Test("what was typed comes back without controls")
  func arguments() async throws {
    let home = try await PreparedHome()
    defer { home.remove() }
    for arguments in [
      ["extensions", "state", Self.hostile], ["links", "add", Self.hostile], [Self.hostile],
      ["notes", "show", Self.hostile], ["notes", "import", Self.hostile],
      ["links", "import", Self.hostile], ["install", Self.hostile],
      ["gallery", "add", Self.hostile],
    ] {
      let outcome = try await home.program.run(arguments)
      #expect(outcome.status != 0)
      #expect(!hasControl(outcome.output + outcome.errors), "\(arguments[0])")
      #expect(!outcome.errors.contains("\nInstalled OK"), "\(arguments[0])")
    }
  }

  @Test("JSON says the same, and what people write is shown as they write it")
  func legitimate() async throws {
    let text = "👩‍👩‍👧‍👦 می‌خواهم שלום é"
    let home = try await PreparedHome(text: text)
    defer { home.remove() }
    #expect(try await home.program.run("notes", "list").output.contains(text))
    #expect(
      try await home.program.run("extensions", "state", "com.example.blocker").output.contains(text)
    )
    let json = try await home.program.run("notes", "list", "--format", "json")
    let notes = try JSONSerialization.jsonObject(with: json.bytes) as? [[String: Any]]
    #expect(notes?.first?["text"] as? String == text)
    let hostile = try await PreparedHome(text: "a\u{202E}b\u{85}c")
    defer { hostile.remove() }
    let state = try await hostile.program.run(
      "extensions",
      "state",
      "com.example.blocker",
      "--format",
      "json"
    )
    #expect(state.output.contains(#"a\u202eb\u0085c"#))
    let value = try JSONSerialization.jsonObject(with: state.bytes) as? [String: Any]
    #expect(value?["name"] as? String == "a\u{202E}b\u{85}c")
  }
}
