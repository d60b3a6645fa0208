import Foundation
import HostTestSupport
import Testing

@testable import NativeMessaging

/// What the host answers a browser, held against a transcript that was recorded once.
///
/// The transcript has a line for each step: `> ` is a question, `$ ` a command of the user's, `< ` the
/// answer to the question before. What differs between two runs stands in it as a name: `NOTE-1` is the
/// id of the first note, in questions too. `TICKBIRD_RECORD=yes` writes the answers anew.
@Suite("The wire to browsers")
struct WireTranscriptTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures/wire-transcript.txt")

  @Test("All questions are answered as recorded")
  func replay() throws {
    let recorded = try String(contentsOf: Self.file, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let home = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-wire-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    try makeBundle(in: home)
    let host = HostProgram(home: home)
    let port = try HostPort(host)
    var names = Names(home: home.path)
    var lines: [String] = []
    for line in recorded where !line.hasPrefix("< ") {
      lines.append(line)
      if line.hasPrefix("$ ") {
        let outcome = try host.run(
          names.filled(String(line.dropFirst(2))).split(separator: " ").map(String.init)
        )
        #expect(outcome.status == 0, "\(line): \(outcome.errors)")
      } else if line.hasPrefix("> ") {
        let question = names.filled(String(line.dropFirst(2)))
        let answer = try port.exchange(Data(question.utf8))
        lines.append("< " + names.named(answer))
      }
    }
    #expect(try port.close() == 0)
    if ProcessInfo.processInfo.environment["TICKBIRD_RECORD"] == "yes" {
      try lines.joined(separator: "\n").write(to: Self.file, atomically: true, encoding: .utf8)
      return
    }
    #expect(lines.count { $0.hasPrefix("< ") } > 40)
    for (line, expected) in zip(lines, recorded) where line != expected {
      Issue.record("instead of\n\(expected.prefix(400))\nthe host says\n\(line.prefix(400))")
    }
    #expect(lines.count == recorded.count)
  }

  @Test("Every error is one object of one shape")
  func errors() throws {
    let answers = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("< ") && $0.contains(#""type":"error""#) }
    #expect(answers.count > 20)
    for answer in answers {
      let object = try JSONSerialization.jsonObject(with: Data(answer.dropFirst(2).utf8))
      let keys = try #require(object as? [String: Any])
      let code = try #require(keys["code"] as? String)
      #expect(code.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil, "\(code)")
      #expect(keys["message"] is String)
      #expect(Set(keys.keys).isSubset(of: ["type", "code", "message", "question", "reported"]))
    }
  }

  /// An extension with a list, in the home where the commands run.
  private func makeBundle(in home: URL) throws {
    let bundle = home.appending(path: "Blocker.appex", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    let information: [String: Any] = [
      "CFBundleIdentifier": "com.example.blocker", "CFBundleVersion": "1",
      "CFBundleShortVersionString": "1.0", "CFBundleName": "Blocker",
      "NSExtension": ["NSExtensionPointIdentifier": "com.apple.Safari.content-blocker"],
    ]
    try PropertyListSerialization.data(fromPropertyList: information, format: .xml, options: 0)
      .write(to: bundle.appending(path: "Info.plist"))
    try Data(#"[{"trigger":{"url-filter":"ads"},"action":{"type":"block"}}]"#.utf8)
      .write(to: bundle.appending(path: "blockerList.json"))
  }
}

/// Names for what differs between two runs.
private struct Names {
  private let home: String
  /// The ids of notes, in the order in which they were seen.
  private var notes: [String] = []
  private var digests: [String] = []

  init(home: String) { self.home = home }

  /// A question with the values in place of their names.
  func filled(_ question: String) -> String {
    var question = question
    for (number, id) in notes.enumerated().reversed() {
      question = question.replacingOccurrences(of: "NOTE-\(number + 1)", with: id)
    }
    for (number, digest) in digests.enumerated().reversed() {
      question = question.replacingOccurrences(of: "DIGEST-\(number + 1)", with: digest)
    }
    return question.replacingOccurrences(of: "HOME", with: home)
  }

  /// An answer's bytes with the names in place of the values.
  mutating func named(_ answer: Data) -> String {
    var text = String(decoding: answer, as: UTF8.self).replacingOccurrences(of: home, with: "HOME")
    text.replace(/"process":[0-9]+/, with: #""process":"PROCESS""#)
    text.replace(/"(time|created|changed|snoozedUntil)":[0-9.]+/) { #""\#($0.1)":"TIME""# }
    text.replace(/"(bytes|text)":"((?:[^"\\]|\\.)*)"/) { match in
      match.1 == "bytes" || match.2.count > 300
        ? #""\#(match.1)":"\#(match.2.count) BYTES""# : String(match.0)
    }
    var (notes, digests) = (notes, digests)
    text.replace(/"id":"([^"]*)"/) { #""id":"\#(Self.name("NOTE", String($0.1), &notes))""# }
    text.replace(/"digest":"([^"]*)"/) {
      #""digest":"\#(Self.name("DIGEST", String($0.1), &digests))""#
    }
    (self.notes, self.digests) = (notes, digests)
    // Errors name notes in their sentences.
    for (number, id) in notes.enumerated() where !id.isEmpty {
      text = text.replacingOccurrences(of: id, with: "NOTE-\(number + 1)")
    }
    return text
  }

  private static func name(_ word: String, _ value: String, _ known: inout [String]) -> String {
    if let number = known.firstIndex(of: value) { return "\(word)-\(number + 1)" }
    known.append(value)
    return "\(word)-\(known.count)"
  }
}
