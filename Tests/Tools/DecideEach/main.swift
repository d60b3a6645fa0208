// Decides requests of which each has a list, or filters to convert, of its own. For
// Scripts/compare-converters.
//
// In: a line each, {"url", "page", "type", "list"} or {"url", "page", "type", "filters"}, with the list
// as text and the filters as an array. Out: a line each, true, false or -, for no decision.

import ContentBlocking
import FilterConversion
import FilterLists
import Foundation
import ResourceLoads
import WebURL

struct Question: Decodable {
  var url: String
  var page: String
  var type: String
  var list: String?
  var filters: [String]?

  /// The rule list; `nil` if no rule is left of the filters.
  var rules: [UInt8]? {
    if let list { return Array(list.utf8) }
    var reader = FilterCollectionReader()
    var none = NoIncludes()
    let text = Array((filters ?? []).joined(separator: "\n").utf8)
    reader.add(FilterSource(name: "filters", dialect: .abp, text: text), including: &none)
    let conversion = FilterConverter.convert(reader.collection)
    return conversion.ruleCount > 0 ? conversion.json : nil
  }
}

func answer(_ line: String) throws -> String {
  let question = try JSONDecoder().decode(Question.self, from: Data(line.utf8))
  guard let url = WebURL(question.url),
    let type = ResourceType.words.first(where: { "\($0.word)" == question.type })?.type
  else { return "-" }
  let load = ResourceLoad(url: url, topURL: WebURL(question.page), resourceType: type)
  guard let rules = question.rules else { return "false" }
  guard let list = try? ContentRuleList(identifier: "list", encodedContentRuleList: rules) else {
    return "-"
  }
  var blocker = ContentBlocker(lists: [list])
  return "\(blocker.outcome(for: load).isBlocked)"
}

while let line = readLine() {
  let answer = try answer(line)
  try FileHandle.standardOutput.write(contentsOf: Data((answer + "\n").utf8))
}
