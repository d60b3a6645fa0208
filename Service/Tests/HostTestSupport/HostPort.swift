public import Foundation
public import NativeMessaging

/// Runs the built `tickbird-host` like a browser: question by question, in frames.
public final class HostPort {
  /// The program ended, or ignored a message, instead of answering.
  public struct NoAnswer: Error {}

  private let process: TestProcess
  private let requests = Pipe()
  private let replies = Pipe()
  private var decoder = FrameDecoder()
  private var waiting: [FrameDecoder.Event] = []

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - program: The program, with its home.
  ///   - arguments: What a browser passes to it; Chromium's when none are given.
  /// - Throws: ``HostProgram/NotBuilt``, or what the system says.
  public init(
    _ program: HostProgram,
    arguments: [String] = ["chrome-extension://\(BrowserIdentity.chromiumID)/"]
  ) throws {
    process = try program.process(arguments)
    process.standardInput = requests
    process.standardOutput = replies
    try process.run()
  }

  /// Waits for the next message of the program, be it an answer or a notice.
  ///
  /// - Returns: The message's object.
  /// - Throws: ``NoAnswer``, `MessageError`, or what is wrong with the message's JSON.
  public func receive() throws -> [String: Any] {
    guard
      let object = try JSONSerialization.jsonObject(with: receiveBytes()) as? [String: Any]
    else { throw NoAnswer() }
    return object
  }

  private func receiveBytes() throws -> Data {
    while waiting.isEmpty {
      let bytes = replies.fileHandleForReading.availableData
      guard !bytes.isEmpty else { throw NoAnswer() }
      waiting = try decoder.add(bytes)
    }
    guard case .message(let data) = waiting.removeFirst() else { throw NoAnswer() }
    return data
  }

  /// Sends bytes as a message, whatever they are, and waits for the answer.
  ///
  /// - Returns: The next message's bytes; notices that something has changed are passed over.
  /// - Throws: ``NoAnswer``, or `MessageError`.
  public func exchange(_ message: Data) throws -> Data {
    try requests.fileHandleForWriting.write(contentsOf: MessageFrames.frame(message))
    while true {
      let answer = try receiveBytes()
      let object = try? JSONSerialization.jsonObject(with: answer) as? [String: Any]
      let type = object?["type"] as? String ?? ""
      guard ["changed", "linksChanged", "notesChanged"].contains(type) else { return answer }
    }
  }

  /// Sends a question, and waits for nothing.
  ///
  /// - Throws: What the system says.
  public func send(_ question: [String: Any]) throws {
    let data = try JSONSerialization.data(withJSONObject: question)
    try requests.fileHandleForWriting.write(contentsOf: MessageFrames.frame(data))
  }

  /// Sends a question, and waits for the next message.
  ///
  /// - Returns: The message's object.
  /// - Throws: As ``receive()`` does.
  public func ask(_ question: [String: Any]) throws -> [String: Any] {
    try send(question)
    return try receive()
  }

  /// Closes the port as a browser does, and waits for the program's end.
  ///
  /// - Returns: The program's exit status.
  public func close() throws -> Int32 {
    try requests.fileHandleForWriting.close()
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Ends the program by a signal, as the end of a session does, and waits for its end.
  ///
  /// - Returns: The program's exit status; the signal's number if it did not handle it.
  public func end(by signal: Int32) -> Int32 {
    process.send(signal)
    process.waitUntilExit()
    return process.terminationStatus
  }
}
