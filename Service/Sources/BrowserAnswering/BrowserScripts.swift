internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import NativeMessaging
internal import Synchronization

/// What scripts of browser extensions ask of an installed web extension: to set its list at run time,
/// as Safari's desktop extensions do, and to answer a message, as `sendNativeMessage` does.
///
///     {"type": "setContentBlocker", "identifier": "com.example.web", "rules": …, "question": 7}
///     {"type": "sendMessage", "identifier": "com.example.web", "message": …, "question": 8}
///
/// The rules are JSON text, an array, or null, which removes the list. Compiling takes its time, so the
/// answer comes when it comes, and other questions are answered meanwhile; those of this kind are
/// answered in their order.
final class BrowserScripts: Sendable {
  /// The words for what may be asked.
  enum Kind: String {
    case setContentBlocker, sendMessage
  }

  private let host: any HostCalling

  /// Takes the way to the host.
  init(_ host: any HostCalling) { self.host = host }

  /// The answer that is made last, for which the next one waits.
  private let last = Mutex<Task<MessageLoop.Answer, Never>?>(nil)

  /// Replies to a question of one of these kinds.
  func reply(_ kind: Kind, _ json: Data) -> MessageLoop.Reply {
    switch kind {
    case .setContentBlocker: setting(json)
    case .sendMessage:
      .later { [self] in await Self.answer(kind) { try await ask(json) } }
    }
  }

  private func setting(_ json: Data) -> MessageLoop.Reply {
    let answer = last.withLock { last in
      let before = last
      // Not ended with the port: a list that was handed over is set.
      let answer = Task.detached { [self] in
        _ = await before?.value
        return await Self.answer(.setContentBlocker) {
          try await set(json)
          return [:]
        }
      }
      last = answer
      return answer
    }
    return .later { await answer.value }
  }

  private static func answer(
    _ kind: Kind,
    _ body: () async throws -> [String: MessageValue]
  ) async -> MessageLoop.Answer {
    var answer: [String: MessageValue] = ["type": .string(kind.rawValue)]
    do {
      answer.merge(try await body()) { $1 }
      return MessageLoop.Answer(Data(MessageValue.dictionary(answer).json.utf8))
    } catch let error as ErrorReport {
      return WireError(error).answer
    } catch let error as HostError {
      return WireError(error.code.rawValue, error.message).answer
    } catch {
      return WireError("failed", error.localizedDescription).answer
    }
  }

  private func set(_ json: Data) async throws {
    guard case .dictionary(let message) = try MessageValue(json: json),
      case .string(let identifier)? = message["identifier"], let rules = message["rules"]
    else {
      throw HostError(
        .badArgument,
        "setContentBlocker needs the identifier of an installed web extension, and rules"
      )
    }
    _ =
      try await host
      .call(.setContentBlocker, ["identifier": .string(identifier), "rules": rules])
  }

  private func ask(_ json: Data) async throws -> [String: MessageValue] {
    guard case .dictionary(let question) = try MessageValue(json: json),
      case .string(let identifier)? = question["identifier"], let message = question["message"]
    else {
      throw HostError(
        .badArgument,
        "sendMessage needs the identifier of an installed web extension, and a message"
      )
    }
    let reply =
      try await host
      .call(.sendMessage, ["identifier": .string(identifier), "message": message])
    return ["message": reply]
  }
}

extension WireError {
  /// What an extension, or the host on behalf of one, reports.
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
