package import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import WebURL

/// The visit that a network log tells of.
package enum ArchivedLog {
  /// Decides the requests of a page of an HTTP archive.
  ///
  /// - Parameters:
  ///   - text: The archive.
  ///   - name: Its name for errors.
  ///   - decider: Decides.
  /// - Returns: The requests with their bytes, and those that would not have happened.
  /// - Throws: `InputError` if it is no archive, or has no requests.
  package static func visit(
    _ text: [UInt8],
    name: String,
    decider: any PreviewDeciding
  ) throws(InputError) -> PageVisit {
    let file = try HARFile(text, name: name)
    try file.checkEntries(name: name)
    decider.forgetHiding()
    let sizes = sizes(text)
    var visit = PageVisit(url: file.entries.first?.load.topURL.description ?? name)
    var prevented = PreventedLoads()
    let pageCount = (file.entries.map(\.page).max() ?? 0) + 1
    for entry in file.entries {
      let verdict = decider.verdict(of: entry.load)
      let prevention = prevented.add(entry.causes, isBlocked: verdict.isBlocked)
      let frame = entry.load.frameURL == entry.load.topURL ? nil : entry.load.frameURL.description
      var request = PageVisit.Request(
        url: entry.load.url.description,
        type: LoadWords.word(for: entry.load.resourceType),
        frame: frame,
        verdict: verdict
      )
      if sizes.indices.contains(entry.place) {
        request.bytes = sizes[entry.place].bytes
        request.status = sizes[entry.place].status
      }
      if let prevention {
        let blocked = file.entries[prevention.blockedEntry].load.url
        request.prevention = "not asked for, because \(blocked) is blocked"
      }
      // All is shown together, so that what frames hide alike is told, and kept, once.
      visit.hiding += decider.newHiding(of: entry.load, in: visit.url)
      visit.requests.append(request)
    }
    if file.invalidCount > 0 {
      visit.notes.append(
        "\(Shown.count(file.invalidCount, "entry", "entries")) left out: no URL that can be parsed"
      )
    }
    if pageCount > 1 {
      visit.notes.append("the log has \(pageCount) pages, which are shown together")
    }
    return visit
  }

  /// Returns the status and the bytes of each entry of an archive, by its position.
  private static func sizes(_ text: [UInt8]) -> [(status: Int?, bytes: Int)] {
    var tape = JSONTape()
    // Some tools write a byte order mark.
    let bytes = text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
    let span = bytes.span
    guard (try? tape.parse(span)) != nil,
      let log = tape.member("log", of: JSONTape.root, in: span),
      let entries = tape.member("entries", of: log, in: span)
    else { return [] }
    return tape.children(of: entries).map { entry in
      guard let response = tape.member("response", of: entry, in: span) else { return (nil, 0) }
      let status = tape.integer(tape.member("status", of: response, in: span), in: span)
      if let transfer = tape.integer(
        tape.member("_transferSize", of: response, in: span),
        in: span
      ),
        transfer >= 0
      {
        return (status, min(transfer, 1 << 40))
      }
      let body = tape.integer(tape.member("bodySize", of: response, in: span), in: span) ?? -1
      let content = tape.member("content", of: response, in: span)
      let size = content.flatMap {
        tape.integer(tape.member("size", of: $0, in: span), in: span)
      }
      return (status, min(max(body >= 0 ? body : size ?? 0, 0), 1 << 40))
    }
  }
}
