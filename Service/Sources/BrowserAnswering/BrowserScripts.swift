internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import NativeMessaging
internal import Synchronization

/// Answers scripts of browser extensions about an installed web extension: `setContentBlocker` sets
/// its list at run time, as in Safari's desktop extensions, `sendMessage` passes on a message, as
/// `sendNativeMessage` does, and `nextMessage` waits for one that an app dispatches to the script.
///
///     {"type": "setContentBlocker", "identifier": "com.example.web", "rules": …, "question": 7}
///     {"type": "sendMessage", "identifier": "com.example.web", "message": …, "question": 8}
///
/// The rules are JSON text, an array, or null, which removes the list. Compiling takes time, so
/// these answers are asynchronous and do not delay other questions; lists are set in the order of
/// the questions.
final class BrowserScripts: Sendable {
  /// The kinds of questions.
  enum Kind: String, CaseIterable {
    case setContentBlocker, sendMessage, nextMessage
    /// An event for the handler of a Safari app extension, and a part of what it says.
    case event, handlerPart
  }

  private let host: any HostCalling
  private let handler: HandlerPort?

  /// Creates an answerer that calls the host.
  ///
  /// - Parameters:
  ///   - host: The host.
  ///   - handler: The port to a handler; nil where there can be none.
  init(_ host: any HostCalling, handler: HandlerPort?) {
    self.host = host
    self.handler = handler
  }

  /// The last answer in the queue, for which the next one waits.
  private let last = Mutex<Task<Answer, Never>?>(nil)

  /// The keys of a question that sets a list.
  struct Setting: Decodable {
    var identifier: String
    var rules: MessageValue
    /// Whose extension the caller was let in for; nil for anybody's.
    var owner: ExtensionOwner?
  }

  /// The keys of a question for a handler.
  struct Asking: Decodable {
    var identifier: String
    var message: MessageValue
    /// Whose extension the caller was let in for; nil for anybody's.
    var owner: ExtensionOwner?
  }

  /// The keys of a question for the next message to a script.
  struct Awaiting: Decodable {
    var identifier: String
    var owner: ExtensionOwner?
  }

  /// Answers a question of one of these kinds.
  func reply(_ kind: Kind, _ json: Data) -> BrowserAnswers.Reply {
    switch kind {
    case .event: event(json)
    case .handlerPart: .now(Answer { () throws(WireError) in .part(try part(json)) })
    case .setContentBlocker: waiting { setting(json) }
    case .sendMessage:
      waiting { { [self] in await Self.answer { try await ask(json) } } }
    case .nextMessage:
      waiting { { [self] in await Self.answer { try await next(json) } } }
    }
  }

  /// The most questions that wait for their answers at one time.
  static let mostWaiting = 1000
  private let waitingCount = Mutex(0)

  /// Starts an answer that takes its time, unless too many wait already.
  private func waiting(
    _ start: () -> @Sendable () async -> Answer
  ) -> BrowserAnswers.Reply {
    let isTaken = waitingCount.withLock { count in
      guard count < Self.mostWaiting else { return false }
      count += 1
      return true
    }
    guard isTaken else {
      let reason = "\(Self.mostWaiting) questions wait already; ask again when one is answered"
      return .now(.error(WireError("over-limit", reason)))
    }
    let body = start()
    return .later { [self] in
      let answer = await body()
      waitingCount.withLock { $0 -= 1 }
      return answer
    }
  }

  private func event(_ json: Data) -> BrowserAnswers.Reply {
    guard let handler else {
      return .now(.error(WireError("refused", "this port leads to no handler")))
    }
    handler.take(json)
    return .none
  }

  /// The keys of a question for a part of what a handler says.
  struct OfPart: Decodable {
    var digest: String
    var offset: Int
  }

  private func part(_ json: Data) throws(WireError) -> Part {
    guard let question: OfPart = Self.read(json),
      let part = handler?.part(question.digest, at: question.offset)
    else { throw WireError("unknown-part", "this is not there any more") }
    return part
  }

  private func setting(_ json: Data) -> @Sendable () async -> Answer {
    let answer = last.withLock { last in
      let before = last
      // Not cancelled with the port: a list that was sent is set.
      let answer = Task.detached { [self] in
        _ = await before?.value
        return await Self.answer { try await set(json) }
      }
      last = answer
      return answer
    }
    return { await answer.value }
  }

  private static func answer(_ body: () async throws -> Answer) async -> Answer {
    do {
      return try await body()
    } catch {
      return .error(WireError(any: error))
    }
  }

  private func set(_ json: Data) async throws -> Answer {
    guard let question: Setting = Self.read(json) else {
      throw HostError(
        .badArgument,
        "setContentBlocker needs the identifier of an installed web extension, and rules"
      )
    }
    _ = try await host.call(
      SetContentBlocker(
        identifier: question.identifier,
        rules: question.rules,
        owner: question.owner
      )
    )
    return .setContentBlocker
  }

  private func ask(_ json: Data) async throws -> Answer {
    guard let question: Asking = Self.read(json) else {
      throw HostError(
        .badArgument,
        "sendMessage needs the identifier of an installed web extension, and a message"
      )
    }
    let reply = try await host.call(
      SendMessage(
        identifier: question.identifier,
        message: question.message,
        owner: question.owner
      )
    )
    return .sendMessage(Answer.SentMessage(message: reply))
  }

  /// Waits for the next message, also while there is no service or the extension is off.
  private func next(_ json: Data) async throws -> Answer {
    guard let question: Awaiting = Self.read(json) else {
      throw HostError(
        .badArgument,
        "nextMessage needs the identifier of an installed web extension"
      )
    }
    let call = NextMessage(identifier: question.identifier, owner: question.owner)
    while true {
      do {
        if let message = try await host.callService(call) {
          return .nextMessage(Answer.Dispatched(message))
        }
      } catch let error as ErrorReport where HostError.Code(error) == .refused {
        throw error
      } catch {
        // Tried again.
      }
      try await Task.sleep(for: .seconds(1))
    }
  }

  /// The keys of a question; nil where one is missing or of another type.
  private static func read<Value: Decodable>(_ json: Data) -> Value? {
    try? MessageValue(json: json).decoded()
  }
}

extension WireError {
  /// The error of a call to the host.
  init(any error: any Error) {
    switch error {
    case let error as ErrorReport: self.init(error)
    case let error as HostError: self.init(error.report)
    default: self.init("failed", error.localizedDescription)
    }
  }

  /// The error that an extension, or the host on its behalf, reports.
  fileprivate init(_ report: ErrorReport) {
    if let code = HostError.Code(report) {
      self.init(code.rawValue, report.description)
    } else {
      self.init(
        "reported",
        report.description,
        reported: Reported(domain: report.domain, number: report.code)
      )
    }
  }
}
