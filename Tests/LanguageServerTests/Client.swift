import ContentBlocking
import ContentRules
import Foundation

@testable import LanguageServer

/// Checks lists without settings.
struct PlainChecker: ListChecking {
  func check(_ text: [UInt8], path: String?) -> DocumentFindings {
    let report = RuleListReader.read(text, options: ContentRuleList.readingOptions())
    return DocumentFindings(
      diagnostics: report.diagnostics,
      settingsFault: path?.hasSuffix("spoiled.json") ?? false ? "the settings are spoiled" : nil
    )
  }

  func corrected(_ text: [UInt8], path: String?) -> [UInt8]? { Array("[]".utf8) }
}

/// An editor that talks to a session, at times of its own.
struct Client {
  var session = LanguageSession(checker: PlainChecker())
  var now = ContinuousClock.now
  private var count = 0

  typealias Object = [String: Any]

  /// Sends bytes as a message's body and returns what comes back.
  mutating func send(_ body: String) throws -> [Object] {
    try session.receive(Array(body.utf8), now: now).map { try Self.body(of: $0) }
  }

  /// Returns the body of a message, whose header must fit.
  static func body(of message: [UInt8]) throws -> Object {
    var reader = FrameReader()
    reader.append(message)
    guard case .message(let body) = reader.next(), reader.isBetweenMessages,
      let object = try JSONSerialization.jsonObject(with: Data(body)) as? Object
    else { throw CocoaError(.coderInvalidValue) }
    return object
  }

  /// Sends a request and returns the answer.
  mutating func ask(_ method: String, _ params: Any = Object()) throws -> Object {
    count += 1
    let message: Object = ["jsonrpc": "2.0", "id": count, "method": method, "params": params]
    let answers = try send(Self.text(message))
    guard answers.count == 1, answers[0]["id"] as? Int == count else {
      throw CocoaError(.coderInvalidValue)
    }
    return answers[0]
  }

  mutating func tell(_ method: String, _ params: Any = Object()) throws -> [Object] {
    try send(Self.text(["jsonrpc": "2.0", "method": method, "params": params]))
  }

  static func text(_ object: Object) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
  }

  /// Begins a session.
  mutating func begin(encodings: [String] = [], versions: Bool = false) throws {
    let capabilities: Object = [
      "general": ["positionEncodings": encodings],
      "workspace": ["workspaceEdit": ["documentChanges": versions]],
      "textDocument": ["publishDiagnostics": ["relatedInformation": true]],
    ]
    _ = try ask("initialize", ["capabilities": capabilities])
    _ = try tell("initialized")
  }

  mutating func open(_ uri: String, _ text: String, version: Int = 1) throws -> [Object] {
    try tell(
      "textDocument/didOpen",
      ["textDocument": ["uri": uri, "languageId": "json", "version": version, "text": text]]
    )
  }

  /// Waits as long as the session wants, checks what is due, and returns the diagnostics.
  mutating func diagnostics() throws -> [Object]? {
    guard let time = session.nextCheckTime else { return nil }
    now = max(now, time)
    guard let check = session.nextCheck(now: now) else { return nil }
    return try finish(check)
  }

  mutating func finish(_ check: LanguageSession.Check) throws -> [Object]? {
    let findings = PlainChecker().check(check.text, path: check.path)
    let messages = try session.finish(check, findings, duration: .milliseconds(1))
      .map { try Self.body(of: $0) }
    return (messages.first?["params"] as? Object)?["diagnostics"] as? [Object]
  }
}
