package import ContentBlocking
internal import ResourceLoads
internal import WebURL

/// The loads of an HTTP archive, as the developer tools of browsers save them.
///
/// Archives differ in what they tell: Chromium names each load's type and the page's URL, others
/// leave both to be found out from headers, media types and file names. What WebKit would see is
/// made from that: fragments are removed, the page's URL becomes the top URL, its method the
/// document's, and an iframe's first load has the frame URL `about:blank`.
package struct HARFile {
  /// One request of the archive.
  package struct Entry {
    /// The load.
    package var load: ResourceLoad
    /// The page that it belongs to, as a number from 0 in the order of appearance.
    package var page: Int
    /// The earlier loads without any of which this one would not have happened.
    package var causes: [LoadCause] = []
    /// What the archive does not tell, so that it was guessed.
    package var guesses: Guesses = []
    /// The place in the archive's `log.entries`, from 0.
    package var place = 0
  }

  /// What was guessed about a load.
  package struct Guesses: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The resource type: neither the browser's word nor the request tells it.
    package static let type = Guesses(rawValue: 1 << 0)
    /// The page.
    package static let page = Guesses(rawValue: 1 << 1)
    /// The frame in the page.
    package static let frame = Guesses(rawValue: 1 << 2)
  }

  /// The loads, in the order in which they began.
  package private(set) var entries: [Entry] = []
  /// How many entries were left out because their URLs cannot be parsed.
  package private(set) var invalidCount = 0

  /// Reads an archive.
  ///
  /// - Throws: ``InputError`` when the text is no JSON or has no entries at all; single entries that
  ///   make no sense are left out instead.
  package init(_ text: [UInt8], name: String) throws(InputError) {
    // Some tools write a byte-order mark.
    let bytes = text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
    var tape = JSONTape()
    do throws(JSONTape.Fault) {
      try tape.parse(bytes.span)
    } catch {
      throw InputError(
        bytes.isEmpty
          ? "\(name) is empty; save the network log of a page as HAR again"
          : "\(name) is no HAR file: \(error.expected) is expected at byte \(error.offset); save "
            + "the network log of a page as HAR again"
      )
    }
    guard let log = tape.member("log", of: JSONTape.root, in: bytes.span),
      let list = tape.member("entries", of: log, in: bytes.span), tape.kind(list) == .array
    else {
      throw InputError(
        "\(name) is JSON, but no HAR file: it has no log.entries; save the network log of a page "
          + "as HAR"
      )
    }
    let reader = HARReader(tape: tape, log: log)
    let rows = reader.rows(list, bytes.span)
    entries = PageBuilder(pages: reader.pageURLs(bytes.span)).entries(rows)
    invalidCount = tape.children(of: list).reduce(0) { count, _ in count + 1 } - rows.count
  }
}

/// Reads the archive's objects.
private struct HARReader {
  let tape: JSONTape
  let log: Int

  /// The URLs of the pages that say theirs in the title, by the page's name.
  func pageURLs(_ text: Span<UInt8>) -> [String: WebURL] {
    var urls: [String: WebURL] = [:]
    guard let pages = tape.member("pages", of: log, in: text) else { return urls }
    for page in tape.children(of: pages) {
      guard let name = tape.string(tape.member("id", of: page, in: text), in: text),
        let title = tape.string(tape.member("title", of: page, in: text), in: text),
        title.hasPrefix("http://") || title.hasPrefix("https://"), let url = WebURL(title)
      else { continue }
      urls[name] = url
    }
    return urls
  }

  func rows(_ list: Int, _ text: Span<UInt8>) -> [HARRow] {
    var rows: [HARRow] = []
    for (place, entry) in tape.children(of: list).enumerated() {
      guard let request = tape.member("request", of: entry, in: text),
        let url = member("url", request, text).flatMap({ WebURL($0) })
      else { continue }
      var row = HARRow(url: url)
      row.place = place
      row.page = member("pageref", entry, text)
      row.method = member("method", request, text) ?? "GET"
      row.resourceType = member("_resourceType", entry, text)?.lowercased()
      readHeaders(of: request, into: &row, text)
      if let data = tape.member("postData", of: request, in: text) {
        row.contentType = row.contentType ?? member("mimeType", data, text)?.lowercased()
      }
      if let response = tape.member("response", of: entry, in: text) {
        let status = tape.integer(tape.member("status", of: response, in: text), in: text) ?? 0
        if (300..<400).contains(status), let target = member("redirectURL", response, text),
          !target.isEmpty
        {
          row.redirect = WebURL(target, base: url)
        }
        if let content = tape.member("content", of: response, in: text) {
          row.mediaType = member("mimeType", content, text)?.lowercased()
        }
      }
      rows.append(row)
    }
    return rows
  }

  private func readHeaders(of request: Int, into row: inout HARRow, _ text: Span<UInt8>) {
    guard let headers = tape.member("headers", of: request, in: text) else { return }
    for header in tape.children(of: headers) {
      guard let name = member("name", header, text), name.utf8.count < 40 else { continue }
      switch name.lowercased() {
      case "sec-fetch-dest": row.destination = member("value", header, text)?.lowercased()
      case "accept": row.accept = member("value", header, text)?.lowercased()
      case "content-type": row.contentType = member("value", header, text)?.lowercased()
      case "referer": row.referrer = member("value", header, text).flatMap { WebURL($0) }
      case "x-requested-with": row.isScripted = true
      case "ping-to", "ping-from": row.isPing = true
      default: break
      }
    }
  }

  private func member(_ key: StaticString, _ object: Int, _ text: Span<UInt8>) -> String? {
    tape.string(tape.member(key, of: object, in: text), in: text)
  }
}

/// Finds out the page and the frame of each request.
private struct PageBuilder {
  private struct Page {
    var url: WebURL?
    var method: String
    /// Where the main document's redirect leads, until it has got there.
    var redirect: WebURL?
    var hasDocument = false
    /// The URLs of documents in frames.
    var frames: Set<WebURL> = []
  }

  private let titles: [String: WebURL]
  private var pages: [Page] = []
  /// The place in `pages` of each name.
  private var numbers: [String: Int] = [:]

  init(pages: [String: WebURL]) { titles = pages }

  func entries(_ rows: [HARRow]) -> [HARFile.Entry] {
    var builder = self
    let numbers = builder.findPages(rows)
    var hops: [WebURL: Int] = [:]
    var entries: [HARFile.Entry] = []
    for (row, number) in zip(rows, numbers) {
      var entry = builder.entry(row, number)
      entry.place = row.place
      if let hop = hops.removeValue(forKey: row.url.withoutFragment) {
        entry.causes.append(LoadCause(.redirect, hop))
      }
      if let target = row.redirect { hops[target.withoutFragment] = entries.count }
      entries.append(entry)
    }
    return entries
  }

  /// Gives each page the URL that its loads have before its document is met.
  ///
  /// - Returns: The page of each row.
  private mutating func findPages(_ rows: [HARRow]) -> [Int] {
    let found = rows.map { row in
      let number = number(of: row.page ?? "")
      if pages[number].url == nil, row.guessedType == .topDocument { pages[number].url = row.url }
      return number
    }
    for (row, number) in zip(rows, found) where pages[number].url == nil {
      // A log without its document: what sent the reader there is the best guess.
      pages[number].url = row.referrer ?? row.url
    }
    return found
  }

  private mutating func number(of name: String) -> Int {
    if let number = numbers[name] { return number }
    pages.append(Page(url: titles[name], method: "GET"))
    numbers[name] = pages.count - 1
    return pages.count - 1
  }

  /// Changes the page where it stands: a copy of it would have its frames copied with each document.
  private mutating func entry(_ row: HARRow, _ number: Int) -> HARFile.Entry {
    var type = row.guessedType
    if type == .topDocument, row.resourceType != "prefetch" {
      let isNavigation =
        !pages[number].hasDocument || pages[number].redirect == row.url.withoutFragment
        || row.destination == "document"
      if isNavigation, !row.isInFrame {
        pages[number].url = row.url
        pages[number].method = row.method
        pages[number].hasDocument = true
        pages[number].redirect = row.redirect?.withoutFragment
      } else {
        type = .childDocument
      }
    }
    if type == .childDocument { pages[number].frames.insert(row.url.withoutFragment) }
    return HARFile.Entry(load: load(row, type, pages[number]), page: number)
  }

  private func load(_ row: HARRow, _ type: ResourceType, _ page: Page) -> ResourceLoad {
    let isNavigation = type == .topDocument && row.resourceType != "prefetch"
    let top = isNavigation ? row.url : page.url ?? row.url
    // Only frames of the same origin tell their whole URL to those they ask.
    let frame =
      row.referrer.map(\.withoutFragment).flatMap {
        page.frames.contains($0) && $0 != top.withoutFragment ? $0 : nil
      }
    let isDocument = type == .topDocument || type == .childDocument
    return ResourceLoad(
      url: row.url,
      topURL: top,
      frameURL: type == .childDocument ? WebURL("about:blank") : frame,
      resourceType: type,
      loadContext: type == .childDocument || frame != nil ? .childFrame : .topFrame,
      requestMethod: LoadWords.requestMethod(isDocument ? row.method : page.method)
    )
  }
}

extension WebURL {
  fileprivate var withoutFragment: WebURL {
    var url = self
    url.setFragment(nil)
    return url
  }
}
