import Foundation
import TestSupport
import Testing

@Suite("tickbird translate")
struct TranslateCommandTests {
  private let list = #"""
    [{"trigger": {"url-filter": "^[^:]+://+([^:/]+\\.)?ads\\.com[:/]"}, "action": {"type": "block"}},
     {"trigger": {"url-filter": "ad", "if-domain": ["a.com"]}, "action": {"type": "block"}},

     {"trigger": {"url-filter": ".*"}, "action": {"type": "css-display-none", "selector": ".ad"}}]
    """#
  private let unsaid =
    #"[{"trigger":{"url-filter":"ad","if-top-url":["/news"]},"action":{"type":"block"}}]"#

  @Test("the summary counts verdicts and the browser's rules")
  func summary() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", list)
    let result = try Command.run(["translate", "a.json"], in: scratch.folder)
    #expect(result.status == 0 && result.error.isEmpty)
    #expect(
      result.output == """
        a.json
          2 rules on loads: 1 exact, 1 approximated, 0 not expressible
          1 hiding rule, done by an extension
          2 rules of the browser's
            1: also on subdomains of the domains that are named without “*”
        chromium: 2 of 30,000 rules, 0 of 2,000 regular expressions

        """
    )
  }

  @Test("the report names the place and text of each rule that is not exact; a loss is a finding")
  func report() throws {
    let scratch = try Scratch()
    try scratch.file("a.json", list)
    try scratch.file("b.json", unsaid)
    let result = try Command.run(["translate", "--report", "a.json", "b.json"], in: scratch.folder)
    #expect(result.status == 1)
    #expect(
      result.output.contains(
        "a.json:2:2: rule 1: approximated: also on subdomains of the domains that are named without"
      )
    )
    #expect(
      result.output.contains(
        "\n    {\"trigger\": {\"url-filter\": \"ad\", \"if-domain\": [\"a.com\"]},"
      )
    )
    #expect(
      result.output.contains(
        "b.json:1:2: rule 0: not expressible: the browser knows of a page's address the host alone"
      )
    )
    let json = try Command.run(
      ["translate", "--report", "--format", "json", "b.json"],
      in: scratch.folder
    )
    #expect(json.status == 1)
    // As it was called before.
    #expect(
      json == (try Command.run(["translate", "--report", "--json", "b.json"], in: scratch.folder))
    )
    let object = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    let lists = object?["lists"] as? [[String: Any]]
    let report = lists?.first?["report"] as? [[String: Any]]
    #expect(report?.first?["verdict"] as? String == "notExpressible")
    #expect(report?.first?["line"] as? Int == 1)
    #expect(report?.first?["column"] as? Int == 2)
    #expect(report?.first?["text"] as? String == String(unsaid.dropFirst().dropLast()))
  }

  @Test("the rules are JSON with numbers from 1, for either browser")
  func rules() throws {
    for browser in ["chromium", "firefox"] {
      let result = try Command.run(
        ["translate", "--rules", "--to", browser, "-"],
        input: Data(list.utf8)
      )
      #expect(result.status == 0)
      let rules = try JSONSerialization.jsonObject(with: Data(result.output.utf8))
      let ids = (rules as? [[String: Any]])?.compactMap { $0["id"] as? Int }
      // Firefox is told of pages by another rule than of what they load.
      #expect(ids == (browser == "chromium" ? [1, 2] : [1, 2, 3]))
      #expect(result.output.contains("topDomains") == (browser == "chromium"))
    }
  }

  @Test("refused lists, files that are not there and wrong use")
  func wrongInput() throws {
    let refused = #"[{"trigger":{"url-filter":"a|b"},"action":{"type":"block"}}]"#
    let result = try Command.run(["translate", "-"], input: Data(refused.utf8))
    #expect(result.status == 1 && result.output.isEmpty)
    #expect(result.error.contains("refused, as WebKit would refuse it"))
    #expect(try Command.run(["translate", "no-such-file.json"]).status == 2)
    let scratch = try Scratch()
    try scratch.file("refused.json", refused)
    try scratch.file("fine.json", list)
    let several = try Command.run(
      ["translate", "no-such-file.json", "refused.json", "fine.json"],
      in: scratch.folder
    )
    #expect(several.status == 2 && several.output.isEmpty)
    #expect(several.error.contains("there is no file no-such-file.json"))
    #expect(several.error.contains("refused.json is refused"))
    #expect(try Command.run(["translate"]).status == 2)
    #expect(try Command.run(["translate", "-", "-"]).status == 2)
    #expect(try Command.run(["translate", "-", "--to", "lynx"]).status == 2)
    let both = try Command.run(["translate", "-", "--rules", "--report"], input: Data(list.utf8))
    #expect(both.status == 2 && both.error.contains("--rules prints JSON alone"))
    let help = try Command.run(["translate", "--help"])
    #expect(help.status == 0 && help.output.contains("Exit status"))
  }
}
