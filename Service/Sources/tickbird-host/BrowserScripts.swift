internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import NativeMessaging
internal import ServiceFolders
internal import Synchronization

/// Lists that scripts of browser extensions set at run time, as Safari's desktop extensions do.
///
///     {"type": "setContentBlocker", "identifier": "com.example.web", "rules": …, "question": 7}
///
/// The rules are JSON text, an array, or null, which removes the list. Compiling takes its time, so the
/// answer comes when it comes, and other questions are answered meanwhile; those of this kind are
/// answered in their order.
final class BrowserScripts: Sendable {
  private static let type = "setContentBlocker"

  private struct Question: Decodable {
    var type: String
  }

  /// The answer that is made last, for which the next one waits.
  private let last = Mutex<Task<MessageLoop.Answer, Never>?>(nil)

  /// Replies to a message of this kind; nil for all others.
  func reply(_ json: Data) -> MessageLoop.Reply? {
    // Most messages are short, and a long one of another kind is rare.
    guard (try? JSONDecoder().decode(Question.self, from: json).type) == Self.type else {
      return nil
    }
    let answer = last.withLock { last in
      let before = last
      // Not ended with the port: a list that was handed over is set.
      let answer = Task.detached {
        _ = await before?.value
        return await Self.answer(json)
      }
      last = answer
      return answer
    }
    return .later { await answer.value }
  }

  private static func answer(_ json: Data) async -> MessageLoop.Answer {
    var answer: [String: MessageValue] = ["type": .string(type)]
    do {
      try await set(json)
    } catch let error as ErrorReport {
      answer = Self.error("\(error.domain) \(error.code)", error.description)
    } catch let error as HostError {
      answer = Self.error("\(error.code)", error.description)
    } catch {
      answer = Self.error("failed", error.localizedDescription)
    }
    return MessageLoop.Answer(Data(MessageValue.dictionary(answer).json.utf8))
  }

  private static func set(_ json: Data) async throws {
    guard case .dictionary(let message) = try MessageValue(json: json),
      case .string(let identifier)? = message["identifier"], let rules = message["rules"]
    else {
      throw HostError(
        .badArgument,
        "setContentBlocker needs the identifier of an installed web extension, and rules"
      )
    }
    _ = try await HostCaller.command(ServiceFolders())
      .call(.setContentBlocker, ["identifier": .string(identifier), "rules": rules])
  }

  private static func error(_ code: String, _ message: String) -> [String: MessageValue] {
    ["type": .string("error"), "code": .string(code), "message": .string(message)]
  }
}
