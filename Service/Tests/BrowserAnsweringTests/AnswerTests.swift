import ExtensionMessages
import Foundation
import NativeMessaging
import Testing

@testable import BrowserAnswering

/// Answers as they are sent.
@Suite("Answers to browsers")
struct AnswerTests {
  private func object(_ json: Data) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: json) as? [String: Any])
  }

  @Test("An answer that is too long is replaced by an error with the question's number")
  func tooLong() throws {
    let long = String(repeating: "x", count: MessageLimits.outgoing)
    let answers: [Answer] = [
      .sendMessage(Answer.SentMessage(message: .string(long))), .error(WireError("reported", long)),
    ]
    for answer in answers {
      let json = answer.json(question: 6)
      #expect(json.count < 1000)
      let error = try object(json)
      #expect(error["type"] as? String == "error")
      #expect(error["code"] as? String == "too-large")
      #expect(error["question"] as? Int == 6)
      #expect(try #require(error["size"] as? Int) > MessageLimits.outgoing)
    }
  }

  @Test("An answer that cannot be encoded is replaced by an error with the question's number")
  func notEncodable() throws {
    let samples = try WireSamples.answers()
    var subscribed = try #require(
      samples.compactMap { answer in
        if case .subscribed(let subscribed) = answer { subscribed } else { nil }
      }.first
    )
    subscribed.source.succeeded = .infinity
    let error = try object(Answer.subscribed(subscribed).json(question: 7))
    #expect(error["code"] as? String == "failed")
    #expect(error["question"] as? Int == 7)
  }
}
