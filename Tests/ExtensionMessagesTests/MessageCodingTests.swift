import ExtensionMessages
import TestSupport
import Testing

@Suite("Messages as bytes")
struct MessageCodingTests {
  static let values: [MessageValue] = [
    .null, .bool(true), .bool(false), .integer(.min), .integer(-1), .integer(.max),
    .double(0.1), .double(-.infinity), .string(""), .string("Ünïcödé \u{0} 🐘"), .data([]),
    .data([0, 255]), .date(-0.5), .uuid(high: 1, low: .max), .url("https://example.com/?q=ü"),
    .array([]), .array([.null, .array([.integer(1)])]), [:],
    ["b": .integer(2), "a": ["é": .null, "": .bool(true)]],
  ]

  @Test("what is written is read again", arguments: values)
  func roundTrip(value: MessageValue) throws {
    #expect(try MessageValue(encoded: value.encoded()) == value)
  }

  @Test("the same dictionary gives the same bytes whatever the order of making it")
  func bytesAreDeterministic() throws {
    let keys = (0..<100).map { "key\($0)" }
    func dictionary(_ keys: [String]) -> MessageValue {
      var members: [String: MessageValue] = [:]
      for key in keys { members[key] = .string(key) }
      return .dictionary(members)
    }
    let bytes = try dictionary(keys).encoded()
    #expect(try dictionary(keys.reversed()).encoded() == bytes)
  }

  @Test("the form is the documented one")
  func documentedBytes() throws {
    let value: MessageValue = ["b": .integer(-2), "a": .array([.bool(true), .null])]
    #expect(
      try value.encoded() == [
        1, 0x0B, 2, 0, 0, 0, 1, 0, 0, 0, 0x61, 0x0A, 2, 0, 0, 0, 2, 0,
        1, 0, 0, 0, 0x62, 3, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
      ]
    )
  }

  @Test(
    "bytes that are no message are refused with the right code",
    arguments: [
      ([], .truncated), ([2, 0], .unsupportedVersion), ([1], .truncated), ([1, 0xFF], .malformed),
      ([1, 0, 0], .trailingBytes), ([1, 3, 1, 2], .truncated),
      ([1, 5, 0xFF, 0xFF, 0xFF, 0xFF], .truncated), ([1, 5, 1, 0, 0, 0, 0xFF], .malformed),
      ([1, 0x0A, 0xFF, 0xFF, 0xFF, 0xFF], .truncated),
      ([1, 0x0B, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], .malformed),
    ] as [([UInt8], ExtensionMessageError.Code)]
  )
  func badBytes(bytes: [UInt8], code: ExtensionMessageError.Code) {
    #expect(throws: ExtensionMessageError.self) { try MessageValue(encoded: bytes) }
    do {
      _ = try MessageValue(encoded: bytes)
    } catch {
      #expect(error.code == code)
    }
  }

  @Test("nesting, number of values and size are bounded, for reader and writer")
  func limits() throws {
    var deep: MessageValue = .null
    for _ in 0..<300 { deep = .array([deep]) }
    #expect(throws: ExtensionMessageError.self) { try deep.encoded() }
    let deepBytes: [UInt8] = [1] + (0..<100_000).flatMap { _ in [0x0A, 1, 0, 0, 0] as [UInt8] }
    #expect(throws: ExtensionMessageError.self) { try MessageValue(encoded: deepBytes) }

    let few = ExtensionMessageLimits(values: 10)
    let many = MessageValue.array([MessageValue](repeating: .null, count: 10))
    #expect(throws: ExtensionMessageError.self) { try many.encoded(limits: few) }
    let bytes = try many.encoded()
    #expect(throws: ExtensionMessageError.self) { try MessageValue(encoded: bytes, limits: few) }

    let small = ExtensionMessageLimits(bytes: 100)
    let large = MessageValue.data([UInt8](repeating: 0, count: 100))
    #expect(throws: ExtensionMessageError.self) { try large.encoded(limits: small) }
    let largeBytes = try large.encoded()
    #expect(throws: ExtensionMessageError.self) {
      try MessageValue(encoded: largeBytes, limits: small)
    }
  }

  @Test("changed bytes are read or refused, never more")
  func mutatedBytes() throws {
    var random = RandomSource(seed: 7)
    let sources = try Self.values.map { try $0.encoded() }
    for _ in 0..<20_000 {
      guard var bytes = sources.randomElement(using: &random) else { return }
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        bytes[index] = UInt8.random(in: 0...255, using: &random)
      }
      let value = try? MessageValue(encoded: bytes)
      _ = value.map { try? MessageFromExtension($0) }
      _ = value.map { try? MessageToExtension($0) }
    }
  }
}

@Suite("Frames")
struct MessageFramesTests {
  @Test("frames come out whole, however the bytes come in", arguments: [1, 2, 3, 7, 1000])
  func pieces(size: Int) throws {
    let bodies: [[UInt8]] = [[], [1], Array(0...255), [9, 9]]
    let stream = bodies.flatMap(ExtensionFrames.frame)
    var frames = ExtensionFrames()
    var found: [[UInt8]] = []
    for start in stride(from: 0, to: stream.count, by: size) {
      frames.append(stream[start..<min(start + size, stream.count)])
      while let body = try frames.next() { found.append(body) }
    }
    #expect(found == bodies)
    #expect(frames.isEmpty)
  }

  @Test("a frame beyond the limit is refused by its length alone")
  func tooLong() {
    var frames = ExtensionFrames(limits: ExtensionMessageLimits(bytes: 10))
    frames.append([11, 0, 0, 0])
    #expect(throws: ExtensionMessageError.self) { try frames.next() }
  }

  @Test("an unfinished frame shows")
  func unfinished() throws {
    var frames = ExtensionFrames()
    frames.append([2, 0, 0, 0, 1])
    #expect(try frames.next() == nil)
    #expect(!frames.isEmpty)
  }
}

@Suite("Messages as values")
struct ExtensionMessageTests {
  static let error = ErrorReport(
    domain: "SFErrorDomain",
    code: 2,
    description: "none",
    userInfo: ["a": .bool(true)]
  )
  static let item = ExtensionItem(
    userInfo: ["date": .date(1)],
    title: "T",
    contentText: "C",
    attachments: [
      ExtensionAttachment(
        suggestedName: "x.json",
        representations: [
          .init(typeIdentifier: "public.json", content: .success(.data([1]))),
          .init(typeIdentifier: "public.text", content: .failure(error)),
        ]
      )
    ]
  )

  @Test(
    "what the host says arrives",
    arguments: [
      .request(ExtensionRequest()),
      .request(ExtensionRequest(item: item, groupContainers: ["group.a": "/a"])),
      .reply(HostReply(id: 3, result: .success(.null))),
      .reply(HostReply(id: 4, result: .failure(error))),
    ] as [MessageToExtension]
  )
  func toExtension(message: MessageToExtension) throws {
    #expect(try MessageToExtension(MessageValue(encoded: message.value.encoded())) == message)
  }

  @Test(
    "what the extension says arrives",
    arguments: [
      .answer(ExtensionAnswer(items: nil)), .answer(ExtensionAnswer(items: [])),
      .answer(ExtensionAnswer(items: [item, ExtensionItem()], notes: ["n"])), .cancel(error),
      .call(HostCall(id: 1, function: .reloadContentBlocker, arguments: ["identifier": .null])),
    ] as [MessageFromExtension]
  )
  func fromExtension(message: MessageFromExtension) throws {
    #expect(try MessageFromExtension(MessageValue(encoded: message.value.encoded())) == message)
  }

  @Test(
    "values that are no message are refused",
    arguments: [
      .null, [:], ["message": .string("answers")], ["message": .string("cancel")],
      ["message": .string("answer"), "items": .bool(true)],
      ["message": .string("call"), "id": .string("1")],
    ] as [MessageValue]
  )
  func notMessages(value: MessageValue) {
    #expect(throws: ExtensionMessageError.self) { try MessageFromExtension(value) }
    #expect(throws: ExtensionMessageError.self) { try MessageToExtension(value) }
  }
}
