public import Foundation

/// Fetches sources and puts what they bring into the store.
///
///     let refresher = LinkRefresher(store: store, transport: CurlTransport())
///     for report in try await refresher.refresh(.due) { print(report) }
///
/// Feeds are fetched ``concurrentFetches`` at a time, of one host ``concurrentFetchesPerHost``.
/// Each source is kept as soon as it is there, in one transaction; stopping in between loses nothing.
public struct LinkRefresher: Sendable {
  /// How many feeds are fetched at a time.
  public static let concurrentFetches = 8
  /// How many of them from one host.
  public static let concurrentFetchesPerHost = 4
  /// Seconds until a source's icon is looked for again.
  static let iconInterval = 7.0 * 24 * 3600

  let store: LinkStore
  let fetcher: LinkFetcher
  let reader: DocumentReader
  let extensions: (any ExtensionLinkSource)?
  let clock: @Sendable () -> Date

  /// Which sources are fetched.
  public enum Scope: Sendable {
    /// Those whose time has come.
    case due
    /// All but those that are held back by failures or by a wish of their server.
    case all
    /// All, also those that are gone.
    case forced
  }

  /// Makes a refresher.
  ///
  /// - Parameters:
  ///   - store: Where what is fetched is kept.
  ///   - transport: What carries the requests.
  ///   - reader: What reads the documents that come.
  ///   - extensions: The host of Shared Links extensions; without one only feeds are fetched.
  ///   - clock: The time.
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

  /// Fetches feeds and asks extensions.
  ///
  /// - Parameters:
  ///   - scope: Which of them.
  ///   - sourceIDs: Only these sources; nil for all.
  ///   - progress: Told of each source when it is done, in the order in which they are.
  /// - Returns: The outcome of each source that was tried, in the order of the store.
  /// - Throws: ``LinkError`` where the store fails; failures of sources are in the reports.
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
    case .all:
      guard state.isHeldBack, let next = state.nextFetch, next > now else { return nil }
      let minutes = Int((next.timeIntervalSince(now) / 60).rounded(.up))
      return "held back for \(minutes) min: \(state.lastError ?? "the server asked for it")"
    case .due:
      guard let next = state.nextFetch, next > now else { return nil }
      return "not due"
    }
  }

  /// Fetches sources, a bounded number at a time.
  private func fetchAll(
    _ sources: [LinkSource],
    progress: @escaping @Sendable (RefreshReport) -> Void
  ) async throws -> [Int64: RefreshReport] {
    var queue = sources
    var busy: [String: Int] = [:]
    var reports: [Int64: RefreshReport] = [:]
    return try await withThrowingTaskGroup(of: RefreshReport.self) { group in
      var running = 0
      func startNext() {
        while running < Self.concurrentFetches,
          let place = queue.firstIndex(where: {
            busy[Self.host($0), default: 0] < Self.concurrentFetchesPerHost
          })
        {
          let source = queue.remove(at: place)
          busy[Self.host(source), default: 0] += 1
          running += 1
          group.addTask { try await refreshOne(source) }
        }
      }
      startNext()
      while let report = try await group.next() {
        running -= 1
        busy[Self.host(report.source), default: 1] -= 1
        reports[report.source.id] = report
        progress(report)
        startNext()
      }
      return reports
    }
  }

  /// What sources that are asked together share: a host, or the extension host's processes.
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

/// The outcome of one source.
public struct RefreshReport: Equatable, Sendable {
  /// What happened.
  public enum Outcome: Equatable, Sendable {
    /// It was fetched and kept.
    case fetched(MergeCounts)
    /// It has nothing new.
    case unchanged
    /// It failed, for the reason that the sentence says.
    case failed(String)
    /// It was not tried, for the reason that the sentence says.
    case skipped(String)
  }

  /// The source as it was before.
  public var source: LinkSource
  /// What happened.
  public var outcome: Outcome
  /// What was wrong with what came.
  public var notes: [String]

  init(_ source: LinkSource, _ outcome: Outcome, notes: [String] = []) {
    self.source = source
    self.outcome = outcome
    self.notes = notes
  }
}
