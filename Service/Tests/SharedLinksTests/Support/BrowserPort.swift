import Foundation
import HostTestSupport

/// Runs the built program like a browser.
///
/// Unlike `HostPort` it assigns answers to questions by their numbers, in any order, and waits
/// without blocking, since a server of the same test may have to answer first.
final class BrowserPort {
  /// The program ended instead of sending a message.
  struct Ended: Error {}

  private let process: TestProcess
  private let requests = Pipe()
  private let messages: AsyncStream<Data>
  private var answers: [Int: [String: Any]] = [:]
  private var notices: [String] = []
  private var lastNumber = 0
  /// The size of the longest message received, in bytes.
  private(set) var longest = 0

  init(_ program: HostProgram) throws {
    process = try program.process(["chrome-extension://ikbgldcboihikpajmomppahfieejmdcj/"])
    let replies = Pipe()
    process.standardInput = requests
    process.standardOutput = replies
    let (stream, continuation) = AsyncStream<Data>.makeStream()
    messages = stream
    try process.run()
    let output = replies.fileHandleForReading
    // Reading blocks, so it must not run in a task.
    Thread.detachNewThread {
      func read(_ count: Int) -> Data? {
        var data = Data()
        while data.count < count {
          guard let part = try? output.read(upToCount: count - data.count), !part.isEmpty else {
            return nil
          }
          data += part
        }
        return data
      }
      while let head = read(4),
        let message = read(head.reversed().reduce(0) { $0 << 8 | Int($1) })
      {
        continuation.yield(message)
      }
      continuation.finish()
    }
  }

  /// Sends a question, and returns its number.
  func send(_ question: [String: Any]) throws -> Int {
    lastNumber += 1
    let message = try JSONSerialization.data(
      withJSONObject: question.merging(["question": lastNumber]) { $1 }
    )
    let head = Data((0..<4).map { UInt8(truncatingIfNeeded: message.count >> (8 * $0)) })
    try requests.fileHandleForWriting.write(contentsOf: head + message)
    return lastNumber
  }

  /// Waits for the answer with a number.
  func answer(_ number: Int) async throws -> [String: Any] {
    while true {
      if let answer = answers.removeValue(forKey: number) { return answer }
      try await receive()
    }
  }

  func ask(_ question: [String: Any]) async throws -> [String: Any] {
    try await answer(send(question))
  }

  /// Waits for a notice.
  func notice() async throws -> String {
    while notices.isEmpty { try await receive() }
    return notices.removeFirst()
  }

  private func receive() async throws {
    var iterator = messages.makeAsyncIterator()
    guard let data = await iterator.next() else { throw Ended() }
    longest = max(longest, data.count)
    let message = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
    if let number = message["question"] as? Int {
      answers[number] = message
    } else {
      notices.append(message["type"] as? String ?? "")
    }
  }

  /// Closes the port as a browser does; the program's status when it has ended.
  func close() throws -> Int32 {
    try requests.fileHandleForWriting.close()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
