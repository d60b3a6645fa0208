import ContentBlocking
import Foundation
import RuleMatching
import TestSupport
import Testing

/// Files that earlier versions have compiled, as `Documentation/Compatibility.md` promises.
@Suite("Compiled lists of earlier versions")
struct CompatibilityTests {
  static let folder = SharedData.packageRoot.appending(path: "Tests/Fixtures/Compatibility")

  /// The recorded files, by their versions.
  static let files: [(version: Int, file: URL)] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.compactMap { name in
      guard name.hasPrefix("version-"), name.hasSuffix(".compiled") else { return nil }
      let number = name.dropFirst("version-".count).dropLast(".compiled".count)
      return Int(number).map { ($0, folder.appending(path: name)) }
    }
  }()

  struct Load {
    let url: String
    let page: String
    let type: String
    let outcome: String
  }

  static func loads() throws -> [Load] {
    try String(contentsOf: folder.appending(path: "loads.tsv"), encoding: .utf8)
      .split(separator: "\n").map { line in
        let columns = line.split(separator: "\t").map(String.init)
        return Load(url: columns[0], page: columns[1], type: columns[2], outcome: columns[3])
      }
  }

  /// What a list does to a load, in a word.
  static func outcome(of load: Load, by list: ContentRuleList) throws -> String {
    var blocker = ContentBlocker(lists: [list])
    let decision = try blocker.decision(url: load.url, page: load.page, type: load.type)
    if decision.isBlocked { return "blocked" }
    if decision.blocksCookies { return "cookies" }
    return decision.newURL == nil ? "loaded" : "https"
  }

  @Test("one of them is of this version: a new version records its own, and keeps the old")
  func recorded() {
    #expect(Self.files.contains { $0.version == Int(FileLayout.version) })
  }

  @Test("decide as when they were compiled, or are refused as another version's")
  func opened() throws {
    for (version, file) in Self.files {
      let bytes = [UInt8](try Data(contentsOf: file))
      guard version == Int(FileLayout.version) else {
        let error = #expect(throws: RuleListError.self) {
          try ContentRuleList(identifier: "old", compiledFile: bytes)
        }
        #expect(error?.message.contains("version") == true)
        continue
      }
      let list = try ContentRuleList(identifier: "old", compiledFile: bytes)
      for load in try Self.loads() {
        #expect(try Self.outcome(of: load, by: list) == load.outcome, "\(load.url)")
      }
    }
  }

  @Test("have the outcomes that their source has now")
  func compiledAgain() throws {
    let source = try String(contentsOf: Self.folder.appending(path: "list.json"), encoding: .utf8)
    let list = try ContentRuleList(identifier: "new", encodedContentRuleList: source)
    for load in try Self.loads() {
      #expect(try Self.outcome(of: load, by: list) == load.outcome, "\(load.url)")
    }
  }

  @Test("of a version to come are refused, with the version in words")
  func later() throws {
    let current = try #require(Self.files.first { $0.version == Int(FileLayout.version) })
    var bytes = [UInt8](try Data(contentsOf: current.file))
    bytes[8] += 1
    let error = #expect(throws: RuleListError.self) {
      try ContentRuleList(identifier: "later", compiledFile: bytes)
    }
    #expect(error?.message.contains("version") == true, "\(String(describing: error))")
  }
}
