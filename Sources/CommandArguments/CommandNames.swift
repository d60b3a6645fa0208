public import ArgumentParser
internal import ContentRules

/// Finds a misspelt subcommand among the arguments.
///
/// ArgumentParser would report it as a superfluous argument, or show the help of the command above.
public enum CommandNames {
  /// Returns the message for arguments that name an unknown subcommand; `nil` if they name none.
  ///
  /// - Parameters:
  ///   - arguments: What the program is given.
  ///   - root: The program's command.
  ///   - name: The program's name as the user knows it.
  ///   - isRefused: Whether the arguments have been refused. Only then, or where they ask for help, a word that the
  ///     command takes for something else, as `tickbird package` takes a bundle, is a subcommand if it resembles one.
  /// - Returns: The message, with what was probably meant.
  public static func misspelling(
    in arguments: [String],
    of root: any ParsableCommand.Type,
    named name: String,
    isRefused: Bool = false
  ) -> String? {
    var command = root
    var path = name
    // The help would be that of the subcommand that takes the word for something else.
    let isQuestion = !arguments.prefix { $0 != "--" }.allSatisfy { $0 != "--help" && $0 != "-h" }
    for word in arguments.first == "help" ? arguments.dropFirst() : arguments[...] {
      let subcommands = command.configuration.subcommands
      guard !subcommands.isEmpty, !word.hasPrefix("-") else { return nil }
      if let next = subcommands.first(where: { $0._commandName == word }) {
        command = next
        path += " \(word)"
        continue
      }
      if word == "help" { return nil }
      let names = subcommands.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
      let nearest = Suggestion.nearest(to: word, among: names)
      if arguments.first != "help", let usual = command.configuration.defaultSubcommand,
        OptionNames.takesWords(usual), !isRefused && !isQuestion || nearest == nil
      {
        return nil
      }
      return "there is no command \(path == name ? word : "\(path) \(word)"); "
        + (nearest.map { "did you mean \(path) \($0)?" } ?? "\(path) --help lists them all")
    }
    return nil
  }
}
