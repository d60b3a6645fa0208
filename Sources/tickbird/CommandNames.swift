internal import ArgumentParser
internal import ContentRules

/// Finds a misspelt subcommand among the arguments.
///
/// ArgumentParser would report it as a superfluous argument, or show the help of the command above.
enum CommandNames {
  /// Returns the message for arguments that name an unknown subcommand; `nil` if they name none.
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
