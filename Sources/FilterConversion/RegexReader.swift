/// A part of a regular expression.
indirect enum RegexNode {
  case set(RegexSet)
  case sequence([RegexNode])
  case alternatives([RegexNode])
  case repetition(RegexNode, least: Int, most: Int?)
  case start
  case end
}

/// Reads the regular expressions of filters, which are JavaScript's.
///
/// Recursion is bounded by ``maximumDepth``; a count is at most ``maximumCount``.
struct RegexReader {
  static let maximumDepth = 24
  static let maximumCount = 1_000

  private let text: ArraySlice<UInt8>
  private var index: Int
  /// Why reading failed.
  private(set) var fault: ConversionReason?

  init(_ text: ArraySlice<UInt8>) {
    self.text = text
    index = text.startIndex
  }

  /// Reads all of it; `nil` after a fault.
  mutating func read() -> RegexNode? {
    let node = alternatives(depth: 0)
    if index < text.endIndex { fail(.regexSyntax, "a closing parenthesis has no opening one") }
    return fault == nil ? node : nil
  }

  private mutating func fail(_ code: ConversionReason.Code, _ detail: String = "") {
    if fault == nil { fault = ConversionReason(code, detail) }
    index = text.endIndex
  }

  private var next: UInt8? { index < text.endIndex ? text[index] : nil }

  private mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte) else { return false }
    index += 1
    return true
  }

  private mutating func alternatives(depth: Int) -> RegexNode {
    var all = [sequence(depth: depth)]
    while take("|") { all.append(sequence(depth: depth)) }
    return all.count == 1 ? all[0] : .alternatives(all)
  }

  private mutating func sequence(depth: Int) -> RegexNode {
    var parts: [RegexNode] = []
    var boundaries: [Int] = []
    while let byte = next, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
      if text[index...].starts(with: #"\b"#.utf8) {
        index += 2
        if boundaries.last != parts.count { boundaries.append(parts.count) }
        continue
      }
      guard let atom = atom(depth: depth) else { break }
      parts.append(quantified(atom))
    }
    // From the end, so that the earlier places stay what they are.
    for place in boundaries.reversed() {
      guard let boundary = boundary(at: place, in: parts, isWhole: depth == 0) else {
        fail(.regexWordBoundary)
        break
      }
      parts.insert(boundary, at: place)
    }
    return .sequence(parts)
  }

  /// Returns what stands for a word boundary: at an end of the expression the character beside it,
  /// and elsewhere nothing, if the characters on both sides decide it.
  ///
  /// - Parameters:
  ///   - place: The number of parts in front of it.
  ///   - parts: The parts around it.
  ///   - isWhole: Whether nothing stands in front of the parts or behind them.
  /// - Returns: The node; `nil` if a character beside it may be part of a word or not.
  private func boundary(at place: Int, in parts: [RegexNode], isWhole: Bool) -> RegexNode? {
    guard let word = RegexSet.shorthand(UInt8(ascii: "w")) else { return nil }
    func isWord(_ set: RegexSet?) -> Bool? {
      guard let set, !set.isEmpty else { return nil }
      return !set.intersects(word.inverted) ? true : set.intersects(word) ? nil : false
    }
    let next = place < parts.count ? Self.outermost(of: parts[place], atEnd: false) : nil
    let before = place > 0 ? isWord(Self.outermost(of: parts[place - 1], atEnd: true)) : nil
    let after = isWord(next)
    switch (before, after) {
    case (let before?, let after?):
      return before != after ? .sequence([]) : .set(RegexSet())
    case (let before?, nil) where isWhole && place == parts.count:
      guard before else { return .set(word) }
      // Something else and then anything, or the end.
      let rest = RegexNode.sequence([
        .set(word.inverted), .repetition(.set(.all), least: 0, most: nil),
      ])
      return .sequence([.repetition(rest, least: 0, most: 1), .end])
    case (nil, let after?) where isWhole && place == 0:
      guard after else { return .set(word) }
      var schemes = RegexSet()
      for byte in "abfhsw".utf8 { schemes.insert(byte) }
      // A URL begins with its scheme.
      let canBegin = next?.folded.intersects(schemes) ?? true
      return canBegin
        ? .alternatives([.start, .set(word.inverted)]) : .set(word.inverted)
    default: return nil
    }
  }

  /// The characters of which a node's first or last one is; `nil` if it may have none.
  private static func outermost(of node: RegexNode, atEnd: Bool) -> RegexSet? {
    switch node {
    case .set(let set): return set
    case .repetition(let inner, let least, _):
      return least > 0 ? outermost(of: inner, atEnd: atEnd) : nil
    case .sequence(let nodes):
      return (atEnd ? nodes.last : nodes.first).flatMap { outermost(of: $0, atEnd: atEnd) }
    case .alternatives(let nodes):
      var union = RegexSet()
      for node in nodes {
        guard let set = outermost(of: node, atEnd: atEnd) else { return nil }
        union.formUnion(set)
      }
      return union
    case .start, .end: return nil
    }
  }

  private mutating func atom(depth: Int) -> RegexNode? {
    let byte = text[index]
    index += 1
    switch byte {
    case UInt8(ascii: "^"): return .start
    case UInt8(ascii: "$"): return .end
    case UInt8(ascii: "."): return .set(.all)
    case UInt8(ascii: "["): return .set(members())
    case UInt8(ascii: "("): return group(depth: depth)
    case UInt8(ascii: "\\"): return escape()
    case UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "?"):
      fail(.regexSyntax, "a quantifier has nothing in front of it")
      return nil
    case 0x80...:
      fail(.regexSyntax, "URLs are ASCII")
      return nil
    default: return .set(.byte(byte))
    }
  }

  private mutating func group(depth: Int) -> RegexNode? {
    guard depth < Self.maximumDepth else {
      fail(.regexTooLarge)
      return nil
    }
    if take("?") {
      if take("<") {
        if next == UInt8(ascii: "=") || next == UInt8(ascii: "!") {
          fail(.regexLookaround)
          return nil
        }
        while let byte = next, byte != UInt8(ascii: ">") { index += byte == 0 ? 1 : 1 }
        _ = take(">")
      } else if !take(":") {
        fail(.regexLookaround)
        return nil
      }
    }
    let node = alternatives(depth: depth + 1)
    guard take(")") else {
      fail(.regexSyntax, "a parenthesis is not closed")
      return nil
    }
    return node
  }

  /// Reads what follows a backslash outside of a set.
  private mutating func escape() -> RegexNode? {
    guard let byte = next else {
      fail(.regexSyntax, "it ends in a backslash")
      return nil
    }
    if let set = RegexSet.shorthand(byte) {
      index += 1
      return .set(set)
    }
    switch byte {
    case UInt8(ascii: "B"):
      fail(.regexWordBoundary)
      return nil
    case UInt8(ascii: "1")...UInt8(ascii: "9"), UInt8(ascii: "k"):
      fail(.regexReference)
      return nil
    default: return escapedByte().map { .set(.byte($0)) }
    }
  }

  /// Reads the character that an escape names.
  private mutating func escapedByte() -> UInt8? {
    guard let byte = next else {
      fail(.regexSyntax, "it ends in a backslash")
      return nil
    }
    index += 1
    switch byte {
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "v"): return 0x0B
    case UInt8(ascii: "x"), UInt8(ascii: "u"):
      let count = byte == UInt8(ascii: "x") ? 2 : 4
      let digits = text[index...].prefix(count)
      guard digits.count == count,
        let value = Int(String(decoding: digits, as: UTF8.self), radix: 16), value > 0, value < 128
      else {
        fail(.regexSyntax, "URLs are ASCII")
        return nil
      }
      index += count
      return UInt8(value)
    case 0x80..., UInt8(ascii: "0"), UInt8(ascii: "c"), UInt8(ascii: "p"), UInt8(ascii: "P"):
      fail(.regexSyntax, "an escape names no character of a URL")
      return nil
    default: return byte
    }
  }

  private mutating func members() -> RegexSet {
    let isInverted = take("^")
    var set = RegexSet()
    while let byte = next, byte != UInt8(ascii: "]") {
      guard let first = member(&set) else { continue }
      guard next == UInt8(ascii: "-"), index + 1 < text.endIndex,
        text[index + 1] != UInt8(ascii: "]")
      else {
        set.insert(first)
        continue
      }
      index += 1
      var other = RegexSet()
      guard let last = member(&other) else {
        // A shorthand ends no range: the hyphen is a member.
        set.insert(first)
        set.insert(UInt8(ascii: "-"))
        set.formUnion(other)
        continue
      }
      guard first <= last else {
        fail(.regexSyntax, "a range is out of order")
        return set
      }
      set.insert(first...min(last, 127))
    }
    guard take("]") else {
      fail(.regexSyntax, "a set is not closed")
      return set
    }
    return isInverted ? set.inverted : set
  }

  /// Reads one member of a set; adds a shorthand to the set, and returns `nil` for it.
  private mutating func member(_ set: inout RegexSet) -> UInt8? {
    guard let byte = next else { return nil }
    index += 1
    guard byte == UInt8(ascii: "\\") else {
      // Not in any URL.
      return byte < 0x80 ? byte : nil
    }
    if let letter = next, let shorthand = RegexSet.shorthand(letter) {
      index += 1
      set.formUnion(shorthand)
      return nil
    }
    if next == UInt8(ascii: "b") {
      index += 1
      return 0x08
    }
    return escapedByte()
  }

  /// Reads the quantifier behind an atom.
  private mutating func quantified(_ atom: RegexNode) -> RegexNode {
    var (least, most): (Int, Int?) = (1, 1)
    if take("*") {
      (least, most) = (0, nil)
    } else if take("+") {
      (least, most) = (1, nil)
    } else if take("?") {
      (least, most) = (0, 1)
    } else if next == UInt8(ascii: "{"), let counts = counts() {
      (least, most) = counts
    } else {
      return atom
    }
    _ = take("?")
    if let byte = next, byte == UInt8(ascii: "*") || byte == UInt8(ascii: "+") {
      fail(.regexSyntax, "a quantifier follows another one")
    }
    if least > Self.maximumCount || (most ?? 0) > Self.maximumCount { fail(.regexTooLarge) }
    if let most, most < least { fail(.regexSyntax, "a repetition is out of order") }
    return .repetition(atom, least: least, most: most)
  }

  /// Reads `{n}`, `{n,}` or `{n,m}`; `nil`, and nothing read, for a brace that stands for itself.
  private mutating func counts() -> (Int, Int?)? {
    guard let close = text[index...].firstIndex(of: UInt8(ascii: "}")), close - index < 16 else {
      return nil
    }
    let parts = text[index + 1..<close].split(
      separator: UInt8(ascii: ","),
      omittingEmptySubsequences: false
    )
    guard let first = parts.first, parts.count <= 2, let least = number(first) else { return nil }
    var most: Int? = least
    if parts.count == 2 {
      most = parts[1].isEmpty ? nil : number(parts[1])
      if most == nil, !parts[1].isEmpty { return nil }
    }
    index = close + 1
    return (least, most)
  }

  private func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self))
  }
}
