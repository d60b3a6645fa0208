import BrowserDriving
import ContentBlocking
import Foundation
import Testing

/// The vectors, decided by the matcher in the extension's background.
struct VectorAnswers {
  let session: Session

  init(_ browser: TestBrowser) throws { session = try Session.with(browser) }

  private static let folder = Session.packageRoot.appending(path: "Tests/Fixtures/Vectors")

  /// An answer, from which everything is left out that the vector does not look at.
  private struct Answer: Hashable {
    var actions: [String]
    var sheets: Int?
  }

  func hold() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
      .filter { $0.hasPrefix("match-") }.sorted()
    #expect(names.count >= 6)
    var count = 0
    for name in names {
      let data = try Data(contentsOf: Self.folder.appending(path: name))
      let groups = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
      for group in groups { count += try check(group, "\(name), \(group["group"] ?? "")") }
    }
    #expect(count > 1000)
  }

  private func check(_ group: [String: Any], _ name: String) throws -> Int {
    let lists = try (group["lists"] as? [Any] ?? []).map { list in
      let json = try JSONSerialization.data(withJSONObject: list)
      return Data(try ContentRuleList.compile([UInt8](json)).file).base64EncodedString()
    }
    // Browsers' loads have no fragments; WebKit cuts them off before it asks its engine.
    let cases = (group["cases"] as? [[String: Any]] ?? []).filter {
      ($0["url"] as? String)?.contains("#") == false
    }
    let question = try JSONSerialization.data(withJSONObject: ["lists": lists, "cases": cases])
    let answers = try session.browser.evaluateInBackground(
      """
      (async ({ lists, cases }) => {
        const module = await fetch(api.runtime.getURL("matcher.wasm"));
        const engine =
          await tickbird.state.engine.constructor.start(await module.arrayBuffer());
        for (const list of lists) {
          engine.open(Uint8Array.from(atob(list), (letter) => letter.charCodeAt(0)));
        }
        return cases.map((each) => {
          const decision = engine.decide({
            url: each.url, topURL: each.top_url, frameURL: each.frame_url ?? each.top_url,
            type: each.resource_type, isTopFrame: each.load_context === "top-frame",
            method: each.method,
          }, true);
          return {
            isChecked: decision.isChecked,
            actions: decision.actions.map(({ list, kind, slot }) => kind
              + (kind === "css-display-none" ? " " + engine.selectors(list, slot) : "")),
            sheets: decision.sheets.length,
          };
        });
      })(\(String(decoding: question, as: UTF8.self)))
      """
    )
    let found = try #require(answers as? [[String: Any]], "\(name)")
    try #require(found.count == cases.count, "\(name)")
    for (vector, answer) in zip(cases, found) {
      #expect(answer["isChecked"] as? Bool == true, "\(name): \(vector)")
      let sheets = vector["stylesheets"] as? Int
      var wanted = Answer(actions: Self.actions(vector["expect"]), sheets: sheets)
      var given = Answer(
        actions: answer["actions"] as? [String] ?? [],
        sheets: sheets == nil ? nil : answer["sheets"] as? Int
      )
      if wanted.actions.count == given.actions.count {
        for place in given.actions.indices where wanted.actions[place] == "css-display-none" {
          // The vector does not look at the selector.
          given.actions[place] = "css-display-none"
        }
      }
      // Only blocking was looked at.
      if name.contains("observed") { given.actions.removeAll { $0 != "block" } }
      if group["unordered_between_lists"] as? Bool == true {
        wanted.actions.sort()
        given.actions.sort()
      }
      #expect(given == wanted, "\(name): \(vector)")
    }
    return cases.count
  }

  private static func actions(_ expected: Any?) -> [String] {
    (expected as? [[String: Any]] ?? []).map { action in
      let type = action["type"] as? String ?? ""
      return (action["selector"] as? String).map { "\(type) \($0)" } ?? type
    }
  }
}
