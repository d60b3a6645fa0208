import Foundation
import TestSupport
import Testing

@testable import NativeMessaging

@Suite("Frames of native messaging")
struct FrameTests {
  private func frame(_ count: Int, _ body: Data = Data()) -> Data {
    unsafe withUnsafeBytes(of: UInt32(count)) { unsafe Data($0) } + body
  }

  @Test("Messages come out as they went in, however the bytes are cut", arguments: 0..<60)
  func cuts(seed: Int) throws {
    var random = RandomSource(seed: UInt64(seed))
    let messages = (0..<20).map { _ in
      Data((0..<random.number(below: 300)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }
    var stream = try messages.reduce(into: Data()) { $0 += try MessageFrames.frame($1) }
    var decoder = FrameDecoder()
    var events: [FrameDecoder.Event] = []
    while !stream.isEmpty {
      let part = stream.prefix(1 + random.number(below: seed % 3 == 0 ? 3 : 700))
      events += try decoder.add(part)
      stream = stream.dropFirst(part.count)
    }
    #expect(events == messages.map { .message($0) })
    #expect(!decoder.isInFrame)
  }

  @Test("A message that is too long is discarded in parts, and the next one is read")
  func tooLarge() throws {
    var decoder = FrameDecoder(limit: 10)
    var stream = frame(5_000_000, Data(repeating: 7, count: 5_000_000))
    stream += frame(10, Data(repeating: 8, count: 10))
    stream += frame(11, Data(repeating: 9, count: 11))
    var events: [FrameDecoder.Event] = []
    while !stream.isEmpty {
      events += try decoder.add(stream.prefix(65_536))
      stream = stream.dropFirst(65_536)
    }
    #expect(
      events == [
        .tooLarge(5_000_000), .message(Data(repeating: 8, count: 10)), .tooLarge(11),
      ]
    )
  }

  @Test("A length that no browser sends ends the stream", arguments: [(64 << 20) + 1, 0xFFFF_FFFF])
  func rubbish(length: Int) {
    var decoder = FrameDecoder()
    #expect { _ = try decoder.add(frame(length)) } throws: {
      ($0 as? MessageError)?.code == .rubbish
    }
  }

  @Test("A stream that ends inside a length or a body is known to be cut off")
  func cutOff() throws {
    let whole = frame(3, Data("{}\n".utf8))
    for count in 0...whole.count {
      var decoder = FrameDecoder()
      _ = try decoder.add(whole.prefix(count))
      #expect(decoder.isInFrame == (count > 0 && count < whole.count))
    }
  }

  @Test("Random bytes give the same events byte by byte as a whole, and no more than they contain")
  func random() {
    var random = RandomSource(seed: 3)
    var ends: Set<String> = []
    for _ in 0..<2000 {
      let bytes = Data(
        (0..<random.number(below: 60)).map { _ in
          // Mostly small numbers, of which many are lengths that end within the bytes.
          UInt8(truncatingIfNeeded: (random.next() & 0xFF) >> UInt64(random.number(below: 24)))
        }
      )
      let whole = events(bytes, by: max(bytes.count, 1))
      let single = events(bytes, by: 1)
      #expect(single.end == whole.end)
      // What came together with a wrong length is not returned.
      if whole.end != .wrongLength { #expect(single.found == whole.found) }
      let taken = whole.found.reduce(0) { total, event in
        switch event {
        case .message(let message): total + 4 + message.count
        case .tooLarge(let size): total + 4 + size
        }
      }
      #expect(taken <= bytes.count)
      ends.insert("\(whole.end)")
    }
    #expect(ends.count == 3, "the bytes end between frames, within one, and in a wrong length")
  }

  /// How a stream of bytes ended.
  private enum End {
    case betweenFrames, inFrame, wrongLength
  }

  /// Decodes bytes that arrive so many at a time.
  private func events(_ bytes: Data, by step: Int) -> (found: [FrameDecoder.Event], end: End) {
    var decoder = FrameDecoder(limit: 10)
    var found: [FrameDecoder.Event] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
      do {
        found += try decoder.add(bytes[start..<min(start + step, bytes.count)])
      } catch {
        return (found, .wrongLength)
      }
    }
    return (found, decoder.isInFrame ? .inFrame : .betweenFrames)
  }

  @Test("A message of a browser's limit is framed, and a byte more is not")
  func outgoing() throws {
    let fitting = Data(repeating: 0x20, count: MessageLimits.outgoing)
    #expect(try MessageFrames.frame(fitting).count == MessageLimits.outgoing + 4)
    #expect { _ = try MessageFrames.frame(fitting + [0x20]) } throws: {
      ($0 as? MessageError)?.code == .tooLarge
    }
    #expect(WireError.answerTooLarge(size: .max).json.count < 1000)
  }

  @Test(
    "The caller is known by the arguments",
    arguments: [
      (["chrome-extension://\(BrowserIdentity.chromiumID)/"], BrowserIdentity.chromiumID),
      (["chrome-extension://\(BrowserIdentity.chromiumID)/", "--x"], BrowserIdentity.chromiumID),
      (["/home/mia/x.json", "tickbird@tickbird.example"], "tickbird@tickbird.example"),
      (
        ["/x.json", "{ec8030f7-c20a-464f-9b0e-13a3a9e97384}"],
        "{ec8030f7-c20a-464f-9b0e-13a3a9e97384}"
      ),
      ([], nil), (["notes", "list"], nil), (["chrome-extension://zz/"], nil),
      (["x.json", "a@b"], nil), (["/x.json"], nil), (["/x.json", "--help"], nil),
    ] as [([String], String?)]
  )
  func caller(arguments: [String], id: String?) {
    #expect(NativeCaller(arguments: arguments)?.extensionID == id)
  }
}
