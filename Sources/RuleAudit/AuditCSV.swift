/// An audit as tables for spreadsheets and databases: RFC 4180, UTF-8, a header in the first line.
///
/// Texts come from lists and logs of strangers. One that a spreadsheet would take for a formula
/// gets an apostrophe in front, which is not part of it.
package struct AuditCSV {
  /// What rows are for.
  package enum Rows: String, CaseIterable, Sendable {
    /// A rule that matched.
    case rule
    /// A site of pages.
    case site
    /// A rule that was applied on a site; never one that hides something.
    case ruleSite = "rule-site"
  }

  private let audit: Audit
  private let rows: Rows
  /// Whether rules that never matched have rows, too.
  package var listsUnmatched = false
  /// The rules of the lists, for those that never matched; `nil` where the lists are not at hand.
  package var rules: AuditedRules?
  private var bytes: [UInt8] = []

  /// Creates a table of an audit.
  package init(_ audit: Audit, rows: Rows) {
    self.audit = audit
    self.rows = rows
  }

  /// Returns the whole table; rules are in the order of lists, sites by name.
  package func rendered() -> [UInt8] {
    var writer = self
    switch rows {
    case .rule: writer.writeRules()
    case .site: writer.writeSites()
    case .ruleSite: writer.writePairs()
    }
    return writer.bytes
  }

  private mutating func writeRules() {
    header(
      [
        "list", "rule", "line", "column", "action", "url_filter", "conditions", "selector",
      ] + Self.recordNames + ["only_blocker", "rescued"] + Self.firstPartyNames
        + ["sites", "first_url"]
    )
    for (number, list) in audit.lists.enumerated() {
      let others = listsUnmatched ? list.unmatched : []
      for rule in (list.matches.keys + others).sorted() {
        let found =
          list.matches[rule] ?? rules?.record(list: number, rule: rule)
          ?? AuditedList.RuleRecord(filter: "")
        place(list, rule)
        cell(found.filter)
        cell(found.conditions)
        cell(found.selector)
        record(found.record.tally)
        cell(found.effects.onlyBlocker)
        cell(found.effects.rescued)
        firstParty(found.effects.firstParty)
        cell(found.sites.count)
        cell(found.record.first?.url ?? [])
        endRow()
      }
    }
  }

  private mutating func writeSites() {
    header(
      ["site", "requests", "blocked", "cookies_blocked", "made_https", "hiding", "unaffected"]
        + Self.firstPartyNames + Self.recordNames
    )
    for (name, site) in audit.sites.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      cell(name)
      cell(site.outcomes.requests)
      cell(site.outcomes.blocked)
      cell(site.outcomes.withoutCookies)
      cell(site.outcomes.upgraded)
      cell(site.outcomes.hiding)
      cell(site.outcomes.unaffected)
      firstParty(site.outcomes.firstParty)
      record(site.record.tally)
      endRow()
    }
  }

  private mutating func writePairs() {
    header(["list", "rule", "line", "column", "action", "url_filter", "site", "applied"])
    for list in audit.lists {
      for (number, found) in list.matches.sorted(by: { $0.key < $1.key }) {
        for site in found.sortedSites {
          place(list, number)
          cell(found.filter)
          cell(site.name)
          cell(site.count)
          endRow()
        }
      }
    }
  }

  // MARK: Cells

  private static let recordNames = ["matched", "applied", "cancelled", "without_effect"]
  private static let firstPartyNames = [
    "first_party_documents", "first_party_scripts", "first_party_style_sheets",
  ]

  private mutating func place(_ list: AuditedList, _ rule: Int) {
    cell(list.name)
    cell(rule)
    cell(list.rules.places[rule].line)
    cell(list.rules.places[rule].column)
    cell(list.rules.actions[rule].word)
  }

  private mutating func record(_ tally: Tally) {
    cell(tally.matched)
    cell(tally.applied)
    cell(tally.cancelled)
    cell(tally.withoutEffect)
  }

  private mutating func firstParty(_ blocks: FirstPartyBlocks) {
    cell(blocks.documents)
    cell(blocks.scripts)
    cell(blocks.styleSheets)
  }

  private mutating func header(_ names: [String]) {
    for name in names { cell(name) }
    endRow()
  }

  private mutating func cell(_ number: Int) { cell("\(number)") }

  private mutating func cell(_ text: String) { cell(Array(text.utf8)) }

  /// The bytes that start a formula in spreadsheets.
  private static let formulaStarts = Array("=+-@\t\r".utf8)

  private mutating func cell(_ text: [UInt8]) {
    var text = text
    if let first = text.first, Self.formulaStarts.contains(first) {
      text.insert(UInt8(ascii: "'"), at: 0)
    }
    let mustQuote = text.contains { byte in
      byte < 0x20 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"")
    }
    if mustQuote {
      bytes.append(UInt8(ascii: "\""))
      for byte in text {
        if byte == UInt8(ascii: "\"") { bytes.append(byte) }
        bytes.append(byte)
      }
      bytes.append(UInt8(ascii: "\""))
    } else {
      bytes += text
    }
    bytes.append(UInt8(ascii: ","))
  }

  private mutating func endRow() {
    bytes.removeLast()
    bytes += [0x0D, 0x0A]
  }
}
