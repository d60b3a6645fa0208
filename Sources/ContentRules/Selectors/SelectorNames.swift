/// The names that the engine knows in selectors.
///
/// > Source: WebKit: `CSSPseudoSelectors.json` of the release that section 3.1 of the rule language
/// > speaks of. Names that a setting must switch on are left out, because selectors of rule lists
/// > are read with no settings at all: `:open`, `:popover-open`, `:heading`,
/// > `:active-view-transition`, `::target-text`, `::view-transition*`, `::picker`, `::checkmark`.
enum SelectorNames {
  /// A pseudo-class, as far as the grammar distinguishes them.
  enum PseudoClass {
    /// Takes no argument.
    case plain
    /// Takes no argument and, like structural ones, may not follow `::part()`.
    case structural
    /// Takes no argument and depends on what the user does.
    case userAction
    /// Takes no argument and may follow parts of a scroll bar.
    case scrollbar
    /// Both of the above.
    case userActionAndScrollbar
    case windowInactive
    case isOrWhere
    case not
    case has
    case nthChild
    case nthOfType
    case lang
    case identArgument
    case host

    var requiresArgument: Bool {
      switch self {
      case .isOrWhere, .not, .has, .nthChild, .nthOfType, .lang, .identArgument: true
      case .plain, .structural, .userAction, .scrollbar, .userActionAndScrollbar,
        .windowInactive, .host:
        false
      }
    }

    /// Whether it is valid if its argument is.
    var isLogicalCombination: Bool { self == .isOrWhere || self == .not || self == .has }

    var isStructural: Bool {
      self == .structural || self == .nthChild || self == .nthOfType
    }

    var isUserAction: Bool { self == .userAction || self == .userActionAndScrollbar }

    var isForScrollbar: Bool {
      self == .scrollbar || self == .userActionAndScrollbar || self == .windowInactive
    }
  }

  /// A pseudo-element, as far as the grammar distinguishes them.
  enum PseudoElement {
    case plain
    /// `::before`, `::after`, `::marker`, `::backdrop`: a box of their own in the tree.
    case treeAbiding
    /// A part of a built-in control, known or not.
    case userAgentPart
    case scrollbar
    case selection
    case cue
    case highlight
    case part
    case slotted

    var requiresArgument: Bool { self == .highlight || self == .part || self == .slotted }

    /// Whether a pseudo-class may follow it.
    func allows(_ pseudoClass: PseudoClass) -> Bool {
      if pseudoClass.isLogicalCombination { return true }
      switch self {
      case .part: return !pseudoClass.isStructural
      case .scrollbar: return pseudoClass.isForScrollbar
      case .selection: return pseudoClass == .windowInactive
      case .userAgentPart: return pseudoClass.isUserAction
      case .plain, .treeAbiding, .cue, .highlight, .slotted: return false
      }
    }

    /// Whether another pseudo-element may follow it.
    func allows(_ pseudoElement: PseudoElement) -> Bool {
      switch self {
      case .part: pseudoElement != .part
      case .slotted: pseudoElement == .treeAbiding
      default: false
      }
    }
  }

  /// The pseudo-class of a lower-case name.
  static func pseudoClass(_ name: String) -> PseudoClass? { pseudoClasses[name] }

  /// The pseudo-element of a lower-case name; every `-webkit-` name is one.
  static func pseudoElement(_ name: String) -> PseudoElement? {
    pseudoElements[name] ?? (name.hasPrefix("-webkit-") ? .userAgentPart : nil)
  }

  /// The pseudo-elements that may be written with one colon.
  static func singleColonElement(_ name: String) -> PseudoElement? {
    switch name {
    case "before", "after": .treeAbiding
    case "first-line", "first-letter": .plain
    default: nil
    }
  }

  /// Returns the value of a name or string, escapes resolved.
  static func value(in text: Span<UInt8>, _ range: Range<Int>, hasEscape: Bool) -> [UInt8] {
    var value: [UInt8] = []
    value.reserveCapacity(range.count)
    var index = range.lowerBound
    while index < range.upperBound {
      let byte = text[index]
      index += 1
      guard hasEscape, byte == 0x5C else {
        value.append(byte)
        continue
      }
      guard index < range.upperBound else {
        value.append(contentsOf: "\u{FFFD}".utf8)
        break
      }
      if text[index] == 0x0A || text[index] == 0x0C || text[index] == 0x0D {
        if text[index] == 0x0D, index + 1 < range.upperBound, text[index + 1] == 0x0A { index += 1 }
        index += 1
        continue
      }
      var scalar: UInt32 = 0
      let digits = index
      while index < min(digits + 6, range.upperBound), let digit = hexadecimalValue(text[index]) {
        scalar = scalar << 4 | digit
        index += 1
      }
      if index == digits {
        value.append(text[index])
        index += 1
        continue
      }
      if index < range.upperBound {
        switch text[index] {
        case 0x0D where index + 1 < range.upperBound && text[index + 1] == 0x0A: index += 2
        case 0x20, 0x09, 0x0A, 0x0C, 0x0D: index += 1
        default: break
        }
      }
      let resolved = scalar == 0 ? nil : Unicode.Scalar(scalar)
      value.append(contentsOf: String(resolved ?? "\u{FFFD}").utf8)
    }
    return value
  }

  private static let pseudoClasses: [String: PseudoClass] = {
    var table: [String: PseudoClass] = [:]
    func add(_ names: String, _ kind: PseudoClass) {
      for name in names.split(separator: " ") { table[String(name)] = kind }
    }
    add(
      """
      any-link -webkit-any-link autofill -webkit-autofill -webkit-autofill-and-obscured \
      -webkit-autofill-strong-password -webkit-autofill-strong-password-viewable -webkit-drag \
      buffering checked default defined fullscreen -webkit-full-screen future in-range \
      indeterminate invalid link modal muted optional out-of-range past paused \
      placeholder-shown playing read-only read-write required scope seeking stalled target \
      user-invalid user-valid valid visited volume-locked
      """,
      .plain
    )
    add(
      "empty first-child first-of-type last-child last-of-type only-child only-of-type root",
      .structural
    )
    add("focus focus-visible focus-within", .userAction)
    add("active hover", .userActionAndScrollbar)
    add(
      """
      corner-present decrement disabled double-button enabled end horizontal increment no-button \
      single-button start vertical
      """,
      .scrollbar
    )
    add("window-inactive", .windowInactive)
    add("is matches where -webkit-any", .isOrWhere)
    add("not", .not)
    add("has", .has)
    add("nth-child nth-last-child", .nthChild)
    add("nth-of-type nth-last-of-type", .nthOfType)
    add("lang", .lang)
    add("dir state", .identArgument)
    add("host", .host)
    return table
  }()

  private static let pseudoElements: [String: PseudoElement] = [
    "after": .treeAbiding, "backdrop": .treeAbiding, "before": .treeAbiding,
    "marker": .treeAbiding, "cue": .cue, "details-content": .userAgentPart,
    "file-selector-button": .userAgentPart, "placeholder": .userAgentPart,
    "first-letter": .plain, "first-line": .plain, "grammar-error": .plain,
    "spelling-error": .plain, "highlight": .highlight, "part": .part, "selection": .selection,
    "slotted": .slotted, "-webkit-resizer": .scrollbar, "-webkit-scrollbar": .scrollbar,
    "-webkit-scrollbar-button": .scrollbar, "-webkit-scrollbar-corner": .scrollbar,
    "-webkit-scrollbar-thumb": .scrollbar, "-webkit-scrollbar-track": .scrollbar,
    "-webkit-scrollbar-track-piece": .scrollbar,
  ]
}
