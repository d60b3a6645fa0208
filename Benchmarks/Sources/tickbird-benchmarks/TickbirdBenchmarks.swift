internal import ArgumentParser

@main
struct TickbirdBenchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tickbird-benchmarks",
    abstract: "Measures what Tickbird costs.",
    discussion: """
      Documentation/Performance.md says how each figure is taken. Times are processor time of one
      thread unless they say otherwise; build with -c release.
      """,
    subcommands: [
      Decide.self, FromStrings.self, Compile.self, Load.self, Scale.self, Hostile.self, Count.self,
      All.self, Generate.self,
    ]
  )
}
