internal import CurlTransfers
internal import Foundation

extension LinkRefresher {
  /// Fetches one feed and merges its items.
  func refreshFeed(_ source: LinkSource) async throws -> RefreshReport {
    let answer: LinkFetcher.Answer
    do {
      answer = try await fetcher.fetch(
        source.key,
        localHost: source.isLocal ? NetworkHost.of(source.key) : nil,
        entityTag: source.state.entityTag,
        lastModified: source.state.lastModified,
        now: clock()
      )
    } catch let failure as FetchFailure {
      // A cancelled refresh is not a failure of the feed.
      try Task.checkCancellation()
      return try keep(failure, source)
    }
    switch answer {
    case .notModified(let maximumAge):
      let now = clock()
      let next = RefreshPolicy.next(after: now, minutesToLive: nil, maximumAge: maximumAge)
      try store.keepUnchanged(sourceID: source.id, nextFetch: next, now: now)
      return RefreshReport(source, .unchanged)
    case .document(let fetched):
      let document: FeedDocument
      do {
        document = try await reader.feed(fetched, limits: store.limits)
      } catch let error as LinkError {
        try Task.checkCancellation()
        return try keep(
          FetchFailure(error.message, isOfMachine: error.code == .readerMissing),
          source
        )
      }
      return try await keep(document, fetched, source)
    }
  }

  func keep(
    _ document: FeedDocument,
    _ fetched: LinkFetcher.Document,
    _ source: LinkSource,
    pageIcons: [String] = []
  ) async throws -> RefreshReport {
    let now = clock()
    let merged = LinkStore.FetchedDocument(
      items: Self.items(of: document, rule: source.identityRule, address: fetched.address),
      ownTitle: document.title,
      pageAddress: document.pageAddress,
      notes: document.notes,
      entityTag: fetched.entityTag,
      lastModified: fetched.lastModified,
      digest: ItemIdentity.digest(fetched.body),
      nextFetch: RefreshPolicy.next(
        after: now,
        minutesToLive: document.minutesToLive,
        maximumAge: fetched.maximumAge
      ),
      newAddress: fetched.newAddress
    )
    guard let counts = try store.merge(merged, sourceID: source.id, now: now) else {
      return RefreshReport(source, .skipped("it was removed meanwhile"))
    }
    try await fetchIcon(document, fetched, source, pageIcons: pageIcons)
    let outcome: RefreshReport.Outcome = counts == MergeCounts() ? .unchanged : .fetched(counts)
    return RefreshReport(source, outcome, notes: document.notes)
  }

  private func keep(_ failure: FetchFailure, _ source: LinkSource) throws -> RefreshReport {
    // Not counted as a failure, so that the feed is retried as soon as this machine is able to.
    guard !failure.isOfMachine else { return RefreshReport(source, .failed(failure.message)) }
    let now = clock()
    try store.keepFailure(
      failure.message,
      sourceID: source.id,
      isGone: failure.status == 410,
      nextFetch: RefreshPolicy.next(
        after: now,
        failures: source.state.failures + 1,
        retryAfter: failure.retryAfter,
        address: source.key
      ),
      now: now
    )
    return RefreshReport(source, .failed(failure.message))
  }

  /// Converts a document's entries to items of the store.
  static func items(
    of document: FeedDocument,
    rule: LinkSource.IdentityRule,
    address: String
  ) -> [IncomingItem] {
    zip(document.entries, ItemIdentity.keys(of: document.entries, rule: rule)).map { entry, key in
      IncomingItem(
        identity: key,
        identifier: entry.identifier,
        // An item without a link gets the feed's page or site, not the feed's address, which may be
        // the secret that grants access.
        address: entry.address ?? document.pageAddress ?? LinkAddress.site(address),
        date: entry.date,
        title: entry.title,
        text: entry.text,
        author: entry.author == document.title ? nil : entry.author,
        icon: nil,
        imageAddress: entry.imageAddress
      )
    }
  }

  // MARK: Icons

  /// Fetches a feed's icon if it is missing or old.
  ///
  /// Tries what the feed names, what its page names, then the site's `/favicon.ico`. Finding none
  /// is not a failure.
  private func fetchIcon(
    _ document: FeedDocument,
    _ fetched: LinkFetcher.Document,
    _ source: LinkSource,
    pageIcons: [String]
  ) async throws {
    let now = clock()
    let old = now.addingTimeInterval(-Self.iconInterval)
    guard try store.wantsIcon(sourceID: source.id, triedBefore: old) else { return }
    let site = LinkAddress.resolve("/favicon.ico", base: document.pageAddress ?? fetched.address)
    let candidates =
      document.iconAddresses.prefix(2) + pageIcons.prefix(2) + [site].compactMap { $0 }
    for candidate in candidates
    where !LinkAddress.isLocal(candidate) || LinkAddress.haveSameHost(candidate, source.key) {
      let answer = try? await fetcher.fetch(
        candidate,
        localHost: source.isLocal ? NetworkHost.of(source.key) : nil,
        bodyLimit: store.limits.iconBytes,
        accept: "image/png, image/*;q=0.8",
        now: now
      )
      if case .document(let image) = answer,
        let icon = LinkIcon(image.body, limit: store.limits.iconBytes)
      {
        return try store.setIcon(icon, sourceID: source.id, now: now)
      }
    }
    try store.setIcon(nil, sourceID: source.id, now: now)
  }
}
