internal import ContentBlocking
internal import ContentRules

/// What is known of a list's rules before any request: their actions and their places.
package struct RuleTable: Hashable, Sendable {
  /// The action of a rule, as one letter.
  package enum Action: UInt8, CaseIterable, Sendable {
    case block = 0x62  // b
    case blockCookies = 0x63  // c
    case cssDisplayNone = 0x64  // d
    /// `css-display-none` for all pages, which is part of the list's global sheet, whatever the
    /// load.
    case globalSheet = 0x67  // g
    case makeHTTPS = 0x68  // h
    case notify = 0x6E  // n
    case ignorePreviousRules = 0x70  // p
    case ignoreFollowingRules = 0x66  // f
    case redirect = 0x72  // r
    case modifyHeaders = 0x6D  // m
    /// Skipped by WebKit because of its selector.
    case skipped = 0x2D  // -

    /// The action's name in rule lists.
    package var word: String {
      switch self {
      case .block: "block"
      case .blockCookies: "block-cookies"
      case .cssDisplayNone, .globalSheet: "css-display-none"
      case .makeHTTPS: "make-https"
      case .notify: "notify"
      case .ignorePreviousRules: "ignore-previous-rules"
      case .ignoreFollowingRules: "ignore-following-rules"
      case .redirect: "redirect"
      case .modifyHeaders: "modify-headers"
      case .skipped: "skipped"
      }
    }
  }

  /// Where a rule begins in the list's text, from 1.
  package struct Place: Hashable, Sendable {
    package var line: Int
    package var column: Int

    /// Creates a place.
    package init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// The action of each rule.
  package var actions: [Action]
  /// The place of each rule; a skipped rule has that of the rule before.
  package var places: [Place]

  /// Creates a table.
  package init(actions: [Action], places: [Place]) {
    self.actions = actions
    self.places = places
  }

  init(_ source: ListSource) {
    actions = Array(repeating: .skipped, count: source.ruleCount)
    places = Array(repeating: Place(line: 1, column: 1), count: source.ruleCount)
    for index in 0..<source.ruleCount {
      guard let rule = source.rule(at: index) else {
        if index > 0 { places[index] = places[index - 1] }
        continue
      }
      let position = source.position(of: rule)
      places[index] = Place(line: position.line, column: position.column)
      actions[index] =
        switch rule.action {
        case .block: .block
        case .blockCookies: .blockCookies
        case .cssDisplayNone: source.isGlobal(rule) ? .globalSheet : .cssDisplayNone
        case .makeHTTPS: .makeHTTPS
        case .notify: .notify
        case .ignorePreviousRules: .ignorePreviousRules
        case .ignoreFollowingRules: .ignoreFollowingRules
        case .redirect: .redirect
        case .modifyHeaders: .modifyHeaders
        }
    }
  }
}
