import BrowserDriving
import Foundation
import Testing

/// A page on which much was blocked, and many lists: counted, since times depend on the machine.
struct ManyItems {
  let session: Session
  var browser: any Browser { session.browser }

  private static let page = "http://www.busy.test/"

  init(_ browser: TestBrowser) throws { session = try Session.with(browser) }

  private static func rule(_ text: String) -> [UInt8] {
    Array(#"[{"trigger": {"url-filter": "\#(text)"}, "action": {"type": "block"}}]"#.utf8)
  }

  /// What a page of the extension took to be shown.
  private struct Cost {
    var elements: Int
    /// The types of the messages that the page sent to the background, in their order.
    var messages: [String]
  }

  /// Shows the pop-up of the page, and counts its elements and its messages to the background.
  private func popUp(_ body: (BrowserTab) throws -> Void = { _ in }) throws -> Cost {
    let number = try #require(try session.number(ofTabAt: Self.page))
    try browser.noteMessages(fromPagesIn: "popup")
    return try session.visit(browser.extensionURL + "popup/popup.html?tab=\(number)") {
      tab throws in
      _ = try eventually("the pop-up is shown") { () -> Bool? in
        try browser.evaluate("document.documentElement.dataset.shown === 'true'", in: tab) as? Bool
          == true ? true : nil
      }
      let messages = try browser.notedMessagesWhenQuiet()
      let elements = try count("*", tab)
      try body(tab)
      return Cost(elements: elements, messages: messages)
    }
  }

  private func count(_ selector: String, _ tab: BrowserTab) throws -> Int {
    try #require(
      try browser.evaluate("document.querySelectorAll(\(quoted(selector))).length", in: tab) as? Int
    )
  }

  private func blocked(_ number: Int) throws -> Int {
    session.server.answer { request in
      guard request.url == Self.page else { return .init("text/plain", "") }
      let images = (0..<number).map { "<img src='http://h\($0).third.test/ads/\($0).png'>" }
      return .page("<title>Busy</title><body>\(images.joined())")
    }
    return number
  }

  /// Five hundred requests of as many hosts are as many elements as fifty, until more are asked for; then
  /// what is made grows with them, and no faster.
  func areFewElements() throws {
    try session.use(["ads": Self.rule("/ads/")])
    var costs: [Cost] = []
    for number in [50, 500] {
      _ = try blocked(number)
      try session.visit(Self.page) { _ throws in
        _ = try eventually("\(number) are counted") { () -> Bool? in
          (try session.page(Self.page)["counts"] as? [String: Int])?["block"] == number ? true : nil
        }
        costs.append(
          try popUp { tab throws in
            #expect(try count("[data-kind=block] details", tab) == 8)
            let shown = try count("*", tab)
            let made = try browser.evaluate(Self.askForMore, in: tab) as? Int
            #expect(try count("[data-kind=block] details", tab) == number)
            // A line is a part, its words and its number, with nothing in it yet.
            let perLine = 7
            #expect(try count("*", tab) - shown <= perLine * number)
            #expect(try #require(made) <= perLine * number)
          }
        )
        guard number == 500, !session.mayBlock else { return }
        // Rules are of lists, and not of what they block.
        let rules = "api.declarativeNetRequest.getSessionRules().then(({ length }) => length)"
        #expect(try #require(try browser.evaluateInBackground(rules) as? Int) <= 4)
      }
    }
    #expect(costs[1].elements - costs[0].elements <= 2, "\(costs)")
    #expect(costs[1].messages.count <= costs[0].messages.count, "\(costs)")
    #expect(costs[1].messages.count <= 20, "\(costs)")
  }

  /// Presses the button for more, and counts what is made for it.
  private static let askForMore = """
    (() => {
      let made = 0;
      const create = document.createElement;
      document.createElement = (...names) => { made += 1; return create.apply(document, names); };
      document.querySelector("[data-kind=block] .more-rows").click();
      document.createElement = create;
      return made;
    })()
    """

  /// Fifty lists are fifty switches, asked for at once.
  func areFiftyLists() throws {
    _ = try blocked(1)
    var costs: [Cost] = []
    for number in [1, 50] {
      let names = (1...number).map { "list\($0)" }
      try session.use(Dictionary(uniqueKeysWithValues: names.map { ($0, Self.rule("/\($0)/")) }))
      try session.visit(Self.page) { _ throws in
        costs.append(
          try popUp { tab throws in
            #expect(try count("#list-switches input", tab) == number)
          }
        )
      }
    }
    #expect(costs[1].elements - costs[0].elements <= 49 * 6, "\(costs)")
    #expect(costs[1].messages.count <= costs[0].messages.count, "\(costs)")
    try session.use(["ads": Self.rule("/ads/")])
  }
}
