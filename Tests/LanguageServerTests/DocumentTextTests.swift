import TestSupport
import Testing

@testable import LanguageServer

@Suite("Texts and positions of the language server")
struct DocumentTextTests {
  @Test("columns count UTF-16 units or bytes, and places beyond the end are at it")
  func columns() {
    let text = DocumentText(Array("aé😀b\r\nc\rd\n".utf8))
    #expect(text.lineCount == 4)
    for (place, utf16, utf8) in [
      (0, (0, 0), (0, 0)), (1, (0, 1), (0, 1)), (3, (0, 2), (0, 3)), (7, (0, 4), (0, 7)),
      (8, (0, 5), (0, 8)), (10, (1, 0), (1, 0)), (11, (1, 1), (1, 1)), (12, (2, 0), (2, 0)),
      (14, (3, 0), (3, 0)),
    ] {
      let wide = TextPosition(line: utf16.0, character: utf16.1)
      let narrow = TextPosition(line: utf8.0, character: utf8.1)
      #expect(text.position(of: place, .utf16) == wide)
      #expect(text.position(of: place, .utf8) == narrow)
      #expect(text.offset(of: wide, .utf16) == place)
      #expect(text.offset(of: narrow, .utf8) == place)
    }
    // In the middle of the emoji, behind a line's end, behind the text.
    #expect(text.offset(of: TextPosition(line: 0, character: 3), .utf16) == 3)
    #expect(text.offset(of: TextPosition(line: 0, character: 5), .utf8) == 3)
    #expect(text.offset(of: TextPosition(line: 0, character: .max), .utf16) == 8)
    #expect(text.offset(of: TextPosition(line: 0, character: .max), .utf8) == 8)
    #expect(text.offset(of: TextPosition(line: .max, character: 0), .utf16) == 14)
    #expect(text.position(of: .max, .utf16) == TextPosition(line: 3, character: 0))
  }

  @Test("after any edits, lines are where they are in the text read anew")
  func edits() {
    var random = RandomSource(seed: 16)
    let pieces = ["", "a", "\n", "\r", "\r\n", "é", "😀x", "\n\n", "xy\r", "\nz"]
    for _ in 0..<60 {
      var text = DocumentText([])
      for _ in 0..<60 {
        let start = random.number(in: 0...(text.bytes.count))
        let end = start + random.number(in: 0...(text.bytes.count - start))
        let isShort = random.number(in: 0...2) > 0
        text.replace(
          start..<(isShort ? min(end, start + 2) : end),
          with: Array(pieces[random.number(in: 0...(pieces.count - 1))].utf8)
        )
        let fresh = DocumentText(text.bytes)
        #expect(text.lineCount == fresh.lineCount)
        var cursor = PositionCursor(text, .utf16)
        for place in 0...text.bytes.count {
          #expect(text.position(of: place, .utf16) == fresh.position(of: place, .utf16))
          let other = random.number(in: 0...text.bytes.count)
          #expect(cursor.position(of: other) == fresh.position(of: other, .utf16))
        }
      }
    }
  }

  @Test("changes in long lines are where they are in the text read anew")
  func longLines() {
    var random = RandomSource(seed: 17)
    let pieces = ["", "a", "é", "😀", "x\r", "\n", "\r\n", "{}"]
    let line = String(repeating: "ab😀é", count: 3_000)
    var text = DocumentText(Array((line + "\r\n" + line + "\r" + line).utf8))
    var place = TextPosition(line: 1, character: 9_000)
    for step in 0..<240 {
      if step % 40 == 0 {
        place = TextPosition(
          line: random.number(in: 0...3),
          character: random.number(in: 0...16_000)
        )
      } else {
        place.character = max(0, place.character + random.number(in: 0...6) - 3)
      }
      var end = place
      if random.number(in: 0...2) == 0 { end.character += random.number(in: 0...5) }
      if random.number(in: 0...50) == 0 { end.line += 1 }
      let fresh = DocumentText(text.bytes)
      let range = text.range(place, end, .utf16)
      let ends = [fresh.offset(of: place, .utf16), fresh.offset(of: end, .utf16)].sorted()
      #expect(range == ends[0]..<ends[1])
      text.replace(range, with: Array(pieces[random.number(in: 0...(pieces.count - 1))].utf8))
    }
  }

  @Test("places move with a change, and are lost where it is")
  func shifts() {
    let change = TextChange(range: 10..<12, length: 5)
    #expect(change.applied(to: 2..<5) == 2..<5)
    #expect(change.applied(to: 8..<10) == 8..<10)
    #expect(change.applied(to: 12..<14) == 15..<17)
    #expect(change.applied(to: 20..<20) == 23..<23)
    #expect(change.applied(to: 9..<11) == nil)
    #expect(change.applied(to: 10..<12) == nil)
    #expect(change.applied(to: 5..<20) == nil)
    // An insertion at the edge may belong to what it touches.
    let insertion = TextChange(range: 10..<10, length: 1)
    #expect(insertion.applied(to: 8..<10) == nil)
    #expect(insertion.applied(to: 10..<12) == nil)
    #expect(insertion.applied(to: 11..<12) == 12..<13)
  }

  @Test("elements are found by brackets and strings, in broken texts, too")
  func outline() {
    func elements(_ text: String) -> [String] {
      let bytes = Array(text.utf8)
      return RuleOutline(bytes.span).ranges.map { String(decoding: bytes[$0], as: UTF8.self) }
    }
    #expect(elements("") == [])
    #expect(elements("[]") == [])
    #expect(elements(#"[{"a":"]},{"} , {"b":[1,2]}]"#) == [#"{"a":"]},{"}"#, #"{"b":[1,2]}"#])
    #expect(elements(#"[ 1 , "x\"," ,null ]"#) == ["1", #""x\",""#, "null"])
    #expect(elements("[{\"a\":\"open\n},{}]") == ["{\"a\":\"open\n}", "{}"])
    #expect(elements(#"[{"a":1},{"b""#) == [#"{"a":1}"#, #"{"b""#])
    #expect(elements("}}}[{}]") == ["{}"])
    let bytes = Array("[{},{}]".utf8)
    let outline = RuleOutline(bytes.span)
    #expect(outline.element(at: 0) == nil)
    #expect((1...3).map { outline.element(at: $0) } == [0, 0, 0])
    #expect(outline.element(at: 5) == 1)
    #expect(outline.element(at: 7) == nil)
  }
}
