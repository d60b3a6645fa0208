import Foundation
import Testing

@testable import BrowserSetup

@Suite("JSON with comments")
struct CommentedJSONTests {
  private func value(_ text: String) -> String? {
    CommentedJSON.object(Data(text.utf8))?["a"].map { "\($0)" }
  }

  @Test(
    "comments and a last comma do not count",
    arguments: [
      "// x\n{\"a\": \"b\"}", "{\"a\": /* \"c\", */ \"b\"}", "{\"a\": \"b\", // c\n}",
      "{\"a\": \"b\" /* , */ , }", "\u{FEFF}{\"a\": \"b\"}", "{\"a\": \"b\"} // the end",
      "/**/{\"a\"://\r\"b\"/***/}", "{\"a\": \"b\"} /* open",
    ]
  )
  func read(text: String) { #expect(value(text) == "b") }

  @Test("in a text they do")
  func texts() {
    #expect(value(#"{"a": "// b"}"#) == "// b")
    #expect(value(#"{"a": "/* b */,}"}"#) == "/* b */,}")
    #expect(value(#"{"a": "\"// b"}"#) == "\"// b")
    #expect(value(#"{"a": "\\"} // ""#) == "\\")
  }

  @Test(
    "what is no JSON otherwise stays so",
    arguments: [
      "{\"a\": \"b\",, }", "{,}", "{\"a\": ,}", "{\"a\" \"b\"}", "/", "\"", "\"\\", "/*", "", ",",
      ",}",
      "{\"a\": \"b\"}\0", "{\"a\": \"b\" / }", String(repeating: "[/**/", count: 100_000),
    ]
  )
  func refused(text: String) { #expect(CommentedJSON.object(Data(text.utf8)) == nil) }

  @Test("whatever is in it, nothing is longer than before, and plain JSON stays byte for byte")
  func random() {
    var generator = SystemRandomNumberGenerator()
    let alphabet = Array("{}[]\",:/*\\\n a1".utf8)
    for _ in 0..<20_000 {
      let bytes = (0..<Int.random(in: 0...24, using: &generator)).map { _ in
        alphabet.randomElement(using: &generator) ?? 0
      }
      let data = Data(bytes)
      #expect(CommentedJSON.plain(data).count <= data.count)
      if SetupChanges.object(data) != nil { #expect(CommentedJSON.plain(data) == data) }
    }
  }
}
