import LanguageServer
import TestSupport
import Testing

@Suite("Frames of the language server")
struct FrameReaderTests {
  private func events(_ pieces: [[UInt8]]) -> [FrameReader.Event] {
    var reader = FrameReader()
    var events: [FrameReader.Event] = []
    for piece in pieces {
      reader.append(piece)
      while let event = reader.next() { events.append(event) }
    }
    return events
  }

  private func frame(_ body: String, _ header: String = "") -> [UInt8] {
    Array("Content-Length: \(body.utf8.count)\r\n\(header)\r\n\(body)".utf8)
  }

  @Test("messages are the same wherever the stream is cut")
  func cuts() {
    let stream =
      frame("{}") + frame("[é]", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n")
      + frame("") + frame("last")
    let expected: [FrameReader.Event] = ["{}", "[é]", "", "last"]
      .map { .message(Array($0.utf8)) }
    #expect(events([stream]) == expected)
    for cut in 0...stream.count {
      #expect(events([Array(stream[..<cut]), Array(stream[cut...])]) == expected, "cut at \(cut)")
    }
    #expect(events(stream.map { [$0] }) == expected)
  }

  @Test("a header without a length is skipped, and what follows is read")
  func withoutLength() {
    let events = events([Array("Hello: you\r\n\r\n".utf8) + frame("{}")])
    #expect(
      events == [.fault("a header without Content-Length"), .message(Array("{}".utf8))]
    )
  }

  @Test(
    "a length that is no number, or a header without an end, ends the stream",
    arguments: [
      "Content-Length: many\r\n\r\n{}", "Content-Length: -1\r\n\r\n{}",
      "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: 5 5\r\n\r\n",
      String(repeating: "x", count: FrameReader.headerLimit + 10),
    ]
  )
  func lost(_ stream: String) {
    let events = events([Array(stream.utf8), frame("{}")])
    #expect(events.count == 1)
    if case .lost = events.first {} else { Issue.record("\(events)") }
  }

  @Test("a message beyond the limit is skipped without being kept")
  func tooLong() {
    var reader = FrameReader()
    let length = FrameReader.bodyLimit + 1
    reader.append(Array("Content-Length: \(length)\r\n\r\n".utf8))
    let fault = reader.next()
    if case .fault(let text) = fault {
      #expect(text.contains("\(length) bytes was skipped"))
    } else {
      Issue.record("\(String(describing: fault))")
    }
    let piece = [UInt8](repeating: 0x20, count: 1 << 20)
    var rest = length
    while rest > 0 {
      reader.append(Array(piece.prefix(rest)))
      rest -= min(rest, piece.count)
      #expect(reader.next() == nil)
    }
    #expect(reader.isBetweenMessages)
    reader.append(frame("{}"))
    #expect(reader.next() == .message(Array("{}".utf8)))
  }
}
