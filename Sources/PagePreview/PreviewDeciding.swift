package import ContentBlocking

/// Decides the loads of a page by the lists; the command provides it.
package protocol PreviewDeciding: AnyObject {
  /// Decides a load.
  ///
  /// - Returns: What the lists do to it, and which rules.
  func verdict(of load: ResourceLoad) -> PreviewVerdict

  /// Adds what a load hides in its frame's document.
  ///
  /// - Returns: The rules that hide more than those before, in the lists' order.
  func newHiding(of load: ResourceLoad, in frame: String) -> [HidingRule]

  /// Forgets what is hidden, for another visit.
  func forgetHiding()
}

/// What lists do to a load.
package struct PreviewVerdict: Hashable, Sendable {
  /// The outcome in a few words: "BLOCKED", "loaded", or what is changed about it.
  package var words: String
  package var isBlocked: Bool
  package var blocksCookies: Bool
  /// The load's new URL, if the lists change it.
  package var newURL: String?
  /// The rule that decides: for a load that is not blocked, the exception without which it would be.
  package var rule: PreviewRule?
  /// What became of every rule that matched, a sentence each.
  package var sentences: [String]

  /// Whether the load is made as if there were no lists.
  var isUnchanged: Bool { !isBlocked && !blocksCookies && newURL == nil }

  /// Creates a verdict from its parts.
  package init(
    words: String,
    isBlocked: Bool,
    blocksCookies: Bool = false,
    newURL: String? = nil,
    rule: PreviewRule? = nil,
    sentences: [String] = []
  ) {
    self.words = words
    self.isBlocked = isBlocked
    self.blocksCookies = blocksCookies
    self.newURL = newURL
    self.rule = rule
    self.sentences = sentences
  }
}

/// A rule in a report.
package struct PreviewRule: Hashable, Sendable {
  /// A line of a filter list that a rule was converted from.
  package struct Source: Hashable, Sendable {
    package var file: String
    /// The line, from 1.
    package var line: Int

    /// Creates a line from its file and number.
    package init(file: String, line: Int) {
      self.file = file
      self.line = line
    }
  }

  /// The list's position among the lists, from 0.
  package var list: Int
  /// The rule's position in its list, from 0.
  package var number: Int
  /// The file, line and column, such as `ads.json:4:1`.
  package var place: String
  /// The pattern, and the rest in brackets.
  package var gist: String
  /// The lines that it was converted from; none if they are unknown.
  package var sources: [Source]

  /// Creates a rule from its parts.
  package init(
    list: Int,
    number: Int,
    place: String,
    gist: String,
    sources: [Source] = []
  ) {
    self.list = list
    self.number = number
    self.place = place
    self.gist = gist
    self.sources = sources
  }

  /// The number and the place, with the first line that the rule was converted from.
  var label: String {
    guard let source = sources.first else { return "\(number), \(place)" }
    let more = sources.count > 1 ? " and \(sources.count - 1) more" : ""
    return "\(number), \(place); \(source.file):\(source.line)\(more)"
  }
}

/// A rule that hides elements.
package struct HidingRule: Hashable, Sendable {
  package var rule: PreviewRule
  /// Its selectors.
  package var selector: String

  /// Creates a rule from its parts.
  package init(rule: PreviewRule, selector: String) {
    self.rule = rule
    self.selector = selector
  }
}
