internal import ArgumentParser
internal import Foundation
internal import ResourceLoads
internal import Workloads

/// Writes a generated list and requests for it, for use by other programs.
struct Generate: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes a generated list and a log of requests for it."
  )

  @Option(
    help: "How the rules are written: short or conditional.",
    transform: {
      guard let dialect = GeneratedList.Dialect(rawValue: $0) else {
        throw ValidationError("'\($0)' is neither short nor conditional")
      }
      return dialect
    }
  )
  var dialect = GeneratedList.Dialect.short

  @Option(help: ArgumentHelp("How many rules to make.", valueName: "n"))
  var rules = 115_000

  @Option(help: ArgumentHelp("How many requests to make.", valueName: "n"))
  var requests = 20_000

  @Option(help: ArgumentHelp("Where to write the list.", valueName: "json"))
  var listFile: String

  @Option(help: ArgumentHelp("Where to write the requests.", valueName: "tsv"))
  var requestsFile: String

  func validate() throws {
    if rules < 1 || requests < 1 { throw ValidationError("give at least one rule and request") }
  }

  func run() throws {
    let list = GeneratedList(dialect: dialect, ruleCount: rules)
    try Data(list.json()).write(to: URL(filePath: listFile))
    let log = RequestLog.text(of: GeneratedRequests.make(requests, for: list))
    try Data(log.utf8).write(to: URL(filePath: requestsFile))
  }
}
