internal import Foundation
internal import GRDB
internal import Synchronization
internal import UserDatabase

/// Detects cheaply whether any process has changed the links.
///
///     let changes = try LinkChanges(store)
///     // later, and again and again
///     if try changes.haveCome() { … }
///
/// > Related SQLite documentation: <https://sqlite.org/pragma.html#pragma_data_version>
public final class LinkChanges: Sendable {
  /// A separate connection: `data_version` changes only for writes of other connections.
  private struct Watched {
    let queue: DatabaseQueue
    /// The file, which may be replaced by a copy.
    let file: DatabaseIdentity?
    var version: Int

    init(_ path: String) throws {
      file = try DatabaseIdentity(path)
      var configuration = Configuration()
      configuration.readonly = true
      queue = try DatabaseQueue(path: path, configuration: configuration)
      version = 0
      version = try current()
    }

    func current() throws -> Int {
      try queue.inDatabase { try Int.fetchOne($0, sql: "PRAGMA data_version") ?? 0 }
    }
  }

  private let store: LinkStore
  private let watched: Mutex<Watched>

  /// Starts watching a store; earlier changes are not reported.
  ///
  /// - Throws: ``LinkError`` with code `.storeUnusable`.
  public init(_ store: LinkStore) throws {
    self.store = store
    do {
      watched = Mutex(try Watched(store.file.path))
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
      return try watched.withLock { watched in
        guard try DatabaseIdentity(store.file.path) == watched.file else {
          // Opened by the store first, which parts it from what another file left there.
          _ = try store.read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
          watched = try Watched(store.file.path)
          return true
        }
        let now = try watched.current()
        defer { watched.version = now }
        return watched.version != now
      }
    } catch let error as LinkError {
      throw error
    } catch {
      throw store.failure(error, doing: "watching the links")
    }
  }
}
