internal import ArgumentParser
internal import Foundation
internal import ServiceFolders
internal import SharedLinks
internal import TextOutput

/// A source in the JSON output.
struct FeedJSON: Encodable {
  var id: Int64
  var kind: String
  var address: String
  var title: String
  var page: String?
  var folder: [String]
  var identity: String
  var appliesRules: Bool
  var links: Int
  var unread: Int
  var succeeded: Date?
  var nextFetch: Date?
  var failures: Int
  var error: String?
  var isGone: Bool
  var notes: [String]

  init(_ source: LinkSource) {
    id = source.id
    kind = source.kind.rawValue
    address = source.key
    title = source.title
    page = source.pageAddress
    folder = source.folder
    identity = source.identityRule.rawValue
    appliesRules = source.appliesRules
    links = source.itemCount
    unread = source.unreadCount
    succeeded = source.state.succeeded
    nextFetch = source.state.nextFetch
    failures = source.state.failures
    error = source.state.lastError
    isGone = source.state.isGone
    notes = source.state.notes
  }
}

struct AddFeed: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Subscribes to a feed.",
    discussion: """
      The address is that of the feed or of a page that names it. A page that names several feeds \
      is not subscribed to: its feeds are listed; add one by its address, or with --choose NUMBER.

      JSON output is {"added": feed} or, with status 1, {"choices": [{"address", "title", "type"}]}.
      """
  )

  @Argument(help: "The address of a feed or of a page with one.")
  var address: String

  @Option(help: "The feed's name; by default its own title.")
  var title: String?

  @Option(help: "The folder to put it in.")
  var folder: String?

  @Option(help: ArgumentHelp("Which of a page's feeds to take, from 1.", valueName: "number"))
  var choose: Int?

  @OptionGroup var options: LinkOptions

  func run() async throws {
    let store = try options.store()
    let refresher = LinkRefresher(store: store, transport: CurlTransport())
    let folders = folder.map { [$0] } ?? []
    var outcome = try await refresher.add(address, customTitle: title, folder: folders)
    if case .several(let feeds) = outcome, let choose {
      guard choose > 0, choose <= feeds.count else {
        throw ValidationError("--choose takes a number from 1 to \(feeds.count).")
      }
      outcome = try await refresher.add(
        feeds[choose - 1].address,
        customTitle: title,
        folder: folders
      )
    }
    switch outcome {
    case .added(let source):
      if options.isJSON { return try HostOutput.write(json: ["added": FeedJSON(source)]) }
      let links = HostOutput.count(source.itemCount, "link", "links")
      StandardOutput.line("Subscribed to \(source.title), feed \(source.id), with \(links).")
      StandardOutput.line("\(source.key)")
      for note in source.state.notes { StandardOutput.line("note: \(note)") }
    case .several(let feeds):
      if options.isJSON {
        struct Choice: Encodable {
          var address: String
          var title: String
          var type: String
        }
        let choices = feeds.map {
          Choice(address: $0.address, title: $0.title, type: $0.mediaType)
        }
        try HostOutput.write(json: ["choices": choices])
      } else {
        StandardOutput.line("The page names several feeds:")
        for (number, feed) in feeds.enumerated() {
          StandardOutput.line("\(number + 1). \(feed.title.isEmpty ? feed.mediaType : feed.title)")
          StandardOutput.line("   \(feed.address)")
        }
        StandardOutput.line("Add one of them: tickbird links add \(address) --choose 1")
      }
      throw ExitStatus.refused
    }
  }
}

struct RemoveFeed: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Removes a feed and its links."
  )

  @Argument(help: "The feed's number, address or title.")
  var feed: String

  @OptionGroup var options: LinkOptions

  func run() throws {
    let store = try options.store()
    let source = try store.source(named: feed)
    let count = try store.remove(sourceID: source.id)
    if options.isJSON {
      return try HostOutput.write(json: ["removed": FeedJSON(source)])
    }
    StandardOutput.line("Removed \(source.title) with \(HostOutput.count(count, "link", "links")).")
    if source.kind == .extension {
      StandardOutput.line("The extension is still on; its links come back with the next refresh.")
    }
  }
}

struct FeedsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feeds",
    abstract: "Shows feeds and extensions that links come from, and changes how they are treated.",
    subcommands: [ListFeeds.self, SetFeed.self],
    defaultSubcommand: ListFeeds.self
  )
}

struct ListFeeds: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Shows feeds and extensions, and how the last fetch of each went."
  )

  @OptionGroup var options: LinkOptions

  func run() throws {
    let sources = try options.store().sources()
    if options.isJSON { return try HostOutput.write(json: sources.map(FeedJSON.init)) }
    if sources.isEmpty {
      StandardOutput.line(
        "There are no feeds yet. Subscribe to one: tickbird links add https://example.org"
      )
      return
    }
    for source in sources {
      let unread = source.unreadCount > 0 ? ", \(source.unreadCount) unread" : ""
      let folder = source.folder.isEmpty ? "" : " [\(source.folder.joined(separator: " / "))]"
      let links = source.itemCount == 1 ? "1 link" : "\(source.itemCount) links"
      StandardOutput.line("\(source.id). \(source.title)\(folder): \(links)\(unread)")
      StandardOutput.line("   \(source.key)")
      if source.identityRule != .automatic {
        StandardOutput.line("   links are recognised by their \(source.identityRule.rawValue)")
      }
      if !source.appliesRules { StandardOutput.line("   your block rules are not asked") }
      if source.state.isGone {
        StandardOutput.line(
          "   gone for good, says its server; remove it, or refresh --force to ask again"
        )
      } else if let error = source.state.lastError {
        let next = source.state.nextFetch.map { ", next try \(HostOutput.time($0))" } ?? ""
        let times = HostOutput.count(source.state.failures, "time", "times")
        StandardOutput.line("   failed \(times): \(error)\(next)")
      } else if source.state.tried == nil {
        StandardOutput.line("   never fetched; tickbird links refresh")
      }
      for note in source.state.notes { StandardOutput.line("   note: \(note)") }
    }
  }
}

struct SetFeed: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Changes a feed's name, folder, and what is done with its links.",
    discussion: """
      --identity says how a link is recognised when the feed has it again: auto (by its \
      identifier, else its address, else its title and date), guid (identifier), link (address), \
      or title. Use link if links come again as new because the feed gives them new identifiers, \
      and title if their addresses change, too.
      """
  )

  enum Switch: String, ExpressibleByArgument, CaseIterable { case on, off }
  enum Identity: String, ExpressibleByArgument, CaseIterable { case auto, guid, link, title }

  @Argument(help: "The feed's number, address or title.")
  var feed: String

  @Option(help: "How links that were fetched before are recognised.")
  var identity: Identity?

  @Option(help: "The feed's name; an empty text restores its own title.")
  var title: String?

  @Option(help: "The folder to put it in; an empty text takes it out of its folder.")
  var folder: String?

  @Option(help: "Whether your rule lists apply to its links.")
  var rules: Switch?

  @OptionGroup var options: LinkOptions

  func validate() throws {
    guard identity != nil || title != nil || folder != nil || rules != nil else {
      throw ValidationError("Give --identity, --title, --folder or --rules.")
    }
  }

  func run() throws {
    let store = try options.store()
    let source = try store.source(named: feed)
    try store.change(
      sourceID: source.id,
      customTitle: title,
      folder: folder.map { $0.isEmpty ? [] : [$0] },
      identityRule: identity.flatMap { LinkSource.IdentityRule(rawValue: $0.rawValue) },
      appliesRules: rules.map { $0 == .on }
    )
    let changed = try store.source(named: "\(source.id)")
    if options.isJSON { return try HostOutput.write(json: FeedJSON(changed)) }
    StandardOutput.line("Changed \(changed.title).")
  }
}

struct RefreshLinks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "refresh",
    abstract: "Fetches new links.",
    discussion: """
      Fetches all feeds, except those that failed a short while ago or whose server asked to wait \
      (Retry-After).

      JSON output is an array of {"feed", "title", "outcome": "fetched", "unchanged", "failed" or \
      "skipped", "new", "changed", "message"?, "notes"}. If a feed failed, the status is 1.
      """
  )

  @Argument(help: "Only these feeds, by number, address or title.")
  var feeds: [String] = []

  @Flag(help: "Fetch only feeds that are due; for timers.")
  var due = false

  @Flag(help: "Also fetch feeds that have to wait, and those that are gone.")
  var force = false

  @OptionGroup var options: LinkOptions

  func validate() throws {
    if due && force { throw ValidationError("--due and --force exclude each other.") }
  }

  func run() async throws {
    let store = try options.store()
    let ids = try feeds.isEmpty ? nil : Set(feeds.map { try store.source(named: $0).id })
    let refresher = LinkRefresher(
      store: store,
      transport: CurlTransport(),
      extensions: HostLinkSource(host: .command(ServiceFolders()))
    )
    let isText = !options.isJSON
    let reports = try await refresher.refresh(
      force ? .forced : due ? .due : .all,
      sourceIDs: ids,
      progress: { if isText { Self.show($0) } }
    )
    for list in try store.ruleLists() {
      guard let fault = list.fault else { continue }
      Report.complain("the rule list \(list.name) hides no new links: \(fault)")
    }
    if options.isJSON {
      try HostOutput.write(json: reports.map(ReportJSON.init))
    } else {
      for report in reports {
        if case .skipped = report.outcome { Self.show(report) }
      }
      if reports.isEmpty {
        StandardOutput.line(
          try store.sources().isEmpty
            ? "There are no feeds yet. Subscribe to one: tickbird links add https://example.org"
            : "No feed is due."
        )
      } else {
        let new = reports.reduce(0) { $0 + (ReportJSON($1).new) }
        StandardOutput.line("\(HostOutput.count(new, "new link", "new links")).")
      }
    }
    let hasFailed = reports.contains {
      if case .failed = $0.outcome { true } else { false }
    }
    if hasFailed { throw ExitStatus.refused }
  }

  private static func show(_ report: RefreshReport) {
    let title = report.source.title
    switch report.outcome {
    case .fetched(let counts):
      var words = ["\(counts.new) new"]
      if counts.changed > 0 { words.append("\(counts.changed) changed") }
      if counts.removed > 0 { words.append("\(counts.removed) of the oldest removed") }
      StandardOutput.line("\(title): \(words.joined(separator: ", "))")
    case .unchanged: StandardOutput.line("\(title): nothing new")
    case .failed(let message): StandardOutput.line("\(title): failed: \(message)")
    case .skipped(let reason): StandardOutput.line("\(title): not fetched: \(reason)")
    }
    for note in report.notes { StandardOutput.line("  note: \(note)") }
  }

  struct ReportJSON: Encodable {
    var feed: Int64
    var title: String
    var outcome: String
    var new = 0
    var changed = 0
    var message: String?
    var notes: [String]

    init(_ report: RefreshReport) {
      feed = report.source.id
      title = report.source.title
      notes = report.notes
      switch report.outcome {
      case .fetched(let counts):
        outcome = "fetched"
        new = counts.new
        changed = counts.changed
      case .unchanged: outcome = "unchanged"
      case .failed(let text):
        outcome = "failed"
        message = text
      case .skipped(let text):
        outcome = "skipped"
        message = text
      }
    }
  }
}
