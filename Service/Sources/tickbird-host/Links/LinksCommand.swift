internal import ArgumentParser
internal import CommandArguments
internal import Foundation
internal import ServiceFolders
internal import SharedLinks
internal import TextOutput

/// `links`; each group of subcommands has its own file.
struct LinksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "links",
    abstract: "Keeps Shared Links: one stream of links from feeds and extensions.",
    discussion: """
      Begin with `tickbird links add ADDRESS`, the address of a site or of its feed; then \
      `tickbird links` shows the newest links, `tickbird links refresh` fetches new ones.

      Feeds and links are named by the numbers that the commands show; feeds also by address or \
      title.

      \(TickbirdHost.exitStatusHelp)
      """,
    subcommands: [
      ListLinks.self, SearchLinks.self, ShowLink.self, AddFeed.self, RemoveFeed.self,
      RefreshLinks.self, FeedsCommand.self, ReadLinks.self, UnreadLinks.self, ImportFeeds.self,
      ExportFeeds.self, RulesCommand.self, ServeLinks.self,
    ],
    defaultSubcommand: ListLinks.self
  )
}

/// The options of every subcommand.
struct LinkOptions: ParsableArguments {
  @OptionGroup var format: FormatOption

  var isJSON: Bool { format.isJSON }

  /// Opens the user's links.
  func store() throws -> LinkStore {
    let folder = ServiceFolders().data
    let store = try LinkStore(folder: folder)
    DiskReserve(folder: folder).keep()
    return store
  }
}

/// The output of commands, for programs (`--format json`) and for people.
enum LinkOutput {
  static func write(json value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    StandardOutput.json(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  static func complain(_ message: OutputText) { StandardError.line(message) }

  /// Formats a time for people, in the local time zone.
  static func time(_ date: Date) -> String {
    let parts = Calendar.current.dateComponents(
      [.year, .month, .day, .hour, .minute],
      from: date
    )
    func two(_ value: Int?) -> String { (value ?? 0) < 10 ? "0\(value ?? 0)" : "\(value ?? 0)" }
    return "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day)) "
      + "\(two(parts.hour)):\(two(parts.minute))"
  }

  static func count(_ number: Int, _ one: String, _ many: String) -> String {
    number == 1 ? "1 \(one)" : "\(number) \(many)"
  }
}

/// A link in the JSON output.
struct LinkJSON: Encodable {
  var id: Int64
  var url: String
  var title: String
  var text: String
  var date: Date
  var isDated: Bool
  var displayName: String
  var feed: Int64
  var isRead: Bool
  var tag: String
  var icon: String?
  var image: String?
  var blockedBy: Rule?

  struct Rule: Encodable {
    var list: String
    var rule: Int
  }

  init(_ item: LinkItem) {
    id = item.id
    url = item.address
    title = item.title
    text = item.text
    date = item.date
    isDated = item.isDated
    displayName = item.displayName
    feed = item.sourceID
    isRead = item.isRead
    tag = item.tag
    icon = item.icon
    image = item.imageAddress
    blockedBy = item.blocked.map { Rule(list: $0.list, rule: $0.rule) }
  }
}
