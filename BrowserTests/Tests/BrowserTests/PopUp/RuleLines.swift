import BrowserDriving
import Foundation
import Testing

/// Rules named by the line of their list.
struct RuleLines {
  let session: Session

  init(_ browser: TestBrowser) throws { session = try Session.with(browser) }

  /// The pop-up says the line of each rule that acted, and shows the rule as it stands there.
  func showsLines() throws {
    let filler = (1...2000).map {
      "  {\"trigger\": {\"url-filter\": \"unused\($0)\\\\.\"},\r\n   \"action\": {\"type\": \"block\"}}"
    }
    let list =
      "[\r\n" + filler.joined(separator: ",\r\n") + """
        ,\r
          {"trigger": {"url-filter": "pixel"},  "action": {"type": "block"}},\r
          {"trigger": {"url-filter": ".*"},
           "action": {"type": "css-display-none", "selector": ".ad, [title=\\"]},\\"]"}},
          {"trigger": {"url-filter": "news", "resource-type": ["top-document"]},
           "action": {"type": "css-display-none", "selector": "#late"}}
        ]
        """
    try session.use([
      "many": Array(list.utf8),
      "single": Array(
        #"[{"trigger":{"url-filter":"dot"},"action":{"type":"block"}},"#.utf8
      ) + Array(#"{"trigger":{"url-filter":"dash"},"action":{"type":"block"}}]"#.utf8),
    ])
    let page = "http://news.example/"
    session.server.answer { request in
      request.url == page
        ? .page(
          "<body><p class=ad>Ad<p id=late>Late<img src=http://a.test/pixel><img src=http://a.test/dot>"
        ) : .init("text/plain", "")
    }
    try session.visit(page) { _ in
      let tabID = try #require(
        try session.browser.evaluateInBackground(
          "(await api.tabs.query({})).find((tab) => tab.url.includes('news.example')).id"
        ) as? Int
      )
      try session.visit(session.browser.extensionURL + "popup/popup.html?tab=\(tabID)") { popUp in
        func text() throws -> String {
          try session.browser.evaluate("document.body.innerText", in: popUp) as? String ?? ""
        }
        let shown = try eventually("the pop-up shows what is hidden") { () -> String? in
          let text = try text()
          _ = try session.browser.evaluate(
            "document.querySelectorAll('details').forEach((each) => { each.open = true; })",
            in: popUp
          )
          return text.contains("#late") && text.contains("rule 2,002") && text.contains("2,001")
            ? text : nil
        }
        #expect(shown.contains("Many, rule 2,001, line 4,002"))
        #expect(shown.contains("Many, rule 2,002, line 4,003"))
        #expect(shown.contains("Many, rule 2,003, line 4,005"))
        // A line says nothing where there is but one.
        #expect(shown.contains("Single, rule 1\n") && !shown.contains("Single, rule 1,"))
        _ = try session.browser.evaluate(
          "document.querySelectorAll('details').forEach((each) => { each.open = true; })",
          in: popUp
        )
        // Each comes by itself.
        let parts = [
          #""url-filter": "pixel""#, #""selector": ".ad, [title=\"]},\"]""#, #""resource-type": ["#,
        ]
        _ = try eventually("the rules are shown") {
          let text = try text()
          return parts.allSatisfy { text.contains($0) } ? true : nil
        }
      }
    }
  }

  /// Elements of arrays in every form that the engine takes, found by number.
  func findsElements() throws {
    var generator = Generator(state: 1)
    var texts: [String] = []
    var expected: [[String]] = []
    for _ in 0..<300 {
      let (text, elements) = generator.array()
      texts.append(text)
      expected.append(elements)
    }
    // What is no array to its end gives what is there, and never fails.
    texts += ["", "[", "[\"", "[{\"a\":", "null", "[1,\"\\"]
    let data = try JSONSerialization.data(withJSONObject: texts)
    let url = session.browser.extensionURL
    try session.visit(url + "popup/popup.html?tab=-1") { tab in
      let answer = try session.browser.evaluate(
        """
        (async (texts) => {
          const { RulePlaces } = await import("\(url)lists/rule-places.js");
          return texts.map((text) => {
            const bytes = new TextEncoder().encode(text);
            const places = new RulePlaces(bytes);
            return Array.from({ length: places.count }, (_, number) =>
              `${places.line(number)} ${new TextDecoder().decode(places.bytes(number, bytes))}`);
          });
        })(\(String(decoding: data, as: UTF8.self)))
        """,
        in: tab
      )
      let found = try #require(answer as? [[String]])
      #expect(found.count == texts.count)
      for (place, elements) in expected.enumerated() {
        #expect(found[place] == elements, "\(texts[place])")
      }
    }
  }
}

/// Makes JSON arrays with line ends wherever they may be.
private struct Generator {
  var state: UInt32

  private mutating func below(_ bound: Int) -> Int {
    state = state &* 1_103_515_245 &+ 12345
    return Int(state >> 8) % bound
  }

  private mutating func space() -> String { ["", " ", "\n", "\r\n", "\r", "\t\n"][below(6)] }

  private mutating func value(_ depth: Int) -> String {
    let kind = below(depth > 3 ? 3 : 5)
    switch kind {
    case 0: return "-\(below(100)).5e400"
    case 1:
      return "\"" + ["", "a", #"\""#, #"\\"#, "]", "é,", "\n", "\r\n", "[{", #"\v"#][below(10)]
        + "\""
    case 2: return ["true", "null", "false"][below(3)]
    default:
      var parts: [String] = []
      for number in 0..<below(4) {
        let name = kind == 4 ? space() + "\"k\(number)\"" + space() + ":" : ""
        parts.append(name + space() + value(depth + 1) + space())
      }
      let inside = parts.isEmpty ? space() : parts.joined(separator: ",")
      return kind == 3 ? "[\(inside)]" : "{\(inside)}"
    }
  }

  /// An array's text, and of each element its line and its text.
  mutating func array() -> (String, [String]) {
    var text = space() + "["
    var elements: [(line: Int, text: String)] = []
    for number in 0..<below(6) {
      text += (number > 0 ? "," : "") + space()
      let ended = text.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
      let value = value(0)
      elements.append((ended.utf8.count { $0 == 10 } + 1, value))
      text += value + space()
    }
    text += "]" + space()
    let isOneLine = elements.count > 1 && elements.first?.line == elements.last?.line
    return (text, elements.map { "\(isOneLine ? "null" : "\($0.line)") \($0.text)" })
  }
}
