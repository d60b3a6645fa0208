import CommandInput
import ContentBlocking
import Foundation
import LoadDeciding
import ResourceLoads
import TestSupport
import Testing
import WebURL

/// A network log with the given entries.
private func archive(_ entries: [String], pages: String = "[]") throws -> HARFile {
  try HARFile(
    Array(#"{"log":{"pages":\#(pages),"entries":[\#(entries.joined(separator: ","))]}}"#.utf8),
    name: "test.har"
  )
}

private func entry(
  _ url: String,
  type: String? = nil,
  mime: String = "",
  headers: [String: String] = [:],
  page: String? = nil,
  redirect: String? = nil,
  method: String = "GET"
) -> String {
  let fields = headers.map { #"{"name":"\#($0.key)","value":"\#($0.value)"}"# }
  let response =
    redirect.map { #"{"status":302,"redirectURL":"\#($0)","content":{}}"# }
    ?? #"{"status":200,"redirectURL":"","content":{"mimeType":"\#(mime)"}}"#
  return "{" + (type.map { #""_resourceType":"\#($0)","# } ?? "")
    + (page.map { #""pageref":"\#($0)","# } ?? "")
    + #""request":{"method":"\#(method)","url":"\#(url)","headers":[\#(fields.joined(separator: ","))]},"#
    + #""response":\#(response)}"#
}

@Suite struct HARTests {
  @Test(arguments: [
    ("stylesheet", "style-sheet"), ("image", "image"), ("script", "script"), ("font", "font"),
    ("media", "media"), ("texttrack", "media"), ("xhr", "fetch"), ("fetch", "fetch"),
    ("eventsource", "other"), ("manifest", "other"), ("websocket", "websocket"),
    ("ping", "other"), ("cspviolationreport", "csp-report"),
  ])
  func chromiumsTypesAreMapped(_ theirs: String, _ ours: String) throws {
    let har = try archive([
      entry("http://a.test/", type: "document"), entry("http://a.test/x", type: theirs),
    ])
    #expect(
      har.entries.map { LoadWords.word(for: $0.load.resourceType) } == ["top-document", ours]
    )
    #expect(har.entries[1].load.topURL.serialized == "http://a.test/")
    #expect(har.entries[1].load.loadContext == .topFrame)
    #expect(har.entries[1].load.requestMethod == .get)
  }

  @Test(arguments: [
    (entry("http://a.test/x", mime: "text/css"), "style-sheet"),
    (entry("http://a.test/x", mime: "image/svg+xml"), "image"),
    (entry("http://a.test/x", mime: "application/javascript; charset=utf-8"), "script"),
    (entry("http://a.test/x.woff2"), "font"),
    (entry("http://a.test/x.JPG?y=1.css"), "image"),
    (entry("http://a.test/x", headers: ["Sec-Fetch-Dest": "image"]), "image"),
    (entry("http://a.test/x.js", headers: ["Sec-Fetch-Dest": "empty"]), "fetch"),
    (entry("http://a.test/x", headers: ["Accept": "text/css,*/*;q=0.1"]), "style-sheet"),
    (entry("http://a.test/x", headers: ["X-Requested-With": "XMLHttpRequest"]), "fetch"),
    (entry("http://a.test/x", headers: ["Content-Type": "text/ping"]), "ping"),
    (entry("http://a.test/x", headers: ["content-type": "application/csp-report"]), "csp-report"),
    (entry("wss://a.test/x"), "websocket"),
    (entry("http://a.test/x", headers: ["Sec-Fetch-Dest": "iframe"]), "child-document"),
    (entry("http://a.test/x"), "other"),
  ])
  func typesAreFoundWithoutTheirWords(_ entryText: String, _ type: String) throws {
    let har = try archive([entry("http://a.test/", mime: "text/html"), entryText])
    #expect(LoadWords.word(for: har.entries[1].load.resourceType) == type)
  }

  @Test func redirectsOfThePageAreLoadsOfTheirOwn() throws {
    let har = try archive([
      entry("http://a.test/", type: "document", redirect: "https://www.a.test/#x"),
      entry("https://www.a.test/", type: "document", method: "POST"),
      entry("https://cdn.test/i.png#y", type: "image"),
    ])
    let loads = har.entries.map(\.load)
    #expect(loads.prefix(2).allSatisfy { $0.resourceType == .topDocument && $0.topURL == $0.url })
    #expect(loads[2].topURL.serialized == "https://www.a.test/")
    #expect(loads[2].url.serialized == "https://cdn.test/i.png")
    #expect(loads[2].requestMethod == .post)
  }

  @Test func framesAreChildrenAndSoAreTheirLoads() throws {
    let har = try archive([
      entry("http://a.test/", type: "document"),
      entry("http://f.test/frame", type: "document"),
      entry("http://f.test/x.png", type: "image", headers: ["Referer": "http://f.test/frame"]),
      entry("http://a.test/y.png", type: "image", headers: ["Referer": "http://a.test/"]),
    ])
    let loads = har.entries.map(\.load)
    #expect(loads[1].resourceType == .childDocument)
    #expect(loads[1].frameURL.serialized == "about:blank")
    #expect(loads[1].topURL.serialized == "http://a.test/")
    #expect(loads[2].frameURL.serialized == "http://f.test/frame")
    #expect(loads[2].loadContext == .childFrame)
    #expect(loads[3].frameURL.serialized == "http://a.test/")
    #expect(loads[3].loadContext == .topFrame)
  }

  @Test func titlesTellThePage() throws {
    let har = try archive(
      [entry("http://cdn.test/x.png", type: "image", page: "p1")],
      pages: #"[{"id":"p1","title":"http://a.test/"}]"#
    )
    #expect(har.entries[0].load.topURL.serialized == "http://a.test/")
  }

  @Test func entriesThatMakeNoSenseAreLeftOut() throws {
    let har = try archive([
      "null", "5", "{}", #"{"request":[]}"#, #"{"request":{"url":7}}"#,
      #"{"request":{"url":"::"}}"#, entry("http://a.test/"),
    ])
    #expect(har.entries.count == 1)
    #expect(har.invalidCount == 6)
  }
}

@Suite struct ConsoleLineTests {
  @Test(arguments: [
    "Content blocker prevented frame displaying http://a.test/ from loading a resource from http://b.test/x.png",
    "CONSOLE CONTENTBLOCKER INFO Content blocker prevented frame displaying http://a.test/ from loading a resource from http://b.test/x.png",
    "[Info] Content blocker prevented frame displaying http://a.test/ from loading a resource from http://b.test/x.png (index.html, line 3)\r",
    "12:00:01 Content blocker prevented frame displaying http://a.test/ from loading a resource from \"http://b.test/x.png\"",
  ])
  func blockedLoadsAreFound(_ line: String) {
    #expect(
      ConsoleLine(Array(line.utf8)) == .blocked(url: "http://b.test/x.png", page: "http://a.test/")
    )
  }

  @Test func promotionsAreFound() {
    #expect(
      ConsoleLine(Array("Promoted URL from http://a.test/x to https".utf8))
        == .promoted(url: "http://a.test/x")
    )
  }

  @Test(arguments: ["", "Content blocker", "Promoted URL from ", "blocked http://a.test/"])
  func otherLinesAreNot(_ line: String) {
    #expect(ConsoleLine(Array(line.utf8)) == nil)
  }
}

@Suite struct RequestReaderTests {
  private func read(_ text: String) throws -> ResourceLoad {
    var reader = RequestReader()
    return try reader.read(Array(text.utf8).span)
  }

  @Test func absentFieldsHaveTheirDefaults() throws {
    let load = try read(
      #"{"url":"HTTP://A.test:80","top_url":"http://b.test","resource_type":"image","frame_url":null}"#
    )
    #expect(load.url.serialized == "http://a.test/")
    #expect(load.frameURL == load.topURL)
    #expect(load.loadContext == .topFrame)
    #expect(load.requestMethod == .get)
    #expect(load.loadType == .thirdParty)
  }

  @Test func givenFieldsAreTaken() throws {
    let load = try read(
      #" {"load_type":"first-party","method":"POST","load_context":"top-frame","frame_url":"about:blank","#
        + #""resource_type":"websocket","top_url":"http:\/\/b.test/","url":"ws://\u0061.test/#f","x":[{}]} "#
    )
    #expect(load.url.serialized == "ws://a.test/#f")
    #expect(load.frameURL.serialized == "about:blank")
    #expect(load.loadContext == .topFrame)
    #expect(load.requestMethod == .post)
    #expect(load.loadType == .firstParty)
    #expect(load.resourceType == .webSocket)
  }

  @Test(arguments: [
    ("http://b.test/", nil, ResourceType.topDocument), ("http://a.test/", nil, .childDocument),
    ("http://b.test/", "child-frame", .childDocument),
    ("http://a.test/", "top-frame", .topDocument),
  ])
  func documentMeansOneOfTwo(_ url: String, _ context: String?, _ type: ResourceType) throws {
    let field = context.map { #","load_context":"\#($0)""# } ?? ""
    let load = try read(
      #"{"url":"\#(url)","top_url":"http://b.test/","resource_type":"document"\#(field)}"#
    )
    #expect(load.resourceType == type)
  }

  /// The quick reader of lines gives the same load as the one that says what is wrong, or none.
  private func bothReaders(_ text: String) throws -> ResourceLoad {
    let load = try read(text)
    let bytes = Array(text.utf8)
    var reader = RequestReader()
    guard let row = reader.row(bytes, bytes.indices) else { return load }
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    #expect(WebURL(part(row.url)) == load.url)
    #expect(row.traits.resourceType == load.resourceType)
    #expect(row.traits.requestMethod == load.requestMethod)
    #expect(row.topURL.isEmpty || WebURL(part(row.topURL)) == load.topURL)
    return load
  }

  @Test func aKeyMayBeWrittenWithEscapes() throws {
    let plain = try read(
      #"{"url":"http://a.test/","top_url":"http://b.test/","resource_type":"image","method":"POST"}"#
    )
    let escaped = try bothReaders(
      #"{"\u0075rl":"http://a.test/","top\u005furl":"http://b.test/","resource_t\u0079pe":"image","#
        + #""m\u0065thod":"POST"}"#
    )
    #expect(escaped == plain)
    // `\u0075` as it stands is another key.
    #expect(throws: InputError.self) {
      try read(#"{"\\u0075rl":"http://a.test/","resource_type":"image"}"#)
    }
    var tape = JSONTape()
    let text = Array(#"{"a":1,"\u0061":2}"#.utf8)
    try tape.parse(text.span)
    #expect(
      tape.member("a", of: JSONTape.root, in: text.span).map { tape.integer($0, in: text.span) }
        == 2
    )
  }

  @Test(
    arguments: [
      (#""method":"POST","method":"GET""#, RequestMethod.get, ResourceType.image),
      (#""method":null,"method":"GET""#, .get, .image),
      (#""method":null,"method":"POST""#, .post, .image),
      (#""method":"POST","method":null"#, nil, .image),
      (#""method":"GET","method":null"#, nil, .image),
      (#""method":"POST","method":"""#, .post, .image),
      (#""resource_type":"font""#, .get, .font),
      (#""cpt":"font","cpt":"script""#, .get, .image),
      (#""resource_type":null"#, .get, .image), (#""url":"""#, .get, .image),
      (#""resource_t\u0079pe":"font""#, .get, .font),
    ] as [(String, RequestMethod?, ResourceType)]
  )
  func ofRepeatedKeysTheLastCounts(
    _ more: String,
    _ method: RequestMethod?,
    _ type: ResourceType
  ) throws {
    let load = try bothReaders(#"{"url":"http://a.test/","resource_type":"image",\#(more)}"#)
    #expect(load.requestMethod == method)
    #expect(load.resourceType == type)
    let source = try bothReaders(
      #"{"url":"http://a.test/","cpt":"image","cpt":"script","frameUrl":"http://b.test/"}"#
    )
    #expect(source.resourceType == .script)
  }
}

@Suite struct ByteInputTests {
  /// "hello\n" and "world\n" as two members, made by gzip -n.
  private static let members: [[UInt8]] = [
    [
      0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0xE7, 2, 0, 0x20, 0x30,
      0x3A,
      0x36, 6, 0, 0, 0,
    ]
  ]

  private func read(_ bytes: [UInt8], limit: Int = 1 << 20) throws -> [UInt8] {
    let scratch = try Scratch()
    return try ByteInput(path: scratch.file("x", Data(bytes)).path).readAll(limit: limit)
  }

  @Test func gzipIsUnfolded() throws {
    let member = Self.members[0]
    #expect(try read(member) == Array("hello\n".utf8))
    #expect(try read(member + member + [0, 0, 0]) == Array("hello\nhello\n".utf8))
    #expect(try read([]) == [])
    #expect(try read([0x1F]) == [0x1F])
  }

  @Test func brokenGzipIsRefused() throws {
    let member = Self.members[0]
    for count in 2..<member.count {
      #expect(throws: InputError.self) { try read(Array(member.prefix(count))) }
    }
    #expect(throws: InputError.self) { try read(member + [1, 2, 3]) }
    for place in 10..<member.count {
      var damaged = member
      damaged[place] ^= 0x55
      #expect(throws: InputError.self, "byte \(place)") { try read(damaged) }
    }
  }

  @Test func sizesAreLimited() throws {
    #expect(throws: InputError.self) { try read(Self.members[0], limit: 5) }
    #expect(throws: InputError.self) { try read(Array("123456".utf8), limit: 5) }
    #expect(try read(Array("12345".utf8), limit: 5).count == 5)
  }

  @Test func linesAreCutAnywhere() throws {
    let scratch = try Scratch()
    let long = String(repeating: "x", count: 70_000)
    let text = "a\r\n\n\(long)\nb\n" + String(repeating: "y", count: 100_001) + "\nc"
    let input = try ByteInput(path: scratch.file("x", Data(text.utf8)).path)
    var lines: [Int?] = []
    try LineReader(input, limit: 100_000).forEach { lines.append($0?.count) }
    #expect(lines == [1, 0, 70_000, 1, nil, 1])
  }
}

@Suite struct ParserRobustnessTests {
  /// Makes bytes that look a little like the inputs.
  private struct Noise {
    var state: UInt64

    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }

    mutating func bytes() -> [UInt8] {
      let pieces = [
        #"{"log":{"entries":["#, #"{"request":{"url":"http://a.test/","headers":["#, "]}}", "\"",
        "\\u12", "\\", "[", "{", ":", ",", "null", "1e9", "\u{0}", "ü", "http://", "}",
        "Content blocker prevented frame displaying ", " from loading a resource from ",
        "Promoted URL from ", #""resource_type":"image""#, #""url":"http://b.test""#,
        #""top_url":"x:y""#, "\n", "\u{1F}\u{8B}",
      ]
      return (0..<next(12)).flatMap { _ in
        next(5) == 0 ? [UInt8(next(256))] : Array(pieces[next(pieces.count)].utf8)
      }
    }
  }

  @Test func noBytesTrapAParser() {
    var noise = Noise(state: 7)
    var reader = RequestReader()
    var accepted = 0
    for _ in 0..<20_000 {
      let bytes = noise.bytes()
      if (try? reader.read(bytes.span)) != nil { accepted += 1 }
      if ConsoleLine(bytes) != nil { accepted += 1 }
      if (try? HARFile(bytes, name: "x")) != nil { accepted += 1 }
    }
    #expect(accepted > 0)
  }

  @Test func deepNestingIsRefused() {
    let text = Array(String(repeating: "[", count: 100_000).utf8)
    var tape = JSONTape()
    #expect(throws: JSONTape.Fault.self) { try tape.parse(text.span) }
  }

  @Test(arguments: [
    "{", "[1,]", "{\"a\"}", "{\"a\":}", "{,}", "[1 2]", "1 2", "\"", "\"\\", "tru", "]", "{1:2}",
    "",
    "[}", "{]",
  ])
  func whatIsNoJSONIsRefused(_ text: String) {
    var tape = JSONTape()
    #expect(throws: JSONTape.Fault.self) { try tape.parse(Array(text.utf8).span) }
  }
}
