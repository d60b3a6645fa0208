import ActionCoding
import ContentRules
import RuleMatching
import Testing

/// What is written of an action is what is read of it.
@Suite struct ActionTextTests {
  private static let transform: URLTransform = {
    var transform = URLTransform()
    transform.host = "a.test"
    transform.password = ""
    transform.port = .set(65_535)
    transform.queryTransform = QueryTransform(
      removeParameters: ["a", ""],
      addOrReplaceParameters: [QueryKeyValue(key: "k", isReplaceOnly: true, value: "é")]
    )
    transform.scheme = "https"
    return transform
  }()

  private static let actions: [Action] = [
    .block, .blockCookies, .ignorePreviousRules, .ignoreFollowingRules, .makeHTTPS,
    .cssDisplayNone(selector: "a, .é"), .notify(""),
    .redirect(.extensionPath("/a/b")), .redirect(.regexSubstitution("https://x/\\1")),
    .redirect(.url("https://a.test/")), .redirect(.transform(transform)),
    .redirect(.transform(URLTransform())),
    .modifyHeaders(
      ModifyHeaders(
        priority: .max,
        requestHeaders: [.append(header: "a", value: "b"), .remove(header: "")],
        responseHeaders: [.set(header: "c", value: "d")]
      )
    ),
  ]

  @Test("an action comes back", arguments: actions)
  func roundTrip(_ action: Action) throws {
    let text = ActionText.encode(action, urlFilter: "a(b)") ?? []
    let kind = ActionText.kind(of: action)
    #expect(ActionText.decode(kind, text) == action)
    let filter = ActionText.decodeRegexFilter(kind, text)
    if case .redirect(.regexSubstitution) = action {
      #expect(filter == "a(b)")
    } else {
      #expect(filter == nil)
    }
  }

  @Test("an identifier comes back", arguments: [0, 1, -1, 0.5, 9_007_199_254_740_992, .infinity])
  func identifier(_ number: Double) {
    let identifier = RuleIdentifier(number: number, ruleset: "r")
    #expect(ActionText.decodeIdentifier(ActionText.encode(identifier)) == identifier)
  }

  @Test("a text that is cut off is no action", arguments: actions)
  func cutOff(_ action: Action) {
    let kind = ActionText.kind(of: action)
    guard kind != .cssDisplayNone, kind != .notify,
      let text = ActionText.encode(action, urlFilter: "a")
    else { return }
    #expect(ActionText.decode(kind, []) == nil)
    for count in 1..<text.count {
      // The url filter of a redirect stands behind what the action is read from.
      let read = ActionText.decode(kind, Array(text.prefix(count)))
      #expect(read == nil || read == action)
    }
  }
}
