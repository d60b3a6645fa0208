internal import ArgumentParser
internal import CommandArguments
internal import Foundation
internal import ListSubscriptions
internal import TextOutput

/// Shows well-known lists.
struct ListsCatalogue: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "catalogue",
    abstract: "Shows well-known lists that you may add; fetches nothing.",
    discussion: """
      The lists are other people's; each has a licence of its own.

      JSON output is an array of {"id", "name", "address", "mirrors", "homepage", "licence", \
      "languages", "purpose", "isRecommended"}.
      """
  )

  @Argument(help: "Only lists for this language, such as de.")
  var language: String?

  @OptionGroup var options: FormatOption

  func run() async throws {
    let wanted = language?.lowercased()
    let entries = ListCatalogue.entries.filter { entry in
      wanted.map { entry.languages.contains($0) } ?? true
    }
    if options.isJSON, !entries.isEmpty { return try HostOutput.write(json: entries) }
    guard !entries.isEmpty else {
      let languages = Set(ListCatalogue.entries.flatMap(\.languages)).sorted()
      if options.isJSON { try HostOutput.write(json: entries) }
      Report.complain(
        "the catalogue has no list for \(language ?? "it"), but for \(languages.joined(separator: ", "))"
      )
      throw ExitStatus.refused
    }
    let added = Set(((try? ListsAccess.store().subscriptions()) ?? []).map(\.source.text))
    for entry in entries {
      let languages = entry.languages.isEmpty ? "" : " [\(entry.languages.joined(separator: ", "))]"
      let standing = added.contains(entry.address) ? " – added" : ""
      StandardOutput.line("\(entry.id): \(entry.name)\(languages)\(standing)")
      StandardOutput.line("   \(entry.purpose)")
      StandardOutput.line("   \(entry.homepage), \(entry.licence)")
    }
    StandardOutput.line("")
    let first = ListCatalogue.entries.filter(\.isRecommended).map(\.id)
    StandardOutput.line(
      "Add one with: tickbird lists add NAME; \(first.joined(separator: " and ")) are a good start."
    )
  }
}
