internal import ContentRules
internal import LoadDeciding
package import RuleMatching
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
    /// The action has no effect on this load: it needs a permission, or changes nothing about the
    /// URL; see ``LoadDecision/AppliedAction/idleness``.
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
    /// The kind of the rule's action.
    package var kind: ActionKind
    /// Whether the action changes the load unless another rule prevents it: what hides, notifies, is not
    /// permitted or leaves the URL as it is does not.
    package var changesLoad: Bool
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
    Self.markIneffective(&matches, decision)
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
    let isPermitted = permissions[lists[list].identifier]?.permits(load) ?? false
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
      let changesLoad =
        switch entry.kind {
        case .block, .blockCookies: true
        case .makeHTTPS: upgradedToHTTPS(load.url) != nil
        case .redirect, .modifyHeaders: isPermitted
        case .cssDisplayNone, .notify, .ignorePreviousRules, .ignoreFollowingRules,
          .reportIdentifier:
          false
        }
      return Explanation.Match(
        list: list,
        rule: rule,
        urlRange: range,
        fate: fate,
        kind: entry.kind,
        changesLoad: changesLoad
      )
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

  /// Marks rules whose actions survived their list but have no effect, those that share an action
  /// included.
  private static func markIneffective(
    _ matches: inout [Explanation.Match],
    _ decision: LoadDecision
  ) {
    for action in decision.actions {
      guard let idleness = action.idleness else { continue }
      let fate: Explanation.Fate =
        if case .tooLate(let list, let rule) = idleness {
          .tooLate(list: list, rule: rule)
        } else {
          .inert
        }
      for index in matches.indices
      where matches[index].list == action.list && action.rules.contains(matches[index].rule) {
        switch matches[index].fate {
        case .applied, .merged: matches[index].fate = fate
        case .cancelled, .swallowed, .inert, .tooLate: continue
        }
      }
    }
  }
}

extension Explanation {
  /// Returns the exception without which a rule would have changed the load; `nil` for a rule that no
  /// exception dropped, or that would have changed nothing.
  ///
  /// - Parameter match: One of ``matches``.
  /// - Returns: The exception's number in the rule's list.
  package func exception(behind match: Match) -> Int? {
    match.changesLoad ? dropper(of: match) : nil
  }

  private func dropper(of match: Match) -> Int? {
    switch match.fate {
    case .cancelled(let rule), .swallowed(let rule): rule
    case .applied, .merged, .inert, .tooLate: nil
    }
  }

  /// Whether an exception keeps a list's sheet of all pages, whose rules are no matches, from a document.
  private func withholdsGlobalSheet(_ match: Match) -> Bool {
    guard match.kind == .ignorePreviousRules,
      [.topDocument, .childDocument].contains(load.resourceType)
    else { return false }
    let result = decision.lists[match.list]
    return result.hasGlobalSheet && !result.attachesGlobalSheet
  }

  /// Whether a rule that matched is an exception without which all would be the same: the load, what is hidden,
  /// and what is reported.
  ///
  /// - Parameter match: One of ``matches``.
  /// - Returns: `false` for a rule of another kind.
  package func isIdleException(_ match: Match) -> Bool {
    guard match.kind == .ignorePreviousRules || match.kind == .ignoreFollowingRules else {
      return false
    }
    var rule = match.rule
    switch match.fate {
    case .applied: break
    case .merged(let leader): rule = leader
    case .cancelled, .swallowed, .inert, .tooLate: return false
    }
    if withholdsGlobalSheet(match) { return false }
    return !matches.contains { other in
      guard other.list == match.list, dropper(of: other) == rule else { return false }
      switch other.kind {
      case .cssDisplayNone, .notify, .reportIdentifier: return true
      default: return other.changesLoad
      }
    }
  }
}
