internal import CommandInput
internal import ContentRules
internal import WebURL

/// The claims of a line, to find those that contradict each other without comparing all of them.
private struct KnownClaims {
  private var causes: [ListClaim.Outcome: Set<ListClaim.Cause?>] = [:]
  /// The first claim for each outcome.
  private var firsts: [ListClaim.Outcome: ListClaim] = [:]
  /// The first claims that are not about a selector, of which there are few.
  private var plain: [ListClaim] = []

  /// Adds a claim; returns one before it that says the same, or that it contradicts.
  mutating func add(_ claim: ListClaim) -> ListClaim? {
    // Several rules may be behind the same outcome.
    if let first = firsts[claim.outcome] {
      return causes[claim.outcome, default: []].insert(claim.cause).inserted ? nil : first
    }
    switch claim.outcome {
    case .hide(let selector): if let other = firsts[.show(selector)] { return other }
    case .show(let selector): if let other = firsts[.hide(selector)] { return other }
    default:
      let other = plain.first { ClaimReader.exclude($0.outcome, claim.outcome) }
      if let other { return other }
      plain.append(claim)
    }
    firsts[claim.outcome] = claim
    causes[claim.outcome] = [claim.cause]
    return nil
  }
}

/// Reads what stands behind `=>`: expectations with commas between them.
struct ClaimReader {
  let line: TestLine

  private typealias Fault = ListTestReader.Fault
  private typealias Part = TestLine.Part

  private static let verbs = [
    "load", "block", "unchanged", "cookies stripped", "cookies kept", "https", "redirect URL",
    "hide SELECTOR", "show SELECTOR",
  ]

  /// Returns the claims of a range of the line.
  func claims(in range: Range<Int>) throws(ListTestReader.Fault) -> [ListClaim] {
    let whole = line.trimmed(range)
    guard !whole.range.isEmpty else {
      throw Fault(
        column: range.lowerBound + 1,
        message: "nothing is expected behind =>; write " + Self.verbs.joined(separator: ", ")
      )
    }
    guard let items = line.items(in: whole.range) else {
      throw Fault(column: whole.column, message: "a quotation mark is not closed")
    }
    var claims: [ListClaim] = []
    var known = KnownClaims()
    for item in items {
      let claim = try claim(item)
      if let other = known.add(claim) {
        throw Fault(
          column: item.column,
          message: other.outcome == claim.outcome
            ? "the same is expected twice; leave one out"
            : "\(DisplayText.line(other.text)) and \(DisplayText.line(claim.text)) exclude each "
              + "other; leave one out"
        )
      }
      claims.append(claim)
    }
    return claims
  }

  private func claim(_ item: Part) throws(Fault) -> ListClaim {
    var end = item.range.upperBound
    var cause: ListClaim.Cause?
    if let place = line.causes(in: item.range).last {
      cause = try self.cause(line.trimmed(place + 3..<end))
      end = place
    }
    let words = line.words(in: item.range.lowerBound..<end)
    guard let verb = words.first else {
      throw Fault(
        column: item.column,
        message: "nothing is expected here; leave out the comma, or write "
          + Self.verbs.joined(separator: ", ")
      )
    }
    let rest = line.trimmed(verb.range.upperBound..<end)
    return ListClaim(
      outcome: try outcome(verb, rest),
      cause: cause,
      text: item.text,
      column: item.column
    )
  }

  private func outcome(_ verb: Part, _ rest: Part) throws(Fault) -> ListClaim.Outcome {
    func alone(_ outcome: ListClaim.Outcome) throws(Fault) -> ListClaim.Outcome {
      guard rest.range.isEmpty else {
        throw Fault(
          column: rest.column,
          message: "\(verb.text) stands alone; write a comma before what else is expected, or by "
            + "\"PATTERN\" or by rule N for the rule behind it"
        )
      }
      return outcome
    }
    switch verb.text {
    case "load": return try alone(.load)
    case "block": return try alone(.block)
    case "unchanged": return try alone(.unchanged)
    case "https": return try alone(.https)
    case "cookies":
      switch rest.text {
      case "stripped": return .cookiesStripped
      case "kept": return .cookiesKept
      default:
        throw Fault(column: verb.column, message: "write cookies stripped or cookies kept")
      }
    case "redirect":
      let text = Self.unquoted(rest.text)
      guard let url = WebURL(text) else {
        throw Fault(
          column: rest.column,
          message: "redirect needs the absolute URL that the load ends up at, such as redirect "
            + "https://example.com/"
        )
      }
      return .redirect(url)
    case "hide", "show":
      guard !rest.range.isEmpty else {
        throw Fault(
          column: verb.range.upperBound + 1,
          message: "\(verb.text) needs a selector, such as \(verb.text) .ad"
        )
      }
      let selector = SelectorText.normalized(rest.text.utf8)
      return verb.text == "hide" ? .hide(selector) : .show(selector)
    default: throw unknown(verb)
    }
  }

  private func unknown(_ verb: Part) -> Fault {
    let known = Self.verbs.map { $0.prefix { $0 != " " } }.map(String.init)
    let others = [
      "loaded": "load", "allow": "load", "allowed": "load", "blocked": "block",
      "cookie": "cookies", "hidden": "hide", "hides": "hide", "shown": "show",
      "redirected": "redirect", "upgrade": "https", "make-https": "https",
      "css-display-none": "hide", "block-cookies": "cookies stripped",
    ]
    let text = verb.text
    let hint: String
    if let other = others[text.lowercased()] {
      hint = "did you mean \(other)?"
    } else if text.first.map({ ".#[:*".contains($0) }) == true {
      hint = "write hide or show before each selector"
    } else if let nearest = LoadWords.suggestion(for: text, among: known) {
      hint = "did you mean \(nearest)?"
    } else {
      hint = "use one of " + Self.verbs.joined(separator: ", ")
    }
    let shown = DisplayText.shortened(DisplayText.line(text), to: 40)
    return Fault(column: verb.column, message: "there is no expectation \"\(shown)\"; \(hint)")
  }

  // MARK: Causes

  private func cause(_ part: Part) throws(Fault) -> ListClaim.Cause {
    if part.text.utf8.count >= 2, part.text.hasPrefix("\""), part.text.hasSuffix("\"") {
      return .pattern(Self.unquoted(part.text))
    }
    let words = line.words(in: part.range)
    if words.count == 2, words[0].text == "rule" {
      let numbers = words[1].text.split(separator: ":", omittingEmptySubsequences: false)
        .map { Int($0) }
      if numbers.count == 1, let rule = numbers[0], rule >= 0 {
        return .number(ListedRule(list: 0, rule: rule))
      }
      if numbers.count == 2, let list = numbers[0], let rule = numbers[1], list >= 0, rule >= 0 {
        return .number(ListedRule(list: list, rule: rule))
      }
    }
    throw Fault(
      column: part.column,
      message: "write the rule behind by as its url-filter in quotation marks, as in by \"/ads/\", "
        + "or by its number from 0, as in by rule 12, or with several lists by rule 1:12"
    )
  }

  private static func unquoted(_ text: String) -> String {
    text.utf8.count >= 2 && text.hasPrefix("\"") && text.hasSuffix("\"")
      ? String(text.dropFirst().dropLast()) : text
  }

  /// Whether two different outcomes cannot both be.
  static func exclude(_ a: ListClaim.Outcome, _ b: ListClaim.Outcome) -> Bool {
    switch (a, b) {
    case (.hide(let one), .show(let other)), (.show(let one), .hide(let other)):
      return one == other
    case (.hide, _), (.show, _), (_, .hide), (_, .show): return false
    case (.block, .cookiesStripped), (.block, .cookiesKept), (.cookiesStripped, .block),
      (.cookiesKept, .block):
      return false
    case (.block, _), (_, .block): return true
    case (.unchanged, .load), (.load, .unchanged), (.unchanged, .cookiesKept),
      (.cookiesKept, .unchanged):
      return false
    case (.unchanged, _), (_, .unchanged): return true
    case (.cookiesStripped, .cookiesKept), (.cookiesKept, .cookiesStripped): return true
    case (.redirect, .redirect): return true
    default: return false
    }
  }
}
