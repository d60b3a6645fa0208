import ContentRules
import Testing
import TextOutput

/// What strangers write, as people see it.
struct OutputTextTests {
  @Test(arguments: [
    "\u{1B}[2J", "\u{1B}]0;title\u{7}", "\u{9B}31m", "\u{7F}", "\u{0}", "\u{8}", "a\u{202E}b",
    "a\u{2066}b\u{2069}", "\u{200B}", "a\u{200D}b", "a\u{200C}b", "\u{2060}", "\u{FEFF}",
    "\u{2028}", "\u{2029}", "\u{85}", "a\u{E0041}\u{E007F}", "\u{3164}", "\u{115F}", "\u{FFF9}",
    "\u{200E}", "a\u{200F}", "\u{1F3F4}\u{E0067}", "\u{FE0F}", "\u{AD}", "\u{2065}", "\u{180E}",
    "\u{FE0F}\u{FE0F}a", "\u{1F600}\u{200D}a", "a\u{34F}\u{34F}b",
  ])
  func whatNobodySeesOrWhatControlsIsReplaced(_ text: String) {
    let texts = [
      DisplayText.line(text), DisplayText.lines(text), DisplayText.path(text),
      ("\(text)" as OutputText).text, OutputText(painted: text).text,
    ]
    for shown in texts {
      #expect(shown.unicodeScalars.contains("\u{FFFD}"))
      #expect(
        !shown.unicodeScalars.contains { $0.value < 0x20 || 0x7F <= $0.value && $0.value < 0xA0 }
      )
      let hidden: Set<UInt32> = [0x202E, 0x2066, 0x2069, 0x200B, 0x2060, 0xFEFF, 0x2028, 0x2029]
      #expect(!shown.unicodeScalars.contains { hidden.contains($0.value) })
    }
  }

  @Test(arguments: [
    "👩‍👩‍👧‍👦 family", "🏴󠁧󠁢󠁳󠁣󠁴󠁿 Scotland", "❤️‍🔥 ⚠️ 1️⃣", "👩🏽‍⚕️", "می‌خواهم", "क्‍ष", "שָׁלוֹם", "مرحبا",
    "שלום\u{200F} (1)", "é e\u{301}", "Zürich — 日本語", "葛\u{E0100}", "한국어", "🇨🇭", "பல்‌கலை", "۝ \u{6DD}1",
    "ไทยน้ำ", "a\u{A0}b",
  ])
  func whatPeopleWriteSurvives(_ text: String) {
    #expect(DisplayText.line(text).unicodeScalars.elementsEqual(text.unicodeScalars))
    #expect(DisplayText.lines(text).unicodeScalars.elementsEqual(text.unicodeScalars))
    #expect(DisplayText.path(text).unicodeScalars.elementsEqual(text.unicodeScalars))
  }

  @Test func aLineStaysOne() {
    let name = "Nice\nInstalled OK\r\nerror:\t\t x" + String(repeating: " ", count: 500) + "fine"
    let text: OutputText = "name: \(name)\n"
    #expect(text.text == "name: Nice Installed OK error: x fine\n")
    let wide = "a" + String(repeating: "\u{3000}", count: 90) + "b"
    #expect(DisplayText.line(wide) == "a b")
    #expect(DisplayText.path("a  b\nc") == "a  b\u{FFFD}c")
    #expect(DisplayText.lines("a\r\nb\rc\n") == "a\nb\nc\n")
  }

  @Test func aPartOfASentenceKeepsItsSpaces() {
    let note = " (not found)"
    let rule: String? = "rule 3: "
    #expect(
      ("Browser\(note): \(rule ?? "")wrong" as OutputText).text
        == "Browser (not found): rule 3: wrong"
    )
    let foreign = String(repeating: " ", count: 300) + "\n Installed OK" + "  \n  "
    #expect(("[\(foreign)]" as OutputText).text == "[ Installed OK ]")
    for empty in ["", " ", "\n", " \t "] {
      #expect(("[\(empty)]" as OutputText).text == "[]")
    }
  }

  @Test func longTextIsCutWithACount() {
    let shown = DisplayText.line(String(repeating: "x", count: 5_004_000))
    #expect(shown.hasSuffix("x… (5,000,000 more characters)"))
    #expect(shown.utf8.count < 4_100)
    let marks = "e" + String(repeating: "\u{301}", count: 1_000)
    #expect(DisplayText.line(marks).unicodeScalars.count { $0 == "\u{301}" } <= 1_000 * 31 / 32)
  }

  @Test func onlyTheProgramsOwnColoursPass() {
    let own = "\u{1B}[31;1merror:\u{1B}[0m fine\n"
    #expect(OutputText(painted: own).text == own)
    for foreign in [
      "\u{1B}[5m", "\u{1B}[8mx", "\u{1B}]8;;http://x\u{7}", "\u{1B}[31;1;5m", "\u{1B}",
    ] {
      #expect(!OutputText(painted: "a" + foreign).text.utf8.contains(0x1B))
    }
  }

  @Test func jsonSaysTheSameWithoutControls() {
    let text = #"{"a":"x‮y‍z 😀"}"# + "\u{85}\u{E0041}\u{2028}"
    let shown = DisplayText.json(text)
    #expect(shown == #"{"a":"x\u202ey‍z 😀"}\u0085\udb40\udc41\u2028"#)
  }

  @Test func whatIsPrintableStaysSo() {
    // Output is printable itself: leaving characters out must not create unprintable text.
    var generator = SystemRandomNumberGenerator()
    let pool: [Unicode.Scalar] = [
      "a", " ", "\u{1B}", "[", "\u{200D}", "\u{200C}", "\u{FE0F}", "😀", "\u{1F3F4}", "\u{E0067}",
      "\u{E007F}", "\u{E0062}", "ا", "\u{200F}", "\u{301}", "\u{202E}", "\n", "क", "\u{94D}",
    ]
    for _ in 0..<2_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<12 { text.append(pool.randomElement(using: &generator) ?? "a") }
      let once = DisplayText.line(String(text))
      #expect(DisplayText.line(once) == once)
    }
  }
}
