package import CommandOutput

/// An audit as text for people.
package struct AuditText {
  /// The most rows of each table.
  package var rowLimit = 20
  /// Whether to list rules that never matched.
  package var listsUnmatched = false
  /// The width that long lines are shortened to.
  package var width = 80
  /// Returns where a rule was converted from; `nil` if that is unknown.
  package var origin: (_ list: Int, _ rule: Int) -> String? = { _, _ in nil }
  /// Returns the filter that a rule was converted from; `nil` if that is unknown.
  package var filter: (_ list: Int, _ rule: Int) -> String? = { _, _ in nil }
  /// The rules of the lists, for those that never matched; `nil` where the lists are not at hand.
  package var rules: AuditedRules?
  /// Paints words.
  package var paint: Paint
  private let audit: Audit
  private var text = ""

  /// Creates a text of an audit.
  package init(_ audit: Audit, paint: Paint) {
    self.audit = audit
    self.paint = paint
  }

  /// The whole text.
  package func rendered() -> String {
    var writer = self
    writer.writeTotals()
    writer.writeLists()
    writer.writeRules(hiding: false)
    writer.writeRules(hiding: true)
    writer.writeSites()
    writer.writeUnmatched()
    return writer.text
  }

  // MARK: Totals

  private mutating func writeTotals() {
    let outcomes = audit.outcomes
    var first = Shown.count(outcomes.requests, "request")
    first += " in " + Shown.count(audit.logs.count, "log")
    if audit.badLineCount > 0 {
      first += "; " + Shown.count(audit.badLineCount, "bad line") + " left out"
    }
    text += paint.bold(first) + "\n"
    guard outcomes.requests > 0 else { return }
    line("blocked", outcomes.blocked)
    line("without cookies", outcomes.withoutCookies)
    line("made https", outcomes.upgraded)
    line("with hiding rules", outcomes.hiding)
    line("none of these", outcomes.unaffected)
    if outcomes.unchecked > 0 { line("of them data: URLs", outcomes.unchecked) }
    if !outcomes.firstParty.isEmpty {
      text += Shown.wrapped(
        "blocked first-party loads: \(outcomes.firstParty.text)",
        width: width,
        indent: 2
      )
    }
  }

  private mutating func line(_ name: String, _ count: Int) {
    text += "  " + Shown.padded(name, to: 18) + column(count, 16)
    if count > 0 { text += column(share(count), 9) }
    text += "\n"
  }

  private func share(_ count: Int) -> String {
    let share = Double(count) / Double(max(1, audit.outcomes.requests)) * 1000
    guard share >= 1 else { return "< 0.1 %" }
    let rounded = Int(min(share.rounded(), 1000))
    return "\(rounded / 10).\(rounded % 10) %"
  }

  // MARK: Lists

  private mutating func writeLists() {
    title("Lists")
    text += columns(["blocked", "cookies", "https", "hiding"], widths: 12)
    text += "  rules that matched, list\n"
    for list in audit.lists {
      text += columns(
        [
          list.outcomes.blocked, list.outcomes.withoutCookies, list.outcomes.upgraded,
          list.outcomes.hiding,
        ].map { Shown.grouped($0) },
        widths: 12
      )
      let live = list.matches.count + list.unmatched.count
      text += "  \(Shown.grouped(list.matches.count)) of \(Shown.grouped(live))"
      text += ", " + Shown.line(list.name) + "\n"
      let global = list.rules.actions.count { $0 == .globalSheet }
      if global > 0 {
        text += String(repeating: " ", count: 50) + "and "
        let verb = global == 1 ? "hides" : "hide"
        text += "\(Shown.count(global, "rule")) that \(verb) on every page\n"
      }
      let skipped = list.rules.actions.count { $0 == .skipped }
      if skipped > 0 {
        text += String(repeating: " ", count: 50)
        text += "and \(Shown.count(skipped, "rule")) that WebKit skips\n"
      }
    }
  }

  // MARK: Rules

  private typealias Row = (list: Int, rule: Int, found: AuditedList.RuleRecord)

  private mutating func writeRules(hiding: Bool) {
    var rows: [Row] = []
    for (number, list) in audit.lists.enumerated() {
      for (rule, found) in list.matches
      where (list.rules.actions[rule] == .cssDisplayNone) == hiding {
        rows.append((number, rule, found))
      }
    }
    guard !rows.isEmpty else { return }
    rows.sort { a, b in
      let (left, right) = (a.found.record.tally.matched, b.found.record.tally.matched)
      return left != right ? left > right : (a.list, a.rule) < (b.list, b.rule)
    }
    let shown = rows.prefix(rowLimit)
    title(hiding ? "Rules that hide" : "Rules", shown.count, of: rows.count)
    text += columns(["matched", "applied", "cancelled"], widths: 12) + "  rule\n"
    for row in shown { writeRule(row, hiding: hiding) }
  }

  private mutating func writeRule(_ row: Row, hiding: Bool) {
    let list = audit.lists[row.list]
    let tally = row.found.record.tally
    text += columns(
      [tally.matched, tally.applied, tally.cancelled].map { Shown.grouped($0) },
      widths: 12
    )
    let place = list.rules.places[row.rule]
    text += "  \(list.rules.actions[row.rule].word) rule \(row.rule), "
    text += "\(Shown.line(list.name)):\(place.line):\(place.column)"
    text += originText(row.list, row.rule) + "\n"
    if tally.withoutEffect > 0 {
      detail("", "without effect, since content blockers need permission to redirect")
    }
    let subject = hiding ? row.found.selector : row.found.filter
    if !subject.isEmpty { detail("", paint.cyan(shortened(subject, 21))) }
    writeConditions(row.found.conditions)
    writeEffects(row.found)
    guard let first = row.found.record.first, let last = row.found.record.last else { return }
    if first == last {
      example("only", first)
    } else {
      example("first", first)
      example("last", last)
    }
  }

  /// Writes conditions with their words, and shortens what they name.
  private mutating func writeConditions(_ conditions: String) {
    guard !conditions.isEmpty else { return }
    let line = Shown.line(conditions)
    guard line.unicodeScalars.count > width - 21,
      let entries = Self.conditionKey(in: line)
    else { return detail("if", shortened(conditions, 21)) }
    // What is about the page comes last, and gets a line of its own where there is more.
    let others = line[..<entries.lowerBound]
    if !others.isEmpty { detail("if", shortened(String(others.dropLast(2)), 21)) }
    let key = line[entries]
    let used = 21 + key.unicodeScalars.count
    detail(
      others.isEmpty ? "if" : "and",
      key + shortened(String(line[entries.upperBound...]), used)
    )
  }

  /// The words before what conditions name.
  private static let conditionKeys = ["domain", "top-url", "frame-url"].flatMap {
    ["if-\($0) ", "unless-\($0) "]
  }

  /// Returns where the first of these words is, at the beginning or behind a semicolon.
  private static func conditionKey(in line: String) -> Range<String.Index>? {
    var start = line.startIndex
    while true {
      let rest = line[start...]
      if let key = conditionKeys.first(where: { rest.hasPrefix($0) }) {
        return start..<line.index(start, offsetBy: key.count)
      }
      guard let semicolon = rest.firstIndex(of: ";"),
        let next = line.index(semicolon, offsetBy: 2, limitedBy: line.endIndex)
      else { return nil }
      start = next
    }
  }

  private mutating func writeEffects(_ found: AuditedList.RuleRecord) {
    let effects = found.effects
    if effects.onlyBlocker > 0 {
      detail("", "alone blocks \(Shown.count(effects.onlyBlocker, "load"))")
    }
    if effects.rescued > 0 {
      let loads = Shown.count(effects.rescued, "load")
      detail("", "rescues \(loads) that would be blocked without it")
    }
    if !effects.firstParty.isEmpty {
      detail("", "blocks first-party loads: \(effects.firstParty.text)")
    }
    guard !found.sites.isEmpty else { return }
    let sites = found.sortedSites
    let room = max(30, width - 21)
    var line = ""
    for count in 1...min(3, sites.count) {
      let next = Self.text(of: sites, first: count)
      // As many as fit, and at least one.
      guard line.isEmpty || next.unicodeScalars.count <= room else { break }
      line = next
    }
    detail("sites", shortened(line, 21))
  }

  private static func text(of sites: [(name: [UInt8], count: Int)], first count: Int) -> String {
    let shown = sites.prefix(count).map { site in
      let name = String(decoding: site.name, as: UTF8.self)
      return "\(name.isEmpty ? "(no host)" : Shown.line(name)) \(Shown.grouped(site.count))"
    }
    let more = sites.count - count
    return shown.joined(separator: ", ")
      + (more > 0 ? ", and \(Shown.count(more, "more site"))" : "")
  }

  private mutating func example(_ name: String, _ example: Example) {
    let place = "\(logName(example.log)):\(example.line) "
    let url = String(decoding: example.url, as: UTF8.self)
    detail(name, place + shortened(url, 21 + place.unicodeScalars.count))
  }

  private mutating func detail(_ name: String, _ what: String) {
    text += String(repeating: " ", count: 14) + paint.dim(Shown.padded(name, to: 6)) + what + "\n"
  }

  private func logName(_ log: Int) -> String {
    log < audit.logs.count ? Shown.line(audit.logs[log].name) : ""
  }

  // MARK: Sites

  private mutating func writeSites() {
    guard !audit.sites.isEmpty else { return }
    let rows = audit.sites.sorted { a, b in
      a.value.outcomes.requests != b.value.outcomes.requests
        ? a.value.outcomes.requests > b.value.outcomes.requests
        : a.key.lexicographicallyPrecedes(b.key)
    }
    let shown = rows.prefix(rowLimit)
    title("Sites of pages", shown.count, of: rows.count)
    text += columns(["requests", "blocked", "cancelled"], widths: 12) + "  site\n"
    for row in shown {
      text += columns(
        [
          row.value.outcomes.requests, row.value.outcomes.blocked,
          row.value.record.tally.cancelled,
        ].map { Shown.grouped($0) },
        widths: 12
      )
      let name = Shown.line(String(decoding: row.key, as: UTF8.self))
      text += "  " + (name.isEmpty ? paint.dim("(no host)") : shortened(name, 38)) + "\n"
    }
  }

  // MARK: Unmatched rules

  private mutating func writeUnmatched() {
    for (number, list) in audit.lists.enumerated() {
      let rules = list.unmatched
      guard !rules.isEmpty else { continue }
      text += "\n"
      let name = Shown.line(list.name)
      let sentence = "\(Shown.count(rules.count, "rule")) of \(name) never matched"
      guard listsUnmatched else {
        text += sentence + "; --unmatched lists \(rules.count == 1 ? "it" : "them")\n"
        continue
      }
      text += paint.bold(sentence) + "\n"
      for rule in rules {
        let place = list.rules.places[rule]
        var line = "  \(list.rules.actions[rule].word) rule \(rule), \(name):\(place.line)"
        line += ":\(place.column)\(originText(number, rule))"
        let found = self.rules?.record(list: number, rule: rule)
        let own = found.map { $0.selector.isEmpty ? $0.filter : $0.selector }
        if let subject = filter(number, rule) ?? own {
          line += "  " + shortened(subject, line.unicodeScalars.count + 2)
        }
        text += line + "\n"
      }
    }
  }

  private func originText(_ list: Int, _ rule: Int) -> String {
    origin(list, rule).map { "; \($0)" } ?? ""
  }

  // MARK: Pieces

  private mutating func title(_ name: String) { text += "\n" + paint.bold(name) + "\n" }

  private mutating func title(_ name: String, _ shown: Int, of count: Int) {
    title(
      shown < count
        ? "\(name) (\(Shown.grouped(shown)) of \(Shown.grouped(count)); --top shows more)" : name
    )
  }

  private func columns(_ cells: [String], widths: Int) -> String {
    cells.map { column($0, widths) }.joined()
  }

  private func column(_ number: Int, _ width: Int) -> String {
    column(Shown.grouped(number), width)
  }

  private func column(_ cell: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - cell.unicodeScalars.count)) + cell
  }

  private func shortened(_ text: String, _ used: Int) -> String {
    Shown.shortened(Shown.line(text), to: max(30, width - used))
  }
}

extension FirstPartyBlocks {
  /// The counts, each with its noun.
  fileprivate var text: String {
    [(documents, "document"), (scripts, "script"), (styleSheets, "style sheet")]
      .filter { $0.0 > 0 }.map { Shown.count($0.0, $0.1) }.joined(separator: ", ")
  }
}
