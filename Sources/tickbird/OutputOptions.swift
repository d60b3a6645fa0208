internal import ArgumentParser
internal import CommandOutput

/// Options of every subcommand that writes text.
struct OutputOptions: ParsableArguments {
  @Option(help: "When to colour text: auto (on a terminal, unless NO_COLOR is set), always, never.")
  var color: ColorChoice = .auto

  var paint: Paint { Paint(Terminal.usesColor(color)) }
}

extension ColorChoice: ExpressibleByArgument {}
