internal import ContentRules
internal import LoadDeciding
internal import ResourceLoads
internal import RuleCompiler
internal import RuleMatching
internal import RuleProofs

/// Groups a list's rules by what their costs depend on, and tells these costs.
///
/// Each group is compiled alone, which gives its bytes, and on demand its times: how long that took,
/// and how long a decision by it takes on URLs that the list's patterns match.
struct CostGroups {
  private let list: ListFacts
  private let patterns: PatternTable
  private let samples: PatternSamples

  /// The most patterns whose URLs are decided, and the decisions of each at least.
  private static let sampleLimit = 256
  private static let repetitions = 8

  private struct Key: Hashable {
    var form: PatternForm
    var action: ActionKind
  }

  init(_ list: ListFacts, _ patterns: PatternTable, _ samples: PatternSamples) {
    self.list = list
    self.patterns = patterns
    self.samples = samples
  }

  /// Returns the groups, the most rules first.
  ///
  /// - Parameters:
  ///   - cheaper: The cheaper spelling of each rule that has one, by its number.
  ///   - measures: Whether times are measured.
  /// - Returns: The groups.
  /// - Throws: ``RuleCompiler/CompileError`` if the list exceeds the compiler's limits.
  /// - Complexity: That of compiling the list; with `measures`, some thousand decisions a group.
  func groups(cheaper: [Int: String], measures: Bool) throws(CompileError) -> [CostGroup] {
    var groups: [Key: CostGroup] = [:]
    var places: [Key: [Int]] = [:]
    for (place, rule) in list.rules.enumerated() {
      let form = PatternForm(patterns.number(of: rule.trigger.urlFilter), in: patterns)
      let key = Key(form: form, action: rule.action.kind)
      var group =
        groups[key] ?? CostGroup(form: form, action: rule.action.kind, firstRule: rule.index)
      group.ruleCount += 1
      group.bytes += rule.sourceRange.count
      if let spelling = cheaper[rule.index] {
        group.cheaper = ((group.cheaper?.ruleCount ?? 0) + 1, group.cheaper?.spelling ?? spelling)
      }
      groups[key] = group
      places[key, default: []].append(place)
    }
    let urls = measures ? self.urls() : []
    var found: [CostGroup] = []
    for (key, group) in groups.sorted(by: { $0.value.firstRule < $1.value.firstRule }) {
      var group = group
      let begin = ContinuousClock.now
      let file = try compiled(places[key] ?? [])
      let seconds = (ContinuousClock.now - begin).inSeconds
      group.compiledBytes = file.count
      if measures, let match = matchSeconds(file, urls) {
        group.measured = CostGroup.Measured(compileSeconds: seconds, matchSeconds: match)
      }
      found.append(group)
    }
    return found.sorted { ($1.ruleCount, $0.firstRule) < ($0.ruleCount, $1.firstRule) }
  }

  private func compiled(_ places: [Int]) throws(CompileError) -> [UInt8] {
    var compilation = RuleListCompilation()
    for place in places { try compilation.add(list.rules[place]) }
    let count = (list.rules.last?.index ?? 0) + 1
    return try compilation.finish(source: [], ruleCount: count)
  }

  /// Returns URLs of the list's patterns, at even distances.
  private func urls() -> [[UInt8]] {
    let count = min(list.rules.count, Self.sampleLimit)
    var urls: [[UInt8]] = []
    for number in 0..<count {
      let rule = list.rules[number * list.rules.count / count]
      if case .some(let own) = samples.samples(of: patterns.number(of: rule.trigger.urlFilter)) {
        urls += own.map { Array($0.utf8) }
      }
    }
    return urls
  }

  private func matchSeconds(_ file: [UInt8], _ urls: [[UInt8]]) -> Double? {
    guard !urls.isEmpty, let compiled = try? CompiledRuleList(validating: file) else { return nil }
    var decider = LoadDecider([compiled], pages: 1)
    let page = Array("https://page.test/".utf8)
    var count = 0
    var best = Double.infinity
    for _ in 0..<Self.repetitions {
      let begin = ContinuousClock.now
      count = 0
      for url in urls {
        let prepared = decider.prepare(
          matchedURL: url.span,
          host: 0..<0,
          topURL: page.span,
          frameURL: page.span,
          LoadTraits(resourceType: .script, loadType: .thirdParty, loadContext: .topFrame)
        )
        guard case .checked(let properties) = prepared else { continue }
        _ = decider.decide(properties, list: 0)
        count += 1
      }
      // The fastest of several is what the group costs when nothing else runs.
      best = min(best, (ContinuousClock.now - begin).inSeconds)
    }
    return count == 0 ? nil : best / Double(count)
  }
}

extension Duration {
  fileprivate var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

extension Action {
  /// The kind of the action.
  fileprivate var kind: ActionKind {
    switch self {
    case .block: .block
    case .blockCookies: .blockCookies
    case .cssDisplayNone: .cssDisplayNone
    case .notify: .notify
    case .ignorePreviousRules: .ignorePreviousRules
    case .ignoreFollowingRules: .ignoreFollowingRules
    case .makeHTTPS: .makeHTTPS
    case .modifyHeaders: .modifyHeaders
    case .redirect: .redirect
    }
  }
}
