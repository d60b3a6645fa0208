internal import ContentRules
internal import ResourceLoads
internal import RuleProofs

/// Finds rules that match no load, each by itself.
struct DeadRules {
  private let sets: LoadSets
  private let samples: PatternSamples

  /// The most entries of a condition that are looked at.
  private static let entryLimit = 64

  init(sets: LoadSets, samples: PatternSamples) {
    self.sets = sets
    self.samples = samples
  }

  /// Returns why no load matches a rule; `nil` if one may.
  func reason(_ rule: Rule, _ loads: LoadSet?) -> (code: ListFinding.Code, text: String)? {
    guard let loads else {
      return (
        .contradiction,
        "WebKit never sees a condition match beside request-method: the rule never applies"
      )
    }
    if case .none = samples.samples(of: loads.pattern) {
      return (.neverMatches, "no URL matches its url-filter")
    }
    if let text = contradictoryFlags(loads) { return (.contradiction, text) }
    if let text = wrongScheme(loads) { return (.contradiction, text) }
    return contradictoryPage(loads)
  }

  private func contradictoryFlags(_ loads: LoadSet) -> String? {
    if loads.types == .topDocument {
      // It may be third-party, and on another page: as the prefetch of a link.
      if loads.contexts == .childFrame { return "a top-document is never loaded by a child frame" }
    }
    if loads.types == .childDocument, loads.contexts == .topFrame {
      return "a child-document is always loaded by a child frame"
    }
    return nil
  }

  /// Web sockets have URLs of their own schemes, and nothing else has those.
  private func wrongScheme(_ loads: LoadSet) -> String? {
    guard !sets.patterns.isUniversal(loads.pattern) else { return nil }
    if loads.types == .webSocket {
      guard sets.patterns.url(matching: [loads.pattern], in: .webSockets) == .none else {
        return nil
      }
      return "its url-filter matches no URL of a web socket, and it is for those alone"
    }
    guard !loads.types.contains(.webSocket),
      case .some(let urls) = samples.samples(of: loads.pattern),
      urls.allSatisfy({ $0.hasPrefix("ws:") || $0.hasPrefix("wss:") }),
      sets.patterns.url(matching: [loads.pattern], in: .withoutWebSockets) == .none
    else { return nil }
    return "its url-filter matches URLs of web sockets alone, and its resource-type leaves them out"
  }

  /// A page's condition that nothing meets.
  private func contradictoryPage(_ loads: LoadSet) -> (code: ListFinding.Code, text: String)? {
    guard
      let (entries, isNegated, _) = sets.conditions.patterns(
        of: loads.condition,
        limit: Self.entryLimit
      )
    else { return nil }
    if !isNegated, !sets.conditions.namesOrdinaryHost(loads.condition),
      entries.allSatisfy({ sets.patterns.url(matching: [$0]) == .none })
    {
      return (.neverMatches, "no page has a URL that its condition names")
    }
    return nil
  }

  /// Returns why a rule for documents alone never meets the document of a page; `nil` if it may.
  ///
  /// A page's own document is compared with itself. The prefetch of a link has the same type and
  /// another page, so that such a rule is not wholly without effect.
  func contradictionOfDocuments(_ loads: LoadSet) -> String? {
    guard loads.types == .topDocument else { return nil }
    let exception = "; only the prefetch of a link is loaded otherwise"
    if loads.parties == .thirdParty {
      return "a top-document is its own page, and so never third-party" + exception
    }
    guard
      let (entries, isNegated, isOfFrame) = sets.conditions.patterns(
        of: loads.condition,
        limit: Self.entryLimit
      ), !isOfFrame, !sets.patterns.isUniversal(loads.pattern)
    else { return nil }
    let isNeverMet =
      isNegated
      ? entries.contains { sets.patterns.inclusion(of: loads.pattern, in: $0) == .proved }
      : entries.allSatisfy { sets.patterns.url(matching: [loads.pattern, $0]) == .none }
    return isNeverMet
      ? "a top-document is its own page, and no URL that its url-filter matches meets its condition"
        + exception : nil
  }
}
