internal import ArgumentParser
internal import CommandArguments
internal import Foundation
internal import ListSubscriptions
internal import TextOutput

/// Updates lists.
struct ListsUpdate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "update",
    abstract: "Updates lists now.",
    discussion: """
      Asks the servers whether there is something newer, of all lists that are on, or of those \
      that you name. Where an update fails, the previous version stays in use, \
      and the status is 1.

      A list that has lost most of its rules, as if it were cut off, is not taken until it has come \
      so three times in a row, or you say --accept-short.

      JSON output is an array of lists with "outcome": "changed", "unchanged", "failed" or \
      "skipped", and "notes".

      \(TickbirdHost.exitStatusHelp)
      """
  )

  @Argument(help: "Only these lists.")
  var lists: [String] = []

  @Flag(help: "Only lists that are on and due; for timers.")
  var due = false

  @Flag(help: "Take lists that have lost most of their rules.")
  var acceptShort = false

  @OptionGroup var options: FormatOption

  func run() async throws {
    try await ListsAccess.reporting {
      let store = ListsAccess.store()
      var ids: Set<String>?
      if !lists.isEmpty {
        ids = []
        for list in lists { ids?.insert(try store.subscription(list).id) }
      }
      let isText = !options.isJSON
      let reports = try await ListsAccess.updater().update(
        due ? .due : .all,
        ids: ids,
        acceptsShort: acceptShort
      ) { progress in
        switch progress {
        case .began(let list): ListsProgress.show("updating \(list.name) …")
        case .ended(let report):
          ListsProgress.end()
          if isText { ListWords.write(report) }
        }
      }
      if options.isJSON {
        try HostOutput.write(json: reports.map(ListReportJSON.init))
      } else if try store.subscriptions().isEmpty {
        StandardOutput.line(ListWords.none)
      } else if reports.isEmpty {
        StandardOutput.line("No list is due.")
      }
      if reports.contains(where: \.isFailure) { throw ExitStatus.refused }
    }
  }
}
