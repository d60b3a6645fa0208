import ExtensionMessages
import FuzzTargets

/// Splits a stream of the channel between host and extensions into messages and reads them.
///
/// The first byte determines how the stream arrives; if its lowest bit is set, the rest is one
/// message without a frame. What is read must survive being written and read again.
enum ExtensionMessageBody: FuzzBody {
  static let name = "extension-messages"

  private static let limits = ExtensionMessageLimits(bytes: 8_192, values: 500, depth: 40)

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    var reader = InputReader(input)
    let form = reader.byte()
    let rest = reader.rest()
    if form & 1 == 1 { return try checkMessage(rest) }
    let whole = try frames([rest])
    let pieces = try frames(rest.pieces(form))
    try require(whole == pieces, "frames differ when the stream arrives in pieces")
    for body in whole.bodies { try checkMessage(body) }
  }

  private struct Frames: Equatable {
    var bodies: [[UInt8]] = []
    var isEmpty = true
    var fault: String?
  }

  private static func frames(_ pieces: [[UInt8]]) throws(FuzzFinding) -> Frames {
    var stream = ExtensionFrames(limits: limits)
    var found = Frames()
    for piece in pieces where found.fault == nil {
      stream.append(piece)
      do throws(ExtensionMessageError) {
        while let body = try stream.next() { found.bodies.append(body) }
      } catch {
        found.fault = error.code.rawValue
      }
    }
    found.isEmpty = found.fault == nil && stream.isEmpty
    for body in found.bodies {
      try require(body.count <= limits.bytes, "a frame exceeds its limit")
      var single = ExtensionFrames(limits: limits)
      single.append(ExtensionFrames.frame(body))
      let again = try FuzzOutcome { try single.next() }
      try require(again.value == .some(body), "a frame is not the body that it was made of")
    }
    return found
  }

  private static func checkMessage(_ bytes: [UInt8]) throws(FuzzFinding) {
    guard let value = (try? MessageValue(encoded: bytes, limits: limits)) else {
      _ = try FuzzOutcome { try MessageValue(encoded: bytes, limits: limits).encoded() }
      return
    }
    // Compared as bytes, since NaN does not equal itself.
    let written = try encoded(value)
    try require(written.count <= bytes.count, "a value is written longer than it was read")
    let again = try FuzzOutcome {
      try MessageValue(encoded: written, limits: limits).encoded(limits: limits)
    }
    try require(again == .value(written), "a value is not read as it was written: \(again)")
    if let message = try? MessageToExtension(value) {
      try checkSame(message.value) { try MessageToExtension($0).value }
    }
    if let message = try? MessageFromExtension(value) {
      try checkSame(message.value) { try MessageFromExtension($0).value }
    }
    if let item = try? ExtensionItem(value) {
      try checkSame(item.value) { try ExtensionItem($0).value }
    }
  }

  private static func checkSame(
    _ value: MessageValue,
    _ read: (MessageValue) throws -> MessageValue
  ) throws(FuzzFinding) {
    let written = try encoded(value)
    let again = try FuzzOutcome { try read(value).encoded() }
    try require(again == .value(written), "a message is not read as it was written: \(again)")
  }

  private static func encoded(_ value: MessageValue) throws(FuzzFinding) -> [UInt8] {
    let outcome = try FuzzOutcome { try value.encoded() }
    guard let bytes = outcome.value else {
      throw FuzzFinding("what was read cannot be written: \(outcome)")
    }
    return bytes
  }

  // MARK: Seeds

  static var seeds: [[UInt8]] {
    let item = ExtensionItem(
      userInfo: ["uniqueIdentifier": .string("a"), "n": .integer(-1), "d": .double(.nan)],
      title: "t",
      contentText: "c",
      attachments: [
        ExtensionAttachment(
          suggestedName: "list.json",
          representations: [
            .init(typeIdentifier: "public.json", content: .success(.data([1, 2]))),
            .init(typeIdentifier: "x", content: .failure(ErrorReport(.badRequest, "no"))),
          ]
        )
      ]
    )
    let report = ErrorReport(domain: "d", code: 4, description: "e", userInfo: [:])
    let values: [MessageValue] = [
      MessageToExtension.request(ExtensionRequest(item: item, groupContainers: ["g": "/p"])).value,
      MessageToExtension.reply(HostReply(id: 1, result: .success(.null))).value,
      MessageToExtension.reply(HostReply(id: 2, result: .failure(report))).value,
      MessageFromExtension.answer(ExtensionAnswer(items: [item], notes: ["n"])).value,
      MessageFromExtension.answer(ExtensionAnswer(items: nil)).value,
      MessageFromExtension.cancel(report).value,
      MessageFromExtension.call(
        HostCall(id: 3, function: .dispatchMessage, arguments: ["a": .array([.bool(true)])])
      ).value,
      .array([.uuid(high: 1, low: 2), .url("http://a/"), .date(0), .bool(false), .string("ü")]),
      (0..<30).reduce(.null) { value, _ in .array([value]) },
      .dictionary(["a": .dictionary(["b": .data([0, 255])])]),
    ]
    let bodies = values.compactMap { try? $0.encoded() }
    let stream = bodies.flatMap { ExtensionFrames.frame($0) }
    return bodies.map { [1] + $0 } + [
      [0] + stream, [2] + stream, [4, 0, 0, 0, 0, 5], [6, 255, 255, 255, 255],
    ]
  }
}
