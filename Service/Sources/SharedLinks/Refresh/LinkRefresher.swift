public import Foundation

/// Fetches sources and merges their items into the store.
///
///     let refresher = LinkRefresher(store: store, transport: CurlTransport())
///     for report in try await refresher.refresh(.due) { print(report) }
///
/// At most ``concurrentFetches`` feeds are fetched at a time, ``concurrentFetchesPerHost`` of them
/// from one host. Each source is committed in one transaction as soon as it arrives, so cancelling
/// loses nothing.
public struct LinkRefresher: Sendable {
  /// How many feeds are fetched at a time.
  public static let concurrentFetches = 8
  /// How many of these may be from one host.
  public static let concurrentFetchesPerHost = 4
  /// Seconds until a source's icon is fetched again.
  static let iconInterval = 7.0 * 24 * 3600

  let store: LinkStore
  let fetcher: LinkFetcher
  let reader: DocumentReader
  let extensions: (any ExtensionLinkSource)?
  let clock: @Sendable () -> Date

  /// The sources to fetch.
  public enum Scope: Sendable {
    /// Sources whose next fetch is due.
    case due
    /// All sources, except those held back after failures or at their server's request.
    case all
    /// All sources, including those that are gone for good.
    case forced
  }

  /// Creates a refresher.
  ///
  /// - Parameters:
  ///   - store: The store to merge into.
  ///   - transport: Sends the requests.
  ///   - reader: Reads the fetched documents.
  ///   - extensions: The host of Shared Links extensions; nil fetches only feeds.
  ///   - clock: Returns the current time.
  public init(
    store: LinkStore,
    transport: any LinkTransport,
    reader: DocumentReader = .shared,
    extensions: (any ExtensionLinkSource)? = nil,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.store = store
    fetcher = LinkFetcher(transport: transport, limits: store.limits)
    self.reader = reader
    self.extensions = extensions
    self.clock = clock
  }

  /// Fetches feeds and calls extensions.
  ///
  /// - Parameters:
  ///   - scope: Which sources to fetch.
  ///   - sourceIDs: Restricts them to these; nil for all.
  ///   - progress: Called with each source's report as it completes.
  /// - Returns: The report of each source tried, in the store's order.
  /// - Throws: ``LinkError`` if the store fails; failures of sources are in their reports.
  public func refresh(
    _ scope: Scope,
    sourceIDs: Set<Int64>? = nil,
    progress: @escaping @Sendable (RefreshReport) -> Void = { _ in }
  ) async throws -> [RefreshReport] {
    let now = clock()
    try await keepExtensions(now: now)
    let sources = try store.sources().filter { source in
      sourceIDs?.contains(source.id) ?? true
    }
    var waiting: [LinkSource] = []
    var reports: [Int64: RefreshReport] = [:]
    for source in sources where source.kind == .feed || extensions != nil {
      if let reason = Self.reasonToSkip(source, scope, now: now) {
        if scope != .due { reports[source.id] = RefreshReport(source, .skipped(reason)) }
      } else {
        waiting.append(source)
      }
    }
    let fetched = try await fetchAll(waiting, progress: progress)
    reports.merge(fetched) { $1 }
    return sources.compactMap { reports[$0.id] }
  }

  static func reasonToSkip(_ source: LinkSource, _ scope: Scope, now: Date) -> String? {
    let state = source.state
    switch scope {
    case .forced: return nil
    case _ where state.isGone: return "it is gone for good; --force asks again"
    // A clock that was ahead once may have scheduled it years away.
    case _ where state.tried.map({ $0 > now + RefreshPolicy.clockTolerance }) ?? false: return nil
    case .all:
      guard state.isHeldBack, let next = state.nextFetch, next > now else { return nil }
      let minutes = Int((next.timeIntervalSince(now) / 60).rounded(.up))
      return "held back for \(minutes) min: \(state.lastError ?? "the server asked for it")"
    case .due:
      guard let next = state.nextFetch, next > now else { return nil }
      return "not due"
    }
  }

  /// Fetches sources, a limited number at a time.
  private func fetchAll(
    _ sources: [LinkSource],
    progress: @escaping @Sendable (RefreshReport) -> Void
  ) async throws -> [Int64: RefreshReport] {
    var queue = FetchQueue(sources, limit: Self.concurrentFetchesPerHost, host: Self.host)
    var reports: [Int64: RefreshReport] = [:]
    return try await withThrowingTaskGroup(of: (report: RefreshReport, host: Int).self) { group in
      var running = 0
      func startNext() {
        while running < Self.concurrentFetches, let (source, host) = queue.next() {
          running += 1
          group.addTask { (try await refreshOne(source), host) }
        }
      }
      startNext()
      while let (report, host) = try await group.next() {
        running -= 1
        queue.finish(host)
        reports[report.source.id] = report
        progress(report)
        startNext()
      }
      return reports
    }
  }

  /// Returns the resource for which sources compete: a host, or the extension host's processes.
  private static func host(_ source: LinkSource) -> String {
    source.kind == .feed ? LinkAddress.host(source.key) : "extension"
  }

  private func refreshOne(_ source: LinkSource) async throws -> RefreshReport {
    switch source.kind {
    case .feed: try await refreshFeed(source)
    case .extension: try await refreshExtension(source)
    }
  }
}

/// The result of refreshing one source.
public struct RefreshReport: Equatable, Sendable {
  /// What happened.
  public enum Outcome: Equatable, Sendable {
    /// It was fetched and stored.
    case fetched(MergeCounts)
    /// It has nothing new.
    case unchanged
    /// It failed; the sentence says why.
    case failed(String)
    /// It was not tried; the sentence says why.
    case skipped(String)
  }

  /// The source as it was before the refresh.
  public var source: LinkSource
  /// What happened.
  public var outcome: Outcome
  /// What was wrong with the document or answer.
  public var notes: [String]

  init(_ source: LinkSource, _ outcome: Outcome, notes: [String] = []) {
    self.source = source
    self.outcome = outcome
    self.notes = notes
  }
}
