import ContentBlocking

let json = """
  [{"trigger": {"url-filter": "/ads/"}, "action": {"type": "block"}},
   {"trigger": {"url-filter": "/ads/ours/"}, "action": {"type": "ignore-previous-rules"}}]
  """
let list = try ContentRuleList(identifier: "ads", encodedContentRuleList: json)
var blocker = ContentBlocker(lists: [list])

let page = "https://news.test/"
let decision = try blocker.decision(url: "https://cdn.test/ads/a.js", page: page, type: "script")
// Also .blocksCookies, .newURL, .hiddenSelectors, and .actions with their rules.
print(decision.isBlocked)

let load = try ResourceLoad(url: "https://cdn.test/ads/ours/b.js", page: page, type: "script")
let source = ListSource(list.source)
let explanation = blocker.explanation(for: load, sources: [source])
for match in explanation.matches {
  print(explanation.sentence(about: match, sources: [source]))
}
