internal import ArgumentParser
internal import CommandArguments
internal import Foundation
internal import ServiceFolders
internal import SharedLinks

/// `links`; each group of subcommands has its own file.
struct LinksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "links",
    abstract: CommandAbstract.links,
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
