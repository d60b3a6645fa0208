import Foundation
import Synchronization
import TestSupport
import Testing

@testable import PageNotes

/// A clock and random numbers that a test sets.
final class TestSurroundings: Sendable {
  private struct State {
    var milliseconds: Int64
    var random: RandomSource
  }
  private let state: Mutex<State>
  let machine: String

  init(seed: UInt64 = 1, machine: String = "one") {
    state = Mutex(State(milliseconds: 1_700_000_000_000, random: RandomSource(seed: seed)))
    self.machine = machine
  }

  func pass(seconds: Double) { state.withLock { $0.milliseconds += Int64(seconds * 1000) } }

  var surroundings: Surroundings {
    Surroundings(
      now: { [self] in
        Date(timeIntervalSince1970: Double(state.withLock { $0.milliseconds }) / 1000)
      },
      random: { [self] in state.withLock { $0.random.next() } },
      machine: machine
    )
  }
}

/// A folder that is removed after the test.
final class TestFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-notes-test-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String) -> URL { url.appending(path: name) }

  func store(
    _ name: String = "notes.sqlite",
    _ test: TestSurroundings = TestSurroundings()
  ) throws
    -> NoteStore
  { try NoteStore(file: file(name), surroundings: test.surroundings) }
}

/// Texts full of characters that could be mistaken for markup or get lost.
enum NastyText {
  private static let parts = [
    "\n", "\n\n", "\r\n", "\t", " ", "  ", "\\", "\\\\", "\\n", "`", "```", "*", "**", "_", "#",
    "## ",
    "> ", "- ", "+ ", "1. ", "12) ", "[a](b)", "![x](y)", "<b>", "<script>alert(1)</script>",
    "&amp;",
    "&#10;", "&", ";", "|", "~~", "---", "===", "https://example.com/", "www.example.com", "a@b.c",
    "é", "e\u{301}", "\u{301}", "👩‍👩‍👧‍👦", "🏳️‍🌈", "\u{200D}", "\u{FEFF}", "\u{2028}", "\u{A0}", "\u{3000}",
    "שלום", "\u{202E}", "字", "\u{0}", "\u{1B}[31m", "\u{85}", "\"", "'", "{", "}", "%s", "$x",
    "-->",
    "word", "Is it urgent?", "\u{10FFFD}", "id: `x`", "- site: a", "\\\n", ":/", "{}",
  ]

  static func make(_ random: inout RandomSource) -> String {
    (0...random.number(below: 12)).map { _ in random.pick(parts) }.joined()
  }
}

/// Plans of notes, every third one of which is that of a note that is always shown.
enum TestPlan {
  static func make(_ random: inout RandomSource) throws -> NotePlan {
    guard random.number(below: 3) > 0 else { return .always }
    let times = try (0..<random.number(below: 3)).map { _ in
      let from = random.number(below: 1439)
      return try NotePlan.Times(days: [1 + random.number(below: 7)], from: from, to: from + 1)
    }
    return try NotePlan(
      times: times,
      limit: random.pick([nil, .minutes(7), .visits(1 + random.number(below: 1440))]),
      delay: random.pick([nil, .init(seconds: random.number(below: 601), growth: 3)])
    )
  }
}

extension String {
  /// The bytes, since equal strings may differ in composition.
  var bytes: [UInt8] { Array(utf8) }
}

extension NoteStore {
  /// Returns the answer to a browser's message, which has to fit into one.
  func asked(_ request: [String: Any]) throws -> [String: Any] {
    let answer = answer(json: try JSONSerialization.data(withJSONObject: request))
    #expect(answer.count < 1 << 20)
    return try #require(JSONSerialization.jsonObject(with: answer) as? [String: Any])
  }
}
