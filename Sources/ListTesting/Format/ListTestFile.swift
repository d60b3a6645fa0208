package import ContentBlocking
package import WebURL

/// A file of tests for rule lists: one expectation a line, in sections for pages and frames.
///
///     list: easylist.json
///
///     [page https://shop.example/]
///     https://cdn.shop.example/app.js script => load
///     https://ads.example/a.js script => block by "ads\."
///     page => hide .ad, show .article
///
/// `Documentation/ListTests.md` describes the format. ``ListTestReader`` reads it, and
/// ``ListTestWriter`` writes it.
package struct ListTestFile: Sendable {
  /// A value of the file's head, with its place.
  package struct HeadLine: Sendable {
    /// The value.
    package var value: String
    /// The line, from 1.
    package var line: Int
    /// The column of the value, from 1, in bytes.
    package var column: Int
  }

  /// A fault of the file.
  package struct Fault: Error, Hashable, Sendable {
    /// The line, from 1.
    package var line: Int
    /// The column, from 1, in bytes.
    package var column: Int
    /// What is wrong and what to write, in one sentence.
    package var message: String

    /// Creates a fault.
    package init(line: Int, column: Int, message: String) {
      self.line = line
      self.column = column
      self.message = message
    }
  }

  /// The file's name as given; "standard input" for `-`.
  package let name: String
  /// The file's text.
  package let text: [UInt8]
  /// The lists that it names, as it names them.
  package internal(set) var lists: [HeadLine] = []
  /// The loads that the lists may redirect, as a web extension with this permission may.
  package internal(set) var permissions: [URLMatchPattern] = []
  /// The expectations, in the order of the file.
  package internal(set) var expectations: [ListExpectation] = []

  init(name: String, text: [UInt8]) {
    self.name = name
    self.text = text
  }
}

/// A load, and what lists are expected to do to it.
package struct ListExpectation: Sendable {
  /// The line, from 1.
  package var line: Int
  /// The column of its first character, from 1, in bytes.
  package var column: Int
  /// The bytes of the file, half open.
  package var byteRange: Range<Int>
  /// The line's text, without white space around it and without a comment.
  package var text: String
  /// The section that it is in, as it is written; `nil` if there is none.
  package var section: String?
  /// The load.
  package var load: ResourceLoad
  /// What is expected, at least one thing.
  package var claims: [ListClaim]

  /// Creates an expectation that stands in no file.
  package init(load: ResourceLoad, claims: [ListClaim]) {
    self.init(
      line: 0,
      column: 0,
      byteRange: 0..<0,
      text: claims.map(\.text).joined(separator: ", "),
      section: nil,
      load: load,
      claims: claims
    )
  }

  init(
    line: Int,
    column: Int,
    byteRange: Range<Int>,
    text: String,
    section: String?,
    load: ResourceLoad,
    claims: [ListClaim]
  ) {
    self.line = line
    self.column = column
    self.byteRange = byteRange
    self.text = text
    self.section = section
    self.load = load
    self.claims = claims
  }

  /// The text with its section, as a name that says everything.
  package var title: String { section.map { "\(text) [\($0)]" } ?? text }
}

/// One thing that is expected of a load.
package struct ListClaim: Hashable, Sendable {
  /// What is expected.
  package enum Outcome: Hashable, Sendable {
    /// The load is not blocked.
    case load
    /// The load fails.
    case block
    /// The load is neither blocked nor changed.
    case unchanged
    /// The request is sent without cookies.
    case cookiesStripped
    /// The request is sent with its cookies.
    case cookiesKept
    /// The load is upgraded by `make-https`.
    case https
    /// The load is redirected to a URL.
    case redirect(WebURL)
    /// A selector is among those that are hidden.
    case hide(String)
    /// A selector is not among those that are hidden.
    case show(String)
  }

  /// The rule that is expected to be behind it.
  package enum Cause: Hashable, Sendable {
    /// A rule with this `url-filter`.
    case pattern(String)
    /// A rule by the positions of its list and itself.
    case number(ListedRule)
  }

  /// What is expected.
  package var outcome: Outcome
  /// By which rule; `nil` if any will do.
  package var cause: Cause?
  /// The claim as it is written.
  package var text: String
  /// The column of its first character, from 1, in bytes.
  package var column: Int
}

/// A rule, by the positions of its list and itself, both from 0.
package struct ListedRule: Hashable, Sendable, Comparable {
  /// The position among the lists.
  package var list: Int
  /// The position in the list's array.
  package var rule: Int

  /// Creates a reference to a rule.
  package init(list: Int, rule: Int) {
    self.list = list
    self.rule = rule
  }

  /// Compares positions, those of the lists first.
  package static func < (a: ListedRule, b: ListedRule) -> Bool {
    (a.list, a.rule) < (b.list, b.rule)
  }
}
