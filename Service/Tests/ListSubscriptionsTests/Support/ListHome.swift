import Foundation
import Synchronization

@testable import ListSubscriptions

/// A temporary folder, removed with its owner.
final class TestFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-lists-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }
}

/// A data folder of its own with an updater whose time a test sets.
final class ListHome: Sendable {
  let folder: TestFolder
  let store: SubscriptionStore
  private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

  init(limits: SubscriptionLimits = SubscriptionLimits()) throws {
    folder = try TestFolder()
    store = SubscriptionStore(data: folder.url.appending(path: "data"), limits: limits)
  }

  var updater: ListUpdater {
    ListUpdater(store: store, preparation: .inProcess) { [self] in now }
  }

  var now: Date { time.withLock { $0 } }

  /// Lets time pass.
  func wait(_ seconds: Double) { time.withLock { $0 += seconds } }

  /// The bytes of the list that acts; nil if none does.
  func acting(_ id: String) throws -> Data? {
    let files = try SubscribedLists(data: folder.url.appending(path: "data")).files()
    return try files.first { $0.identifier == "list:\(id)" && $0.damage == nil }.map {
      try Data(contentsOf: $0.location)
    }
  }

  /// Updates one list, and returns its report.
  func update(_ id: String, acceptsShort: Bool = false) async throws -> ListUpdateReport? {
    try await updater.update(.all, ids: [id], acceptsShort: acceptsShort).first
  }
}

/// A filter list with a number of filters.
func filters(_ count: Int, start: String = "ads", header: String = "") -> String {
  "[Adblock Plus 2.0]\n\(header)"
    + (0..<count).map { "||\(start)\($0).example^\n" }.joined()
}
