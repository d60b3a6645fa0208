internal import Foundation
internal import NativeMessaging
internal import ServiceFolders
internal import SharedLinks
internal import Synchronization

/// What a browser asks about Shared Links; Documentation/NativeMessaging.md has the messages.
///
/// All answers come later: fetching takes its time, and a writer may have to wait for others.
final class BrowserLinks: Sendable {
  /// The store is opened by the first question; most browsers' hosts are started for others.
  private struct Open {
    let store: LinkStore
    let changes: LinkChanges
  }

  private struct State {
    var open: Open?
    /// Whether the browser has asked since it was notified of changes.
    var isAwaitingChanges = false
    /// What is fetched just now: what is due, or everything.
    var refreshes: [Bool: Task<BrowserLinkAnswers.Refreshed, any Error>] = [:]
  }

  /// The words for what may be asked.
  enum Kind: String, CaseIterable {
    case links, linkIcons, linkSources, markLinks, refreshLinks, subscribe, unsubscribe
  }

  private let folders: ServiceFolders
  private let extensions: any ExtensionLinkSource
  private let state = Mutex(State())

  /// Takes the user's folders, and the extensions that put links into the stream.
  init(_ folders: ServiceFolders, extensions: any ExtensionLinkSource) {
    self.folders = folders
    self.extensions = extensions
  }

  /// Replies to a question of one of these kinds.
  func reply(_ kind: Kind, _ json: Data) -> BrowserAnswers.Reply {
    .later { [self] in
      do {
        return try await answer(kind, json)
      } catch let error as LinkError {
        return .error(WireError(error.code.rawValue, error.message))
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

  /// Whether the links have changed since the browser last asked for them; told once.
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
      // Before the links are read: what changes meanwhile is reported.
      if isReading { state.isAwaitingChanges = true }
      if let open = state.open { return open.store }
      let store = try LinkStore(folder: folders.data)
      state.open = Open(store: store, changes: try LinkChanges(store))
      return store
    }
  }

  /// Fetches; who asks while others wait for the same gets their answer.
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
