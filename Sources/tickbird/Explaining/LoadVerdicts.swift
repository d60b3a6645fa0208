internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ResourceLoads
internal import RuleMatching

/// The fate of a load in a few words.
struct Fate: Hashable {
  let text: String
  let isBlocked: Bool

  init(_ decision: LoadDecision) {
    isBlocked = decision.isBlocked
    text = decision.words
  }

  /// Whether the load is the same as without rules.
  var isUnchanged: Bool { text == "loaded" }

  func painted(_ paint: Paint) -> String {
    isBlocked ? paint.red(text) : isUnchanged ? paint.green(text) : paint.yellow(text)
  }
}

/// The fate of a load, and the rule behind it.
struct LoadVerdict {
  let fate: Fate
  /// The rule behind it: for a load that is not blocked, the exception without which it would be;
  /// `nil` if no rule matters.
  let decider: RuleID?
  /// Whether a rule matched, other than those that hide.
  let isMatched: Bool
  /// Why the load would not have been requested.
  let prevention: LoadPrevention?

  init(_ explanation: Explanation, _ prevention: LoadPrevention?) {
    fate = Fate(explanation.decision)
    decider = explanation.decider
    isMatched = !explanation.matches.isEmpty
    self.prevention = prevention
  }
}

/// All loads with their fates.
struct LoadVerdicts {
  /// The effects of a rule over all loads.
  struct Deeds {
    var applied = 0
    var overridden = 0
    /// The number of loads that an action matched without an effect.
    var inert = 0
    /// The number of loads that an exception matched, and that no other rule would have changed.
    var unneeded = 0
    /// The number of loads that it decided, by type.
    var types: [ResourceType: Int] = [:]
  }

  let loads: [ExplainedLoad]
  private(set) var verdicts: [LoadVerdict] = []
  /// The loads of each page by their indexes, pages in the order of appearance.
  private(set) var pages: [[Int]] = []
  /// The effects of the rules that matched, except those that hide.
  private(set) var deeds: [RuleID: Deeds] = [:]

  /// Decides all loads.
  ///
  /// - Complexity: O(*n*) for *n* loads, in addition to deciding them; a load takes little memory,
  ///   however many rules match it.
  init(_ loads: [ExplainedLoad], _ explainer: inout Explainer) {
    self.loads = loads
    verdicts.reserveCapacity(loads.count)
    var progress = Progress()
    var prevented = PreventedLoads()
    var numbers: [Int: Int] = [:]
    for (place, load) in loads.enumerated() {
      progress.tick("\(Shown.grouped(place)) of \(Shown.grouped(loads.count)) loads")
      let explanation = explainer.explanation(for: load.load, detail: [])
      let prevention = prevented.add(load.causes, isBlocked: explanation.decision.isBlocked)
      let verdict = LoadVerdict(explanation, prevention)
      verdicts.append(verdict)
      if let number = numbers[load.page] {
        pages[number].append(place)
      } else {
        numbers[load.page] = pages.count
        pages.append([place])
      }
      for match in explanation.matches {
        deeds[RuleID(list: match.list, rule: match.rule), default: Deeds()]
          .count(match, explanation)
      }
      if let decider = verdict.decider {
        deeds[decider, default: Deeds()].types[load.load.resourceType, default: 0] += 1
      }
    }
    progress.end()
  }

  subscript(place: Int) -> (load: ResourceLoad, verdict: LoadVerdict) {
    (loads[place].load, verdicts[place])
  }

  /// Returns the numbers of loads by fate in one sentence, such as "7 loads: 4 blocked, 3 loaded".
  func counts(_ places: some Collection<Int>, on pageCount: Int? = nil) -> String {
    var fates: [Fate: Int] = [:]
    var prevented = 0
    var excepted = 0
    for place in places {
      let verdict = verdicts[place]
      fates[verdict.fate, default: 0] += 1
      if verdict.prevention != nil { prevented += 1 }
      if verdict.fate.isUnchanged, verdict.decider != nil { excepted += 1 }
    }
    var parts = fates.sorted { ($0.key.rank, $0.key.text) < ($1.key.rank, $1.key.text) }.map {
      "\(Shown.grouped($0.value)) \($0.key.text.lowercased())"
    }
    if excepted > 0 { parts[parts.count - 1] += " (\(Shown.grouped(excepted)) by exceptions)" }
    var text = Shown.count(places.count, "load")
    if let pageCount { text += " on \(Shown.count(pageCount, "page"))" }
    if !parts.isEmpty { text += ": " + parts.joined(separator: ", ") }
    if prevented > 0 {
      text += "; \(Shown.grouped(prevented)) would not have happened, because what asks for "
      text += (prevented == 1 ? "it" : "them") + " is blocked"
    }
    return text
  }

  /// Returns what is guessed about loads, in a sentence; empty if nothing is.
  func guesses(_ places: some Collection<Int>) -> String {
    let kinds: [(HARFile.Guesses, String)] = [
      (.type, "type"), (.page, "page"), (.frame, "frame"),
    ]
    let parts = kinds.compactMap { kind, noun -> String? in
      let count = places.count { loads[$0].guesses.contains(kind) }
      return count == 0 ? nil : "the \(noun) of \(Shown.count(count, "load"))"
    }
    guard !parts.isEmpty else { return "" }
    return "The log does not tell all; guessed: " + parts.joined(separator: ", ")
  }
}

extension LoadVerdicts.Deeds {
  mutating func count(_ match: Explanation.Match, _ explanation: Explanation) {
    switch match.fate {
    case .applied, .merged:
      if explanation.isIdleException(match) { unneeded += 1 } else { applied += 1 }
    case .cancelled, .swallowed, .tooLate: overridden += 1
    case .inert: inert += 1
    }
  }

  /// The number of loads that it decided.
  var decided: Int { types.values.reduce(0, +) }
}

extension Fate {
  /// The order in which fates are listed, worse ones first.
  var rank: Int { isBlocked ? 0 : isUnchanged ? 2 : 1 }
}

/// Formats types with their numbers.
enum TypeCounts {
  /// Returns a text such as "3 images, 1 style sheet".
  static func text(_ counts: [ResourceType: Int]) -> String {
    nouns.compactMap { type, noun in
      counts[type].map { Shown.count($0, noun, type == .fetch ? "fetches" : nil) }
    }.joined(separator: ", ")
  }

  static func text(_ types: some Sequence<ResourceType>) -> String {
    var counts: [ResourceType: Int] = [:]
    for type in types { counts[type, default: 0] += 1 }
    return text(counts)
  }

  private static let nouns: [(type: ResourceType, noun: String)] = [
    (.topDocument, "page"), (.childDocument, "frame"), (.image, "image"),
    (.styleSheet, "style sheet"), (.script, "script"), (.font, "font"),
    (.svgDocument, "SVG document"), (.media, "media file"), (.popup, "popup"), (.ping, "ping"),
    (.fetch, "fetch"), (.webSocket, "websocket"), (.other, "other load"),
    (.cspReport, "CSP report"),
  ]
}
