/// Subscriptions as readers exchange them: OPML 2.0.
public struct SubscriptionList: Equatable, Sendable {
  /// One subscription.
  public struct Entry: Equatable, Sendable {
    /// The feed's address.
    public var address: String
    /// Its title; empty if there is none.
    public var title: String
    /// The page that it belongs to.
    public var pageAddress: String?
    /// The folders it is in, outermost first.
    public var folder: [String]
  }

  /// The subscriptions, in the document's order.
  public var entries: [Entry]
  /// What was skipped, one sentence each.
  public var notes: [String] = []

  /// Creates a list of the feeds among some sources.
  public init(_ sources: [LinkSource]) {
    entries = sources.filter { $0.kind == .feed }.map {
      Entry(address: $0.key, title: $0.title, pageAddress: $0.pageAddress, folder: $0.folder)
    }
  }

  // MARK: Reading

  /// The limit on subscriptions in one document.
  static let entryLimit = 10_000
  /// The limit on nested folders.
  static let folderLimit = 8

  /// Reads OPML as leniently as feeds.
  ///
  /// - Throws: ``LinkError`` with code `.badSubscriptions`.
  public init(opml bytes: [UInt8], limits: LinkLimits = LinkLimits()) throws {
    guard bytes.count <= limits.documentBytes else {
      throw LinkError(
        .badSubscriptions,
        "the list's \(bytes.count) bytes exceed the limit of \(limits.documentBytes)"
      )
    }
    let repair = XMLRepair(
      FeedEncoding.decode(bytes, charset: nil),
      roots: ["opml"],
      units: [],
      depth: limits.depth
    )
    guard repair.root != nil else {
      throw LinkError(
        .badSubscriptions,
        "this is not OPML: it has no opml element; export the list again as OPML"
      )
    }
    let reader = OPMLReader()
    _ = XMLEvents.read(repair.output, to: reader)
    entries = reader.entries
    notes = reader.notes
    if repair.isTruncated { notes.append("the list is cut off; what is there was imported") }
  }

  // MARK: Writing

  /// Returns the list as OPML 2.0 in UTF-8.
  public func opml(title: String = "Tickbird subscriptions") -> String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <opml version="2.0">
        <head><title>\(XMLText.escape(title))</title></head>
        <body>

      """
    var open: [String] = []
    // Feeds in one folder are written together, after those in none.
    let sorted = entries.enumerated().sorted {
      ($0.element.folder.joined(separator: "\u{1}"), $0.offset)
        < ($1.element.folder.joined(separator: "\u{1}"), $1.offset)
    }
    for (_, entry) in sorted {
      let common = zip(open, entry.folder).prefix { $0 == $1 }.count
      while open.count > common {
        open.removeLast()
        text += Self.indent(open.count) + "</outline>\n"
      }
      for name in entry.folder.dropFirst(common) {
        let name2 = XMLText.escape(name)
        text += Self.indent(open.count) + "<outline text=\"\(name2)\" title=\"\(name2)\">\n"
        open.append(name)
      }
      let title = XMLText.escape(entry.title)
      text += Self.indent(open.count)
      text += "<outline type=\"rss\" text=\"\(title)\" title=\"\(title)\""
      text += " xmlUrl=\"\(XMLText.escape(entry.address))\""
      if let page = entry.pageAddress { text += " htmlUrl=\"\(XMLText.escape(page))\"" }
      text += "/>\n"
    }
    while !open.isEmpty {
      open.removeLast()
      text += Self.indent(open.count) + "</outline>\n"
    }
    return text + "  </body>\n</opml>\n"
  }

  private static func indent(_ depth: Int) -> String {
    String(repeating: "  ", count: depth + 2)
  }
}

/// Collects the outlines of a subscription list.
private final class OPMLReader: XMLEventHandler {
  var entries: [SubscriptionList.Entry] = []
  var notes: [String] = []
  /// The folder of each open element; nil for elements that are not folders.
  private var open: [String?] = []

  func start(_ element: XMLElement) {
    var folder: String?
    defer { open.append(folder) }
    guard element.name.lowercased() == "outline" else { return }
    func value(_ names: String...) -> String? {
      for attribute in element.attributes where names.contains(attribute.name.lowercased()) {
        if let text = PlainText.collapsed(attribute.value, limit: 4_096).nonEmpty { return text }
      }
      return nil
    }
    let title = value("title") ?? value("text") ?? ""
    guard let text = value("xmlurl") else {
      folder = title.nonEmpty
      return
    }
    guard let address = try? LinkAddress.typed(text) else {
      if notes.count < 100 {
        notes.append("\(title.isEmpty ? text : title): \(text) is not an http or https address")
      }
      return
    }
    guard entries.count < SubscriptionList.entryLimit else {
      if entries.count == SubscriptionList.entryLimit, notes.count < 101 {
        notes.append("feeds after the first \(SubscriptionList.entryLimit) are left out")
      }
      return
    }
    entries.append(
      SubscriptionList.Entry(
        address: address,
        title: PlainText.collapsed(title, limit: 200),
        pageAddress: value("htmlurl").flatMap { LinkAddress.resolve($0) },
        folder: Array(
          open.compactMap { $0 }.map { PlainText.collapsed($0, limit: 100) }
            .prefix(SubscriptionList.folderLimit)
        )
      )
    )
  }

  func end() { open.removeLast() }

  func text(_ text: String) {}
}
