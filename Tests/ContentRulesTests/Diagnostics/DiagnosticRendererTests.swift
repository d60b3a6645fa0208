import ContentRules
import Testing

@Suite struct DiagnosticRendererTests {
  private func render(_ text: String, color: Bool = false, width: Int = 100) -> String {
    let bytes = Array(text.utf8)
    let renderer = DiagnosticRenderer(fileName: "ads.json", usesColor: color, lineWidth: width)
    return renderer.render(RuleListReader.read(bytes), in: bytes.span)
  }

  @Test func showsPlaceLineMarkHintAndWebKitsWords() {
    let output = render(
      """
      [
        {"trigger": {"url-filter": "ads", "load-type": "third-party"},
         "action": {"type": "block"}}
      ]
      """
    )
    #expect(
      output == """
        ads.json:2:50: error: load-type must be an array, not a string [invalid-flags-array]
             2 |   {"trigger": {"url-filter": "ads", "load-type": "third-party"},
               |                                                  ^~~~~~~~~~~~~
               = hint: write ["third-party"]
               = at [0].trigger.load-type
               = WebKit reports: Invalid trigger flags array. (JSONInvalidTriggerFlagsArray)
        ads.json: refused, 1 rule; 1 error

        """
    )
  }

  @Test func cutsLongLinesAroundThePlace() throws {
    let filler = String(repeating: "ü", count: 10_000)
    let output = render(
      #"[{"x":"\#(filler)","trigger":{"url-filter":"a|b"},"action":{"type":"block"},"y":"\#(filler)"}]"#,
      width: 40
    )
    let lines = output.split(separator: "\n").map(String.init)
      .drop { !$0.contains("invalid-pattern") }
    let source = try #require(lines.first { $0.contains(" 1 | ") })
    let mark = try #require(lines.first { $0.contains("^") })
    #expect(source.hasSuffix("…"))
    #expect(source.contains("…"))
    #expect(source.count < 60)
    let place = mark.distance(from: mark.startIndex, to: try #require(mark.firstIndex(of: "^")))
    #expect(source[source.index(source.startIndex, offsetBy: place)] == "|")
  }

  @Test func controlCharactersAreNotWrittenOut() {
    let output = render(
      "[{\"\u{1B}[31m\u{202E}\":1,\"trigger\":5,\"action\":{\"type\":\"block\"}}]"
    )
    #expect(!output.contains("\u{1B}"))
    #expect(!output.contains("\u{202E}"))
  }

  @Test func colourIsOnlyThereWhenAskedFor() {
    #expect(!render("[5]").contains("\u{1B}["))
    #expect(render("[5]", color: true).contains("\u{1B}[31;1merror:\u{1B}[0m"))
  }

  @Test func theSummaryCounts() {
    let rule = #"{"trigger":{"url-filter":"a"},"action":{"type":"block"},"x":1}"#
    #expect(render("[\(rule)]").hasSuffix("ads.json: accepted, 1 rule; 1 warning\n"))
  }
}
