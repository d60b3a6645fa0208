internal import CommandInput
internal import CommandOutput
internal import ContentRules

/// The rules that WebKit skips, because it does not know their selectors.
///
/// What is made of a list leaves them out, since nothing is known of what they would do; and says so,
/// since another version of WebKit may take them.
enum SkippedRules {
  /// The most that a summary names.
  static let namedCount = 3

  /// Returns a sentence about those that are not in what was made of lists; `nil` if there are none.
  static func note(_ lists: [ReadList]) -> String? {
    let count = lists.reduce(0) { $0 + $1.skippedCount }
    guard count > 0 else { return nil }
    let places = lists.flatMap { list in list.skippedPlaces.map { (list, $0) } }.prefix(namedCount)
      .map { list, place in
        let rule = place.ruleIndex.map { " (rule \($0))" } ?? ""
        return "\(Shown.line(list.source.name)):\(place.line):\(place.column)\(rule)"
      }
    let named = places.isEmpty ? "" : ": " + places.joined(separator: ", ")
    let others = count > places.count && !places.isEmpty ? ", …" : ""
    return "\(sentence(count))\(named)\(others); tickbird check says why"
  }

  /// Returns that so many are left out.
  static func sentence(_ count: Int) -> String {
    "\(Shown.count(count, "rule")) that WebKit skips \(count == 1 ? "is" : "are") left out"
  }
}

extension ReadList {
  /// How many rules WebKit skips.
  var skippedCount: Int { ruleCount - rules.count }

  /// The number of rules that act, with that of those that do not: `2 rules and 1 skipped`.
  var sizeWords: String {
    Shown.count(rules.count, "rule")
      + (skippedCount > 0 ? " and \(Shown.grouped(skippedCount)) skipped" : "")
  }
}
