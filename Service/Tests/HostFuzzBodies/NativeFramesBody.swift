import Foundation
import FuzzTargets
import NativeMessaging
import PageNotes

/// Cuts what a browser sends into messages, and reads them as requests about notes.
///
/// The first byte says how the stream arrives; where its lowest bit is set, the rest is one message.
enum NativeFramesBody: FuzzBody {
  static let name = "native-frames"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    var reader = InputReader(input)
    let form = reader.byte()
    let rest = reader.rest()
    if form & 1 == 1 { return try checkRequest(Data(rest)) }
    let whole = try events([rest])
    try require(
      try events(rest.pieces(form)) == whole,
      "messages differ when the stream arrives in pieces"
    )
    for case .message(let message) in whole.events {
      try checkRequest(message)
      guard let frame = try? MessageFrames.frame(message) else { continue }
      try require(
        try events([[UInt8](frame)]).events == [.message(message)],
        "a frame is not the message that it was made of"
      )
    }
  }

  private struct Events: Equatable {
    var events: [FrameDecoder.Event] = []
    var isInFrame = false
    var fault: String?
  }

  private static func events(_ pieces: [[UInt8]]) throws(FuzzFinding) -> Events {
    var decoder = FrameDecoder(limit: 1_024)
    var found = Events()
    for piece in pieces where found.fault == nil {
      do throws(MessageError) {
        // Slices have other indexes than what they are of.
        found.events += try decoder.add((Data([0, 0, 0]) + Data(piece)).dropFirst(3))
      } catch {
        try require(!error.message.isEmpty, "a fault without words")
        found.fault = error.code.rawValue
        // What came before the fault in one piece is lost with it.
        found.events = []
      }
    }
    found.isInFrame = found.fault == nil && decoder.isInFrame
    for case .message(let message) in found.events {
      try require(message.count <= 1_024, "a message exceeds its limit")
    }
    return found
  }

  private static func checkRequest(_ json: Data) throws(FuzzFinding) {
    let outcome = try FuzzOutcome { String(describing: try NoteRequest(json: json)) }
    let again = try FuzzOutcome { String(describing: try NoteRequest(json: json)) }
    try require(outcome == again, "a request is read in two ways")
  }

  static var seeds: [[UInt8]] {
    let requests = [
      #"{"request":"check","url":"https://a.test/b?c#d"}"#,
      #"{"request":"add","target":{"kind":"page","url":"http://a.test/"},"text":"t","emoji":"🐦"}"#,
      #"{"request":"add","kind":"site","url":"http://a.test/","text":"t","snoozeMinutes":5}"#,
      #"{"request":"update","id":"a-1","text":"x","version":1}"#,
      #"{"request":"index","offset":-1}"#,
      #"{"request":"list","search":"x","offset":9e99,"limit":-5}"#,
      #"{"request":"settle","id":"a"}"#,
      #"{"request":"snooze","id":"a","snoozeMinutes":null}"#,
      #"{"request":"leave","url":"file:///"}"#,
      #"{"request":"x","version":2}"#, "[]", "{\"request\":\"\\ud800\"}",
    ]
    let frames = requests.map { text in
      unsafe withUnsafeBytes(of: UInt32(text.utf8.count).littleEndian) { unsafe [UInt8]($0) }
        + Array(text.utf8)
    }
    return requests.map { [1] + Array($0.utf8) }
      + [
        [0] + frames[0] + frames[1], [2] + frames[2] + [0, 0, 0, 0] + frames[3],
        [4, 0, 8, 0, 0] + [UInt8](repeating: 0x20, count: 2_048) + frames[4],
        [6, 255, 255, 255, 255],
        [8] + frames[5].dropLast(3),
      ]
  }
}
