internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import NativeMessaging
internal import ServiceFolders

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
    var question: Int?
  }

  private let questions: AsyncStream<Data>
  private let arrival: AsyncStream<Data>.Continuation

  init() { (questions, arrival) = AsyncStream<Data>.makeStream() }

  /// Takes a message of this kind; says no to all others.
  func take(_ json: Data) -> Bool {
    // Most messages are short, and a long one of another kind is rare.
    guard (try? JSONDecoder().decode(Question.self, from: json).type) == Self.type else {
      return false
    }
    arrival.yield(json)
    return true
  }

  /// Nothing more comes.
  func finish() { arrival.finish() }

  /// Does what was taken, until ``finish()``.
  func answer(on port: MessagePort) async {
    for await json in questions {
      var answer: [String: MessageValue] = ["type": .string(Self.type)]
      do {
        try await set(json)
      } catch let error as ErrorReport {
        answer = Self.error("\(error.domain) \(error.code)", error.description)
      } catch let error as HostError {
        answer = Self.error("\(error.code)", error.description)
      } catch {
        answer = Self.error("failed", error.localizedDescription)
      }
      let number = try? JSONDecoder().decode(Question.self, from: json).question
      if let number { answer["question"] = .integer(Int64(number)) }
      // A browser that is gone needs no answer.
      try? port.send(Data(MessageValue.dictionary(answer).json.utf8))
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
    _ = try await HostCaller.command(ServiceFolders())
      .call(.setContentBlocker, ["identifier": .string(identifier), "rules": rules])
  }

  private static func error(_ code: String, _ message: String) -> [String: MessageValue] {
    ["type": .string("error"), "code": .string(code), "message": .string(message)]
  }
}
