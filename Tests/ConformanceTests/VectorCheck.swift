import EngineComparison
import Foundation
import ReferenceMatcher
import Testing
import WebURL

/// One group of vectors: lists, and loads with what WebKit makes of them.
///
/// The form is that of the recorded vectors. The project's own cases, in `Tests/Fixtures`, use three
/// more keys: `error` for lists that are refused, `global_selectors` for each list's sheet, and
/// `fates` for what happens to the rules of the first list, by their places.
struct VectorGroup: CustomTestStringConvertible, Sendable {
  let fields: [String: JSONValue]

  init?(_ value: JSONValue) {
    guard let fields = value.object else { return nil }
    self.fields = fields
  }

  var name: String { fields["group"]?.string ?? "?" }
  var testDescription: String { name }
  var cases: [[String: JSONValue]] { (fields["cases"]?.array ?? []).compactMap(\.object) }
  var lists: [[UInt8]] { (fields["lists"]?.array ?? []).map { Array($0.text.utf8) } }

  /// Runs the group's cases through an engine.
  func check(_ engine: any Engine) throws {
    if let error = fields["error"]?.string {
      #expect(lists.map { engine.refusal(of: $0) } == [error], "\(name)")
      return
    }
    let loaded = try engine.load(lists)
    if let hasSheet = fields["global_stylesheet"]?.boolean {
      #expect(loaded.globalSelectors.allSatisfy { ($0 != nil) == hasSheet }, "\(name)")
    }
    if let selectors = fields["global_selectors"]?.array {
      #expect(loaded.globalSelectors == selectors.map(\.string), "\(name)")
    }
    for fields in cases { try check(fields, loaded) }
  }

  private func check(_ vector: [String: JSONValue], _ loaded: any LoadedLists) throws {
    let load = try #require(Self.load(vector), "\(name): incomplete vector")
    let outcomes = loaded.evaluate(load)
    try #require(outcomes.count == lists.count, "\(name): \(load)")
    var wanted = try #require(vector["expect"]?.array).compactMap(\.object).map(Self.normalized)
    var found = outcomes.flatMap(\.actions).map { action in
      var fields = action.fields
      fields["type"] = .string(action.type)
      return fields
    }
    if name.hasPrefix("observed") || name.contains("/observed") {
      // Only blocking was looked at.
      found.removeAll { $0["type"] != .string("block") }
    }
    if fields["unordered_between_lists"] == .boolean(true) {
      wanted.sort { JSONValue.object($0).text < JSONValue.object($1).text }
      found.sort { JSONValue.object($0).text < JSONValue.object($1).text }
    }
    let isExact = vector["expect_fields"] == .string("exact")
    let agrees =
      wanted.count == found.count
      && zip(wanted, found).allSatisfy { wanted, found in
        isExact ? wanted == found : wanted.allSatisfy { found[$0.key] == $0.value }
      }
    #expect(
      agrees,
      "\(name): \(load.json.text) gave \(found), wanted \(wanted)"
    )
    if let count = vector["stylesheets"]?.number {
      #expect(
        outcomes.count { $0.attachesGlobalSheet } == Int(count),
        "\(name): \(load.json.text)"
      )
    }
    if let fates = vector["fates"]?.object {
      let found = outcomes[0].fates.map { (String($0.key), JSONValue.string("\($0.value)")) }
      #expect(
        Dictionary(found) { first, _ in first } == fates,
        "\(name): \(load.json.text)"
      )
    }
  }

  /// Drops what means the same as its absence.
  private static func normalized(_ action: [String: JSONValue]) -> [String: JSONValue] {
    action.filter { $0.value != .array([]) }
  }

  /// The load of a case, its URLs put through the parser.
  private static func load(_ vector: [String: JSONValue]) -> ReferenceLoad? {
    func parsed(_ key: String) -> WebURL? { vector[key]?.string.flatMap { WebURL($0) } }
    guard let url = parsed("url"), let topURL = parsed("top_url"),
      let type = vector["resource_type"]?.string
    else { return nil }
    return ReferenceLoad(
      url: url.serialized,
      topURL: topURL.serialized,
      frameURL: vector["frame_url"]?.string.map { WebURL($0)?.serialized ?? $0 },
      resourceType: type,
      isFirstParty: PartyTest.isFirstParty(loadURL: url.utf8.span, topURL: topURL.utf8.span),
      loadContext: vector["load_context"]?.string ?? "child-frame",
      method: vector["method"]?.string
    )
  }
}
