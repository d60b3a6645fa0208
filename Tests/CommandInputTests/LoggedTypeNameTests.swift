import CommandInput
import ContentRules
import ResourceLoads
import Testing

/// A type's name that logs have is told to be what such a log's reader makes of it.
@Suite("Names of types in logs") struct LoggedTypeNameTests {
  private func suggestion(_ name: String) -> String? {
    let text =
      #"[{"trigger":{"url-filter":"a","resource-type":["\#(name)"]},"action":{"type":"block"}}]"#
    let report = RuleListReader.read(text)
    return report.isAccepted ? name : report.diagnostics.first?.hint
  }

  @Test(
    "the names of filter lists and developer tools, as logs are read",
    arguments: [
      "beacon", "worker", "iframe", "frame", "subdocument", "sub_frame", "main_frame", "page",
      "css",
      "style", "stylesheet", "img", "images", "js", "scripts", "xmlhttprequest", "xhr", "video",
      "audio", "texttrack", "svg", "ws", "web-socket", "csp", "window", "manifest", "eventsource",
      "preflight", "signedexchange",
    ]
  )
  func tools(_ name: String) {
    let type = LoadWords.resourceType(name)
    let known = LoadWords.resourceTypeWords
    let word =
      type.map { LoadWords.word(for: $0) } ?? LoadWords.suggestion(for: name, among: known) ?? ""
    #expect(suggestion(name) == "did you mean \(word)?")
  }
}
