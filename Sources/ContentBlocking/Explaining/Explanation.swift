internal import ContentRules
internal import RuleMatching
internal import WebURL

/// The explanation of a decision: every rule that matched, and its fate.
public struct Explanation: Sendable {
  /// The fate of a rule that matched.
  public enum Fate: Hashable, Sendable {
    /// The rule's action takes effect.
    case applied
    /// The action equals that of the given rule, which stands for both.
    case merged(into: Int)
    /// A later `ignore-previous-rules`, the given rule, dropped the action.
    case cancelled(by: Int)
    /// An earlier `ignore-following-rules`, the given rule, dropped the action.
    case swallowed(by: Int)
    /// The action needs the embedder's permission, which it does not have for this load.
    case inert
    /// The given rule of the given list has blocked or redirected the load already.
    case tooLate(list: Int, rule: Int)
  }

  /// A rule that matched.
  public struct Match: Hashable, Sendable {
    /// The list's position among the blocker's lists.
    public var list: Int
    /// The rule's position in the JSON array.
    public var rule: Int
    /// The bytes of the URL that its pattern matched: the match that is complete first and, of
    /// those, the one that begins first.
    ///
    /// `nil` for a pattern that matches everything, and without ``Detail/ranges``.
    public var urlRange: Range<Int>?
    /// The rule's fate.
    public var fate: Fate
  }

  /// What an explanation contains beyond the rules that decide.
  public struct Detail: OptionSet, Sendable {
    /// One bit for each kind of detail.
    public let rawValue: UInt8

    /// Creates the set with the given bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The rules that hide elements.
    ///
    /// Long lists have thousands of them for every load; ``PageHiding`` collects them once per
    /// page.
    public static let hiding = Detail(rawValue: 1 << 0)
    /// What each pattern matched, which costs much more than deciding.
    public static let ranges = Detail(rawValue: 1 << 1)
    /// Everything.
    public static let all: Detail = [.hiding, .ranges]
  }

  /// The load.
  public var load: ResourceLoad
  /// What happens to it.
  public var decision: LoadDecision
  /// The rules that matched, list by list in slot order.
  public var matches: [Match]
}

extension ContentBlocker {
  /// Explains the decision of a load.
  ///
  /// - Parameters:
  ///   - load: The load.
  ///   - sources: The source of each list, in the blocker's order; missing ones are read from the
  ///     lists. A list with
  ///     a damaged source is not quoted: its matches have no ``Explanation/Match/urlRange``.
  ///   - detail: What to include in the matches and the decision.
  /// - Returns: The decision, with every rule that matched.
  public mutating func explanation(
    for load: ResourceLoad,
    sources: [ListSource],
    detail: Explanation.Detail = .all
  ) -> Explanation {
    var matches: [Explanation.Match] = []
    for (number, list) in lists.enumerated() {
      let source: ListSource? =
        !detail.contains(.ranges)
        ? nil
        : number < sources.count
          ? sources[number] : ListSource(list.isSourceIntact ? list.source : [])
      matches += listMatches(for: load, list: number, source, detail)
    }
    let decision = decision(for: load, includesHiding: detail.contains(.hiding))
    markIneffective(&matches, decision, load)
    return Explanation(load: load, decision: decision, matches: matches)
  }

  private mutating func listMatches(
    for load: ResourceLoad,
    list: Int,
    _ source: ListSource?,
    _ detail: Explanation.Detail
  ) -> [Explanation.Match] {
    let (entries, decision) = matchedEntries(
      for: load,
      list: list,
      includesHiding: detail.contains(.hiding)
    )
    let lower = entries.first { Int64($0.slot) == decision.lowerSlot }.map { Int($0.rule) }
    let upper = entries.first { Int64($0.slot) == decision.upperSlot }.map { Int($0.rule) }
    var leaders: [UInt32: Int] = [:]
    return entries.filter { $0.kind != .reportIdentifier }.map { entry in
      let rule = Int(entry.rule)
      let slot = Int64(entry.slot)
      let fate: Explanation.Fate
      if slot > decision.upperSlot, let upper {
        fate = .swallowed(by: upper)
      } else if slot < decision.lowerSlot, let lower {
        fate = .cancelled(by: lower)
      } else if let leader = leaders[entry.slot], leader != rule {
        fate = .merged(into: leader)
      } else {
        fate = .applied
        leaders[entry.slot] = rule
      }
      let range = source?.rule(at: rule).flatMap { Self.urlRange(of: $0.trigger.urlFilter, load) }
      return Explanation.Match(list: list, rule: rule, urlRange: range, fate: fate)
    }
  }

  private static func urlRange(of filter: URLFilter, _ load: ResourceLoad) -> Range<Int>? {
    guard
      case .success(let parsed) = URLFilterParser.parse(
        filter.text,
        isCaseSensitive: filter.isCaseSensitive
      ), !parsed.matchesEverything
    else { return nil }
    return PatternSearch(parsed).firstMatch(in: load.url.utf8)
  }

  /// Marks actions that survived their list but have no effect.
  private func markIneffective(
    _ matches: inout [Explanation.Match],
    _ decision: LoadDecision,
    _ load: ResourceLoad
  ) {
    var winner: LoadDecision.AppliedAction?
    for action in decision.actions {
      if action.isEffective {
        if winner == nil, action.kind == .block || action.kind == .redirect { winner = action }
        continue
      }
      // An action without permission has no effect even if it comes first.
      let needsPermission = action.kind == .redirect || action.kind == .modifyHeaders
      let isPermitted = permissions[lists[action.list].identifier]?.permits(load) ?? false
      for index in matches.indices
      where matches[index].list == action.list && matches[index].fate == .applied
        && action.rules.contains(matches[index].rule)
      {
        if let winner, !needsPermission || isPermitted {
          matches[index].fate = .tooLate(list: winner.list, rule: winner.rules[0])
        } else {
          matches[index].fate = .inert
        }
      }
    }
  }
}
