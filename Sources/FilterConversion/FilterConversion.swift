package import ContentRules

/// Options of a conversion.
package struct FilterConversionOptions: Sendable {
  /// The engine that the rules are for; `nil` for the newest.
  package var target: EngineRelease?

  /// Creates options, all with defaults.
  package init(target: EngineRelease? = nil) { self.target = target }
}

/// What became of a source line.
package enum ConversionOutcome: UInt8, CaseIterable, Sendable {
  /// WebKit does what the line says.
  case converted
  /// WebKit does something near to it; the reasons say what differs.
  case approximated
  /// WebKit cannot do it; the reason says why.
  case impossible
  /// The line is no filter.
  case comment

  /// The word for it in accounts.
  package var word: String { "\(self)" }
}

/// Filters as rules, with an account of every source line.
package struct FilterConversion: Sendable {
  /// The rule list, JSON as WebKit takes it.
  package var json: [UInt8]
  /// How many rules it has.
  package var ruleCount: Int
  /// What became of each line, by its number in the collection.
  package var outcomes: [ConversionOutcome]
  /// Why, for the lines that have a reason, by their numbers.
  package var reasons: [Int: [ConversionReason]]
  /// The most rules that the target takes in one list.
  package var ruleLimit: Int
  /// What holds for all rules and was not counted line by line.
  package var differences: [ConversionDifference]
  /// Where the rules of a line begin in ``lineRules``; one number more than there are lines.
  var firstRules: [Int32]
  /// The rules of all lines, line by line.
  var lineRules: [Int32]

  /// The rules that a line became, ascending, from 0.
  package func rules(ofLine line: Int) -> ArraySlice<Int32> {
    lineRules[Int(firstRules[line])..<Int(firstRules[line + 1])]
  }

  /// How many lines had an outcome.
  package func count(_ outcome: ConversionOutcome) -> Int { outcomes.count { $0 == outcome } }
}

/// A difference between blockers and WebKit that holds for all filters, and is said once.
package enum ConversionDifference: String, CaseIterable, Sendable {
  case topPage = "conditions-of-top-page"
  case pagesBlocked = "pages-matched"
  case exceptionsLiftHiding = "exceptions-lift-hiding"
  case genericHidingLater = "generic-hiding-later"

  /// One sentence without a full stop.
  package var sentence: String {
    switch self {
    case .topPage:
      "domains and parties are those of the page in the window, and not those of a frame"
    case .pagesBlocked:
      "blocking filters without types also block pages and windows that are opened: engines before "
        + "Safari 15 cannot be told otherwise"
    case .exceptionsLiftHiding:
      "an exception that a page's own URL matches lifts specific hiding until the page's first load"
    case .genericHidingLater:
      "hiding for all pages begins with the first thing that a page loads: before Safari 26.2 what "
        + "keeps pages from being blocked also keeps it from the page itself"
    }
  }
}
