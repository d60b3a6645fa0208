internal import Foundation
internal import GRDB
internal import Synchronization

/// Detects cheaply whether any process has changed the links.
///
///     let changes = try LinkChanges(store)
///     // later, and again and again
///     if try changes.haveCome() { … }
///
/// > Related SQLite documentation: <https://sqlite.org/pragma.html#pragma_data_version>
public final class LinkChanges: Sendable {
  /// A separate connection: `data_version` changes only for writes of other connections.
  private let queue: DatabaseQueue
  private let store: LinkStore
  private let version: Mutex<Int>

  /// Starts watching a store; earlier changes are not reported.
  ///
  /// - Throws: ``LinkError`` with code `.storeUnusable`.
  public init(_ store: LinkStore) throws {
    self.store = store
    do {
      var configuration = Configuration()
      configuration.readonly = true
      queue = try DatabaseQueue(path: store.file.path, configuration: configuration)
      version = Mutex(try Self.version(queue))
    } catch {
      throw store.failure(error, doing: "watching the links")
    }
  }

  /// Returns whether anything was written since the last call.
  ///
  /// - Throws: ``LinkError`` with code `.storeUnusable`.
  /// - Complexity: O(1); no table is read.
  public func haveCome() throws -> Bool {
    do {
      let now = try Self.version(queue)
      return version.withLock { version in
        defer { version = now }
        return version != now
      }
    } catch {
      throw store.failure(error, doing: "watching the links")
    }
  }

  private static func version(_ queue: DatabaseQueue) throws -> Int {
    try queue.inDatabase { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
  }
}
