import ContentBlocking
import EngineComparison
import Foundation
import ReferenceMatcher
import ResourceLoads
import TestSupport
import Testing
import WebURL

/// Runs the project's own conformance cases, `Tests/Fixtures/Conformance`, over every engine.
struct FixtureTests {
  static let files = ["patterns", "triggers", "combining", "upgrades"]

  private static func groups(_ file: String) throws -> [VectorGroup] {
    let path = SharedData.packageRoot.appending(path: "Tests/Fixtures/Conformance/\(file).json")
    let values = try #require(try JSONValue(parsing: Data(contentsOf: path)).array)
    return values.compactMap { VectorGroup($0) }
  }

  @Test(arguments: files, TestedEngine.all)
  func casesHold(_ file: String, _ tested: TestedEngine) throws {
    for group in try Self.groups(file) {
      #expect(!group.cases.isEmpty || group.fields["error"] != nil, "\(group.name) is empty")
      // The reference does not parse selectors: the product tells it which are valid.
      try group.check(tested.engine)
    }
  }

  /// Every oddity of matching, conditions and combining has a case.
  @Test func thereAreEnoughCases() throws {
    let groups = try Self.files.flatMap { try Self.groups($0) }
    #expect(groups.count >= 120)
    #expect(Set(groups.map(\.name)).count == groups.count)
    for section in ["5.1", "5.3", "5.4", "6.1", "6.2", "6.3", "6.4", "7.1", "7.2", "7.3", "7.4"] {
      #expect(groups.contains { $0.fields["source"]?.string?.hasSuffix(" \(section)") == true })
    }
  }

  @Test func loadsGoWhereUpgradesLead() throws {
    for group in try Self.groups("upgrades") {
      let lists = try group.lists.map {
        try ContentRuleList(identifier: "a", encodedContentRuleList: $0)
      }
      var blocker = ContentBlocker(lists: lists)
      for vector in group.cases {
        let url = try #require(vector["url"]?.string.flatMap { WebURL($0) })
        let top = try #require(vector["top_url"]?.string.flatMap { WebURL($0) })
        let decision = blocker.decision(
          for: ResourceLoad(url: url, topURL: top, resourceType: .image)
        )
        #expect(
          decision.newURL?.serialized == vector["new_url"]?.string,
          "\(group.name): \(url)"
        )
      }
    }
  }
}
