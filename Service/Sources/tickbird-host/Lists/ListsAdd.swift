internal import ArgumentParser
internal import CommandArguments
internal import Foundation
internal import ListIngestion
internal import ListSubscriptions
internal import TextOutput

/// Adds a list.
struct ListsAdd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Subscribes to a list: of the catalogue, at an address, or in a file.",
    discussion: """
      The list is fetched, converted and compiled; if any of that fails, nothing is added.

      JSON output is the list, as `tickbird lists show --format json` describes it, with "notes".

      \(TickbirdHost.exitStatusHelp)
      """
  )

  @Argument(help: "A name of the catalogue, an address, or a file.")
  var source: String

  @Option(
    help: ArgumentHelp(
      "An address to try when the list cannot be fetched; can be given several times.",
      valueName: "address"
    )
  )
  var mirror: [String] = []

  @Option(help: "The list's name; by default its own title.")
  var name: String?

  @OptionGroup var options: FormatOption

  func validate() throws {
    if let name {
      guard !name.isEmpty, name.count <= 200, !name.contains(where: \.isNewline) else {
        throw ValidationError("--name takes a text of 1 to 200 characters.")
      }
    }
  }

  func run() async throws {
    try await ListsAccess.reporting {
      let request = try request()
      ListsProgress.show("fetching \(request.source.text) …")
      defer { ListsProgress.end() }
      let report = try await ListsAccess.updater().add(request)
      ListsProgress.end()
      if options.isJSON {
        return try HostOutput.write(json: ListReportJSON(report))
      }
      let list = report.subscription
      StandardOutput.line("Added \(list.name), as \(list.id): \(ListWords.contents(list)).")
      for note in report.notes { StandardOutput.line("note: \(note)") }
      if let next = list.next, case .address = list.source {
        StandardOutput.line("It is updated after \(HostOutput.time(next)).")
      }
      if let lines = list.summary?.lines, lines.impossible > 0 {
        StandardOutput.line("What is impossible, and why: tickbird lists show \(list.id)")
      }
    }
  }

  /// Returns what was asked for.
  private func request() throws -> ListUpdater.Request {
    var mirrors: [String] = []
    for address in mirror { mirrors.append(try SubscriptionSource.address(address)) }
    let isFile = FileManager.default.fileExists(atPath: source)
    if isFile { try GivenPath.check(source) }
    if let entry = ListCatalogue.entry(source), !isFile {
      var request = try ListUpdater.Request(entry)
      request.mirrors += mirrors
      request.name = name
      return request
    }
    return ListUpdater.Request(try SubscriptionSource(source), mirrors: mirrors, name: name)
  }
}
