internal import ArgumentParser
internal import ContentRules
internal import Foundation

/// Finds unknown options among the arguments.
///
/// ArgumentParser tells of a missing argument first, and of what the command itself refuses; but what is
/// missing is often what the misspelt option was meant to give.
enum OptionNames {
  /// Returns the message for the first word that is no option of its command; `nil` if there is none.
  ///
  /// Costs as much as the help: only for arguments that have been refused.
  static func misspelling(in arguments: [String]) -> String? {
    var command: any ParsableCommand.Type = Tickbird.self
    var path = ["tickbird"]
    var words = arguments[...]
    while let word = words.first,
      let next = command.configuration.subcommands.first(where: { $0._commandName == word })
    {
      // These options are those of another program.
      if next is any ServiceCommand.Type { return nil }
      command = next
      path.append(word == AuditMerge.name ? "audit merge" : word)
      words.removeFirst()
    }
    guard let known = try? names(of: command) else { return nil }
    var previous: String?
    for word in words {
      if word == "--" { return nil }
      defer { previous = word }
      guard word.hasPrefix("-"), word.utf8.count > 1 else { continue }
      let name = word.prefix { $0 != "=" }
      if word.hasPrefix("--") {
        if known.contains(String(name)) { continue }
      } else if known.contains(String(name.prefix(2))) {
        continue
      } else if let previous, known.contains(previous), name.dropFirst().first?.isNumber == true {
        return "\(previous) cannot be \(word); a word that begins with - is taken for an option"
      }
      return message(String(name), known, path)
    }
    return nil
  }

  private static func message(_ name: String, _ known: Set<String>, _ path: [String]) -> String {
    let command = path.joined(separator: " ")
    let long = known.filter { $0.hasPrefix("--") }.sorted()
    let nearest = Suggestion.nearest(to: name, among: long)
    return "there is no option \(name) of \(command); "
      + (nearest.map { "did you mean \($0)?" } ?? "\(command) --help lists them all")
  }

  /// Returns the names of a command's options, with their dashes.
  private static func names(of command: any ParsableCommand.Type) throws -> Set<String> {
    let text: String
    do {
      _ = try command.parse(["--experimental-dump-help"])
      return []
    } catch {
      text = command.fullMessage(for: error)
    }
    let arguments = try JSONDecoder().decode(Dump.self, from: Data(text.utf8)).command.arguments
    // Every command has these, also where its own description lacks them.
    var names: Set<String> = [
      "-h", "--help", "--version", "--generate-completion-script", "--experimental-dump-help",
    ]
    for name in (arguments ?? []).flatMap({ $0.names ?? [] }) {
      names.insert((name.kind == "long" ? "--" : "-") + name.name)
    }
    return names
  }

  /// What ArgumentParser says of a command.
  private struct Dump: Decodable {
    struct Command: Decodable { var arguments: [Argument]? }
    struct Argument: Decodable { var names: [Name]? }
    struct Name: Decodable {
      var kind: String
      var name: String
    }

    var command: Command
  }
}
