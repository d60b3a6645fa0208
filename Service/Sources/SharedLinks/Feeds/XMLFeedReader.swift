/// Reads RSS, RDF and Atom.
///
/// One reader handles all three, since real feeds mix their elements. The first value of a field
/// wins, except where a better one may follow (an alternate link, a summary).
final class XMLFeedReader: XMLEventHandler {
  private let limits: LinkLimits
  private(set) var document: FeedDocument
  private var droppedItems = 0

  /// The part of the document that a field belongs to.
  private enum Scope { case feed, item, image, source, author, ignored }
  private var scopes: [(scope: Scope, depth: Int)] = []
  private var bases: [(address: String, depth: Int)]
  private var depth = 0
  private var entry = FeedEntry()
  private var fields = ItemFields()

  private enum Field {
    case title, link, identifier, summary, content, published, updated, author, source, image
    case minutes, icon
  }

  /// A field whose text is being collected.
  private struct Capture {
    var field: Field
    var depth: Int
    var isHTML: Bool
    var text = ""
  }
  private var capture: Capture?
  /// The open elements inside the field.
  private var innerNames: [String] = []

  /// The fields of an item, until its best values are known.
  private struct ItemFields {
    var identifier: String?
    var isPermanentLink = true
    var link: String?
    var enclosure: String?
    var summary = ""
    var content = ""
    var published: String?
    var updated: String?
  }

  private init(format: FeedDocument.Format, address: String, limits: LinkLimits) {
    document = FeedDocument(format: format)
    bases = [(address, 0)]
    self.limits = limits
  }

  /// Reads a document in UTF-8.
  ///
  /// - Returns: The feed, or nil if the root element is not a feed's.
  static func read(_ bytes: [UInt8], address: String, limits: LinkLimits) -> FeedDocument? {
    let repair = XMLRepair(
      bytes,
      roots: ["rss", "feed", "rdf:rdf", "rdf", "channel", "atom:feed", "a:feed"],
      units: ["item", "entry", "rss:item", "atom:entry", "a:entry"],
      depth: limits.depth
    )
    guard let root = repair.root?.lowercased() else { return nil }
    let format: FeedDocument.Format =
      root.hasSuffix("feed") ? .atom : root.hasSuffix("rdf") ? .rdf : .rss
    let reader = XMLFeedReader(format: format, address: address, limits: limits)
    let complaint = XMLEvents.read(repair.output, to: reader)
    var document = reader.document
    if repair.isTruncated {
      document.notes.append("the document breaks off; an item that was cut is left out")
    }
    if repair.exceedsDepth {
      document.notes.append("elements nested more than \(limits.depth) deep are left out")
    }
    if reader.droppedItems > 0 {
      document.notes.append(
        "\(reader.droppedItems) items are left out: more than \(limits.itemsPerDocument), or "
          + "without title, text and link"
      )
    }
    if let complaint { document.notes.append(complaint) }
    return document
  }

  // MARK: Events

  func start(_ element: XMLElement) {
    depth += 1
    if let base = element["xml", "base"],
      let address = LinkAddress.resolve(base, base: self.base)
    {
      bases.append((address, depth))
    }
    if capture != nil {
      // Inline markup is serialized again for the HTML reader.
      if capture?.isHTML == true {
        append("<\(element.name)>")
        innerNames.append(element.name)
      }
      return
    }
    guard scope != .ignored else { return }
    let name = element.name.lowercased()
    switch (scope, name) {
    case (_, "item") where isCore(element),
      (_, "entry") where isCore(element):
      scopes.append((.item, depth))
      entry = FeedEntry()
      fields = ItemFields()
      // In RDF the item's `about` attribute is its identifier.
      fields.identifier = element["rdf", "about"]
    case (.feed, "image") where isCore(element):
      scopes.append((.image, depth))
    case (_, "textinput"),
      (_, "image") where isCore(element):
      scopes.append((.ignored, depth))
    case (.item, "source") where element["url"] == nil && document.format == .atom:
      scopes.append((.source, depth))
    case (_, "author") where document.format == .atom && isCore(element):
      scopes.append((.author, depth))
    default:
      begin(element, name)
    }
  }

  func end() {
    if let capture, capture.depth == depth {
      self.capture = nil
      finish(capture)
    } else if capture?.isHTML == true {
      append("</\(innerNames.popLast() ?? "")>")
    }
    if let last = scopes.last, last.depth == depth {
      scopes.removeLast()
      if last.scope == .item { finishItem() }
    }
    if let last = bases.last, last.depth == depth, bases.count > 1 { bases.removeLast() }
    depth -= 1
  }

  func text(_ text: String) {
    // Not bound: a second copy would have each piece of a long text copy all of it.
    guard let isHTML = capture?.isHTML, let start = capture?.depth else { return }
    guard isHTML, start < depth || isMarkup else { return append(text) }
    append(text.replacing("&", with: "&amp;").replacing("<", with: "&lt;"))
  }

  // MARK: Elements

  private var scope: Scope { scopes.last?.scope ?? .feed }
  private var base: String { bases.last?.address ?? "" }
  /// Whether the current field is inline XHTML, which needs no decoding.
  private var isMarkup = false

  private func append(_ text: String) {
    guard let length = capture?.text.utf8.count, length < limits.fieldBytes else { return }
    let room = limits.fieldBytes - length
    capture?.text += text.utf8.count <= room ? text : String(text.prefix(room / 4))
  }

  /// Returns whether an element belongs to RSS or Atom itself, whatever namespace it claims.
  private func isCore(_ element: XMLElement) -> Bool {
    guard let prefix = element.prefix else {
      return element.namespace != "http://www.w3.org/1999/xhtml"
    }
    let namespace = element.namespace ?? ""
    return prefix == "atom" || prefix == "a" || prefix == "rss"
      || namespace == "http://www.w3.org/2005/Atom" || namespace == "http://purl.org/rss/1.0/"
  }

  private func begin(_ element: XMLElement, _ name: String) {
    if isCore(element) { return beginCore(element, name) }
    let prefix = element.prefix?.lowercased() ?? ""
    let namespace = element.namespace ?? ""
    if prefix == "dc" || namespace.hasPrefix("http://purl.org/dc/") {
      switch name {
      case "date": collect(.published)
      case "creator": collect(.author)
      case "title": collect(.title)
      default: break
      }
    } else if prefix == "content" || namespace.hasPrefix("http://purl.org/rss/1.0/modules/content")
    {
      if name == "encoded" { collect(.content, isHTML: true) }
    } else if prefix == "media" || namespace.hasPrefix("http://search.yahoo.com/mrss") {
      let isImage =
        element["medium"] == "image" || element["type"]?.hasPrefix("image/") == true
      if name == "thumbnail" || (name == "content" && isImage) { setImage(element["url"]) }
    } else if prefix == "itunes" || namespace.hasPrefix("http://www.itunes.com/dtds/podcast") {
      if name == "image" { setImage(element["href"]) }
    }
  }

  private func beginCore(_ element: XMLElement, _ name: String) {
    let type = element["type"]?.lowercased() ?? ""
    let isAtom = document.format == .atom
    // Atom declares the type of a text; in RSS any text may be HTML.
    let isHTML = isAtom ? type.contains("html") : true
    switch name {
    case "title": collect(.title, isHTML: isHTML, isMarkup: type.contains("xhtml"))
    case "link": link(element)
    case "guid":
      fields.isPermanentLink = element["isPermaLink"]?.lowercased() != "false"
      collect(.identifier)
    case "id": collect(.identifier)
    case "description", "summary", "tagline", "subtitle":
      collect(.summary, isHTML: isHTML, isMarkup: type.contains("xhtml"))
    case "content":
      collect(.content, isHTML: isHTML, isMarkup: type.contains("xhtml"))
    case "pubdate", "published", "issued", "created": collect(.published)
    case "updated", "modified", "lastbuilddate": collect(.updated)
    case "source" where scope == .item: collect(.source)
    case "name" where scope == .author: collect(.author)
    case "url" where scope == .image: collect(.icon)
    case "icon", "logo": collect(.icon)
    case "ttl": collect(.minutes)
    case "enclosure": enclosure(element["url"], type: type)
    default: break
    }
  }

  private func collect(_ field: Field, isHTML: Bool = false, isMarkup: Bool = false) {
    capture = Capture(field: field, depth: depth, isHTML: isHTML || isMarkup)
    self.isMarkup = isMarkup
  }

  private func link(_ element: XMLElement) {
    guard let href = element["href"] else { return collect(.link) }
    let relation = element["rel"]?.lowercased() ?? "alternate"
    if relation == "enclosure" {
      return enclosure(href, type: element["type"]?.lowercased() ?? "")
    }
    guard relation == "alternate" else { return }
    let address = LinkAddress.resolve(href, base: base, limit: limits.addressBytes)
    switch scope {
    case .item:
      // Of several alternate links, the HTML one is the page.
      let isPage = element["type"] == nil || element["type"]?.contains("html") == true
      if fields.link == nil || (isPage && !hasPageLink) { fields.link = address ?? fields.link }
      hasPageLink = hasPageLink || (isPage && address != nil)
    case .feed: document.pageAddress = document.pageAddress ?? address
    default: break
    }
  }
  private var hasPageLink = false

  private func enclosure(_ address: String?, type: String) {
    guard scope == .item, let address else { return }
    if type.hasPrefix("image/") { setImage(address) }
    fields.enclosure = fields.enclosure ?? LinkAddress.resolve(address, base: base)
  }

  private func setImage(_ address: String?) {
    guard let address = address.flatMap({ LinkAddress.resolve($0, base: base) }) else { return }
    if scope == .item {
      entry.imageAddress = entry.imageAddress ?? address
    } else if scope == .feed {
      addIcon(address)
    }
  }

  private func addIcon(_ address: String) {
    guard document.iconAddresses.count < 4, !document.iconAddresses.contains(address) else {
      return
    }
    document.iconAddresses.append(address)
  }

  // MARK: Fields

  private func finish(_ capture: Capture) {
    let plain = capture.text.trimmingWhitespace()
    switch (scope, capture.field) {
    case (.feed, .title):
      if document.title.isEmpty { document.title = title(capture) }
    case (.feed, .link):
      document.pageAddress = document.pageAddress ?? LinkAddress.resolve(plain, base: base)
    case (.feed, .icon), (.image, .icon), (.feed, .image):
      if let address = LinkAddress.resolve(plain, base: base) { addIcon(address) }
    case (.feed, .minutes):
      document.minutesToLive = Int(plain).flatMap { (1...10_080).contains($0) ? $0 : nil }
    case (.item, _), (.author, .author), (.source, .title):
      finishField(of: capture, plain)
    default:
      break
    }
  }

  private func finishField(of capture: Capture, _ plain: String) {
    switch capture.field {
    case .title where scope == .source:
      entry.author = entry.author ?? title(capture).nonEmpty
    case .title: if entry.title.isEmpty { entry.title = title(capture) }
    case .link: fields.link = fields.link ?? LinkAddress.resolve(plain, base: base)
    case .identifier:
      guard !plain.isEmpty, plain.utf8.count <= limits.addressBytes else { break }
      fields.identifier = plain
    case .summary: if fields.summary.isEmpty { fields.summary = body(capture) }
    case .content: if fields.content.isEmpty { fields.content = body(capture) }
    case .published: fields.published = fields.published ?? plain.nonEmpty
    case .updated: fields.updated = fields.updated ?? plain.nonEmpty
    case .author where scopes.contains(where: { $0.scope == .item }), .source:
      entry.author = entry.author ?? PlainText.collapsed(plain, limit: 100).nonEmpty
    default: break
    }
  }

  private func title(_ capture: Capture) -> String {
    plainText(capture, limit: limits.titleCharacters)
  }

  private func body(_ capture: Capture) -> String {
    plainText(capture, limit: limits.textCharacters)
  }

  private func plainText(_ capture: Capture, limit: Int) -> String {
    capture.isHTML
      ? PlainText.fromHTML(capture.text, limit: limit)
      : PlainText.collapsed(capture.text, limit: limit)
  }

  private func finishItem() {
    hasPageLink = false
    entry.identifier = fields.identifier
    entry.text = fields.summary.isEmpty ? fields.content : fields.summary
    entry.date =
      fields.published.flatMap(FeedDate.parse) ?? fields.updated.flatMap(FeedDate.parse)
    let permanent =
      fields.isPermanentLink ? fields.identifier.flatMap { LinkAddress.resolve($0) } : nil
    entry.address = fields.link ?? permanent ?? fields.enclosure
    let isEmpty = entry.title.isEmpty && entry.text.isEmpty && entry.address == nil
    guard !isEmpty, document.entries.count < limits.itemsPerDocument else {
      droppedItems += 1
      return
    }
    document.entries.append(entry)
  }
}
