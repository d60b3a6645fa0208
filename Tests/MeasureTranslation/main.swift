// Prints, for real lists, how well they are said in Chromium's rules, as a table for the documents.

import ContentBlocking
import ContentRules
import DeclarativeModel
import DeclarativeRules
import Foundation
import ResourceLoads
import TestSupport
import WebURL

/// The log's requests that Chromium's rules see.
func loads() throws -> [(load: ResourceLoad, seen: BrowserLoad)] {
  try SharedData.lines("data/requests/top500-2019.tsv").dropFirst().compactMap { line in
    let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
    let type = columns[3] == "document" ? "top-document" : String(columns[3])
    guard let url = WebURL(String(columns[0])), let top = WebURL(String(columns[1])),
      let word = ResourceType.words.first(where: { "\($0.word)" == type })
    else { return nil }
    let load = ResourceLoad(url: url, topURL: top, resourceType: word.type).withoutBrowserFragment()
    return BrowserLoad(load).map { (load, $0) }
  }
}

guard !SharedData.isAbsent else {
  print("There is no folder of data; name one by TICKBIRD_SHARED.")
  exit(77)
}
let requests = try loads()
print(
  """
  | list | rules on loads | exact | approximated | not expressible | browser's rules | regexes \
  | requests decided alike | otherwise | of these, by exact rules alone |
  | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
  """
)
var hasFault = false
for name in SharedData.listNames {
  let json = try SharedData.bytes("data/lists/\(name).json")
  guard let rules = RuleListReader.read(json).ruleList?.rules else { continue }
  let translation = Translator.translate([DeclarativeList(name: name, rules: rules)])
  let model = try DeclarativeModel(translation.rules)
  var exact: Set<Int> = []
  for (rule, verdict) in translation.lists[0].verdicts where verdict.differences.isEmpty {
    exact.insert(rule)
  }
  var blocker = ContentBlocker(
    lists: [try ContentRuleList(identifier: name, encodedContentRuleList: json)]
  )
  let source = ListSource(json)
  var differences = 0
  var unexplained = 0
  for (load, seen) in requests {
    let outcome = model.outcome(seen)
    guard outcome.isBlocked != blocker.outcome(for: load).isBlocked else { continue }
    differences += 1
    let matched = blocker.explanation(for: load, sources: [source]).matches.map(\.rule)
    let ofBrowser = outcome.matched.flatMap { translation.rules[$0].sources }
    if (matched + ofBrowser).allSatisfy({ exact.contains($0) }) {
      unexplained += 1
      hasFault = true
      print("\(seen) by rules \(matched) and \(ofBrowser.prefix(5))")
    }
  }
  let counts = translation.lists[0].counts
  print(
    "| `\(name)` | \(counts.acting) | \(counts.exact) | \(counts.approximated) "
      + "| \(counts.notExpressible) | \(translation.rules.count) | \(translation.regexCount) "
      + "| \(requests.count - differences) | \(differences) | \(unexplained) |"
  )
}
exit(hasFault ? 1 : 0)
