internal import Foundation
internal import NativeMessaging
internal import ServiceFolders
internal import SharedLinks
internal import Synchronization

/// What a browser asks about Shared Links; Documentation/BrowserExtension.md has the messages.
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
  private enum Question: String {
    case links, linkIcons, linkSources, markLinks, refreshLinks, subscribe, unsubscribe
  }

  private struct Kind: Decodable {
    let type: String
  }

  private let folders: ServiceFolders
  private let state = Mutex(State())

  /// Takes the user's folders.
  init(_ folders: ServiceFolders) { self.folders = folders }

  /// Answers questions about links; nil for all other messages.
  func reply(_ json: Data) -> MessageLoop.Reply? {
    guard let type = try? JSONDecoder().decode(Kind.self, from: json).type,
      let question = Question(rawValue: type)
    else { return nil }
    return .later { [self] in
      do {
        return MessageLoop.Answer(try await answer(question, json))
      } catch let error as LinkError {
        return MessageLoop.Answer(WireError(error.code.rawValue, error.message).json)
      } catch is DecodingError {
        let error = WireError(
          LinkError.Code.badArgument.rawValue,
          "the request \(type) cannot be read; load the extension that came with this program"
        )
        return MessageLoop.Answer(error.json)
      } catch {
        return MessageLoop.Answer(WireError("failed", error.localizedDescription).json)
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

  private func answer(_ question: Question, _ json: Data) async throws -> Data {
    func read<Value: Decodable>(_: Value.Type) throws -> Value {
      try JSONDecoder().decode(Value.self, from: json)
    }
    let store = try store(isReading: question == .links || question == .linkSources)
    let answers = BrowserLinkAnswers(store: store)
    switch question {
    case .links: return try answers.links(read(BrowserLinkAnswers.LinksQuestion.self)).json()
    case .linkIcons: return try answers.icons(read(BrowserLinkAnswers.IconsQuestion.self)).json()
    case .linkSources:
      return try answers.sources(read(BrowserLinkAnswers.SourcesQuestion.self)).json()
    case .markLinks: return try answers.mark(read(BrowserLinkAnswers.Marking.self)).json()
    case .subscribe:
      return try await answers.subscribe(read(BrowserLinkAnswers.Subscription.self))
    case .unsubscribe:
      return try answers.unsubscribe(read(BrowserLinkAnswers.Unsubscription.self)).json()
    case .refreshLinks:
      return try await refresh(read(BrowserLinkAnswers.Refreshing.self), store).json()
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
        extensions: HostLinkSource(host: .command(folders))
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

extension Encodable {
  /// The value as JSON; slashes stay as they are, for addresses have many.
  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return try encoder.encode(self)
  }
}
