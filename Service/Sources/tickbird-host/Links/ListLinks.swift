internal import ArgumentParser
internal import Foundation
internal import SharedLinks
internal import TextOutput

/// The options that select links to show.
struct LinkSelection: ParsableArguments {
  @Option(help: ArgumentHelp("Only links of this feed.", valueName: "feed"))
  var feed: String?

  @Option(help: ArgumentHelp("Only links of feeds in this folder.", valueName: "name"))
  var folder: String?

  @Flag(help: "Only unread links.")
  var unread = false

  @Flag(help: "Also show links that your rules block.")
  var blocked = false

  @Option(help: "How many links at most.")
  var limit = 30

  @Option(help: "How many of the newest to skip.")
  var skip = 0

  func validate() throws {
    guard (1...100_000).contains(limit) else {
      throw ValidationError("--limit takes a number from 1 to 100000.")
    }
    guard skip >= 0 else { throw ValidationError("--skip takes a number from 0.") }
  }

  func query(_ store: LinkStore) throws -> LinkQuery {
    var query = LinkQuery()
    query.sourceID = try feed.map { try store.source(named: $0).id }
    query.folder = folder
    query.isUnread = unread
    query.blocked = blocked ? .shown : .hidden
    query.limit = limit
    query.offset = skip
    return query
  }
}

struct ListLinks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Shows the newest links."
  )

  @OptionGroup var selection: LinkSelection
  @OptionGroup var options: LinkOptions

  func run() throws {
    let store = try options.store()
    let query = try selection.query(store)
    let items = try store.items(query)
    if options.isJSON { return try HostOutput.write(json: items.map(LinkJSON.init)) }
    if items.isEmpty {
      if try store.sources().isEmpty {
        StandardOutput.line(
          "There are no feeds yet. Subscribe to one: tickbird links add https://example.org"
        )
      } else if try store.count() == 0 {
        StandardOutput.line("There are no links yet. Fetch them: tickbird links refresh")
      } else {
        StandardOutput.line("No link is to be shown here.")
      }
      return
    }
    LinkTable.show(items)
    try LinkTable.showRest(query, shown: items.count, store)
  }
}

struct SearchLinks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Finds links by words.",
    discussion: """
      Finds links that have all the words, or words that begin with them, in title, text, author \
      or address. Case and accents do not matter.
      """
  )

  @Argument(help: "What to look for.")
  var words: [String]

  @OptionGroup var selection: LinkSelection
  @OptionGroup var options: LinkOptions

  func run() throws {
    let store = try options.store()
    var query = try selection.query(store)
    query.words = words.joined(separator: " ")
    let items = try store.items(query)
    if options.isJSON { return try HostOutput.write(json: items.map(LinkJSON.init)) }
    guard !items.isEmpty else {
      StandardOutput.line("No link has \(words.joined(separator: " ")).")
      return
    }
    LinkTable.show(items)
    try LinkTable.showRest(query, shown: items.count, store)
  }
}

struct ShowLink: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows everything about a link, and which of your rules blocks it."
  )

  @Argument(help: "The link's number.")
  var link: Int64

  @OptionGroup var options: LinkOptions

  func run() throws {
    let store = try options.store()
    let item = try store.item(id: link)
    if options.isJSON { return try HostOutput.write(json: LinkJSON(item)) }
    StandardOutput.line("\(item.title)")
    StandardOutput.line("\(item.address)")
    let date = HostOutput.time(item.date) + (item.isDated ? "" : " (first seen; it has no date)")
    StandardOutput.line("\(item.displayName) · \(date) · \(item.isRead ? "read" : "unread")")
    if item.sourceTitle != item.displayName { StandardOutput.line("from \(item.sourceTitle)") }
    if !item.text.isEmpty { StandardOutput.line("\n\(lines: item.text)") }
    if let blocked = item.blocked {
      StandardOutput.line("\nBlocked by rule \(blocked.rule) of your list \(blocked.list):")
      if let text = store.ruleText(blocked) { StandardOutput.line("  \(text)") }
      StandardOutput.line("To show its links again: tickbird links rules off \(blocked.list)")
    }
  }
}

struct ReadLinks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "read",
    abstract: "Marks links as read."
  )

  @OptionGroup var marking: Marking

  func run() throws { try marking.mark(isRead: true) }
}

struct UnreadLinks: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unread",
    abstract: "Marks links as unread."
  )

  @OptionGroup var marking: Marking

  func run() throws { try marking.mark(isRead: false) }
}

/// The options that select links to mark.
struct Marking: ParsableArguments {
  @Argument(help: "The links' numbers.")
  var links: [Int64] = []

  @Option(help: ArgumentHelp("All links of this feed.", valueName: "feed"))
  var feed: String?

  @Flag(help: "All links.")
  var all = false

  @OptionGroup var options: LinkOptions

  func validate() throws {
    let ways = (links.isEmpty ? 0 : 1) + (feed == nil ? 0 : 1) + (all ? 1 : 0)
    guard ways == 1 else {
      throw ValidationError("Give the numbers of links, or --feed FEED, or --all.")
    }
  }

  func mark(isRead: Bool) throws {
    let store = try options.store()
    var changed = links.count
    if links.isEmpty {
      let sourceID = try feed.map { try store.source(named: $0).id }
      changed = try store.markAll(sourceID: sourceID, isRead: isRead)
    } else {
      try store.mark(links, isRead: isRead)
    }
    if options.isJSON { return try HostOutput.write(json: ["marked": changed]) }
    let word = isRead ? "read" : "unread"
    StandardOutput.line("\(HostOutput.count(changed, "link is", "links are")) now \(word).")
  }
}

/// Formats links as lines of text.
enum LinkTable {
  static func show(_ items: [LinkItem]) {
    let width = items.map { "\($0.id)".count }.max() ?? 1
    for item in items {
      let margin = String(repeating: " ", count: width - "\(item.id)".count)
      let mark = item.blocked != nil ? "x" : item.isRead ? " " : "*"
      StandardOutput.line(
        "\(asIs: margin)\(item.id) \(asIs: mark) \(HostOutput.time(item.date))  "
          + "\(item.displayName): \(item.title)"
      )
      StandardOutput.line("\(asIs: String(repeating: " ", count: width + 3))\(item.address)")
    }
  }

  /// Reports how many links were hidden, and how to see them.
  static func showRest(_ query: LinkQuery, shown: Int, _ store: LinkStore) throws {
    let more = try store.count(query) - shown - query.offset
    if more > 0 { StandardOutput.line("\(more) more: --skip \(query.offset + shown)") }
    guard query.blocked == .hidden else { return }
    var blocked = query
    blocked.blocked = .only
    let hidden = try store.count(blocked)
    if hidden > 0 {
      let what = HostOutput.count(hidden, "link is", "links are")
      StandardOutput.line("\(what) hidden by your rules; --blocked shows them, marked x.")
    }
  }
}
