internal import Foundation

extension LinkRefresher {
  /// Creates or updates a source for each extension that is turned on.
  func keepExtensions(now: Date) async throws {
    guard let extensions else { return }
    // Where the host cannot be asked, the sources that are there say so when they are refreshed.
    for description in (try? await extensions.linkExtensions()) ?? [] {
      _ = try store.keepExtension(
        identifier: description.identifier,
        name: PlainText.collapsed(description.displayName, limit: 100),
        icon: description.icon.flatMap { LinkIcon($0, limit: store.limits.iconBytes) },
        now: now
      )
    }
  }

  /// Asks one extension for its items and merges them.
  ///
  /// An item that a later answer lacks stays, like one that has left a feed: an answer says what is
  /// new, and nothing unread is taken away.
  func refreshExtension(_ source: LinkSource) async throws -> RefreshReport {
    guard let extensions else { return RefreshReport(source, .skipped("there is no host")) }
    do {
      let on = try await extensions.linkExtensions()
      guard on.contains(where: { $0.identifier == source.key }) else {
        return RefreshReport(source, .skipped("the extension is off"))
      }
      let answer = try await extensions.items(of: source.key)
      let now = clock()
      let next = RefreshPolicy.next(after: now, minutesToLive: nil, maximumAge: nil)
      guard let answer else {
        try store.keepUnchanged(sourceID: source.id, nextFetch: next, now: now)
        return RefreshReport(source, .unchanged)
      }
      let reader = ExtensionItemReader(
        answer,
        displayName: source.ownTitle,
        limits: store.limits
      )
      if !reader.notes.isEmpty { await extensions.note(reader.notes, for: source.key) }
      let counts = try store.merge(
        LinkStore.FetchedDocument(
          items: reader.items,
          ownTitle: source.ownTitle,
          notes: reader.notes,
          nextFetch: next
        ),
        sourceID: source.id,
        now: now
      )
      guard let counts else { return RefreshReport(source, .skipped("it was removed meanwhile")) }
      let outcome: RefreshReport.Outcome = counts == MergeCounts() ? .unchanged : .fetched(counts)
      return RefreshReport(source, outcome, notes: reader.notes)
    } catch let error as LinkError where error.code == .storeUnusable {
      throw error
    } catch let error as LinkError where error.code == .notAsked {
      // Not counted as a failure, since it says nothing about the extension.
      return RefreshReport(source, .failed(error.message))
    } catch {
      let message = (error as? LinkError)?.message ?? error.localizedDescription
      let now = clock()
      try store.keepFailure(
        message,
        sourceID: source.id,
        isGone: false,
        nextFetch: RefreshPolicy.next(
          after: now,
          failures: source.state.failures + 1,
          retryAfter: nil,
          address: source.key
        ),
        now: now
      )
      return RefreshReport(source, .failed(message))
    }
  }
}
