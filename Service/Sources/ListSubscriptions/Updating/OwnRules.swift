internal import DurableFiles
internal import Foundation
internal import ListIngestion
internal import ServiceFolders

/// The rules that a user writes: one list of their own, in any syntax that a list may have.
///
///     Own/rules.txt   what was written last, and was accepted
///
/// It acts as a subscription to that file, which is there as long as there are rules. A text with a fault
/// replaces nothing.
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
  /// - Throws: ``SubscriptionError`` with code `.file`.
  public func text() throws(SubscriptionError) -> String {
    guard DurableFile.isThere(file.path) else { return "" }
    do throws(FileFailure) {
      let bytes = try DurableFile.contents(of: file.path, atMost: Self.limit)
      return String(decoding: bytes, as: UTF8.self)
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
    let isEmpty = Self.isEmpty(text)
    if !isEmpty { try Self.check(bytes) }
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
    try write(bytes)
    do {
      return try await act(isEmpty: isEmpty)
    } catch {
      // What acts and what is shown have to be the same.
      try write(Array(old.utf8))
      throw error
    }
  }

  /// Brings the subscription to what the file has.
  private func act(isEmpty: Bool) async throws -> [String] {
    let subscription = try subscription()
    if isEmpty {
      if let subscription { try updater.remove(subscription.id) }
      return []
    }
    guard let subscription else {
      let request = ListUpdater.Request(.file(file.path), name: "Own rules", id: Self.id)
      return try await updater.add(request).notes
    }
    let reports = try await updater.update(.all, ids: [subscription.id], acceptsShort: true)
    guard let report = reports.first else { return [] }
    if case .failed(let error) = report.outcome { throw error }
    if !subscription.isOn { try updater.setOn(subscription.id, true) }
    return report.notes
  }

  private func write(_ bytes: [UInt8]) throws(SubscriptionError) {
    do throws(FileFailure) {
      try DurableFile.replace(file.path, with: Data(bytes))
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
      throw SubscriptionError(.listRefused, error.message)
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
