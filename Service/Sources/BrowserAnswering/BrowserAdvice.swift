internal import BlockingWork
internal import ContentBlocking
internal import ExtensionHost
internal import Foundation
internal import NativeMessaging

/// Answers which exception would let a blocked load through, tried on all loads that a tab has made;
/// Documentation/NativeMessaging.md has the messages.
struct BrowserAdvice: Sendable {
  /// The kinds of questions.
  enum Kind: String, CaseIterable {
    case exception
  }

  private let lists: ListsInForce
  private let turns = Turns()

  /// Reads the lists in the host's data folder.
  init(data: URL) { lists = ListsInForce(data: data) }

  /// Answers a question.
  func reply(_ kind: Kind, _ json: Data) -> BrowserAnswers.Reply {
    switch kind {
    case .exception:
      .later {
        do throws(WireError) {
          return .exception(try await turns.take { () throws(WireError) in try answer(json) })
        } catch {
          return .error(error)
        }
      }
    }
  }

  private func answer(_ json: Data) throws(WireError) -> ExceptionQuestion.Advice {
    let question = try ExceptionQuestion(json)
    return try freeingMemory { () throws(WireError) in try advice(on: question) }
  }

  private func advice(
    on question: ExceptionQuestion
  ) throws(WireError) -> ExceptionQuestion.Advice {
    let files = try lists.reportedFiles()
    let opened = files.compactMap { file -> (name: String, list: ContentRuleList)? in
      // A file that cannot be read is being replaced.
      guard let opened = OpenedFile(file.location),
        let bytes = opened.bytes(at: 0, count: opened.stamp.size),
        let list = try? ContentRuleList(identifier: file.identifier, compiledFile: Array(bytes))
      else { return nil }
      return (file.name, list)
    }
    return try question.advice(by: opened)
  }
}

/// Lets one at a time work: each opens all lists.
private actor Turns {
  func take<Value: Sendable>(
    _ body: @Sendable () throws(WireError) -> Value
  ) async throws(WireError) -> Value { try body() }
}
