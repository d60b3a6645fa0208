internal import ArgumentParser
internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import RuleMatching
internal import TextOutput

struct Dump: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Shows what is in a compiled list: slots, indexes, programs.",
    discussion: """
      A JSON list is compiled first. The output is for people; its form may change. \
      Documentation/Format.md describes the parts.

      Exit status: 0 all is well; 1 the list was refused; 2 wrong use, or a file cannot be read.
      """
  )

  @Argument(help: "A list, compiled or as JSON; - is standard input.")
  var file: String

  @Option(
    help: ArgumentHelp(
      "Show only one section: " + Section.allCases.map(\.name).joined(separator: ", ") + ".",
      valueName: "name"
    )
  )
  var section: String?

  @Option(
    help: ArgumentHelp(
      "Show only one rule, by its position from 0: how it is found, what it does.",
      valueName: "n"
    )
  )
  var rule: UInt32?

  @Flag(help: "Do not shorten texts.")
  var wide = false

  func validate() throws {
    if section != nil, rule != nil {
      throw ValidationError("Give only one of --section and --rule.")
    }
    if let section, Self.section(section) == nil {
      throw ValidationError(
        LoadWords.unknown("section", section, among: Section.allCases.map(\.name)) + "."
      )
    }
  }

  func run() throws {
    let files = try Lists.open([file])
    guard let list = files.first?.list.compiled else { return }
    if let rule, rule >= list.info.ruleCount {
      throw InputError(
        "--rule: \(files[0].name) has no rule \(rule); its rules are 0 to "
          + "\(Int(list.info.ruleCount) - 1)"
      )
    }
    var text = DumpOutput()
    list.disassemble(
      DisassemblyOptions(
        section: section.flatMap(Self.section),
        rule: rule,
        textLimit: wide ? Int(Int32.max) : 72
      ),
      to: &text
    )
    try text.finish()
  }

  private static func section(_ name: String) -> Section? {
    Section.allCases.first { $0.name == name }
  }
}

/// Writes a disassembly while it is produced.
private struct DumpOutput: TextOutputStream {
  private final class State {
    let output = SharedOutput()
    var error: OutputError?
  }

  private let state = State()

  func write(_ text: String) {
    // After a failed write, the rest is useless.
    guard state.error == nil else { return }
    do throws(OutputError) {
      try state.output.write(OutputText(painted: text))
    } catch {
      state.error = error
    }
  }

  func finish() throws(OutputError) {
    if let error = state.error { throw error }
    try state.output.flush()
  }
}

/// Standard output, shared by several closures.
private final class SharedOutput {
  private var stream = OutputStream.standardOutput()

  func write(_ text: OutputText) throws(OutputError) { try stream.write(text) }

  func flush() throws(OutputError) { try stream.flush() }
}
