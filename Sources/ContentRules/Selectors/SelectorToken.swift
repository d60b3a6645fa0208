/// A token of CSS, as far as selectors distinguish them.
struct SelectorToken {
  enum Kind: UInt8 {
    case whitespace, ident, function, atKeyword, hash, string, badString, url, badURL
    case delimiter, number, percentage, dimension, colon, semicolon, comma
    case leftParenthesis, rightParenthesis, leftBracket, rightBracket, leftBrace, rightBrace
    case htmlCommentMark, column, attributeMatch
    case end
  }

  enum Sign: UInt8 { case none, plus, minus }

  var kind: Kind
  /// The character of a delimiter.
  var delimiter: UInt8 = 0
  var sign = Sign.none
  /// For numbers: written without a fraction and an exponent.
  var isInteger = false
  /// For a hash: whether its name is an identifier, so that it can name an element.
  var isIdentifier = false
  /// Whether the value is spelled with a backslash.
  var hasEscape = false
  /// The whole token, half open.
  var start: Int
  var end: Int
  /// The name, the unit of a dimension or the contents of a string.
  var valueStart: Int
  var valueEnd: Int
  /// For a token that opens a block: the index of the token that closes it, or the token count.
  var closing = 0

  init(_ kind: Kind, _ range: Range<Int>) {
    self.kind = kind
    start = range.lowerBound
    end = range.upperBound
    valueStart = start
    valueEnd = end
  }

  func isDelimiter(_ character: Unicode.Scalar) -> Bool {
    kind == .delimiter && UInt32(delimiter) == character.value
  }
}
