internal import WebURL

/// Reads the archive's objects.
struct HARReader {
  /// What the archive says about a page.
  struct NamedPage {
    /// The title, if it is a URL, as browsers write it.
    var url: WebURL?
  }

  let tape: JSONTape
  let log: Int

  /// Reads the pages, by name.
  func pages(_ text: Span<UInt8>) -> [String: NamedPage] {
    var named: [String: NamedPage] = [:]
    guard let pages = tape.member("pages", of: log, in: text) else { return named }
    for page in tape.children(of: pages) {
      guard let name = member("id", page, text) else { continue }
      let title = member("title", page, text) ?? ""
      let isURL = title.hasPrefix("http://") || title.hasPrefix("https://")
      named[name] = NamedPage(url: isURL ? WebURL(title)?.withoutFragment : nil)
    }
    return named
  }

  /// Reads the requests, in the order of their times.
  func rows(_ list: Int, _ text: Span<UInt8>) -> [HARRow] {
    var rows: [HARRow] = []
    for (place, entry) in tape.children(of: list).enumerated() {
      guard let request = tape.member("request", of: entry, in: text),
        let url = member("url", request, text).flatMap({ WebURL($0) })
      else { continue }
      var row = HARRow(url: url)
      row.place = place
      row.page = member("pageref", entry, text)
      row.time = member("startedDateTime", entry, text).flatMap { HARTime($0) }
      row.method = member("method", request, text) ?? "GET"
      row.resourceType = member("_resourceType", entry, text)?.lowercased()
      row.isPrefetch = row.resourceType == "prefetch"
      readInitiator(of: entry, into: &row, text)
      readHeaders(of: request, into: &row, text)
      if let data = tape.member("postData", of: request, in: text) {
        row.contentType = row.contentType ?? member("mimeType", data, text)?.lowercased()
      }
      if let response = tape.member("response", of: entry, in: text) {
        readResponse(response, into: &row, text)
      }
      // Proxies write the request by which the connection began.
      if row.isWebSocket { row.url.useWebSocketScheme() }
      if row.isTextTrack { row.url = LoadWords.url(row.url, ofType: "texttrack") }
      rows.append(row)
    }
    // Keeps the archive's order if times are missing or equal.
    if rows.allSatisfy({ $0.time != nil }) {
      rows.sort { ($0.time ?? .zero, $0.place) < ($1.time ?? .zero, $1.place) }
    }
    return rows
  }

  private func readResponse(_ response: Int, into row: inout HARRow, _ text: Span<UInt8>) {
    let status = tape.integer(tape.member("status", of: response, in: text), in: text) ?? 0
    // Redirects by the browser itself, such as to https, are 307 as well.
    if (300..<400).contains(status) {
      var target = member("redirectURL", response, text) ?? ""
      // Proxies leave it to the Location header.
      if target.isEmpty { target = location(response, text) ?? "" }
      if !target.isEmpty { row.redirect = WebURL(target, base: row.url)?.withoutFragment }
    }
    if let content = tape.member("content", of: response, in: text) {
      row.mediaType = member("mimeType", content, text)?.lowercased()
    }
  }

  private func location(_ response: Int, _ text: Span<UInt8>) -> String? {
    guard let headers = tape.member("headers", of: response, in: text) else { return nil }
    for header in tape.children(of: headers) {
      guard let name = member("name", header, text), name.utf8.count == 8,
        name.lowercased() == "location"
      else { continue }
      return member("value", header, text)
    }
    return nil
  }

  /// The most frames of a stack that are read.
  private static let stackLimit = 32

  /// Reads the initiator: its URL, and the scripts of the stack, outermost last.
  private func readInitiator(of entry: Int, into row: inout HARRow, _ text: Span<UInt8>) {
    guard let initiator = tape.member("_initiator", of: entry, in: text) else { return }
    // A proxy may use a field of that name for a text.
    row.initiatorType = member("type", initiator, text)?.lowercased()
    if let url = member("url", initiator, text) { append(url, to: &row) }
    var stack = tape.member("stack", of: initiator, in: text)
    var seen = 0
    while let part = stack, seen < Self.stackLimit {
      if let frames = tape.member("callFrames", of: part, in: text) {
        for frame in tape.children(of: frames) where seen < Self.stackLimit {
          seen += 1
          if let url = member("url", frame, text) { append(url, to: &row) }
        }
      }
      seen += 1
      stack = tape.member("parent", of: part, in: text)
    }
  }

  private func append(_ url: String, to row: inout HARRow) {
    guard !url.isEmpty, let url = WebURL(url)?.withoutFragment, !row.initiators.contains(url)
    else { return }
    row.initiators.append(url)
  }

  private func readHeaders(of request: Int, into row: inout HARRow, _ text: Span<UInt8>) {
    guard let headers = tape.member("headers", of: request, in: text) else { return }
    for header in tape.children(of: headers) {
      guard let name = member("name", header, text), name.utf8.count < 40 else { continue }
      func value() -> String? { member("value", header, text)?.lowercased() }
      switch name.lowercased() {
      case "sec-fetch-dest": row.destination = value()
      case "accept": row.accept = value()
      case "content-type": row.contentType = value()
      case "referer":
        row.referrer = member("value", header, text).flatMap { WebURL($0)?.withoutFragment }
      case "x-requested-with": row.isScripted = true
      case "ping-to", "ping-from": row.isPing = true
      case "upgrade": row.isWebSocket = row.isWebSocket || value() == "websocket"
      case "sec-purpose", "purpose", "x-moz", "x-purpose":
        let value = value() ?? ""
        if value.contains("prerender") {
          row.isPrerender = true
        } else if value.hasPrefix("prefetch") {
          row.isPrefetch = true
        }
      default: break
      }
    }
  }

  private func member(_ key: StaticString, _ object: Int, _ text: Span<UInt8>) -> String? {
    tape.string(tape.member(key, of: object, in: text), in: text)
  }
}

extension WebURL {
  /// The URL without its fragment, as it is compared and sent.
  var withoutFragment: WebURL {
    guard fragment != nil else { return self }
    var url = self
    url.setFragment(nil)
    return url
  }
}

extension WebURL {
  /// Gives an `http` or `https` URL the scheme that rules see for a WebSocket.
  fileprivate mutating func useWebSocketScheme() {
    switch scheme {
    case "http": _ = setScheme("ws")
    case "https": _ = setScheme("wss")
    default: break
    }
  }
}
