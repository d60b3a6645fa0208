import ContentRules
import ResourceLoads
import Testing

@testable import DeclarativeRules

/// A type's name in another language is told to be what WebKit gives such a load.
@Suite("Names of types") struct TypeNameTests {
  private func suggestion(_ name: String) -> String? {
    let text =
      #"[{"trigger":{"url-filter":"a","resource-type":["\#(name)"]},"action":{"type":"block"}}]"#
    let report = RuleListReader.read(text)
    return report.isAccepted ? name : report.diagnostics.first?.hint
  }

  @Test(
    "the names of declarativeNetRequest",
    arguments: [DeclarativeBrowser.chromium, DeclarativeBrowser.firefox]
  )
  func browsers(_ browser: DeclarativeBrowser) {
    for type in browser.types {
      let word = ResourceType.words.first { $0.type == type.type }.map { "\($0.word)" } ?? ""
      let found = suggestion(type.name)
      #expect(found == "did you mean \(word)?" || found == word, "\(type.name): \(found ?? "")")
    }
  }
}
