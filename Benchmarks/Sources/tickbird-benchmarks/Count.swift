internal import ArgumentParser
internal import ContentBlocking
internal import Foundation
internal import Measuring
internal import ResourceLoads
internal import RuleMatching
internal import Workloads

/// The fixed job whose instructions and allocations are compared with recorded counts.
struct Count: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs a small fixed job whose instructions valgrind counts.",
    discussion: """
      Scripts/count-instructions runs it. It prints how many operations each counted part has, and \
      counts allocations itself.
      """
  )

  func run() throws {
    var parts: [String: Part] = [:]
    func count(_ name: String, operations: Int, _ body: () throws -> Void) rethrows {
      // Once as a warm-up, for caches of the runtime library and the scratch.
      try body()
      let allocations = try Counting.allocations(of: body)
      try Counting.instructions(name, of: body)
      parts[name] = Part(operations: operations, allocations: allocations)
    }

    for dialect in GeneratedList.Dialect.allCases {
      let generated = GeneratedList(dialect: dialect, ruleCount: 20_000)
      let text = generated.json()
      let requests = GeneratedRequests.make(2_000, for: generated)
      let prefix = dialect.rawValue
      // Compiling is slow under valgrind; a tenth of the list suffices to see it grow.
      let small = generated.json(rules: 0..<2_000)
      try count("\(prefix)-compile", operations: 2_000) {
        _ = try ContentRuleList.compile(small, threads: 1)
      }
      let file = try ContentRuleList.compile(text).file
      let list = try CompiledRuleList(validating: file)
      try count("\(prefix)-open", operations: 20_000) { _ = try CompiledRuleList(validating: file) }

      var decider = Decider(list, requests)
      count("\(prefix)-update", operations: decider.pageCount) { decider.updateAll() }
      // Decisions with the updates between them, which the script subtracts: decisions alone would
      // all be for one page.
      var blocked = 0
      count("\(prefix)-pass", operations: requests.count) { blocked = decider.pass() }
      var blocker = ContentBlocker(lists: [ContentRuleList(identifier: "", compiled: list)])
      let texts = requests.map {
        (
          url: String(decoding: $0.url, as: UTF8.self),
          page: String(decoding: $0.source, as: UTF8.self)
        )
      }
      count("\(prefix)-from-strings", operations: requests.count) {
        for (request, text) in zip(requests, texts) {
          let outcome = blocker.outcome(
            url: text.url,
            topURL: text.page,
            resourceType: request.properties.resourceType
          )
          withExtendedLifetime(outcome) {}
        }
      }
      if blocked == 0 || blocked == requests.count {
        throw InputFault("the list blocks \(blocked) of \(requests.count) requests: no fair job")
      }
    }
    // A filter that many rules share, of which each page has one.
    let crowd = try ContentRuleList.compile(HostileLists.oneFilter(10_000))
    var decider = Decider(
      try CompiledRuleList(validating: crowd.file),
      (0..<1_000).map {
        Request(
          "https://cdn.example.com/ads/\($0).js",
          source: String(decoding: HostileLists.page(ofDomain: $0), as: UTF8.self),
          .script,
          .thirdParty
        )
      }
    )
    count("crowded-update", operations: decider.pageCount) { decider.updateAll() }
    var blocked = 0
    count("crowded-pass", operations: 1_000) { blocked = decider.pass() }
    if blocked != 1_000 { throw InputFault("the crowded list blocks \(blocked) of 1000 requests") }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    print(String(decoding: try encoder.encode(parts), as: UTF8.self))
  }

  private struct Part: Codable {
    var operations: Int
    var allocations: Int
  }
}
