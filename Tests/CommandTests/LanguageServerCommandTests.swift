import Foundation
import TestSupport
import Testing

@Suite("tickbird lsp")
struct LanguageServerCommandTests {
  private static let list = #"""
    [
      {"trigger": {"url-filter": "/é.js", "if-domain": ["A.test"]}, "action": {"type": "blok"}},
      {"trigger": {"url-filter": "ads.js", "iff-domain": ["b.test"]}, "action": {"type": "block"}},
    ]
    """#

  private func frames(_ messages: [[String: Any]]) throws -> Data {
    var bytes = Data()
    for message in messages {
      let body = try JSONSerialization.data(
        withJSONObject: message.merging(["jsonrpc": "2.0"]) { $1 }
      )
      bytes += Data("Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }
    return bytes
  }

  /// Returns the bodies of messages.
  private func bodies(_ output: String) throws -> [[String: Any]] {
    var rest = Data(output.utf8)[...]
    var bodies: [[String: Any]] = []
    while let end = rest.firstRange(of: Data("\r\n\r\n".utf8)) {
      let header = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
      let length = try #require(Int(header.dropFirst("Content-Length: ".count)))
      let body = rest[end.upperBound...].prefix(length)
      bodies.append(
        try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
      )
      rest = rest[body.endIndex...]
    }
    #expect(rest.isEmpty)
    return bodies
  }

  /// Runs the server until it has published diagnostics, and ends it.
  private func diagnostics(of path: String) throws -> [[String: Any]] {
    let executable: URL = try #require(Command.executable, "the command is not built")
    let process = Process()
    process.executableURL = executable
    process.arguments = ["lsp", "--stdio"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let document: [String: Any] = [
      "uri": "file://\(path)", "languageId": "json", "version": 1, "text": Self.list,
    ]
    try input.fileHandleForWriting.write(
      contentsOf: frames([
        [
          "id": 1, "method": "initialize",
          "params": ["capabilities": ["general": ["positionEncodings": ["utf-8"]]]],
        ],
        ["method": "initialized", "params": [:]],
        ["method": "textDocument/didOpen", "params": ["textDocument": document]],
      ])
    )
    var text = Data()
    while !String(decoding: text, as: UTF8.self).contains("publishDiagnostics") {
      let piece = output.fileHandleForReading.availableData
      guard !piece.isEmpty else { break }
      text += piece
    }
    try input.fileHandleForWriting.write(
      contentsOf: frames([["id": 2, "method": "shutdown"], ["method": "exit"]])
    )
    text += try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let messages = try bodies(String(decoding: text, as: UTF8.self))
    let published = try #require(
      messages.first { $0["method"] as? String == "textDocument/publishDiagnostics" }
    )
    let params = try #require(published["params"] as? [String: Any])
    return try #require(params["diagnostics"] as? [[String: Any]])
  }

  @Test("an editor is shown what check finds, with the settings beside the list")
  func sameFindings() throws {
    let scratch = try Scratch()
    let file = try scratch.file("list.json", Self.list)
    for settings in [
      nil, "[check]\nignore = [\"unknown-key\"]\n", "[check]\nseverity = \"error\"\n",
    ] {
      if let settings { try scratch.file("tickbird.toml", settings) }
      let checked = try Command.run(["check", "--format", "json", "list.json"], in: scratch.folder)
      let report = try JSONSerialization.jsonObject(with: Data(checked.output.utf8))
      let expected = try #require(
        (report as? [String: Any])?["diagnostics"] as? [[String: Any]]
      )
      let found = try diagnostics(of: file.path)
      func places(_ findings: [[String: Any]], _ place: ([String: Any]) -> (Int?, Int?)) -> [String]
      {
        findings.map { finding in
          let (line, column) = place(finding)
          return "\(line ?? -1):\(column ?? -1) \(finding["code"] ?? "")"
        }.sorted()
      }
      let shown = places(found) { finding in
        let start = (finding["range"] as? [String: Any])?["start"] as? [String: Int]
        return (start?["line"], start?["character"])
      }
      let told = places(expected) { finding in
        ((finding["line"] as? Int).map { $0 - 1 }, (finding["column"] as? Int).map { $0 - 1 })
      }
      #expect(shown == told)
      #expect(!shown.isEmpty)
    }
    try scratch.file("tickbird.toml", "[chek]\n")
    let fault = try diagnostics(of: file.path).first { $0["code"] as? String == "settings" }
    #expect((fault?["message"] as? String)?.contains("tickbird.toml:1: there is no table") ?? false)
  }

  @Test("the status is that of the protocol, whatever the client sends")
  func statuses() throws {
    let end = try frames([["id": 2, "method": "shutdown"], ["method": "exit"]])
    let begin = try frames([["id": 1, "method": "initialize", "params": ["capabilities": [:]]]])
    for (input, status) in [
      (begin + end, 0), (Data(), 1), (begin, 1), (Data("nonsense".utf8), 1),
      (try frames([["method": "exit"]]), 1), (Data("X: y\r\n\r\n".utf8) + begin + end, 0),
      (Data("Content-Length: x\r\n\r\n".utf8) + begin + end, 1),
      (begin + Data("Content-Length: 5\r\n\r\n{\"a\":".utf8) + end, 0),
    ] {
      let result = try Command.run(["lsp"], input: input)
      #expect(result.status == status, "\(String(decoding: input, as: UTF8.self))")
      #expect(result.error.isEmpty)
    }
    let wrong = try bodies(try Command.run(["lsp"], input: Data("X: y\r\n\r\n".utf8)).output)
    #expect((wrong.first?["error"] as? [String: Any])?["code"] as? Int == -32700)
    #expect(try Command.run(["lsp", "list.json"]).status == 2)
  }
}
