internal import DurableFiles
public import Foundation
internal import ListIngestion
internal import ServiceFolders

/// The subscriptions of a user, in a folder.
///
///     State.json                       all subscriptions; replaced as a whole
///     Own/rules.txt                    the user's own rules; see ``OwnRules``
///     Lists/ID/GENERATION/compiled     the list that acts, as browsers get it
///     Lists/ID/GENERATION/source.txt   what it was made of, decompressed
///     Lists/ID/GENERATION/map.json     the account of its lines
///
/// The generation before stays a minute, for processes that are about to read it.
/// A list is switched by replacing `State.json`, which names its generation: at any moment, and after
/// a kill or a power failure, the state names a whole list, the old one or the new one. Reading takes
/// no lock. All calls block on the disk.
public struct SubscriptionStore: Sendable {
  /// The folder of the subscriptions.
  public let folder: URL
  let limits: SubscriptionLimits
  private let reserve: DiskReserve
  /// Says that the state was written: that of no lists stays where all were removed.
  private let mark: ContentsMark
  /// How long a process waits for another that writes the state.
  private static let patience = Duration.seconds(20)
  /// How long to wait for a lock that nobody needs to hold: one that was released is held as long as
  /// another thread starts a process, which inherits the file until its program runs.
  static let moment = Duration.milliseconds(500)
  /// How the names of folders begin in which lists are made that are being added.
  static let stagingPrefix = ".new-"
  private static let stateLimit = 16 << 20

  /// Names the store in a data folder; nothing is made before something is added.
  public init(data: URL, limits: SubscriptionLimits = SubscriptionLimits()) {
    folder = data.appending(path: "Subscriptions", directoryHint: .isDirectory)
    reserve = DiskReserve(data: data, part: folder)
    mark = ContentsMark(of: folder, contents: "lists")
    self.limits = limits
  }

  private var stateFile: URL { folder.appending(path: "State.json") }
  private var hasState: Bool { DurableFile.isThere(stateFile.path) }
  var listsFolder: URL { folder.appending(path: "Lists", directoryHint: .isDirectory) }

  func folder(of id: String) -> URL {
    listsFolder.appending(path: id, directoryHint: .isDirectory)
  }

  /// The lock of a list, which a process holds while it changes the list's folder.
  static func lockFile(in folder: URL) -> URL { folder.appending(path: "lock") }

  /// A file of the list that acts; nil if there is none.
  func file(_ name: String, of subscription: Subscription) -> URL? {
    subscription.generation.map { generation in
      folder(of: subscription.id).appending(path: generation).appending(path: name)
    }
  }

  /// The files of the list that acts, for other programs; nil if there is none.
  public func files(of subscription: Subscription) -> (compiled: URL, source: URL, map: URL?)? {
    guard let compiled = file(PreparedFiles.compiled, of: subscription),
      let format = subscription.summary?.format
    else { return nil }
    let folder = compiled.deletingLastPathComponent()
    return (
      compiled, folder.appending(path: PreparedFiles.source(format)),
      format == .webkit ? nil : folder.appending(path: PreparedFiles.map)
    )
  }

  // MARK: Reading

  /// Returns all subscriptions, in the order in which they were added.
  ///
  /// - Throws: ``SubscriptionError`` with code `.stateUnusable`.
  public func subscriptions() throws(SubscriptionError) -> [Subscription] {
    if let bytes = try state() { return try read(bytes) }
    let ids = try strayLists()
    let wasWritten = mark.isThere
    // Another process may have added the first list meanwhile.
    if let bytes = try state() { return try read(bytes) }
    guard ids.isEmpty else { throw lostState(ids) }
    if wasWritten { throw SubscriptionError(.stateUnusable, mark.loss) }
    return []
  }

  /// What a user moves away to begin without the lists, apart from the state.
  var placesOfLists: [String] { [listsFolder.path] + (mark.isThere ? [mark.path] : []) }

  /// Returns the contents of the state's file; nil if there is none.
  private func state() throws(SubscriptionError) -> [UInt8]? {
    do throws(FileFailure) {
      return try DurableFile.contents(of: stateFile.path, atMost: Self.stateLimit)
    } catch {
      guard error.isAbsence else { throw SubscriptionError(.stateUnusable, error.description) }
      return nil
    }
  }

  private func read(_ bytes: [UInt8]) throws(SubscriptionError) -> [Subscription] {
    try SubscriptionState.read(bytes, of: self, at: stateFile.path)
  }

  /// The error where the state is gone, and the lists are not.
  private func lostState(_ ids: [String]) -> SubscriptionError {
    let more = ids.count > 8 ? " and \(ids.count - 8) more" : ""
    return SubscriptionError(
      .stateUnusable,
      "\(stateFile.path) is missing, but there are lists (\(ids.prefix(8).joined(separator: ", "))\(more)); put it back, "
        + "or move \(placesOfLists.joined(separator: " and ")) away and add the lists again, your own rules by: tickbird lists own FILE"
    )
  }

  /// Finds a subscription by what a person calls it: its id, or else its source, or else its name.
  ///
  /// - Throws: ``SubscriptionError`` with code `.notFound`, `.ambiguous` or `.stateUnusable`.
  public func subscription(_ name: String) throws(SubscriptionError) -> Subscription {
    let all = try subscriptions()
    let alike: [(what: String, isMeant: (Subscription) -> Bool)] = [
      ("id", { $0.id == name }), ("source", { $0.source.text == name }),
      ("name", { $0.name.lowercased() == name.lowercased() }),
    ]
    for (what, isMeant) in alike {
      let found = all.filter(isMeant)
      if let one = found.first, found.count == 1 { return one }
      // Names are chosen by the lists' authors: the first of several may not be the one that is meant.
      guard found.isEmpty else {
        throw SubscriptionError(
          .ambiguous,
          "several lists have the \(what) \(name); name one by its id: "
            + found.map(\.id).joined(separator: ", ")
        )
      }
    }
    throw SubscriptionError(
      .notFound,
      all.isEmpty
        ? "there are no lists yet; add one with: tickbird lists add NAME, of those that tickbird "
          + "lists catalogue shows"
        : "there is no list \(name); there are \(all.map(\.id).joined(separator: ", "))"
    )
  }

  /// Finds a subscription by its id alone, as programs do, which have read it.
  ///
  /// - Throws: ``SubscriptionError`` with code `.notFound` or `.stateUnusable`.
  public func subscription(id: String) throws(SubscriptionError) -> Subscription {
    guard let found = try subscriptions().first(where: { $0.id == id }) else {
      throw Self.gone(id)
    }
    return found
  }

  /// The error where the list of an id is not there.
  static func gone(_ id: String) -> SubscriptionError {
    SubscriptionError(.notFound, "there is no list \(id) any more")
  }

  // MARK: Changing

  /// Changes the subscriptions, while no other process does.
  ///
  /// - Parameters:
  ///   - usingReserve: Whether it has to be possible when the disk is full.
  ///   - body: Changes the subscriptions; what it throws changes nothing.
  /// - Returns: What the body returns.
  /// - Throws: ``SubscriptionError`` with code `.stateUnusable`, `.busy` or `.file`, or the body's.
  func change<Value>(
    usingReserve: Bool = false,
    _ body: (inout [Subscription]) throws(SubscriptionError) -> Value
  ) throws(SubscriptionError) -> Value {
    try makeFolders()
    let lock = try Self.lock(folder, what: "the subscriptions", patience: Self.patience)
    defer { withExtendedLifetime(lock) {} }
    DurableFile.removeDrafts(in: folder.path)
    let old = try subscriptions()
    var new = old
    let value = try body(&new)
    // Also at the first time, when nothing is added yet: a list's folder without a state tells that it was lost.
    if new != old || !hasState { try write(new, usingReserve: usingReserve) }
    // Also beside the state of an earlier version, which made no mark.
    mark.make()
    return value
  }

  /// Changes one subscription; nil if it was removed meanwhile.
  func change(
    _ id: String,
    usingReserve: Bool = false,
    _ body: (inout Subscription) -> Void
  ) throws(SubscriptionError) -> Subscription? {
    try change(usingReserve: usingReserve) { all throws(SubscriptionError) in
      guard let index = all.firstIndex(where: { $0.id == id }) else { return nil }
      body(&all[index])
      return all[index]
    }
  }

  private func write(
    _ subscriptions: [Subscription],
    usingReserve: Bool
  ) throws(SubscriptionError) {
    do {
      let bytes = try SubscriptionState.bytes(subscriptions, of: self)
      let place = stateFile.path
      if usingReserve {
        try reserve.using { () throws(FileFailure) in
          try DurableFile.replaceOwnFile(place, with: bytes)
        }
      } else {
        try DurableFile.replaceOwnFile(place, with: bytes)
      }
      reserve.keep()
    } catch {
      throw SubscriptionError(
        .file,
        (error as? FileFailure)?.description ?? "\(stateFile.path) cannot be written: \(error)"
      )
    }
  }

  /// Makes the folders, unless they were there and are lost.
  ///
  /// - Throws: ``SubscriptionError`` with code `.stateUnusable` or `.file`.
  func makeFolders() throws(SubscriptionError) {
    if !hasState { _ = try subscriptions() }
    do throws(FileFailure) {
      try DurableFile.makeFolder(listsFolder.path)
    } catch {
      throw SubscriptionError(.file, error.description)
    }
  }

  /// Makes the room for a full disk again, if there is room for it.
  func keepReserve() { reserve.keep() }

  private static let holder = "tickbird lists"

  /// Takes the lock of a folder, on the thread that asks.
  ///
  /// - Throws: ``SubscriptionError`` with code `.busy` or `.file`.
  static func lock(
    _ folder: URL,
    what: String,
    patience: Duration
  ) throws(SubscriptionError) -> FileLock {
    let file = lockFile(in: folder)
    do throws(FileLock.Failure) {
      return try FileLock.waiting(for: file, holder: holder, patience: patience)
    } catch {
      throw failure(error, what)
    }
  }

  /// Takes the lock of a folder; other tasks run while this one waits.
  ///
  /// - Throws: ``SubscriptionError`` with code `.busy` or `.file`, or `CancellationError`.
  static func waitForLock(
    _ folder: URL,
    what: String,
    patience: Duration
  ) async throws -> FileLock {
    let file = lockFile(in: folder)
    do {
      return try await FileLock.waiting(for: file, holder: holder, patience: patience)
    } catch let error as FileLock.Failure {
      throw failure(error, what)
    }
  }

  private static func failure(_ error: FileLock.Failure, _ what: String) -> SubscriptionError {
    switch error {
    case .held(let holder):
      SubscriptionError(
        .busy,
        "\(what) is being changed by \(holder ?? "another process"); wait for it"
      )
    case .unusable(let message): SubscriptionError(.file, message)
    }
  }

  // MARK: Leftovers

  /// A name that no other folder has: a number of base 36.
  static func randomName() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }

  /// Whether a name is such a one.
  static func isRandom(_ name: some StringProtocol) -> Bool {
    UInt64(name, radix: 36).map { String($0, radix: 36) == name } ?? false
  }

  /// Makes a folder for a list that is being added.
  ///
  /// While the subscriptions are locked: a folder whose lock nobody holds yet would be a leftover to
  /// another process, which removes it.
  ///
  /// - Returns: The folder, and its lock, which keeps it as long as the value exists.
  /// - Throws: ``SubscriptionError`` with code `.stateUnusable`, `.busy` or `.file`.
  func makeStaging() throws(SubscriptionError) -> (folder: URL, lock: FileLock) {
    try change { _ throws(SubscriptionError) in
      let folder = folder(of: Self.stagingPrefix + Self.randomName())
      do throws(FileFailure) {
        try DurableFile.makeFolder(folder.path)
      } catch {
        throw SubscriptionError(.file, error.description)
      }
      return (folder, try Self.lock(folder, what: "a new list", patience: .zero))
    }
  }
}
