internal import ArgumentParser
internal import ContentRules

/// Finds the word among the arguments that was meant to be a subcommand and is none.
///
/// ArgumentParser takes it for a superfluous argument, or gives the help of the command above.
enum CommandNames {
  /// What is said of arguments that name no subcommand; `nil` where they do.
  static func misspelling(in arguments: [String]) -> String? {
    var command: any ParsableCommand.Type = Tickbird.self
    var path = "tickbird"
    for word in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
      let subcommands = command.configuration.subcommands
      guard !subcommands.isEmpty, !word.hasPrefix("-") else { return nil }
      if let next = subcommands.first(where: { $0._commandName == word }) {
        command = next
        path += " \(word)"
        continue
      }
      if word == "help" { return nil }
      let names = subcommands.map { $0._commandName }
      let nearest = Suggestion.nearest(to: word, among: names)
      return "there is no command \(path == "tickbird" ? word : "\(path) \(word)"); "
        + (nearest.map { "did you mean \(path) \($0)?" } ?? "\(path) --help lists them all")
    }
    return nil
  }
}
