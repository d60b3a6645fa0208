internal import DurableFiles
internal import Foundation
internal import ListIngestion
internal import ServiceFolders

extension ListUpdater {
  /// What a user asks for when adding a list.
  public struct Request: Sendable {
    /// Where it comes from.
    public var source: SubscriptionSource
    /// Addresses to try after the source.
    public var mirrors: [String]
    /// The addresses that may be on this machine or in its network; nil for all.
    ///
    /// The user names them; a file that somebody else may have made does not.
    public var localAddresses: [String]?
    /// The name that the user gives it.
    public var name: String?
    /// The id that is wished for, such as a name of the catalogue.
    public var id: String?
    /// What the file of the source is going to have; nil for what it has.
    var contents: NewContents?

    /// Creates a request.
    public init(
      _ source: SubscriptionSource,
      mirrors: [String] = [],
      name: String? = nil,
      id: String? = nil
    ) {
      self.source = source
      self.mirrors = mirrors
      self.name = name
      self.id = id
    }
  }

  /// Fetches a list for the first time, and turns it on.
  ///
  /// - Returns: The new subscription, with notes.
  /// - Throws: ``SubscriptionError``; nothing is added then, and nothing is left behind.
  public func add(_ request: Request) async throws -> ListUpdateReport {
    try checkRoom(request, among: store.subscriptions())
    try store.makeFolders()
    // What is left of an attempt that failed would keep its name.
    try? store.removeLeftovers(now: clock())
    let (staging, lock) = try store.makeStaging()
    defer {
      try? FileManager.default.removeItem(at: staging)
      withExtendedLifetime(lock) {}
    }
    var draft = Subscription(
      id: staging.lastPathComponent,
      source: request.source,
      added: clock()
    )
    draft.mirrors = request.mirrors
    draft.localAddresses = request.localAddresses ?? draft.addresses
    draft.givenName = request.name
    let attempt: Attempt
    do {
      if let contents = request.contents {
        attempt = try await self.attempt(draft, contents)
      } else {
        attempt = try await self.attempt(draft, acceptsShort: true)
      }
    } catch let failure as UpdateFailure {
      throw failure.error
    }
    let made = draft
    return try store.change { all throws(SubscriptionError) in
      try checkRoom(request, among: all)
      let subscription = finish(made, attempt, request, taken: Set(all.map(\.id)))
      if let other = all.first(where: { $0.source == subscription.source }) {
        throw Self.duplicate(other)
      }
      var attempt = attempt
      attempt.settleMove(of: made, among: all)
      try request.contents?.write()
      do throws(FileFailure) {
        try DurableFile.rename(staging.path, to: store.folder(of: subscription.id).path)
      } catch {
        throw SubscriptionError(.file, error.description)
      }
      all.append(subscription)
      return ListUpdateReport(
        subscription: subscription,
        outcome: .changed(rulesBefore: nil),
        notes: attempt.notes
      )
    }
  }

  /// Gives a new subscription its id and its times.
  private func finish(
    _ draft: Subscription,
    _ attempt: Attempt,
    _ request: Request,
    taken: Set<String>
  ) -> Subscription {
    let wishes = [
      request.id, request.name, request.source.stem.count > 2 ? request.source.stem : nil,
      attempt.made?.summary.header.title, request.source.stem, "list",
    ]
    let wish = wishes.lazy.compactMap { $0.map(Self.identifier) }.first { !$0.isEmpty } ?? "list"
    var id = wish
    var number = 2
    // A folder may be there of a list that was removed while another process used it.
    let isOwn = store.isOwn(request.source)
    while taken.contains(id) || id == OwnRules.id && !isOwn
      || FileManager.default.fileExists(atPath: store.folder(of: id).path)
    {
      id = "\(wish)-\(number)"
      number += 1
    }
    var subscription = Subscription(id: id, source: draft.source, added: draft.added)
    subscription.mirrors = draft.mirrors
    subscription.localAddresses = draft.localAddresses
    subscription.givenName = draft.givenName
    attempt.apply(to: &subscription)
    let now = clock()
    subscription.checked = now
    subscription.succeeded = now
    switch subscription.source {
    case .address:
      let expires = subscription.summary?.header.expires
      subscription.next = ListSchedule.next(after: now, expires: expires, id: id)
    case .file: subscription.next = now.addingTimeInterval(ListSchedule.fileInterval)
    }
    return subscription
  }

  /// Returns a text as an id: small letters, digits and single hyphens, at most 40.
  static func identifier(_ text: String) -> String {
    var id = ""
    for scalar in text.lowercased().unicodeScalars {
      switch scalar {
      case "a"..."z", "0"..."9": id.unicodeScalars.append(scalar)
      default: if !id.isEmpty, !id.hasSuffix("-") { id += "-" }
      }
      if id.utf8.count == 40 { break }
    }
    while id.hasSuffix("-") { id.removeLast() }
    return id
  }

  private func checkRoom(
    _ request: Request,
    among all: [Subscription]
  ) throws(SubscriptionError) {
    if let other = all.first(where: { $0.source == request.source }) {
      throw Self.duplicate(other)
    }
    guard all.count < store.limits.lists else {
      throw SubscriptionError(
        .tooMany,
        "there are \(all.count) lists already, which is the most; remove one with: tickbird lists "
          + "remove NAME"
      )
    }
    guard request.mirrors.count <= store.limits.mirrors else {
      throw SubscriptionError(
        .badSource,
        "a list may have \(store.limits.mirrors) mirrors; leave out the others"
      )
    }
    if case .file = request.source, !request.mirrors.isEmpty {
      throw SubscriptionError(.badSource, "a file has no mirrors; leave them out")
    }
  }

  private static func duplicate(_ other: Subscription) -> SubscriptionError {
    SubscriptionError(
      .duplicate,
      "\(other.source.text) is there already, as \(other.id)"
        + (other.isOn ? "" : "; turn it on with: tickbird lists on \(other.id)")
    )
  }

  /// Removes a list with everything of it.
  ///
  /// - Parameter name: What a person calls it; see ``SubscriptionStore/subscription(_:)``.
  /// - Returns: The subscription as it was.
  /// - Throws: ``SubscriptionError`` with code `.notFound` or `.ambiguous`, or of the disk.
  @discardableResult
  public func remove(_ name: String) throws(SubscriptionError) -> Subscription {
    try remove(id: store.subscription(name).id)
  }

  /// Removes the list of an id with everything of it.
  ///
  /// - Returns: The subscription as it was.
  /// - Throws: ``SubscriptionError`` with code `.notFound`, or of the disk.
  @discardableResult
  public func remove(id: String) throws(SubscriptionError) -> Subscription {
    _ = try store.subscription(id: id)
    let removed = try store.change(usingReserve: true) { all throws(SubscriptionError) in
      guard let index = all.firstIndex(where: { $0.id == id }) else {
        throw SubscriptionStore.gone(id)
      }
      return all.remove(at: index)
    }
    // An update in another process may still write there; it, or the next call, removes the rest.
    store.removeFolder(ofRemoved: id)
    try? store.removeLeftovers(now: clock())
    return removed
  }

  /// Turns a list on or off, and makes one that is turned on again if it is damaged.
  ///
  /// - Parameters:
  ///   - name: What a person calls it; see ``SubscriptionStore/subscription(_:)``.
  ///   - isOn: Whether it is to be on.
  /// - Returns: The subscription as it is now.
  /// - Throws: ``SubscriptionError`` with code `.notFound` or `.ambiguous`, or of the disk; and
  ///   cancellation.
  @discardableResult
  public func turn(_ name: String, on isOn: Bool) async throws -> Subscription {
    try await turn(id: store.subscription(name).id, on: isOn)
  }

  /// Turns the list of an id on or off, and makes one that is turned on again if it is damaged.
  ///
  /// - Returns: The subscription as it is now.
  /// - Throws: ``SubscriptionError`` with code `.notFound`, or of the disk; and cancellation.
  @discardableResult
  public func turn(id: String, on isOn: Bool) async throws -> Subscription {
    let changed = try setOn(id: id, isOn)
    guard isOn, store.damage(of: changed) != nil else { return changed }
    // Its report has nothing that is not in the subscription.
    return try await update(.due, ids: [changed.id]).first?.subscription ?? changed
  }

  /// Turns the list of an id on or off.
  ///
  /// A list that is turned on acts at once as it was, and its update is due if its time has come.
  ///
  /// - Returns: The subscription as it is now.
  /// - Throws: ``SubscriptionError`` with code `.notFound`, or of the disk.
  @discardableResult
  public func setOn(id: String, _ isOn: Bool) throws(SubscriptionError) -> Subscription {
    _ = try store.subscription(id: id)
    guard let changed = try store.change(id, usingReserve: !isOn, { $0.isOn = isOn }) else {
      throw SubscriptionStore.gone(id)
    }
    return changed
  }
}
