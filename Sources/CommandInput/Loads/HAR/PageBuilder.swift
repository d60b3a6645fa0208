internal import ContentBlocking
internal import ResourceLoads
internal import WebURL

/// Determines the page, the frame and the causes of each request, in the order of their times.
struct PageBuilder {
  /// What is known of a request after it has been placed.
  private struct Placed {
    var type: ResourceType
    /// The document that initiated it; the document of a page is its own.
    var document: Int
    var guesses: HARFile.Guesses
  }

  private struct Page {
    /// The number of its document.
    var document: Int
    /// When its last load began.
    var lastTime: HARTime?
    /// Its number among the entries, once it has one.
    var number: Int?
  }

  private let named: [String: HARReader.NamedPage]
  /// Whether the log tells pages apart by `pageref`.
  ///
  /// Then a missing `pageref` means a frame: Chromium omits it for frames in processes of their
  /// own, but not for pages.
  private var tellsPages = false
  private var documents = LoggedDocuments()
  private var pages: [Page] = []
  /// The present page of each `pageref`.
  private var pagesByName: [String: Int] = [:]
  /// The page of the last load.
  private var lastPage: Int?
  private var pageCount = 0
  private var placed: [Placed] = []
  private var entries: [HARFile.Entry] = []

  init(pages: [String: HARReader.NamedPage]) { named = pages }

  func entries(_ rows: [HARRow]) -> [HARFile.Entry] {
    var builder = self
    let chains = RedirectChains(rows)
    let names = chains.pageNames(rows)
    builder.tellsPages = rows.contains { $0.page != nil }
    let firstDocuments = Self.firstDocuments(rows, names)
    for (number, row) in rows.enumerated() {
      builder.add(
        row,
        name: names[number],
        source: chains.sources[number],
        firstDocument: names[number].flatMap { firstDocuments[$0] }.map { rows[$0].url }
      )
    }
    return builder.entries
  }

  /// Returns the first row of each `pageref` that may be the document of a page.
  private static func firstDocuments(_ rows: [HARRow], _ names: [String?]) -> [String: Int] {
    var first: [String: Int] = [:]
    for (number, row) in rows.enumerated() {
      guard let name = names[number], first[name] == nil, row.isInFrame != true, !row.isPrefetch,
        row.foundType.type == .topDocument
      else { continue }
      first[name] = number
    }
    return first
  }

  // MARK: Placing

  private mutating func add(_ row: HARRow, name: String?, source: Int?, firstDocument: WebURL?) {
    let asked = asker(row, name, source, firstDocument)
    var (type, isTypeGuess) = row.foundType
    if let source, isTypeGuess || row.destination == nil && row.resourceType == nil {
      // A redirect changes the URL, but not the purpose of the load.
      type = placed[source].type == .childDocument ? .topDocument : placed[source].type
      isTypeGuess = placed[source].guesses.contains(.type)
    }
    var guesses = asked.guesses
    if isTypeGuess { guesses.insert(.type) }
    var document = asked.document
    if type == .topDocument, !row.isPrefetch {
      let (isTop, isGuess) = isTop(row, name, source, document)
      if isGuess { guesses.formUnion([.page, .frame]) }
      if isTop {
        guesses.remove(.page)
        guesses.remove(.frame)
        if isGuess { guesses.insert(.page) }
        document = beginPage(row, name, source)
      } else {
        type = .childDocument
      }
    }
    let parent = document ?? unknownPage(row, name, firstDocument)
    if document == nil { guesses.insert(.page) }
    if row.isPrefetch { type = documents.all[parent].isTop ? .topDocument : .childDocument }
    place(row, name, Placed(type: type, document: parent, guesses: guesses), asked, source)
  }

  private mutating func place(
    _ row: HARRow,
    _ name: String?,
    _ new: Placed,
    _ asked: Asker,
    _ source: Int?
  ) {
    let url = row.url.withoutFragment
    let parent = documents.all[new.document]
    if pages[parent.page].number == nil {
      pages[parent.page].number = pageCount
      pageCount += 1
    }
    pages[parent.page].lastTime = row.time
    lastPage = parent.page
    let number = entries.count
    let isPage = new.type == .topDocument && !row.isPrefetch
    var causes = asked.causes
    if let source {
      causes = [LoadCause(.redirect, source)]
    } else if let entry = parent.entry, entry != number {
      causes.append(LoadCause(.document, entry))
    }
    if isPage, source == nil { causes = [] }
    entries.append(
      HARFile.Entry(
        load: load(row, new, parent),
        page: pages[parent.page].number ?? 0,
        causes: causes,
        guesses: new.guesses,
        place: row.place
      )
    )
    placed.append(new)
    if new.type == .childDocument, !row.isPrefetch {
      let frame = LoggedDocument(
        url: url,
        method: row.method,
        page: parent.page,
        isTop: false,
        entry: number
      )
      _ = documents.add(frame, name: name)
    } else if !isPage {
      documents.addSource(url, entry: number, document: new.document, name: name)
    }
  }

  private func load(_ row: HARRow, _ new: Placed, _ parent: LoggedDocument) -> ResourceLoad {
    let top = documents.all[pages[parent.page].document].url
    let isDocument = new.type == .topDocument || new.type == .childDocument
    let isOwn = isDocument && !row.isPrefetch
    var load = ResourceLoad(
      url: row.url,
      topURL: top,
      frameURL: isOwn || parent.isTop ? nil : parent.url,
      resourceType: new.type,
      loadContext: isOwn ? nil : parent.isTop ? .topFrame : .childFrame,
      requestMethod: LoadWords.requestMethod(isOwn ? row.method : parent.method)
    )
    if row.isPrefetch {
      // A prefetch is not a navigation, so the page stays the same.
      load.topURL = top
      load.frameURL = parent.url
    }
    return load
  }

  // MARK: Who asks

  /// The document that initiates a load, as far as the log tells.
  private struct Asker {
    var document: Int?
    var causes: [LoadCause] = []
    var guesses: HARFile.Guesses = []
  }

  private mutating func asker(
    _ row: HARRow,
    _ name: String?,
    _ source: Int?,
    _ firstDocument: WebURL?
  ) -> Asker {
    var asker = Asker()
    if let source {
      asker.document = placed[source].document
      asker.guesses = placed[source].guesses.subtracting(.type)
      return asker
    }
    for url in row.initiators {
      if let source = documents.source(at: url, name: name) {
        asker.causes.append(LoadCause(.initiator, source.entry))
        asker.document = asker.document ?? source.document
      }
    }
    // Inline scripts have the URL of their document; a script file may have the same URL.
    var inline: Int?
    for url in row.initiators where inline == nil {
      inline = documents.document(at: url, name: name)
    }
    if let inline { asker.document = inline }
    if let referrer = row.referrer { askByReferrer(referrer, name, &asker, isTold: inline != nil) }
    if asker.document == nil, let name { asker.document = pagesByName[name].map(document(of:)) }
    if inline == nil, row.initiators.contains(where: \.isSourceDocument) {
      asker.document = sourceDocument(of: asker.document, name)
    }
    if asker.document == nil, firstDocument == nil, name == nil {
      // A page of the log is better than none, if the load names none.
      if row.referrer == nil { asker.document = lastPage.map(document(of:)) }
      asker.guesses.insert(.page)
    }
    return asker
  }

  private func askByReferrer(
    _ referrer: WebURL,
    _ name: String?,
    _ asker: inout Asker,
    isTold: Bool
  ) {
    if referrer.path == "/", referrer.query == nil {
      askByOrigin(referrer, name, &asker, isTold: isTold)
    } else if let found = documents.document(at: referrer, name: name) {
      if !isTold { asker.document = found }
    } else if let source = documents.source(at: referrer, name: name) {
      // A style sheet, or the script of a worker.
      let cause = LoadCause(.initiator, source.entry)
      if !asker.causes.contains(cause) { asker.causes.append(cause) }
      if !isTold { asker.document = source.document }
    } else {
      askByOrigin(referrer, name, &asker, isTold: isTold)
    }
  }

  /// Finds the document by a Referer that may be cut to its origin.
  private func askByOrigin(
    _ referrer: WebURL,
    _ name: String?,
    _ asker: inout Asker,
    isTold: Bool
  ) {
    func isOfOrigin(_ document: Int?) -> Bool {
      document.map { documents.all[$0].url.origin == referrer.origin } ?? false
    }
    guard !isTold, !isOfOrigin(asker.document),
      let found = documents.document(ofOrigin: referrer, name: name)
    else { return }
    // Most loads are the page's own.
    let page = (name == nil ? lastPage : name.flatMap { pagesByName[$0] }).map(document(of:))
    asker.document =
      documents.document(at: referrer, name: name) ?? (isOfOrigin(page) ? page : found.document)
    if !found.isOnly { asker.guesses.insert(.frame) }
  }

  private func document(of page: Int) -> Int { pages[page].document }

  /// Returns the document of a frame whose contents stand in an attribute of another document, `about:srcdoc`.
  ///
  /// No request brings it; it is there with the other one.
  private mutating func sourceDocument(of parent: Int?, _ name: String?) -> Int? {
    guard let parent, let url = WebURL.sourceDocument else { return parent }
    let frame = LoggedDocument(
      url: url,
      method: "GET",
      page: documents.all[parent].page,
      isTop: false,
      entry: documents.all[parent].entry
    )
    return documents.addUnnamed(frame)
  }

  // MARK: Pages

  /// How long after a page's last load, in milliseconds, a document without further evidence still
  /// counts as a frame's.
  private static let frameSpan: Int64 = 10_000

  /// Whether a document is a page's own, and whether that is a guess.
  private func isTop(
    _ row: HARRow,
    _ name: String?,
    _ source: Int?,
    _ asker: Int?
  ) -> (isTop: Bool, isGuess: Bool) {
    if let isInFrame = row.isInFrame { return (!isInFrame, false) }
    if row.isPrerender { return (true, false) }
    if let source { return (placed[source].type == .topDocument, false) }
    if let name {
      guard let page = pagesByName[name] else { return (true, false) }
      let document = documents.all[pages[page].document]
      // The log began after the page's document.
      if document.entry == nil { return (true, false) }
      if let url = named[name]?.url, url == row.url.withoutFragment, url != document.url {
        return (true, false)
      }
    }
    guard let asker else { return (true, false) }
    switch row.initiatorType {
    // The parser loads documents only for frames; the browser itself follows links.
    case "parser": return (false, false)
    case "other" where row.referrer == nil: return (true, false)
    default: break
    }
    if tellsPages { return (false, name != nil) }
    // Either a link or a frame: frames are loaded soon after their page, and name it.
    guard let time = row.time, let last = pages[documents.all[asker].page].lastTime else {
      return (false, true)
    }
    let span = time.milliseconds - last.milliseconds
    return (row.referrer == nil || span > Self.frameSpan, true)
  }

  /// Starts a page with its document, or continues one whose redirect leads here.
  private mutating func beginPage(_ row: HARRow, _ name: String?, _ source: Int?) -> Int {
    let url = row.url.withoutFragment
    var page: Int?
    if let source, placed[source].type == .topDocument {
      page = documents.all[placed[source].document].page
    } else if let name, let known = pagesByName[name],
      documents.all[pages[known].document].entry == nil
    {
      page = known
    }
    let number = page ?? pages.count
    let document = documents.add(
      LoggedDocument(
        url: url,
        method: row.method,
        page: number,
        isTop: true,
        entry: entries.count
      ),
      name: name
    )
    if let page {
      pages[page].document = document
    } else {
      pages.append(Page(document: document))
    }
    if let name { pagesByName[name] = number }
    return document
  }

  /// Returns a page whose document the log lacks or has later.
  private mutating func unknownPage(
    _ row: HARRow,
    _ name: String?,
    _ firstDocument: WebURL?
  ) -> Int {
    let url =
      (name.flatMap { named[$0]?.url } ?? firstDocument ?? row.referrer ?? row.url)
      .withoutFragment
    let document = documents.add(
      LoggedDocument(url: url, method: "GET", page: pages.count, isTop: true, entry: nil),
      name: name
    )
    pages.append(Page(document: document))
    if let name { pagesByName[name] = pages.count - 1 }
    return document
  }
}

extension WebURL {
  /// What a frame has as its URL whose contents stand in its `srcdoc`.
  fileprivate static let sourceDocument = WebURL("about:srcdoc")

  fileprivate var isSourceDocument: Bool { self == Self.sourceDocument }
}
