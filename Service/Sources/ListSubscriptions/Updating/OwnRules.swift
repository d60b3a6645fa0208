internal import DurableFiles
internal import Foundation
internal import ListIngestion
internal import ServiceFolders

/// The rules that a user writes: one list of their own, in any syntax that a list may have.
///
///     Own/rules.txt   what was written last, and was accepted
///
/// It acts as a subscription to that file, which is there as long as there are rules. A text with a fault
/// replaces nothing. The list is made before the file is written, and switched after it; a process that is
/// killed in between leaves what ``finish()`` finishes.
public struct OwnRules: Sendable {
  /// The longest text, in bytes: as JSON in an answer it has room in a browser's message.
  public static let limit = 256 << 10
  /// The id of the subscription, which no other list gets.
  static let id = "own-rules"
  private static let patience = Duration.seconds(20)

  private let updater: ListUpdater
  private var store: SubscriptionStore { updater.store }
  private var folder: URL { store.ownFile.deletingLastPathComponent() }
  private var file: URL { store.ownFile }

  /// Names the rules of a store; nothing is made before something is written.
  public init(_ updater: ListUpdater) { self.updater = updater }

  /// Returns the text; empty if there is none.
  ///
  /// - Throws: ``SubscriptionError`` with code `.file`, or `.stateUnusable` where there may be one.
  public func text() throws(SubscriptionError) -> String {
    String(decoding: try bytes(), as: UTF8.self)
  }

  private func bytes() throws(SubscriptionError) -> [UInt8] {
    guard DurableFile.isThere(file.path) else {
      // Who is told that there are none may write others in their place.
      _ = try store.subscriptions()
      return []
    }
    do throws(FileFailure) {
      return try DurableFile.contents(of: file.path, atMost: Self.limit)
    } catch {
      throw SubscriptionError(.file, error.description)
    }
  }

  /// Returns the subscription by which the rules act; nil if there are none, or if it was removed.
  ///
  /// It may be off.
  ///
  /// - Throws: ``SubscriptionError`` with code `.stateUnusable`.
  public func subscription() throws(SubscriptionError) -> Subscription? {
    try store.subscriptions().first { store.isOwn($0.source) }
  }

  /// Replaces the text; an empty one, or an empty array, ends the list.
  ///
  /// - Parameters:
  ///   - text: The new text.
  ///   - before: The text that it was made of; nil if that does not matter.
  /// - Returns: What else the user may want to know, in clauses.
  /// - Throws: ``SubscriptionError``: `.stale` if the text is not `before` any more, `.listRefused` for
  ///   a fault, with its place; then everything is as it was.
  @discardableResult
  public func set(_ text: String, before: String? = nil) async throws -> [String] {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.limit else {
      throw SubscriptionError(
        .listRefused,
        """
        your own rules have \(bytes.count) bytes, and may have \(Self.limit); subscribe to a longer list \
        as a file, by tickbird lists add FILE
        """
      )
    }
    if !Self.isEmpty(text) { try Self.check(bytes) }
    try store.makeFolders()
    do throws(FileFailure) {
      try DurableFile.makeFolder(folder.path)
    } catch {
      throw SubscriptionError(.file, error.description)
    }
    let lock = try await SubscriptionStore.waitForLock(
      folder,
      what: "the list of your own rules",
      patience: Self.patience
    )
    defer { withExtendedLifetime(lock) {} }
    let old = try self.text()
    if let before, before != old {
      throw SubscriptionError(
        .stale,
        "your own rules were changed elsewhere meanwhile; read them again, and change them then"
      )
    }
    DurableFile.removeDrafts(in: folder.path)
    do {
      return try await act(bytes, turningOn: true)
    } catch {
      // What acts and what is shown have to be the same.
      if let now = try? self.text(), now != old { try write(Array(old.utf8)) }
      throw error
    }
  }

  /// Brings what acts to what the file has, where a process was killed after it had written the file.
  ///
  /// - Throws: ``SubscriptionError``, as ``set(_:before:)``, and cancellation.
  public func finish() async throws {
    guard try isUnfinished() else { return }
    let lock = try await SubscriptionStore.waitForLock(
      folder,
      what: "the list of your own rules",
      patience: Self.patience
    )
    defer { withExtendedLifetime(lock) {} }
    // Another process may have finished it, or was about to.
    guard try isUnfinished() else { return }
    try await act(bytes(), turningOn: false)
  }

  /// Whether there is a list of other rules than the file has.
  private func isUnfinished() throws -> Bool {
    // A file that is not there may come back, and a list that was removed is to stay so.
    guard let digest = try subscription()?.digest, DurableFile.isThere(file.path) else {
      return false
    }
    return try ListUpdater.digest(bytes()) != digest
  }

  /// Writes the file, and brings the subscription to what it has.
  @discardableResult
  private func act(_ bytes: [UInt8], turningOn: Bool) async throws -> [String] {
    let contents = NewContents(bytes: bytes) { [self] () throws(SubscriptionError) in
      try write(bytes)
    }
    let subscription = try subscription()
    if Self.isEmpty(String(decoding: bytes, as: UTF8.self)) {
      try contents.write()
      if let subscription { try updater.remove(id: subscription.id) }
      return []
    }
    guard let subscription, let report = try await updater.replace(subscription.id, with: contents)
    else {
      var request = ListUpdater.Request(.file(file.path), name: "Own rules", id: Self.id)
      request.contents = contents
      return try await updater.add(request).notes
    }
    if turningOn, !subscription.isOn { try updater.setOn(id: subscription.id, true) }
    return report.notes
  }

  private func write(_ bytes: [UInt8]) throws(SubscriptionError) {
    do throws(FileFailure) {
      try DurableFile.replaceOwnFile(file.path, with: Data(bytes))
    } catch {
      throw SubscriptionError(.file, error.description)
    }
  }

  private static func isEmpty(_ text: String) -> Bool {
    let inner = text.filter { !$0.isWhitespace }
    return inner.isEmpty || inner == "[]"
  }

  /// Throws what is wrong with a text.
  private static func check(_ bytes: [UInt8]) throws(SubscriptionError) {
    var limits = IngestionLimits()
    limits.bytes = limit
    do throws(IngestionError) {
      _ = try ListIngestion.ingest(bytes, name: "own rules", limits: limits)
    } catch {
      throw SubscriptionError(.listRefused, error.message(of: "own rules"))
    }
  }
}

extension SubscriptionStore {
  /// The file of the rules that the user writes.
  var ownFile: URL {
    folder.appending(path: "Own", directoryHint: .isDirectory).appending(path: "rules.txt")
  }

  /// Returns whether a source is that file, whatever the id of its list.
  public func isOwn(_ source: SubscriptionSource) -> Bool { source == .file(ownFile.path) }
}
