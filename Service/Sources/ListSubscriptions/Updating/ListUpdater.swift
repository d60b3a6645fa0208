public import CurlTransfers
internal import DurableFiles
public import Foundation
internal import ListIngestion
internal import ServiceFolders
internal import Synchronization

/// Adds lists and keeps them up to date.
///
///     let updater = ListUpdater(store: SubscriptionStore(data: folders.data), preparation: .inProcess)
///     let report = try await updater.add(.address("https://lists.example/ads.txt"))
///     for report in try await updater.update(.due) { … }
///
/// A new list is fetched, checked and compiled beside the one that acts, which is replaced only then.
/// Whatever fails is recorded, and leaves the old list acting.
public struct ListUpdater: Sendable {
  /// The lists to update.
  public enum Scope: Sendable {
    /// Lists that are on and whose update is due.
    case due
    /// All lists that are on, and those that are named, due or not.
    case all
  }

  /// The subscriptions.
  public let store: SubscriptionStore
  let preparation: ListPreparation
  let fetcher: ListFetcher
  let clock: @Sendable () -> Date
  let sound = SoundFiles()
  private let triedAgain = TriedGenerations()
  /// How long to wait for another process that changes the same list.
  static let patience = Duration.seconds(60)

  /// Creates an updater.
  ///
  /// - Parameters:
  ///   - store: The subscriptions.
  ///   - preparation: Where lists are converted and compiled.
  ///   - resolver: Finds the addresses of hosts.
  ///   - clock: Returns the current time.
  public init(
    store: SubscriptionStore,
    preparation: ListPreparation,
    resolver: any NameResolving = SystemResolver(),
    clock: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.store = store
    self.preparation = preparation
    fetcher = ListFetcher(limits: store.limits, resolver: resolver)
    self.clock = clock
  }

  /// Updates lists.
  ///
  /// - Parameters:
  ///   - scope: Which lists.
  ///   - ids: Restricts them to these; nil for all.
  ///   - acceptsShort: Whether a list that has lost most of its rules is taken all the same.
  ///   - progress: Called with each list before it is tried, and with each report.
  /// - Returns: The reports, in the order of the subscriptions; none for lists that are not due.
  /// - Throws: ``SubscriptionError`` if the subscriptions cannot be read, and cancellation; failures
  ///   of lists are in their reports.
  public func update(
    _ scope: Scope,
    ids: Set<String>? = nil,
    acceptsShort: Bool = false,
    progress: @escaping @Sendable (ListUpdateProgress) -> Void = { _ in }
  ) async throws -> [ListUpdateReport] {
    let now = clock()
    let all = try store.subscriptions()
    guard !all.isEmpty else { return [] }
    let chosen = all.filter { subscription in
      guard ids?.contains(subscription.id) ?? true else { return false }
      return scope == .all
        ? ids != nil || subscription.isOn : isDue(subscription, at: now)
    }
    if !chosen.isEmpty { try? store.removeLeftovers(now: now) }
    var reports: [String: ListUpdateReport] = [:]
    var waiting = chosen[...]
    try await withThrowingTaskGroup(of: ListUpdateReport?.self) { group in
      var running = 0
      func startNext() {
        while running < store.limits.concurrentFetches, let next = waiting.popFirst() {
          running += 1
          progress(.began(next))
          group.addTask { try await updateOne(next.id, scope, acceptsShort: acceptsShort) }
        }
      }
      startNext()
      while let report = try await group.next() {
        running -= 1
        if let report {
          reports[report.subscription.id] = report
          progress(.ended(report))
        }
        startNext()
      }
    }
    return chosen.compactMap { reports[$0.id] }
  }

  /// Returns whether a list's time has come.
  func isDue(_ subscription: Subscription, at now: Date) -> Bool {
    subscription.isOn && (isToBeMadeAgain(subscription) || isToBeAskedFor(subscription, at: now))
  }

  /// Whether the list that acts is damaged, or another version of the program has made it, and this updater
  /// has not tried to make it again.
  private func isToBeMadeAgain(_ subscription: Subscription) -> Bool {
    guard let generation = subscription.generation else { return false }
    return !hasMade(subscription) && !triedAgain.contains(generation)
  }

  /// Whether it is time to look whether there is a new list.
  private func isToBeAskedFor(_ subscription: Subscription, at now: Date) -> Bool {
    guard ListSchedule.hasCome(subscription.next, tried: subscription.checked, now: now) else {
      return false
    }
    if case .file(let path) = subscription.source, subscription.failures == 0,
      let stamp = subscription.fileStamp
    {
      return stamp != Self.stamp(of: path)
    }
    return true
  }

  // MARK: One list

  /// Updates a list; nil if it is not there any more.
  private func updateOne(
    _ id: String,
    _ scope: Scope,
    acceptsShort: Bool
  ) async throws -> ListUpdateReport? {
    let folder = store.folder(of: id)
    let lock: FileLock
    do {
      try store.makeFolders()
      guard try store.subscriptions().contains(where: { $0.id == id }) else { return nil }
      try? DurableFile.makeFolder(folder.path)
      lock = try await SubscriptionStore.waitForLock(
        folder,
        what: "the list \(id)",
        patience: scope == .due ? SubscriptionStore.moment : Self.patience
      )
    } catch let error as SubscriptionError {
      guard let subscription = try store.subscriptions().first(where: { $0.id == id }) else {
        return nil
      }
      return ListUpdateReport(
        subscription: subscription,
        outcome: error.code == .busy ? .skipped(error.message) : .failed(error)
      )
    }
    defer { withExtendedLifetime(lock) {} }
    // Another process may have updated or removed it while this one waited.
    guard let old = try store.subscriptions().first(where: { $0.id == id }) else { return nil }
    guard scope == .all || isDue(old, at: clock()) else { return nil }
    do {
      // First of what is kept: nobody may answer, and this version may not read what another has compiled.
      let damage = damage(of: old)
      let again = try await madeAgain(old)
      let current = again ?? old
      let notes = damage.map { ["the compiled list was damaged (\($0)), and was made again"] } ?? []
      // Of what can be neither used nor made again there is nothing to wait for.
      let isLost = damage != nil && again == nil
      guard scope == .all || isLost || isToBeAskedFor(current, at: clock()) else {
        return ListUpdateReport(subscription: current, outcome: .unchanged, notes: notes)
      }
      var report = try settle(current, try await attempt(current, acceptsShort: acceptsShort))
      report?.notes += notes
      return report
    } catch let error as CancellationError {
      throw error
    } catch let failure as UpdateFailure {
      return try fail(old, failure)
    } catch {
      return try fail(old, UpdateFailure(error))
    }
  }

  /// Makes the list that acts again of what is kept of it, if it is damaged or another version of the program
  /// has made it; once, as what failed fails again.
  ///
  /// - Returns: The subscription with the new list; nil if there is none.
  private func madeAgain(_ old: Subscription) async throws -> Subscription? {
    guard isToBeMadeAgain(old), let generation = old.generation else { return nil }
    triedAgain.insert(generation)
    guard let made = await compiledAgain(old) else { return nil }
    let new = try store.change(old.id) { Attempt(made: made).apply(to: &$0) }
    if let new { store.removeOldGenerations(of: new, now: clock()) }
    return new
  }

  /// Switches to what was made, or records that there is nothing new.
  func settle(_ old: Subscription, _ made: Attempt) throws -> ListUpdateReport? {
    let now = clock()
    var made = made
    let new: Subscription? = try store.change { all throws(SubscriptionError) in
      guard let index = all.firstIndex(where: { $0.id == old.id }) else { return nil }
      var subscription = all[index]
      made.settleMove(of: subscription, among: all)
      made.apply(to: &subscription)
      subscription.checked = now
      subscription.succeeded = now
      subscription.failures = 0
      subscription.fault = nil
      subscription.countShort(nil, at: now)
      switch subscription.source {
      case .address:
        subscription.next = ListSchedule.next(
          after: now,
          expires: subscription.summary?.header.expires,
          id: subscription.id
        )
      case .file: subscription.next = now.addingTimeInterval(ListSchedule.fileInterval)
      }
      all[index] = subscription
      return subscription
    }
    guard let new else { return nil }
    store.removeOldGenerations(of: new, now: now)
    return ListUpdateReport(
      subscription: new,
      outcome: made.isChange ? .changed(rulesBefore: old.summary?.rules) : .unchanged,
      notes: made.notes
    )
  }

  /// Records a failure; what acts stays.
  private func fail(_ old: Subscription, _ failure: UpdateFailure) throws -> ListUpdateReport? {
    let now = clock()
    let new: Subscription?
    do throws(SubscriptionError) {
      new = try store.change(old.id) { subscription in
        subscription.checked = now
        subscription.failures += 1
        subscription.fault = Subscription.Fault(
          code: failure.error.code,
          message: failure.error.message,
          date: now
        )
        subscription.countShort(failure.shortDigest, at: now)
        subscription.next = ListSchedule.next(
          after: now,
          failures: subscription.failures,
          retryAfter: failure.retryAfter,
          id: subscription.id
        )
      }
    } catch {
      // The disk that refuses the list may refuse the record of it.
      return ListUpdateReport(subscription: old, outcome: .failed(failure.error))
    }
    guard let new else { return nil }
    store.removeOldGenerations(of: new, now: now)
    return ListUpdateReport(subscription: new, outcome: .failed(failure.error))
  }
}

/// The lists of other versions of the program that an updater has tried to make again.
private final class TriedGenerations: Sendable {
  private let generations = Mutex<Set<String>>([])

  func contains(_ generation: String) -> Bool { generations.withLock { $0.contains(generation) } }

  func insert(_ generation: String) { generations.withLock { _ = $0.insert(generation) } }
}

/// What an update does at the moment.
public enum ListUpdateProgress: Sendable {
  /// A list's update begins.
  case began(Subscription)
  /// A list's update has ended.
  case ended(ListUpdateReport)
}

/// Why an update failed, with what its server asked for.
struct UpdateFailure: Error {
  var error: SubscriptionError
  var retryAfter: Double?
  /// The SHA-256 of a list that came suspiciously short; nil if none did.
  var shortDigest: String?

  init(_ error: SubscriptionError, retryAfter: Double? = nil, shortDigest: String? = nil) {
    self.error = error
    self.retryAfter = retryAfter
    self.shortDigest = shortDigest
  }

  init(_ error: any Error) {
    self.error = error as? SubscriptionError ?? SubscriptionError(.file, "\(error)")
  }
}
