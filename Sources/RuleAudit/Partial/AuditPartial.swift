internal import CommandInput

/// An audit in a file, to be merged with others.
///
/// The file is gzip around one JSON object, whose keys come in this order:
///
///     "tickbird_audit": 2                  the version of the format
///     "lists":     one object a list, in order:
///       "name"     as it was given
///       "digest"   of its JSON text, 32 hexadecimal digits
///       "actions"  one letter a rule, see RuleTable.Action
///       "places"   [lines, columns …] by turns: a rule's line less that of the rule before, its
///                  column; of a rule on the line of the rule before, its column less that rule's
///       "outcomes", "record"
///       "sheets"   requests that left the global sheet attached
///       "rules"    [rule, url-filter, selector, record, conditions, effects, sites], by rule
///     "logs":      [name, digest, bytes, requests, bad lines], in order
///     "outcomes":  [requests, unchecked, blocked, without cookies, upgraded, hiding, unaffected,
///                  first-party documents, scripts, style sheets that were blocked]
///     "sites":     [name, outcomes, record], by name
///     "bad_lines": [log, line, message], the first ten
///
/// A record is [matched, cut by previous, cut by following, without effect, first, last], first and
/// last being null or [log, line, URL]. Effects are [only blocker, rescued, first-party documents,
/// scripts, style sheets]. The sites of a rule are [site, applied …] by turns, a site being its place
/// under "sites". Rules and logs count from 0, lines from 1.
package enum AuditPartial {
  /// The version of the format.
  package static let version = 2

  /// The largest number in a partial audit.
  static let numberLimit = Int.countLimit

  /// The most bytes of a partial audit, decompressed.
  static let sizeLimit = 1 << 31

  /// The size in bytes of the seal behind the findings about rows.
  package static let sealSize = 33

  /// Returns the text of findings with its seal, a line by which damage is noticed.
  package static func sealed(_ text: [UInt8]) -> [UInt8] {
    text + Array("\(ByteDigest(text).text)\n".utf8)
  }
}
