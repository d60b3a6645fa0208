import CommandInput
import ContentBlocking
import ListTesting
import Testing

/// Reads tests that must have no faults.
func tests(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> ListTestFile
{
  let (file, faults) = ListTestReader.read(Array(text.utf8), name: "a.tests")
  try #require(faults == [], "\(faults)", sourceLocation: sourceLocation)
  return file
}

/// Compiles a list of the given rules.
func list(_ rules: [String]) throws -> ContentRuleList {
  try ContentRuleList(
    identifier: "list",
    encodedContentRuleList: "[\(rules.joined(separator: ",\n"))]"
  )
}

/// A rule by its pattern, action and further members of its trigger.
func rule(_ pattern: String, _ action: String, _ trigger: String = "") -> String {
  let action = action.contains("\"") ? action : "\"type\": \"\(action)\""
  return #"{"trigger": {"url-filter": "\#(pattern)"\#(trigger.isEmpty ? "" : ", " + trigger)}, "#
    + #""action": {\#(action)}}"#
}

/// A rule that hides.
func hiding(_ pattern: String, _ selector: String, _ trigger: String = "") -> String {
  rule(pattern, #""type": "css-display-none", "selector": "\#(selector)""#, trigger)
}
