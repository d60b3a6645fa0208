import Foundation
import TestSupport
import Testing

/// What all options of `tickbird` have in common; those of the service's subcommands are its own.
@Suite struct OptionDocumentTests {
  /// What `--experimental-dump-help` says of a command.
  private struct Dump: Decodable {
    struct Command: Decodable {
      var commandName: String
      var subcommands: [Command]?
      var arguments: [Argument]?
    }
    struct Argument: Decodable {
      var kind: String
      var shouldDisplay: Bool
      var names: [Name]?
    }
    struct Name: Decodable {
      var kind: String
      var name: String
    }

    var command: Command
  }

  /// Returns the options that are shown, with the commands that have them.
  private static func options() throws -> [String: [String]] {
    let text = try Command.run(["--experimental-dump-help"]).output
    var options: [String: [String]] = [:]
    func add(_ command: Dump.Command, _ path: String) {
      for argument in command.arguments ?? [] where argument.shouldDisplay {
        guard argument.kind != "positional",
          let name = argument.names?.first(where: { $0.kind == "long" })
        else { continue }
        options["--\(name.name)", default: []].append(path)
      }
      for next in command.subcommands ?? [] { add(next, "\(path) \(next.commandName)") }
    }
    add(try JSONDecoder().decode(Dump.self, from: Data(text.utf8)).command, "tickbird")
    return options
  }

  @Test func aDocumentNamesEachOption() throws {
    let root = SharedData.packageRoot
    let folder = root.appending(path: "Documentation")
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    )
    var text = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
    while let file = files.nextObject() as? URL {
      if file.pathExtension == "md" { text += try String(contentsOf: file, encoding: .utf8) }
    }
    let named = Set(
      text.split { !($0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "-") }.map(String.init)
    )
    let options = try Self.options()
    #expect(options.count > 40)
    for (option, commands) in options.sorted(by: { $0.key < $1.key })
    where !named.contains(option) {
      Issue.record("no document names \(option) of \(commands.joined(separator: ", "))")
    }
  }

  /// Programs read JSON by one option, whatever the command.
  @Test func jsonIsAFormat() throws {
    let options = try Self.options()
    #expect(options["--json"] == nil)
    #expect(options["--format"]?.contains("tickbird extension import") ?? false)
  }
}
