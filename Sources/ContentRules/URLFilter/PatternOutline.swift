/// The pieces of a valid pattern with their places, for findings about its spelling.
///
/// Terms have no source places, because compiling needs none. This reads the text once more, and
/// relies on the parser having accepted it.
struct PatternOutline {
  /// One piece of a pattern.
  struct Piece {
    enum Kind: Hashable {
      /// A character that stands for itself, or an escape of one.
      case literal(UInt8)
      case any
      case set(isEmpty: Bool)
      case groupStart
      case groupEnd
      case startOfLine
      case endOfLine
    }

    var kind: Kind
    /// The piece without its quantifier.
    var range: Range<Int>
    /// The number of groups around it.
    var depth: Int
    /// The byte behind the backslash, for an escape.
    var escape: UInt8?
    /// The quantifier's bytes; empty without one.
    var quantifier: Range<Int>
    /// Whether the quantifier allows the piece to be left out.
    var isOptional = false

    var end: Int { quantifier.upperBound }
  }

  private(set) var pieces: [Piece] = []
  private var index = 0
  private var depth = 0

  init(_ text: Span<UInt8>) {
    while index < text.count { readPiece(in: text) }
  }

  private mutating func readPiece(in text: Span<UInt8>) {
    let start = index
    var escape: UInt8?
    var kind: Piece.Kind
    index += 1
    switch text[start] {
    case UInt8(ascii: "\\"):
      escape = index < text.count ? text[index] : nil
      kind = .literal(readEscape(in: text))
    case UInt8(ascii: "["):
      kind = readSet(in: text)
    case UInt8(ascii: "("):
      kind = .groupStart
      skipGroupKind(in: text)
    case UInt8(ascii: ")"):
      kind = .groupEnd
      depth -= 1
    case UInt8(ascii: "."): kind = .any
    case UInt8(ascii: "^"): kind = .startOfLine
    case UInt8(ascii: "$"): kind = .endOfLine
    default: kind = .literal(text[start])
    }
    var piece = Piece(
      kind: kind,
      range: start..<index,
      depth: depth,
      escape: escape,
      quantifier: index..<index
    )
    if kind == .groupStart { depth += 1 } else { readQuantifier(of: &piece, in: text) }
    pieces.append(piece)
  }

  private mutating func readQuantifier(of piece: inout Piece, in text: Span<UInt8>) {
    guard index < text.count else { return }
    switch text[index] {
    case UInt8(ascii: "?"), UInt8(ascii: "*"):
      piece.isOptional = true
      index += 1
    case UInt8(ascii: "+"):
      index += 1
    case UInt8(ascii: "{"):
      var end = index + 1
      while end < text.count, text[end] &- 0x30 < 10 || text[end] == 0x2C { end += 1 }
      guard end < text.count, text[end] == 0x7D, end > index + 1, text[index + 1] != 0x2C else {
        return
      }
      piece.isOptional = text[index + 1] == 0x30 && text[index + 2] == 0x2C
      index = end + 1
    default:
      return
    }
    if index < text.count, text[index] == UInt8(ascii: "?") { index += 1 }
    piece.quantifier = piece.range.upperBound..<index
  }

  /// Advances past an escape and returns its character.
  private mutating func readEscape(in text: Span<UInt8>) -> UInt8 {
    var reader = PatternReader(isCaseSensitive: true)
    reader.index = index
    let escape = reader.escape(in: text, insideSet: false)
    index = max(index, reader.index)
    guard case .character(let value) = escape else { return 0 }
    return UInt8(truncatingIfNeeded: value)
  }

  private mutating func readSet(in text: Span<UInt8>) -> Piece.Kind {
    let isInverted = index < text.count && text[index] == UInt8(ascii: "^")
    if isInverted { index += 1 }
    let start = index
    while index < text.count, text[index] != UInt8(ascii: "]") {
      index += text[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    let isEmpty = index == start && !isInverted
    index = min(index + 1, text.count)
    return .set(isEmpty: isEmpty)
  }

  private mutating func skipGroupKind(in text: Span<UInt8>) {
    guard index < text.count, text[index] == UInt8(ascii: "?") else { return }
    let last = index + 1 < text.count && text[index + 1] == 0x3C ? UInt8(0x3E) : 0x3A
    while index < text.count, text[index] != last { index += 1 }
    index = min(index + 1, text.count)
  }
}
