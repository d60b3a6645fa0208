internal import Foundation
internal import NativeMessaging
internal import ServiceFolders
internal import SharedLinks
internal import Synchronization

/// Answers questions about Shared Links; Documentation/NativeMessaging.md has the messages.
///
/// All answers are asynchronous: fetching takes time, and a writer may have to wait for others.
final class BrowserLinks: Sendable {
  /// The opened store.
  ///
  /// The first question opens it, since most hosts are started for other questions.
  private struct Open {
    let store: LinkStore
    let changes: LinkChanges
  }

  private struct State {
    var open: Open?
    /// Whether the browser has asked since it was notified of changes.
    var isAwaitingChanges = false
    /// The refreshes in progress: of due sources, or of all.
    var refreshes: [Bool: Task<BrowserLinkAnswers.Refreshed, any Error>] = [:]
  }

  /// The kinds of questions.
  enum Kind: String, CaseIterable {
    case links, linkIcons, linkSources, markLinks, refreshLinks, subscribe, unsubscribe
  }

  private let folders: ServiceFolders
  private let extensions: any ExtensionLinkSource
  private let state = Mutex(State())

  /// Creates an answerer.
  init(_ folders: ServiceFolders, extensions: any ExtensionLinkSource) {
    self.folders = folders
    self.extensions = extensions
  }

  /// Answers a question of one of these kinds.
  func reply(_ kind: Kind, _ json: Data) -> BrowserAnswers.Reply {
    .later { [self] in
      do {
        return try await answer(kind, json)
      } catch let error as LinkError {
        return .error(WireError(reporting: error))
      } catch is DecodingError {
        return .error(
          WireError(
            LinkError.Code.badArgument.rawValue,
            "the request \(kind.rawValue) cannot be read; load the extension that came with this program"
          )
        )
      } catch {
        return .error(WireError("failed", error.localizedDescription))
      }
    }
  }

  /// Returns whether the links have changed since the browser last asked for them; true only once
  /// for each change.
  func haveChanged() -> Bool {
    state.withLock { state in
      guard state.isAwaitingChanges, let open = state.open,
        (try? open.changes.haveCome()) == true
      else { return false }
      state.isAwaitingChanges = false
      return true
    }
  }

  private func answer(_ kind: Kind, _ json: Data) async throws -> Answer {
    func read<Value: Decodable>(_: Value.Type) throws -> Value {
      try JSONDecoder().decode(Value.self, from: json)
    }
    let store = try store(isReading: kind == .links || kind == .linkSources)
    let answers = BrowserLinkAnswers(store: store)
    switch kind {
    case .links: return .links(try answers.links(read(BrowserLinkAnswers.LinksQuestion.self)))
    case .linkIcons:
      return .linkIcons(try answers.icons(read(BrowserLinkAnswers.IconsQuestion.self)))
    case .linkSources:
      return .linkSources(try answers.sources(read(BrowserLinkAnswers.SourcesQuestion.self)))
    case .markLinks:
      try answers.mark(read(BrowserLinkAnswers.Marking.self))
      return .marked
    case .subscribe:
      return try await answers.subscribe(read(BrowserLinkAnswers.Subscription.self))
    case .unsubscribe:
      return .unsubscribed(try answers.unsubscribe(read(BrowserLinkAnswers.Unsubscription.self)))
    case .refreshLinks:
      return .refreshed(try await refresh(read(BrowserLinkAnswers.Refreshing.self), store))
    }
  }

  private func store(isReading: Bool) throws -> LinkStore {
    try state.withLock { state in
      // Taken before the links are read, so that changes during the read are reported.
      if isReading { state.isAwaitingChanges = true }
      if let open = state.open { return open.store }
      let store = try LinkStore(folder: folders.data)
      state.open = Open(store: store, changes: try LinkChanges(store))
      return store
    }
  }

  /// Refreshes; concurrent requests for the same refresh share its result.
  private func refresh(
    _ question: BrowserLinkAnswers.Refreshing,
    _ store: LinkStore
  ) async throws -> BrowserLinkAnswers.Refreshed {
    let isDue = question.isDue ?? false
    let task = state.withLock { state in
      if let task = state.refreshes[isDue] { return task }
      let refresher = LinkRefresher(
        store: store,
        transport: CurlTransport(),
        extensions: extensions
      )
      let task = Task.detached { [self] in
        defer { self.state.withLock { $0.refreshes[isDue] = nil } }
        return BrowserLinkAnswers.Refreshed(
          try await refresher.refresh(isDue ? .due : .all)
        )
      }
      state.refreshes[isDue] = task
      return task
    }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
