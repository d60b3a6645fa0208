/// A value of the JSON text, as one entry of a flat array in reading order.
///
/// The scanner writes one rule at a time into an array that it reuses, so that a list of any length
/// needs no tree. A container is followed by its contents; in an object every key, a string, is
/// followed by its value. `next` leads past a whole value:
///
///     {"a": [1, 2], "b": "c"}
///
///     0 object  next 7
///     1   string "a"  next 2
///     2   array       next 5
///     3     number 1  next 4
///     4     number 2  next 5
///     5   string "b"  next 6
///     6   string "c"  next 7
struct JSONNode {
  enum Kind: UInt8 {
    case object, array, string, number, `true`, `false`, null
  }

  var kind: Kind
  /// Whether a string contains a backslash, so that its text differs from its bytes.
  var hasEscapes = false
  /// The value's bytes in the text, brackets or quotation marks included.
  var start: UInt32
  var end: UInt32
  /// The index of the entry after the value and its contents.
  var next: UInt32

  /// The value's bytes in the text.
  var range: Range<Int> { Int(start)..<Int(max(start, end)) }

  /// The bytes between the quotation marks of a string.
  var contents: Range<Int> { Int(start) + 1..<max(Int(start) + 1, Int(end) - 1) }

  /// The value's type in words.
  var description: String {
    switch kind {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .true, .false: "a boolean"
    case .null: "null"
    }
  }
}
