import ContentRules
import Foundation
import TestSupport
import Testing
import TextOutput

@testable import LanguageServer

private typealias Object = Client.Object

private func code(_ answer: Client.Object) -> Int? {
  (answer["error"] as? Client.Object)?["code"] as? Int
}

@Suite("Sessions of the language server")
struct SessionTests {
  @Test("requests before the beginning and after the end are refused as the protocol says")
  func order() throws {
    var client = Client()
    #expect(code(try client.ask("textDocument/hover")) == -32002)
    #expect(try client.tell("textDocument/didOpen").isEmpty)
    try client.begin()
    #expect(code(try client.ask("initialize")) == -32600)
    #expect(code(try client.ask("textDocument/definition")) == -32601)
    #expect(code(try client.ask("$/unknown")) == -32601)
    #expect(try client.tell("$/cancelRequest", ["id": 1]).isEmpty)
    let end = try client.ask("shutdown")
    #expect(end["result"] is NSNull)
    #expect(code(try client.ask("textDocument/hover")) == -32600)
    #expect(client.session.exitStatus == nil)
    #expect(try client.tell("exit").isEmpty)
    #expect(client.session.exitStatus == .fine)
  }

  @Test("an exit without shutdown is not a good end")
  func exit() throws {
    var client = Client()
    _ = try client.tell("exit")
    #expect(client.session.exitStatus == .refused)
  }

  @Test(
    "what is not a message is answered by an error without an id",
    arguments: [
      ("", -32700), ("{", -32700), (#"{"jsonrpc":"2.0","id":1,"method":"x""#, -32700),
      ("[]", -32600), ("1", -32600), ("{}", -32600), (#"{"jsonrpc":"1.0","method":"x"}"#, -32600),
      (#"{"jsonrpc":"2.0"}"#, -32600), (#"{"jsonrpc":"2.0","id":1.5,"method":"x"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":{},"method":"x"}"#, -32600),
      (#"{"jsonrpc":"2.0","id":99999999999999999999,"method":"x"}"#, -32600),
      (String(repeating: "[", count: 300), -32700),
    ]
  )
  func noMessage(_ body: String, _ expected: Int) throws {
    var client = Client()
    let answers = try client.send(body)
    #expect(answers.count == 1)
    #expect(code(answers[0]) == expected)
    #expect(answers[0]["id"] is NSNull)
  }

  @Test("answers and ids of both kinds are taken")
  func identifiers() throws {
    var client = Client()
    #expect(try client.send(#"{"jsonrpc":"2.0","id":"x","result":null}"#).isEmpty)
    let answer = try client.send(#"{"jsonrpc":"2.0","id":"a\"b","method":"x"}"#)
    #expect(answer[0]["id"] as? String == "a\"b")
  }

  @Test("a document that is not open, and positions that are none, are errors")
  func wrongRequests() throws {
    var client = Client()
    try client.begin()
    let place: Object = ["line": 0, "character": 0]
    let unknown: Object = ["textDocument": ["uri": "file:///a"], "position": place]
    #expect(code(try client.ask("textDocument/hover", unknown)) == -32803)
    #expect(code(try client.ask("textDocument/documentSymbol", unknown)) == -32803)
    #expect(code(try client.ask("textDocument/codeAction", unknown)) == -32803)
    #expect(code(try client.ask("textDocument/hover", [1])) == -32602)
    _ = try client.open("file:///a", "[]")
    for wrong: Any in [
      NSNull(), Object(), ["line": -1, "character": 0], ["line": 0, "character": 1.5],
      ["line": "0", "character": 0], ["line": 0],
    ] {
      let params: Object = ["textDocument": ["uri": "file:///a"], "position": wrong]
      #expect(code(try client.ask("textDocument/hover", params)) == -32602, "\(wrong)")
    }
    let far: Object = [
      "textDocument": ["uri": "file:///a"], "position": ["line": 1 << 40, "character": 1 << 40],
    ]
    #expect(try client.ask("textDocument/hover", far)["result"] is NSNull)
    _ = try client.tell("textDocument/didClose", ["textDocument": ["uri": "file:///a"]])
    #expect(code(try client.ask("textDocument/hover", far)) == -32803)
  }

  @Test("positions are bytes if the client can count them, else UTF-16 units")
  func encodings() throws {
    let list = #"[{"trigger":{"url-filter":"é😀","if-domain":["A"]},"action":{"type":"block"}}]"#
    for (encodings, name, column) in [
      ([], "utf-16", 46), (["utf-8"], "utf-8", 49), (["utf-32", "utf-16"], "utf-16", 46),
    ] {
      var client = Client()
      let answer = try client.ask(
        "initialize",
        ["capabilities": ["general": ["positionEncodings": encodings]]]
      )
      let capabilities = (answer["result"] as? Object)?["capabilities"] as? Object
      #expect(capabilities?["positionEncoding"] as? String == name)
      _ = try client.open("file:///a", list)
      let found = try client.diagnostics()?
        .first { $0["code"] as? String == "domain-not-lower-case-ascii" }
      let start = (found?["range"] as? Object)?["start"] as? Object
      #expect(start?["line"] as? Int == 0)
      #expect(start?["character"] as? Int == column)
    }
  }

  @Test("changes are gathered, and the findings are of the text that they make")
  func changes() throws {
    var client = Client()
    try client.begin()
    _ = try client.open("file:///a", "[]")
    #expect(try client.diagnostics()?.count == 1)
    #expect(client.session.nextCheckTime == nil)
    // Typed letter by letter, an emoji in front of it.
    let rule = #"{"trigger":{"url-filter":"a"},"action":{"type":"block"}}"#
    for (index, letter) in ("\"😀\"," + rule).enumerated() {
      let place: Object = ["line": 0, "character": index + (index > 1 ? 2 : 1)]
      _ = try client.tell(
        "textDocument/didChange",
        [
          "textDocument": ["uri": "file:///a", "version": index + 2],
          "contentChanges": [["range": ["start": place, "end": place], "text": String(letter)]],
        ]
      )
      #expect(client.session.nextCheck(now: client.now) == nil)
    }
    let due: ContinuousClock.Instant = try #require(client.session.nextCheckTime)
    #expect(due - client.now <= .milliseconds(200))
    client.now = due
    let next = client.session.nextCheck(now: due)
    let check = try #require(next)
    #expect(String(decoding: check.text, as: UTF8.self) == "[\"😀\",\(rule)]")
    // While it is checked, a line is put in front.
    let start: Object = ["line": 0, "character": 0]
    _ = try client.tell(
      "textDocument/didChange",
      [
        "textDocument": ["uri": "file:///a", "version": 99],
        "contentChanges": [["range": ["start": start, "end": start], "text": "\n \n"]],
      ]
    )
    #expect(client.session.nextCheck(now: due + .seconds(9)) == nil)
    let found = try client.finish(check)
    let place = (found?.first?["range"] as? Object)?["start"] as? Object
    #expect(place?["line"] as? Int == 2)
    #expect(place?["character"] as? Int == 1)
    #expect(client.session.nextCheckTime != nil)
    // The whole text at once.
    _ = try client.tell(
      "textDocument/didChange",
      [
        "textDocument": ["uri": "file:///a", "version": 100],
        "contentChanges": [["text": "[\(rule)]"]],
      ]
    )
    #expect(try client.diagnostics()?.isEmpty == true)
  }

  @Test("whoever types without a pause still sees findings after two seconds")
  func longestWait() throws {
    var client = Client()
    try client.begin()
    _ = try client.open("file:///a", "[]")
    _ = try client.diagnostics()
    let begin = client.now
    let place: Object = ["line": 0, "character": 0]
    var checked: Duration?
    for step in 0..<60 where checked == nil {
      client.now = begin + .milliseconds(100 * step)
      if client.session.nextCheck(now: client.now) != nil { checked = client.now - begin }
      _ = try client.tell(
        "textDocument/didChange",
        [
          "textDocument": ["uri": "file:///a", "version": step + 2],
          "contentChanges": [["range": ["start": place, "end": place], "text": " "]],
        ]
      )
    }
    #expect(checked == .milliseconds(2_000))
  }

  @Test("a change that cannot be applied is told, and opening the document again mends it")
  func outOfStep() throws {
    var client = Client()
    try client.begin()
    _ = try client.open("file:///a", "[]")
    let answers = try client.tell(
      "textDocument/didChange",
      [
        "textDocument": ["uri": "file:///a", "version": 2],
        "contentChanges": [["range": ["start": ["line": -1, "character": 0]], "text": "x"]],
      ]
    )
    #expect(answers.map { $0["method"] as? String ?? "" }.contains("window/showMessage"))
    let symbols: Object = ["textDocument": ["uri": "file:///a"]]
    #expect(code(try client.ask("textDocument/documentSymbol", symbols)) == -32803)
    // Nothing is due, or the server would turn in circles until the document is closed.
    #expect(client.session.nextCheckTime == nil)
    _ = try client.open("file:///a", "[]")
    #expect(code(try client.ask("textDocument/documentSymbol", symbols)) == nil)
  }

  @Test("a closed document has no findings, and a check that was under way is forgotten")
  func closing() throws {
    var client = Client()
    try client.begin()
    _ = try client.open("file:///a", "[")
    client.now = try #require(client.session.nextCheckTime)
    let next = client.session.nextCheck(now: client.now)
    let check = try #require(next)
    let closed = try client.tell("textDocument/didClose", ["textDocument": ["uri": "file:///a"]])
    #expect(((closed[0]["params"] as? Object)?["diagnostics"] as? [Any])?.isEmpty == true)
    _ = try client.open("file:///a", "[]")
    #expect(try client.finish(check) == nil)
    #expect(try client.diagnostics()?.count == 1)
  }

  @Test("no sequence of spoiled messages traps")
  func noise() throws {
    var random = RandomSource(seed: 2026)
    let samples = [
      #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}"#,
      #"{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///%zz%00","version":1,"text":"[{\"trigger\":{\"url-filter\":\"a+\"},\"action\":{\"type\":\"block\"}}]"}}}"#,
      #"{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///%zz%00","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":9},"end":{"line":0,"character":3}},"text":"é\r"}]}}"#,
      #"{"jsonrpc":"2.0","id":2,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///%zz%00"},"position":{"line":0,"character":12}}}"#,
      #"{"jsonrpc":"2.0","id":3,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"file:///%zz%00"},"range":{"start":{"line":5,"character":9},"end":{"line":0,"character":3}},"context":{"only":["source"]}}}"#,
      #"{"jsonrpc":"2.0","id":4,"method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"file:///%zz%00"}}}"#,
    ].map { Array($0.utf8) }
    var session = LanguageSession(checker: PlainChecker())
    var answers = 0
    for body in samples { answers += session.receive(body, now: .now).count }
    for _ in 0..<3_000 {
      var body = samples[random.number(in: 0...(samples.count - 1))]
      for _ in 0..<random.number(in: 0...3) where !body.isEmpty {
        let place = random.number(in: 0...(body.count - 1))
        switch random.number(in: 0...2) {
        case 0: body[place] = UInt8(truncatingIfNeeded: random.number(in: 0...255))
        case 1: body.remove(at: place)
        default: body.insert(UInt8(ascii: "9"), at: place)
        }
      }
      answers += session.receive(body, now: .now).count
      if let check = session.nextCheck(now: .now + .seconds(9)) {
        answers +=
          session.finish(check, PlainChecker().check(check.text, path: nil), duration: .zero)
          .count
      }
    }
    #expect(answers > 1_000)
  }
}
