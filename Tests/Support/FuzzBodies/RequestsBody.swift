import CommandInput
import ContentBlocking
import FuzzTargets
import ResourceLoads
import WebURL

/// Reads lines of requests in JSON, split into chunks, with one reader for all and with one for
/// each.
///
/// Each load is written as a line again, which must be read as the same load.
enum RequestsBody: FuzzBody {
  static let name = "requests"

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    var shared = RequestReader()
    let chunk = Chunk(bytes: input, firstLine: 1)
    var lines: [(number: Int, range: Range<Int>?)] = []
    chunk.forEachFilledLine(limit: 2_048) { lines.append(($0, $1)) }
    var last = 0
    for (number, range) in lines {
      try require(number > last, "line \(number) follows \(last)")
      last = number
      guard let range else { continue }
      try require(
        range.lowerBound >= 0 && range.upperBound <= input.count && !range.isEmpty,
        "a line at \(range) of \(input.count) bytes"
      )
      let line = Array(input[range])
      try require(!line.contains(0x0A), "a line has an end in it")
      let outcome = try FuzzOutcome { try shared.read(line.span) }
      let alone = try FuzzOutcome { () throws -> ResourceLoad in
        var reader = RequestReader()
        return try reader.read(line.span)
      }
      try require(alone == outcome, "what was read before changes what \(line.text) is")
      if let load = outcome.value { try checkWritten(load) }
    }
    _ = LogFormat(firstLine: input)
  }

  private static func checkWritten(_ load: ResourceLoad) throws(FuzzFinding) {
    var text =
      #"{"url":"\#(load.url.serialized)","top_url":"\#(load.topURL.serialized)","#
      + #""frame_url":"\#(load.frameURL.serialized)","#
      + #""resource_type":"\#(LoadWords.word(for: load.resourceType))","#
      + #""load_context":"\#(load.loadContext == .topFrame ? "top-frame" : "child-frame")""#
    // A serialised URL has neither of these where a parsed one can have them, but for paths that are
    // taken as they are.
    guard !load.url.serialized.contains(where: { $0 == "\\" || $0 == "\"" }),
      !load.topURL.serialized.contains(where: { $0 == "\\" || $0 == "\"" }),
      !load.frameURL.serialized.contains(where: { $0 == "\\" || $0 == "\"" })
    else { return }
    if let type = load.loadTypeOverride {
      text += #","load_type":"\#(type == .firstParty ? "first-party" : "third-party")""#
    }
    text += "}"
    var reader = RequestReader()
    let line = Array(text.utf8)
    var again = try FuzzOutcome { try reader.read(line.span) }.value
    again?.requestMethod = load.requestMethod
    try require(again == load, "\(text) is not the load that it was written from")
  }

  static var seeds: [[UInt8]] {
    [
      #"{"url":"http://a.test/x","top_url":"http://b.test/","resource_type":"image"}"#,
      #"{"url":"HTTP://A.test:80/#f","top_url":"x:y","resource_type":"document","frame_url":null}"#,
      #" {"load_type":"first-party","method":"POST","load_context":"top-frame","frame_url":"#
        + #""about:blank","resource_type":"websocket","top_url":"http:\/\/b.test/","#
        + #""url":"ws://\u0061.test/#f","x":[{}]} "#,
      #"{"url":"http://a.test/","top_url":"http://a.test/","resource_type":"document"}"#,
      #"{"url":"http://a.test/","top_url":"http://a.test/","resource_type":"popup","method":"PATCH"}"#,
      #"{"url":"data:text/plain,\"a\"","top_url":"http://ß.de","resource_type":"csp-report"}"#,
      "\n\r\n \t\n{}\n[]\nnull\n", #"{"url":1}"#, #"{"url":"\ud83d\ude00","url":"http://a/"}"#,
      #"{"a":[[[[[1e9,-0.5,true,false,null]]]],"url":"x"}"#, "nonsense", "{\"url\":\"",
    ].map { Array($0.utf8) }
  }
}
