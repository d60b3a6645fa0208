import ContentBlocking
import DeclarativeImport
import DeclarativeModel
import DeclarativeRules
import Foundation
import ResourceLoads
import Testing
import WebURL

/// Declarative rules in WebKit, and in the model of Chromium where it has their actions.
final class ImportBench {
  let list: ListImport
  private var blocker: ContentBlocker?

  /// Imports the rules of an array; expressions are taken as they stand.
  init(_ json: String) throws {
    let elements = try ImportReader.read(Array(json.utf8))
    list = ListImport(
      elements,
      expressions: ExpressionPatterns { text in
        text.contains("|")
          ? .impossible("there are alternatives") : .patterns([text], differences: [])
      }
    )
    guard list.ruleCount > 0 else { return }
    let made = try ContentRuleList(identifier: "rules", encodedContentRuleList: list.json)
    blocker = ContentBlocker(lists: [made])
  }

  /// What WebKit does with a load.
  func outcome(_ load: ResourceLoad) -> ContentBlocker.Outcome {
    blocker?.outcome(for: load) ?? ContentBlocker.Outcome()
  }

  /// Whether WebKit blocks a load of a page.
  func blocks(
    _ url: String,
    on page: String = "https://page.example/",
    _ type: ResourceType = .image,
    frame: String? = nil
  ) throws -> Bool {
    outcome(
      ResourceLoad(
        url: try #require(WebURL(url)),
        topURL: try #require(WebURL(type == .topDocument ? url : page)),
        frameURL: try frame.map { try #require(WebURL($0)) },
        resourceType: type,
        loadContext: frame == nil && type != .childDocument ? .topFrame : .childFrame
      )
    ).isBlocked
  }

  /// The codes of the reasons for a rule.
  func codes(_ entry: Int = 0) -> [String] { list.entries[entry].reasons.map(\.code.rawValue) }
}

/// A rule's JSON.
func rule(_ id: Int, _ action: String, _ condition: String, priority: Int = 1) -> String {
  """
  {"id": \(id), "priority": \(priority), "action": \(action), "condition": {\(condition)}}
  """
}

/// A rule that blocks.
func blocking(_ condition: String) -> String {
  "[" + rule(1, #"{"type": "block"}"#, condition) + "]"
}
