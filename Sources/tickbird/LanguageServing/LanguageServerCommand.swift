internal import ArgumentParser
internal import LanguageServer
internal import TextOutput

struct LanguageServerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp",
    abstract: "Checks and explains rule lists in editors: a language server.",
    discussion: """
      Speaks the Language Server Protocol over standard input and output; editors start it. \
      Documentation/Editors.md says how to set up several.

      An editor shows the findings of tickbird check while a list is changed, with a \
      tickbird.toml beside it; what the rule under the pointer matches, in words and by examples \
      that the engine has confirmed; corrections; and an outline of the rules.

      Exit status: 0 all is well, the editor has ended the server by shutdown and exit; 1 the \
      editor went away without them; 2 wrong use, or the output cannot be written.
      """
  )

  @Flag(help: "Speak over standard input and output, which it always does; some editors say so.")
  var stdio = false

  func run() throws {
    var out = OutputStream.standardOutput()
    let status = try ServerLoop.run(checker: SettledChecker()) { bytes throws(OutputError) in
      try out.write(bytes)
      try out.flush()
    }
    try status.finish()
  }
}
