import CommandOutput
import Foundation
import Testing

/// JSON that is written is read as what was meant.
@Suite struct JSONWriterTests {
  @Test func valuesAreSeparatedAndReadAgain() throws {
    var json = JSONWriter()
    json.object { json in
      json.field("text", "a\"b\\c\n\t\r\u{1}é")
      json.field("numbers") { json in
        json.array { json in
          for number in [0, 7, 10, 1_234_567_890, -5] { json.number(number) }
          json.number(1.5)
          json.number(2.0)
          json.number(.nan)
        }
      }
      json.field("empty") { $0.object { _ in } }
      json.field("is", true)
    }
    let value = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? NSDictionary
    #expect(
      value == [
        "text": "a\"b\\c\n\t\r\u{1}é", "numbers": [0, 7, 10, 1_234_567_890, -5, 1.5, 2, NSNull()],
        "empty": NSDictionary(), "is": true,
      ] as NSDictionary
    )
  }

  @Test func whatWasClosedCanBeOpenedAgain() {
    var json = JSONWriter()
    json.object { $0.field("a") { $0.array { _ in } } }
    json.reopen(2)
    json.number(1)
    json.number(2)
    json.close("]}")
    #expect(String(decoding: json.take(), as: UTF8.self) == #"{"a":[1,2]}"#)
    #expect(json.bytes == [])
  }
}

/// Text that is laid out for people.
@Suite struct ShownTextTests {
  @Test(arguments: [
    ("one two three", 24, 0, Int.max, "one two three\n"),
    ("one two three four five six", 22, 2, Int.max, "  one two three four\n  five six\n"),
    ("one two three four five six", 22, 2, 1, "  one two three four…\n"),
    (String(repeating: "x", count: 25), 20, 0, Int.max, "xxxxxxxxxxxxxxxxxxxx\nxxxxx\n"),
  ])
  func textIsBrokenBetweenWords(
    _ text: String,
    _ width: Int,
    _ indent: Int,
    _ limit: Int,
    _ expected: String
  ) {
    #expect(Shown.wrapped(text, width: width, indent: indent, limit: limit) == expected)
  }

  @Test func numbersAreGroupedAndNamed() {
    #expect(Shown.count(1, "rule") == "1 rule")
    #expect(Shown.count(1_234_567, "entry", "entries") == "1,234,567 entries")
    #expect(Shown.padded("a", to: 3) == "a  ")
  }

  @Test func onlyAPainterThatIsOnPaints() {
    #expect(Paint(false).red("a") == "a")
    #expect(Paint(true).red("a") == "\u{1B}[31;1ma\u{1B}[0m")
    #expect(Paint(true).red("") == "")
    #expect(Terminal.usesColor(.always))
    #expect(!Terminal.usesColor(.never))
  }
}
