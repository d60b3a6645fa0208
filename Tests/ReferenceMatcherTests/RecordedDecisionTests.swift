import Foundation
import ReferenceMatcher
import TestSupport
import Testing

/// Compares the reference with decisions recorded from WebKit for a crawl of popular sites.
@Suite(
  .enabled(if: !SharedData.isAbsent, "The folder of real lists is not beside the package.")
)
struct RecordedDecisionTests {
  /// A list, and how many of the 21,125 requests are tried; nil means all.
  struct Sample: CustomTestStringConvertible, Sendable {
    let list: String
    let requests: Int?
    var testDescription: String { list }

    /// Takes fewer requests in a debug build, which is some thirty times slower.
    init(_ list: String, requests: Int?, inDebug: Int) {
      self.list = list
      #if DEBUG
      self.requests = inDebug
      #else
      self.requests = requests
      #endif
    }
  }

  @Test(arguments: [
    Sample("ka-block", requests: nil, inDebug: 4_000),
    Sample("blockparty", requests: nil, inDebug: 4_000),
    Sample("focus-disconnect-analytics", requests: nil, inDebug: 1_000),
    Sample("focus-disconnect-advertising", requests: nil, inDebug: 200),
    Sample("focus-disconnect-content", requests: nil, inDebug: 200),
    Sample("den-abpvn", requests: 5_000, inDebug: 200),
    Sample("youslist", requests: 2_000, inDebug: 50),
    Sample("brave-ios-block-ads-2023", requests: 5_000, inDebug: 50),
  ])
  func decisionsAreThoseRecorded(_ sample: Sample) throws {
    try compare(sample.list, requests: sample.requests)
  }

  /// The lists that take long even when optimised, by name in `TICKBIRD_SLOW_LISTS`, or `all`.
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["TICKBIRD_SLOW_LISTS"] != nil,
      "Slow: set TICKBIRD_SLOW_LISTS to `all` or to names of lists."
    )
  )
  func decisionsOfLargeListsAreThoseRecorded() throws {
    let names = ProcessInfo.processInfo.environment["TICKBIRD_SLOW_LISTS"] ?? ""
    let all = [
      "abp2-easylist-easyprivacy-2021", "brave-ios-regional-2019-a", "brave-ios-upgrade-http-2021",
      "conv-adguard-base-2021", "conv-easylist-2026", "conv-easylist-easyprivacy-2026",
      "den-easylist-cookie", "den-easylist-germany", "den-fanboys-annoyance", "den-indian-list",
      "den-ru-adlist", "kittytail-japanese-annoyances",
    ]
    for name in names == "all" ? all : names.split(separator: ",").map(String.init) {
      try compare(name, requests: 2_000)
    }
  }

  private func compare(_ name: String, requests: Int?) throws {
    let clock = ContinuousClock()
    let start = clock.now
    let list = try ReferenceRuleList(jsonText: SharedData.bytes("data/lists/\(name).json")) { _ in
      true
    }
    let read = clock.now
    let rows = try SharedData.lines("data/requests/top500-2019.tsv").dropFirst()
    let decisions = try SharedData.lines("data/expected/\(name).txt")
    try #require(rows.count == decisions.count)

    let wanted = requests ?? rows.count
    // Every stride-th request, from a start that differs between lists but not between runs.
    let stride = max(1, rows.count / wanted)
    let offset = name.utf8.reduce(0) { ($0 * 31 + Int($1)) % stride }
    var decided = 0
    var tried = 0
    for (number, (row, decision)) in zip(rows, decisions).enumerated()
    where number % stride == offset {
      let result = list.evaluate(try #require(Self.load(row), "row \(number)"))
      let types = Set(result.actions.map(\.action.type))
      let letters = [("block", "b"), ("block-cookies", "c"), ("make-https", "h")].map {
        types.contains($0.0) ? $0.1 : ""
      }.joined()
      let answer = letters.isEmpty ? "-" : letters
      #expect(answer == decision, "\(name), \(row): \(result.actions)")
      tried += 1
      decided += letters.isEmpty ? 0 : 1
    }
    #expect(tried >= wanted)
    print(
      "\(name): \(tried) requests, \(decided) with an action;",
      "read in \(read - start), evaluated in \(clock.now - read)"
    )
  }

  private static func load(_ row: Substring) -> ReferenceLoad? {
    let columns = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard columns.count == 5 else { return nil }
    return ReferenceLoad(
      url: columns[0],
      topURL: columns[1],
      resourceType: columns[3] == "document" ? "top-document" : columns[3],
      isFirstParty: columns[4] == "first-party",
      loadContext: "top-frame",
      method: "get"
    )
  }
}
