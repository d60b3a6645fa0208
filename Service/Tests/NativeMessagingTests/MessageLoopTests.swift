import BlockingWork
import Foundation
import Synchronization
import Testing

@testable import NativeMessaging

@Suite("The loop that serves a browser")
struct MessageLoopTests {
  /// Runs a loop over pipes, and gives what it ended with and what it wrote.
  private func serve(
    _ input: Data,
    closesOutput: Bool = false,
    _ reply: (Data) -> MessageLoop.Reply
  ) throws -> (end: MessageLoop.End, answers: [Data]) {
    _ = signal(SIGPIPE, SIG_IGN)
    let (requests, replies) = (Pipe(), Pipe())
    let write = requests.fileHandleForWriting
    let writer = BackgroundWork {
      // The loop may have ended before it has read everything.
      try? write.write(contentsOf: input)
      try? write.close()
    }
    let read = replies.fileHandleForReading
    if closesOutput { try read.close() }
    let reader = BackgroundWork { closesOutput ? Data() : try? read.readToEnd() }
    let port = MessagePort(
      input: requests.fileHandleForReading.fileDescriptor,
      output: replies.fileHandleForWriting.fileDescriptor
    )
    let end = MessageLoop(port).run(reply)
    try replies.fileHandleForWriting.close()
    try requests.fileHandleForReading.close()
    try #require(writer.value() != nil)
    var decoder = FrameDecoder(limit: MessageLimits.outgoing)
    let output = (reader.value() ?? nil) ?? Data()
    let answers = try decoder.add(output).compactMap { event in
      if case .message(let data) = event { data } else { nil as Data? }
    }
    #expect(!decoder.isInFrame)
    return (end, answers)
  }

  @Test("Requests are answered in order, and the end of the stream is the end of the port")
  func order() throws {
    let input = try (0..<500).reduce(into: Data()) {
      $0 += try MessageFrames.frame(Data("\($1)".utf8))
    }
    let result = try serve(input) { .now(Data("re ".utf8) + $0) }
    #expect(result.end == .closed)
    #expect(result.answers == (0..<500).map { Data("re \($0)".utf8) })
  }

  @Test("Answers that are too long are refused, and the next one is sent")
  func longAnswers() throws {
    let long = Data(("\"" + String(repeating: "ä", count: 2 << 20) + "\"").utf8)
    let input = try ["long", "short"].reduce(into: Data()) {
      $0 += try MessageFrames.frame(Data($1.utf8))
    }
    let result = try serve(input) { request in
      .now(request == Data("short".utf8) ? Data("{}".utf8) : long)
    }
    #expect(result.end == .closed)
    let objects = result.answers.compactMap {
      (try? JSONSerialization.jsonObject(with: $0)) as? [String: Any]
    }
    #expect(objects.map { $0["type"] as? String } == ["error", nil])
    #expect(objects.first?["code"] as? String == "too-large")
    #expect(objects.first?["size"] as? Int == long.count)
  }

  @Test("A request that is too long is answered with an error, and the next one is served")
  func longRequest() throws {
    let length = MessageLimits.incoming + 1
    var input = unsafe withUnsafeBytes(of: UInt32(length)) { unsafe Data($0) }
    input += Data(repeating: 0x20, count: length)
    input += try MessageFrames.frame(Data("x".utf8))
    let result = try serve(input) { .now($0) }
    #expect(result.end == .closed)
    #expect(result.answers.count == 2)
    #expect(String(decoding: result.answers[0], as: UTF8.self).contains("too-large"))
    #expect(result.answers[1] == Data("x".utf8))
  }

  @Test("Rubbish ends the loop with a reason, and a cut-off stream is a closed port")
  func ends() throws {
    let rubbish = try serve(Data("GET / HTTP/1.1\r\n".utf8)) { .now($0) }
    guard case .failed(let error) = rubbish.end else {
      Issue.record("\(rubbish.end)")
      return
    }
    #expect(error.code == .rubbish)
    let cutOff = try serve(Data([9, 0, 0, 0, 1])) { .now($0) }
    #expect(cutOff.end == .closed)
    #expect(cutOff.answers.isEmpty)
  }

  @Test("A browser that does not read any more is a closed port, not the end of the process")
  func noReader() throws {
    let input = try (0..<100).reduce(into: Data()) {
      $0 += try MessageFrames.frame(Data("\($1)".utf8))
    }
    let result = try serve(input, closesOutput: true) { .now($0) }
    #expect(result.end == .closed)
  }

  @Test("An answer that takes its time holds up nobody, and comes when it is there")
  func late() async throws {
    let (requests, replies) = (Pipe(), Pipe())
    let (input, output) = (requests.fileHandleForReading, replies.fileHandleForWriting)
    let (released, release) = AsyncStream<Void>.makeStream()
    let loop = BackgroundWork {
      let port = MessagePort(input: input.fileDescriptor, output: output.fileDescriptor)
      return MessageLoop(port).run { request in
        switch String(decoding: request, as: UTF8.self) {
        case "slow":
          .later {
            for await _ in released { break }
            return request
          }
        case "silent": .none
        default: .now(request)
        }
      }
    }
    // The late answer needs a thread of those that tasks share.
    let (early, all, end) = try await blocking {
      for word in ["slow", "silent", "quick", "last"] {
        try requests.fileHandleForWriting.write(contentsOf: MessageFrames.frame(Data(word.utf8)))
      }
      var decoder = FrameDecoder()
      var answers: [String] = []
      func receive(_ count: Int) throws {
        while answers.count < count {
          for event in try decoder.add(replies.fileHandleForReading.availableData) {
            if case .message(let data) = event {
              answers.append(String(decoding: data, as: UTF8.self))
            }
          }
        }
      }
      try receive(2)
      let early = answers
      release.yield()
      try receive(3)
      try requests.fileHandleForWriting.close()
      return (early, answers, loop.value())
    }
    #expect(early == ["quick", "last"])
    #expect(all == ["quick", "last", "slow"])
    #expect(end == .closed)
  }

  @Test("The end of the port cancels what is under way, and nothing is sent any more")
  func cancelled() async throws {
    let wasCancelled = Mutex(false)
    let (requests, replies) = (Pipe(), Pipe())
    let (input, output) = (requests.fileHandleForReading, replies.fileHandleForWriting)
    try requests.fileHandleForWriting.write(contentsOf: MessageFrames.frame(Data("slow".utf8)))
    try requests.fileHandleForWriting.close()
    var loop = MessageLoop(
      MessagePort(input: input.fileDescriptor, output: output.fileDescriptor)
    )
    // Other tests may hold all threads that tasks share for a while.
    loop.endingSeconds = 120
    let patient = loop
    let end = await blocking {
      patient.run { _ in
        .later {
          do { try await Task.sleep(for: .seconds(3_600)) } catch {
            wasCancelled.withLock { $0 = true }
          }
          return Data("late".utf8)
        }
      }
    }
    #expect(end == .closed)
    #expect(wasCancelled.withLock { $0 })
    try output.close()
    #expect(try replies.fileHandleForReading.readToEnd() ?? Data() == Data())
  }

  @Test("Several threads may send, and no two messages mix")
  func threads() throws {
    let replies = Pipe()
    let output = replies.fileHandleForWriting
    let read = replies.fileHandleForReading
    let reader = BackgroundWork { try? read.readToEnd() }
    let port = MessagePort(input: 0, output: output.fileDescriptor)
    let senders = (0..<8).map { number in
      BackgroundWork {
        for _ in 0..<50 {
          try? port.send(Data(repeating: UInt8(0x30 + number), count: 10_000 + number))
        }
        return true
      }
    }
    for sender in senders { #expect(sender.value() == true) }
    try output.close()
    var decoder = FrameDecoder()
    let events = try decoder.add((reader.value() ?? nil) ?? Data())
    #expect(events.count == 400)
    for event in events {
      guard case .message(let data) = event, let first = data.first else {
        Issue.record("\(event)")
        continue
      }
      #expect(data.allSatisfy { $0 == first })
      #expect(data.count == 10_000 + Int(first) - 0x30)
    }
  }
}
