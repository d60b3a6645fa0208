internal import ArgumentParser
internal import CommandInput
internal import CommandOutput
internal import RuleAudit

struct AuditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "audit", abstract: "x")

  @Option(name: .shortAndLong, help: "A list; give the option several times for several lists.")
  var list: [String] = []

  @Argument(help: "Logs, plain or gzip; - is standard input.")
  var logs: [String] = []

  @OptionGroup var batch: BatchOptions

  func run() throws {
    let lists = try Lists.open(list).map(\.list)
    var auditor = Auditor(lists: lists)
    auditor.workers = batch.workers
    let audit = try auditor.run(logs).audit
    var out = OutputStream.standardOutput()
    try out.write(audit.json)
    try out.flush()
  }
}
