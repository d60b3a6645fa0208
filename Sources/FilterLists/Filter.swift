/// A line of a filter list, taken apart; ranges are of the list's bytes.
package enum Filter: Sendable {
  /// An empty line, a comment or a header.
  case comment
  /// A name of the machine itself in a hosts file, which blocks nothing.
  case localNames
  /// A filter about loads, or about all of a page.
  case network(NetworkFilter)
  /// A filter about what a page shows.
  case hiding(HidingFilter)
  /// The hosts that a line of a hosts file blocks.
  case hosts([Range<Int>])
  /// A line that is no filter; one sentence says why.
  case faulty(String)
}

/// A filter about loads.
///
///     @@||cdn.example^$script,domain=a.example
package struct NetworkFilter: Sendable {
  /// Whether it begins with `@@`.
  package var isException: Bool
  /// The pattern; between its slashes if it is a regular expression.
  package var pattern: Range<Int>
  /// Whether the pattern is a regular expression.
  package var isRegex: Bool
  /// What stands behind `$`, in the list's order.
  package var modifiers: [FilterModifier]
}

/// One modifier of a filter, such as `~third-party` or `domain=a.example`.
package struct FilterModifier: Sendable {
  /// What it says.
  package var kind: FilterModifierKind
  /// Whether `~` stands in front.
  package var isNegated: Bool
  /// Its name and value as written, with `~`.
  package var text: Range<Int>
  /// What stands behind `=`; `nil` without it.
  package var value: Range<Int>?
}

/// A filter about what a page shows.
///
///     a.example,~b.a.example##.advert
package struct HidingFilter: Sendable {
  /// What its body is.
  package enum Kind: Sendable {
    /// `##`: elements that a selector finds are hidden.
    case elements
    /// `#?#`: the same, with selectors that style sheets do not know.
    case extendedElements
    /// `#$#`: a style in AdGuard's lists, a snippet in Adblock Plus'.
    case style
    /// `#%#`, `##+js(…)`: a script.
    case script
    /// `$$`, `##^`: elements are taken out of the page's text.
    case html
  }

  /// What its body is.
  package var kind: Kind
  /// Whether `@` stands in the mark.
  package var isException: Bool
  /// The domains in front, with commas between them.
  package var domains: Range<Int>
  /// What stands behind the mark.
  package var body: Range<Int>
  /// What AdGuard's `[$…]` in front holds; `nil` without it.
  package var modifiers: Range<Int>?
}
