internal import ContentRules

/// Writes patterns as regular expressions of the browser.
struct RegexText {
  /// The expression.
  private(set) var text: String
  /// The approximate number of instructions that the browser compiles it to.
  ///
  /// Chromium refuses expressions above two kilobytes. Measured: a character costs 1, a set of *n*
  /// ranges 2 *n* − 1, a quantifier 1.
  private(set) var cost: Int
  private let isCaseSensitive: Bool
  private let seesFragments: Bool

  /// Starts an expression at the URL's start.
  init(isCaseSensitive: Bool, seesFragments: Bool) {
    self.isCaseSensitive = isCaseSensitive
    self.seesFragments = seesFragments
    text = "^"
    cost = 4
  }

  /// Creates the expression of a whole pattern.
  init(_ tree: PatternTree, seesFragments: Bool) {
    self.init(isCaseSensitive: tree.isCaseSensitive, seesFragments: seesFragments)
    if !tree.isAnchored { append([.anything]) }
    append(tree.nodes)
  }

  /// Appends part of an expression, with its cost.
  mutating func append(_ text: String, cost: Int) {
    self.text += text
    self.cost += cost
  }

  /// Appends units.
  mutating func append(_ nodes: [PatternNode]) {
    for node in nodes {
      switch node.kind {
      case .characters(let set): append(set)
      case .group(let members):
        text += "(?:"
        append(members)
        text += ")"
      }
      switch node.quantifier {
      case .one: continue
      case .zeroOrOne: text += "?"
      case .zeroOrMore: text += "*"
      case .oneOrMore: text += "+"
      }
      cost += 1
    }
  }

  private mutating func append(_ set: CharacterSet) {
    if set == .endOfURL {
      append(seesFragments ? "(?:#|$)" : "$", cost: seesFragments ? 3 : 1)
      return
    }
    guard !set.contains(0) else {
      // The end, or a character.
      var rest = set
      rest.remove(0)
      text += "(?:"
      append(rest)
      append(seesFragments ? "|#|$)" : "|$)", cost: 5)
      return
    }
    if let character = set.only(isCaseSensitive: isCaseSensitive) {
      append(Self.escaped(character, inSet: false), cost: 1)
      return
    }
    if set == .urlCharacters, !seesFragments {
      append(".", cost: 2)
      return
    }
    let isInverted = set.count > 64
    var listed = set
    if isInverted {
      listed = CharacterSet(low: ~set.low & ~1, high: ~set.high)
      if !seesFragments { listed.remove(UInt8(ascii: "#")) }
    }
    let ranges = Self.ranges(
      listed.folded(isCaseSensitive: isCaseSensitive || listed.hasSingleCase)
    )
    text += isInverted ? "[^" : "["
    for range in ranges {
      text += Self.escaped(range.lowerBound, inSet: true)
      if range.count > 2 { text += "-" }
      if range.count > 1 { text += Self.escaped(range.upperBound, inSet: true) }
    }
    text += "]"
    // An inverted set has one range more than what it excludes.
    cost += 2 * (isInverted ? Self.ranges(listed).count + 1 : ranges.count) - 1
  }

  private static func ranges(_ set: CharacterSet) -> [ClosedRange<UInt8>] {
    var ranges: [ClosedRange<UInt8>] = []
    for member in set.members {
      if let last = ranges.last, last.upperBound + 1 == member {
        ranges[ranges.count - 1] = last.lowerBound...member
      } else {
        ranges.append(member...member)
      }
    }
    return ranges
  }

  private static func escaped(_ character: UInt8, inSet: Bool) -> String {
    let scalar = Unicode.Scalar(character)
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "/", ":", "%", "&", "=", ",", ";", "@", "!", "~",
      "'", "\"", "<", ">", "`":
      return String(Character(scalar))
    case _ where character <= 0x20 || character >= 0x7F:
      let digits = String(character, radix: 16)
      return "\\x" + (digits.count < 2 ? "0" : "") + digits
    case "#": return "#"
    case "-": return inSet ? "\\-" : "-"
    default: return "\\" + String(Character(scalar))
    }
  }
}

extension CharacterSet {
  /// Whether a letter is a member but its other case is not.
  fileprivate var hasSingleCase: Bool {
    let upper = high & 0x07FF_FFFE
    let lower = (high >> 32) & 0x07FF_FFFE
    return upper != lower
  }
}
