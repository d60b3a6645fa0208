internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import PageTexts
internal import SharedLinks

/// The pages of Shared Links: the stream, newest first, with search, and the subscriptions.
struct StreamPage: Sendable {
  let site: Site
  let store: LinkStore
  let refresher: LinkRefresher
  private static let linksPerPage = 50

  func add(to routes: Routes) {
    routes.get("/stream", in: .stream) { visit in try stream(visit) }
    routes.get("/stream/icons/:digest", in: .stream, icon)
    routes.post("/stream/mark", in: .stream, mark)
    routes.post("/stream/mark-all", in: .stream, markAll)
    routes.post("/stream/refresh", in: .stream, refresh)
    routes.get("/stream/sources", in: .stream) { visit in try sources(visit) }
    routes.post("/stream/subscribe", in: .stream, subscribe)
    routes.get("/stream/sources/:id/remove", in: .stream, askToRemove)
    routes.post("/stream/sources/:id/remove", in: .stream, remove)
    routes.get("/stream/export", in: .stream) { _ in
      let text = SubscriptionList(try store.sources()).opml()
      return site.download(Data(text.utf8), name: "subscriptions.opml", type: "text/x-opml")
    }
    routes.post("/stream/import", in: .stream, limit: 16 << 20, takeIn)
  }

  // MARK: The stream

  /// The links that a request asks for.
  private struct Filter {
    var words: String
    var source: Int?
    var isUnread: Bool
    var showsBlocked: Bool

    init(_ fields: FormFields) {
      words = fields["q"].trimmingCharacters(in: .whitespacesAndNewlines)
      source = fields.number("source")
      isUnread = fields["unread"] == "yes"
      showsBlocked = fields["blocked"] == "yes"
    }

    var fields: [String: String] {
      [
        "q": words, "source": source.map { "\($0)" } ?? "", "unread": isUnread ? "yes" : "",
        "blocked": showsBlocked ? "yes" : "",
      ]
    }

    var isAny: Bool { !words.isEmpty || source != nil || isUnread || showsBlocked }

    /// The address of the stream with this filter.
    var path: String {
      let parts = fields.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
        .map { "\($0.key)=\(Paging.encoded($0.value))" }
      return "/stream" + (parts.isEmpty ? "" : "?" + parts.joined(separator: "&"))
    }

    var query: LinkQuery {
      var query = LinkQuery()
      query.words = words.isEmpty ? nil : words
      query.sourceID = source.map(Int64.init)
      query.isUnread = isUnread
      query.blocked = showsBlocked ? .shown : .hidden
      return query
    }
  }

  private func stream(_ visit: Visit) throws -> Response {
    let filter = Filter(visit.query)
    var query = filter.query
    let count = try store.count(query)
    let paging = Paging(
      count: count,
      perPage: Self.linksPerPage,
      page: visit.query.number("page")
    )
    query.limit = Self.linksPerPage
    query.offset = paging.range.lowerBound
    let now = Date()
    let items = try store.items(query)
    let sources = try store.sources()
    var hidden = query
    hidden.blocked = .only
    let blocked = filter.showsBlocked ? 0 : try store.count(hidden)
    let texts = visit.texts
    let unread = sources.reduce(0) { $0 + $1.unreadCount }
    let values: [String: Any] = [
      "words": filter.words, "isUnread": filter.isUnread, "showsBlocked": filter.showsBlocked,
      "isFiltered": filter.isAny, "isEmpty": sources.isEmpty,
      "isNothingFetched": !sources.isEmpty && count == 0 && !filter.isAny && blocked == 0,
      "isNothingFound": count == 0 && (filter.isAny || blocked > 0), "hasItems": count > 0,
      "items": items.map { item(in: $0, now: now, texts) }, "place": filter.path,
      "hasBlocked": blocked > 0, "blocked": texts.counted("stream_hidden", blocked),
      "summary": filter.isAny
        ? texts.counted("stream_found", count) : texts.counted("stream_links", count, unread),
      "hasUnread": unread > 0, "now": "\(now.timeIntervalSince1970)",
      "sources": sources.map { source in
        [
          "id": source.id, "title": source.title,
          "isChosen": filter.source.map(Int64.init) == source.id,
        ] as [String: Any]
      },
      "paging": paging.values("\(site.base)/stream", filter.fields, texts),
    ]
    return site.page(
      in: .stream,
      for: visit,
      script: "stream.js",
      content: Template.stream(site.values(values), in: texts.language)
    )
  }

  private func item(in item: LinkItem, now: Date, _ texts: Texts) -> [String: Any] {
    var values: [String: Any] = [
      "id": item.id, "title": item.title, "source": item.displayName, "isRead": item.isRead,
      "time": texts.time(item.date, now: now), "host": Self.host(item.address),
      "letter": item.displayName.first.map { String($0).uppercased() } ?? "",
    ]
    // An address of another scheme is shown, but not linked.
    if Self.isPage(item.address) { values["address"] = ["url": item.address] }
    let text = item.text
    if !text.isEmpty, text != item.title { values["text"] = ["text": text] }
    if let icon = item.icon { values["icon"] = ["digest": icon] }
    if let blocked = item.blocked {
      values["blockedBy"] =
        ["list": blocked.list, "rule": texts.number(blocked.rule)] as [String: Any]
    }
    return values
  }

  private static func isPage(_ address: String) -> Bool {
    let scheme = address.prefix { $0 != ":" }.lowercased()
    return scheme == "http" || scheme == "https"
  }

  private static func host(_ address: String) -> String {
    URLComponents(string: address)?.host ?? ""
  }

  private func icon(_ visit: Visit) throws -> Response {
    guard let icon = try store.icon(digest: visit.part("digest")) else {
      throw PageError(.notFound, visit.texts("stream_no_icon"))
    }
    return Response(
      status: .ok,
      headers: [.contentType: icon.mediaType, .cacheControl: "private, max-age=86400"],
      body: .init(byteBuffer: ByteBuffer(bytes: icon.bytes))
    )
  }

  // MARK: Read state

  private func mark(_ visit: Visit) throws -> Response {
    guard let id = visit.form.number("id") else {
      throw PageError(.unprocessableContent, visit.texts("stream_no_link"))
    }
    try store.mark([Int64(id)], isRead: visit.form["read"] == "yes")
    return site.done(to: back(visit))
  }

  private func markAll(_ visit: Visit) throws -> Response {
    let filter = Filter(visit.form)
    // Links that arrived after the page was shown are not marked.
    let shown = Double(visit.form["now"]).map { Date(timeIntervalSince1970: $0) }
    let count = try store.markAll(
      sourceID: filter.source.map(Int64.init),
      isRead: true,
      firstSeenThrough: shown
    )
    return site.done(visit.texts.counted("stream_marked", count), to: back(visit))
  }

  /// Returns the part of the stream that a form was on.
  private func back(_ visit: Visit) -> String {
    let query = visit.form["place"].split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    return Filter(FormFields(urlEncoded: query)).path
  }

  // MARK: Fetching and subscribing

  private func refresh(_ visit: Visit) async throws -> Response {
    let reports = try await refresher.refresh(.all)
    var new = 0
    let texts = visit.texts
    var failures: [(name: String, reason: Phrase)] = []
    for report in reports {
      switch report.outcome {
      case .fetched(let counts): new += counts.new
      case .failed(let reason): failures.append((report.source.title, .english(reason)))
      case .unchanged, .skipped: break
      }
    }
    let found = new == 0 ? texts("stream_no_new") : texts.counted("stream_new", new)
    guard !failures.isEmpty else { return site.done(found, to: back(visit)) }
    var sentences = [found, texts("stream_failed", texts.failures(failures))]
    if failures.count > 1 { sentences.append(texts("stream_see")) }
    return site.done(texts.sentences(sentences), isWarning: true, to: back(visit))
  }

  private func subscribe(_ visit: Visit) async throws -> Response {
    let address = visit.form["address"].trimmingCharacters(in: .whitespacesAndNewlines)
    do {
      switch try await refresher.add(address) {
      case .added(let source):
        return site.done(
          visit.texts.counted("stream_subscribed", source.itemCount, source.title),
          to: "/stream?source=\(source.id)"
        )
      case .several(let feeds): return try sources(visit, address: address, candidates: feeds)
      }
    } catch let error as LinkError where error.code != .storeUnusable {
      return try sources(visit, address: address, error: error)
    }
  }

  private func sources(
    _ visit: Visit,
    address: String = "",
    candidates: [FeedCandidate] = [],
    error: LinkError? = nil
  ) throws -> Response {
    let sources = try store.sources()
    var values: [String: Any] = [
      "address": address, "isEmpty": sources.isEmpty, "hasCandidates": !candidates.isEmpty,
      "candidates": candidates.map { feed in
        ["address": feed.address, "title": feed.title.isEmpty ? feed.address : feed.title]
      },
      "sources": sources.map { source($0, visit.texts) },
    ]
    if let error { values["error"] = ["message": PageError.message(error, for: visit).shown] }
    return site.page(
      visit.texts("stream_subscriptions"),
      in: .stream,
      for: visit,
      status: error == nil ? .ok : .unprocessableContent,
      content: Template.subscriptions(site.values(values), in: visit.texts.language)
    )
  }

  private func source(_ source: LinkSource, _ texts: Texts) -> [String: Any] {
    var values: [String: Any] = [
      "id": source.id, "title": source.title, "key": source.key,
      "count": texts.number(source.itemCount), "unread": texts.number(source.unreadCount),
      "isFeed": source.kind == .feed,
      "folder": source.folder.joined(separator: " / "),
    ]
    if let icon = source.icon { values["icon"] = ["digest": icon] }
    if let date = source.state.succeeded { values["fetched"] = texts.time(date) }
    if let fault = source.state.lastError {
      let words = Phrase.english(fault)
      values["fault"] = ["text": (source.state.isGone ? texts("stream_gone", words) : words).shown]
    }
    return values
  }

  private func askToRemove(_ visit: Visit) throws -> Response {
    let source = try chosen(visit)
    let texts = visit.texts
    return site.page(
      texts("stream_unsubscribe"),
      in: .stream,
      for: visit,
      content: Template.unsubscribing(
        site.values([
          "id": source.id, "title": source.title,
          "count": texts.counted("stream_unsubscribe_links", source.itemCount, source.key).shown,
        ]),
        in: texts.language
      )
    )
  }

  private func remove(_ visit: Visit) throws -> Response {
    let source = try chosen(visit)
    let count = try store.remove(sourceID: source.id)
    return site.done(
      visit.texts.counted("stream_unsubscribed", count, source.title),
      to: "/stream/sources"
    )
  }

  private func chosen(_ visit: Visit) throws -> LinkSource {
    // Only the complete list has counts.
    let id = Int64(visit.part("id"))
    guard let source = try store.sources().first(where: { $0.id == id }) else {
      throw PageError(.notFound, visit.texts("stream_no_source"))
    }
    guard source.kind == .feed else {
      throw PageError(
        .unprocessableContent,
        visit.texts("stream_source_extension", source.title)
      )
    }
    return source
  }

  private func takeIn(_ visit: Visit) async throws -> Response {
    guard let file = visit.form.files["file"], !file.bytes.isEmpty else {
      throw PageError(.unprocessableContent, visit.texts("stream_no_file"))
    }
    let counts = try store.subscribe(
      to: try await DocumentReader.shared.subscriptions(opml: file.bytes)
    )
    let texts = visit.texts
    var sentences = [texts.counted("stream_imported", counts.added, file.name)]
    if counts.present > 0 { sentences.append(texts.counted("stream_present", counts.present)) }
    if counts.added > 0 { sentences.append(texts("stream_then_refresh")) }
    return site.done(texts.sentences(sentences), to: "/stream/sources")
  }
}
