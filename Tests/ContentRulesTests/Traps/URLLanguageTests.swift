import ContentRules
import TestSupport
import Testing
import WebURL

/// What is excluded as the URL of a load is a URL that no parser writes.
@Suite("The language of URLs") struct URLLanguageTests {
  private func address(_ random: inout RandomSource) -> String {
    let number = random.pick([0, 1, 127, 255, 256, 65_535]) + random.number(below: 3)
    switch random.number(below: 6) {
    case 0: return "\(number)"
    case 1: return "0x" + String(number, radix: 16)
    case 2: return (0..<4).map { _ in "\(random.number(below: 256))" }.joined(separator: ".")
    case 3:
      return (0..<4).map { _ in random.pick(["0", "00", "01", "0x1", "7", "255", "a", "08g"]) }
        .joined(separator: ".") + random.pick(["", "", "."])
    case 4:
      let pieces = (0..<8).map { _ in random.pick(["0", "0", "0", "1", "0a0", "ffff", "10"]) }
      return "[\(pieces.joined(separator: ":"))]"
    default:
      return random.pick(["a", "1a", "0x", "0xg", "9-"])
        + random.pick([".test", ".1x", "", ".a.0b"])
    }
  }

  @Test("every URL that the parser writes is one that a load may have")
  func soundness() {
    var random = RandomSource(seed: 1)
    var patterns: Set<String> = []
    for _ in 0..<4_000 {
      let scheme = random.pick(["http", "https", "ws", "wss"])
      let user = random.pick(["", "", "", "u@", "U:p@", "1.2:3@"])
      let port = random.pick(["", "", ":0", ":80", ":443", ":080", ":8", ":800", ":4430", ":65535"])
      let path = random.pick(["", "/", "/A?b", "?c=http://d:80/", "/e/../f.JPG"])
      let host = address(&random)
      guard let url = WebURL("\(scheme)://\(user)\(host)\(port)\(path)") else { continue }
      var pattern = ""
      for character in url.serialized {
        pattern += "\\.?*+()[]{}|^$".contains(character) ? "\\\\\(character)" : "\(character)"
      }
      patterns.insert("^\(pattern)$")
    }
    let rules = patterns.map {
      #"{"trigger":{"url-filter":"\#($0)","url-filter-is-case-sensitive":true},"#
        + #""action":{"type":"block"}}"#
    }
    let found = RuleListReader.read("[" + rules.joined(separator: ",") + "]").diagnostics
    #expect(patterns.count > 1_000)
    #expect(found.allSatisfy { $0.severity == .note }, "\(found.prefix(3))")
  }
}
