internal import ArgumentParser
internal import DurableFiles
internal import Foundation
internal import SharedLinks
internal import TextOutput

struct ImportFeeds: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Subscribes to the feeds of an OPML file, as other readers export it.",
    discussion: """
      Folders are kept; feeds that you are subscribed to already are skipped. The feeds are \
      fetched with the next refresh.
      """
  )

  @Flag(
    help: "The list is your own: also fetch its feeds on this machine and the local network."
  )
  var local = false

  @Argument(help: "The file; - is standard input.")
  var file: String

  @OptionGroup var options: LinkOptions

  func run() async throws {
    let bytes = try GivenFile.read(file)
    let list = try await DocumentReader.shared.subscriptions(opml: bytes)
    let counts = try options.store().subscribe(to: list, allowsLocal: local)
    if options.isJSON {
      struct Result: Encodable {
        var added: Int
        var present: Int
        var notes: [String]
      }
      return try HostOutput.write(
        json: Result(added: counts.added, present: counts.present, notes: list.notes)
      )
    }
    for note in list.notes { HostOutput.complain("note: \(note)") }
    let present = counts.present > 0 ? "; \(counts.present) were there already" : ""
    StandardOutput.line(
      "Subscribed to \(HostOutput.count(counts.added, "feed", "feeds"))\(present)."
    )
    if counts.added > 0 { StandardOutput.line("Fetch their links: tickbird links refresh") }
  }
}

struct ExportFeeds: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes your feeds as OPML, for other readers and as a backup."
  )

  @Argument(help: "The file to write; by default standard output.")
  var file: String?

  func run() throws {
    let store = try LinkOptions().store()
    let text = SubscriptionList(try store.sources()).opml()
    guard let file, file != "-" else {
      StandardOutput.write(bytes: Array(text.utf8))
      return
    }
    try DurableFile.export(file, Data(text.utf8))
  }
}
