import ContentBlocking
import Foundation
import ResourceLoads
import Testing
import WebURL

/// A list of rules written as pairs of JSON texts: members of the trigger, members of the action.
func listText(_ rules: [(trigger: String, action: String)]) -> [UInt8] {
  let texts = rules.map { #"{"trigger":{\#($0.trigger)},"action":{\#($0.action)}}"# }
  return Array("[\(texts.joined(separator: ",\n"))]".utf8)
}

/// A list of rules whose triggers are a pattern and whose actions are a type word.
func plainList(_ rules: (pattern: String, type: String)...) -> [UInt8] {
  listText(rules.map { (#""url-filter":"\#($0.pattern)""#, #""type":"\#($0.type)""#) })
}

func contentRuleList(_ json: [UInt8], _ identifier: String = "list") throws -> ContentRuleList {
  try ContentRuleList(identifier: identifier, encodedContentRuleList: json)
}

func webURL(_ text: String, _ place: SourceLocation = #_sourceLocation) throws -> WebURL {
  try #require(WebURL(text), sourceLocation: place)
}

/// A load from a page; an image unless something else is said.
func makeLoad(
  _ url: String,
  page: String = "https://page.test/",
  frame: String? = nil,
  type: ResourceType = .image,
  context: LoadContext = .topFrame,
  method: RequestMethod? = .get
) throws -> ResourceLoad {
  ResourceLoad(
    url: try webURL(url),
    topURL: try webURL(page),
    frameURL: try frame.map { try webURL($0) },
    resourceType: type,
    loadContext: context,
    requestMethod: method
  )
}

/// A folder of its own that is gone after use.
func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("tickbird-store-\(UUID().uuidString)", isDirectory: true)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

/// The error that a call of the store ends with.
func storeError<Result>(
  _ place: SourceLocation = #_sourceLocation,
  _ body: () throws(RuleListStoreError) -> Result
) -> RuleListStoreError? {
  do throws(RuleListStoreError) {
    _ = try body()
    Issue.record("nothing was thrown", sourceLocation: place)
    return nil
  } catch {
    return error
  }
}
