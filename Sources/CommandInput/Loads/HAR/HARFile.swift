package import ContentBlocking
/// The loads of an HTTP archive, as the developer tools of browsers save them.
///
/// Archives differ in what they contain: Chromium names types, causes and mostly pages, Firefox and
/// WebKit one page for all, proxies none. What WebKit would see is reconstructed from everything
/// there is: pages and frames from `pageref`, the initiator of a load, its Referer and
/// Sec-Fetch-Dest, and times; the rest has the defaults of ``ResourceLoad``.
/// `Documentation/Loads.md` describes it.
///
/// Takes time and memory linear in the archive, apart from sorting entries that are out of order.
package struct HARFile {
  /// One request of the archive.
  package struct Entry {
    /// The load.
    package var load: ResourceLoad
    /// The index of its page, in the order of appearance.
    package var page: Int
    /// The earlier loads without each of which this one would not have happened.
    package var causes: [LoadCause] = []
    /// What was guessed because the archive does not have it.
    package var guesses: Guesses = []
    /// The position in the archive's `log.entries`, from 0.
    package var place = 0
  }

  /// What was guessed about a load.
  package struct Guesses: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The resource type, which neither the browser's word nor the request gives.
    package static let type = Guesses(rawValue: 1 << 0)
    /// The page.
    package static let page = Guesses(rawValue: 1 << 1)
    /// The frame in the page.
    package static let frame = Guesses(rawValue: 1 << 2)
  }

  /// The loads, in the order in which they began.
  package private(set) var entries: [Entry] = []
  /// The number of entries skipped because their URLs cannot be parsed.
  package private(set) var invalidCount = 0

  /// Verifies that there is something to look at.
  ///
  /// - Parameter name: The archive's name for errors.
  /// - Throws: ``InputError`` if there is no entry, with the reason.
  package func checkEntries(name: String) throws(InputError) {
    guard entries.isEmpty else { return }
    throw InputError(
      invalidCount > 0
        ? "no entry of \(name) has a URL that can be parsed; save the network log again"
        : "\(name) has no requests; open the network tab before the page is loaded, then save again"
    )
  }

  /// Reads an archive.
  ///
  /// - Throws: ``InputError`` if the text is not JSON or has no entries at all; single invalid
  ///   entries are skipped.
  package init(_ text: [UInt8], name: String) throws(InputError) {
    // Some tools write a byte order mark.
    let bytes = text.byteOrderMarkCount == 0 ? text : Array(text.dropFirst(text.byteOrderMarkCount))
    var tape = JSONTape()
    do throws(JSONTape.Fault) {
      try tape.parse(bytes.span)
    } catch {
      throw InputError(
        bytes.isEmpty
          ? "\(name) is empty; save the network log of a page as HAR again"
          : "\(name) is not a HAR file: \(error.expected) is expected at byte \(error.offset); "
            + "save the network log of a page as HAR again"
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
    entries = PageBuilder(pages: reader.pages(bytes.span)).entries(rows)
    invalidCount = tape.children(of: list).reduce(0) { count, _ in count + 1 } - rows.count
  }
}
