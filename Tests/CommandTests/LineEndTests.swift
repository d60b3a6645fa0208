import ContentRules
import Foundation
import TestSupport
import Testing

/// Every command names the same line of a rule.
@Suite struct LineEndTests {
  /// The lines that a document names, in its order.
  private func lines(_ json: String) -> [Int] {
    json.matches(of: /"line":(\d+)/).compactMap { Int($0.output.1) }
  }

  @Test(
    "check, explain, audit and translate name one line, however lines end",
    arguments: ["\n", "\r\n", "\r"]
  )
  func commands(end: String) throws {
    let scratch = try Scratch()
    let rules = [
      #"{"trigger":{"url-filter":"no"},"action":{"type":"block"}}"#,
      #"{"trigger":{"url-filter":"ads","unless-domain":["a..com"]},"action":{"type":"block"}}"#,
      #"{"trigger":{"url-filter":"no2"},"action":{"type":"block"}}"#,
    ]
    let text = "[" + end + rules.joined(separator: "," + end) + end + "]"
    let list = try scratch.file("list.json", Data(text.utf8)).path
    let log = try scratch.file(
      "log.tsv",
      Data("url\ttop_url\tresource_type\nhttps://x.test/ads\thttps://n.test/\timage\n".utf8)
    ).path
    let load = ["--url", "https://x.test/ads", "--page", "https://n.test/", "--type", "image"]
    let outputs = [
      try Command.run(["check", "--no-config", "--format", "json", list]),
      try Command.run(["explain", "-l", list, "--format", "json"] + load),
      try Command.run(["audit", "-l", list, "--format", "json", log]),
      try Command.run(["translate", "--to", "chromium", "--format", "json", list]),
    ]
    #expect(lines(outputs[0].output) == [3])
    #expect(Set(lines(outputs[1].output)) == [3])
    // The other lines are those of the log.
    #expect(lines(outputs[2].output).filter { $0 != 2 } == [3])
    #expect(lines(outputs[3].output).allSatisfy { $0 == 3 })
    let sarif = try Command.run(["check", "--no-config", "--format", "sarif", list]).output
    #expect(sarif.contains(#""startLine":3"#))
  }

  @Test("lines that are counted and lines that are looked up are the same")
  func counting() {
    var random = RandomSource(seed: 8)
    for _ in 0..<300 {
      // Some have lines that are read many bytes at a time.
      let letters = Array((Bool.random(using: &random) ? "ab\n\r" : "abcdefghijklmnopqr\t\n").utf8)
      let text = (0..<random.number(below: 140)).map { _ in random.pick(letters) }
      let lines = TextLines(text.span)
      var counter = LineCounter()
      for offset in 0...text.count {
        let position = lines.position(of: offset)
        let counted = counter.advance(to: offset, in: text.span)
        #expect(position == counted, "\(text) at \(offset)")
        var atOnce = LineCounter()
        #expect(position == atOnce.advance(to: offset, in: text.span), "\(text) at \(offset)")
      }
    }
  }
}
