public import ArgumentParser
internal import ContentRules
internal import Foundation

/// Finds unknown options among the arguments.
///
/// ArgumentParser tells of a missing argument first, and of what the command itself refuses; but what is
/// missing is often what the misspelt option was meant to give.
public enum OptionNames {
  /// Returns the message for the first word that is no option of its command; `nil` if there is none.
  ///
  /// Costs as much as the help: only for arguments that have been refused.
  ///
  /// - Parameters:
  ///   - arguments: What the program is given.
  ///   - root: The program's command.
  ///   - name: The program's name as the user knows it.
  ///   - shownNames: What commands are called where that is not their name.
  ///   - isElsewhere: Whether a command's options are those of another program.
  /// - Returns: The message, with what was probably meant.
  public static func misspelling(
    in arguments: [String],
    of root: any ParsableCommand.Type,
    named name: String,
    shownNames: [String: String] = [:],
    isElsewhere: (any ParsableCommand.Type) -> Bool = { _ in false }
  ) -> String? {
    var command = root
    var path = [name]
    var words = arguments[...]
    while let word = words.first,
      let next = command.configuration.subcommands.first(where: { $0._commandName == word })
    {
      if isElsewhere(next) { return nil }
      command = next
      path.append(shownNames[word] ?? word)
      words.removeFirst()
    }
    if let usual = command.configuration.defaultSubcommand {
      command = usual
      path.append(usual._commandName)
    }
    let shown = path.joined(separator: " ")
    guard let known = try? Syntax(command) else { return nil }
    var previous: String?
    for word in words {
      if word == "--" { return nil }
      defer { previous = word }
      guard word.hasPrefix("-"), word.utf8.count > 1 else { continue }
      let option = String(word.prefix { $0 != "=" })
      if known.names.contains(word.hasPrefix("--") ? option : String(option.prefix(2))) { continue }
      if let previous, !word.hasPrefix("--"), known.withValue.contains(previous) {
        return "\(previous) cannot be \(word); a word that begins with - is taken for an option"
      }
      return message(option, known, shown)
    }
    return nil
  }

  /// Whether a command takes words that are no options.
  static func takesWords(_ command: any ParsableCommand.Type) -> Bool {
    (try? Syntax(command))?.takesWords ?? true
  }

  private static func message(_ name: String, _ known: Syntax, _ command: String) -> String {
    let long = known.names.filter { $0.hasPrefix("--") }.sorted()
    if let nearest = Suggestion.nearest(to: name, among: long) {
      return "there is no option \(name) of \(command); did you mean \(nearest)?"
    }
    let list = "there is no option \(name) of \(command); \(command) --help lists them all"
    return known.takesWords && !name.hasPrefix("--")
      ? list + ", and -- before a word that begins with - says that it is none" : list
  }

  /// What a command takes.
  private struct Syntax {
    /// The options' names, with their dashes; every command has these.
    var names: Set<String> = [
      "-h", "--help", "--version", "--generate-completion-script", "--experimental-dump-help",
    ]
    /// The names of the options that need a value.
    var withValue: Set<String> = []
    /// Whether there are words that are no options.
    var takesWords = false

    init(_ command: any ParsableCommand.Type) throws {
      let text: String
      do {
        _ = try command.parse(["--experimental-dump-help"])
        return
      } catch {
        text = command.fullMessage(for: error)
      }
      let described = try JSONDecoder().decode(Dump.self, from: Data(text.utf8)).command
      for argument in described.arguments ?? [] {
        if argument.kind == "positional" { takesWords = true }
        for name in argument.names ?? [] {
          let word = (name.kind == "long" ? "--" : "-") + name.name
          names.insert(word)
          if argument.kind == "option" { withValue.insert(word) }
        }
      }
    }
  }

  /// What ArgumentParser says of a command.
  private struct Dump: Decodable {
    struct Command: Decodable { var arguments: [Argument]? }
    struct Argument: Decodable {
      var kind: String
      var names: [Name]?
    }
    struct Name: Decodable {
      var kind: String
      var name: String
    }

    var command: Command
  }
}
