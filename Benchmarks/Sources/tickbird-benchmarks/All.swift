internal import ArgumentParser

/// Every job but the counting one.
struct All: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Runs every job in turn.")

  @OptionGroup var inputs: Inputs

  func run() throws {
    let decisions = try Decide.report(inputs)
    try decisions.write(inputs.format)
    try FromStrings.report(inputs).write(inputs.format)
    try Compile.report(inputs).write(inputs.format)
    try Load.report(inputs).write(inputs.format)
    try Scale.parse(["--format", inputs.format.rawValue]).run()
    try Hostile.parse(["--format", inputs.format.rawValue]).run()
    if decisions.results.contains(where: { ($0.wrong ?? 0) > 0 }) { throw ExitCode.failure }
  }
}
