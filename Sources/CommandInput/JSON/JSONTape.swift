/// A JSON text as a flat list of its values; strings stay in the text.
///
/// A tape can be reused for one text after the other, without allocating. It is lenient where that
/// is harmless: strings may contain control characters, and numbers are not checked.
package struct JSONTape {
  /// The kinds of values.
  package enum Kind: UInt8 {
    case object, array, string, number, boolean, null
  }

  /// One value.
  struct Node {
    /// The value's bytes; of a string those between its quotation marks.
    var start: UInt32
    var end: UInt32
    /// The index of the value behind this one and its contents.
    var next: UInt32
    var kind: Kind
    /// Whether a string has escapes, or a boolean is true.
    var flag: Bool
  }

  /// The place where a text stops being JSON.
  package struct Fault: Error, Hashable {
    /// What was expected.
    package var expected: String
    /// The place, in bytes.
    package var offset: Int
  }

  /// The greatest depth of nesting.
  static let depthLimit = 256

  private(set) var nodes: [Node] = []
  private var open: [UInt32] = []

  /// Creates an empty tape.
  package init() {}

  /// The index of the value that is the whole text.
  package static let root = 0

  /// Reads a text, replacing the last one.
  ///
  /// - Throws: ``Fault`` at the first byte that is not valid there.
  /// - Complexity: O(*n*); memory is 16 bytes a value.
  package mutating func parse(_ text: Span<UInt8>) throws(Fault) {
    nodes.removeAll(keepingCapacity: true)
    open.removeAll(keepingCapacity: true)
    guard text.count < Int(UInt32.max) else { throw Fault(expected: "a shorter text", offset: 0) }
    var position = text.skippingSpace(0)
    repeat {
      try readValue(text, &position)
    } while try readSeparators(text, &position)
    guard position == text.count else { throw Fault(expected: "the end", offset: position) }
  }

  /// Reads a value; of a container only what precedes its first member.
  private mutating func readValue(_ text: Span<UInt8>, _ position: inout Int) throws(Fault) {
    while true {
      guard position < text.count else { throw Fault(expected: "a value", offset: position) }
      let start = position
      switch text[position] {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        let isObject = text[position] == UInt8(ascii: "{")
        guard open.count < Self.depthLimit else {
          throw Fault(expected: "less nesting", offset: position)
        }
        open.append(UInt32(nodes.count))
        append(isObject ? .object : .array, start, start)
        position = text.skippingSpace(position + 1)
        if text.has(isObject ? "}" : "]", at: position) {
          close(&position)
          return
        }
        if isObject { try readKey(text, &position) }
      case UInt8(ascii: "\""):
        try readString(text, &position)
        return
      case UInt8(ascii: "t"):
        try readWord("true", .boolean, true, text, &position)
        return
      case UInt8(ascii: "f"):
        try readWord("false", .boolean, false, text, &position)
        return
      case UInt8(ascii: "n"):
        try readWord("null", .null, false, text, &position)
        return
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        position += 1
        while position < text.count, text[position].isInNumber { position += 1 }
        append(.number, start, position)
        return
      default: throw Fault(expected: "a value", offset: position)
      }
    }
  }

  /// Reads what follows a value; returns true if another value comes next.
  private mutating func readSeparators(
    _ text: Span<UInt8>,
    _ position: inout Int
  ) throws(Fault) -> Bool {
    while true {
      position = text.skippingSpace(position)
      guard let container = open.last else { return false }
      let isObject = nodes[Int(container)].kind == .object
      if text.has(",", at: position) {
        position = text.skippingSpace(position + 1)
        if isObject { try readKey(text, &position) }
        return true
      }
      guard text.has(isObject ? "}" : "]", at: position) else {
        throw Fault(expected: isObject ? "',' or '}'" : "',' or ']'", offset: position)
      }
      close(&position)
    }
  }

  private mutating func readKey(_ text: Span<UInt8>, _ position: inout Int) throws(Fault) {
    guard text.has("\"", at: position) else {
      throw Fault(expected: "a key in quotation marks", offset: position)
    }
    try readString(text, &position)
    position = text.skippingSpace(position)
    guard text.has(":", at: position) else { throw Fault(expected: "':'", offset: position) }
    position = text.skippingSpace(position + 1)
  }

  private mutating func readString(_ text: Span<UInt8>, _ position: inout Int) throws(Fault) {
    let start = position + 1
    var end = start
    var hasEscapes = false
    while end < text.count, text[end] != UInt8(ascii: "\"") {
      if text[end] == UInt8(ascii: "\\") {
        hasEscapes = true
        end += 1
      }
      end += 1
    }
    guard end < text.count else {
      throw Fault(expected: "the end of the string", offset: text.count)
    }
    append(.string, start, end, hasEscapes)
    position = end + 1
  }

  private mutating func readWord(
    _ word: StaticString,
    _ kind: Kind,
    _ flag: Bool,
    _ text: Span<UInt8>,
    _ position: inout Int
  ) throws(Fault) {
    guard text.equals(word, position..<min(text.count, position + word.utf8CodeUnitCount)) else {
      throw Fault(expected: "a value", offset: position)
    }
    append(kind, position, position + word.utf8CodeUnitCount, flag)
    position += word.utf8CodeUnitCount
  }

  private mutating func append(_ kind: Kind, _ start: Int, _ end: Int, _ flag: Bool = false) {
    nodes.append(
      Node(
        start: UInt32(start),
        end: UInt32(end),
        next: UInt32(nodes.count + 1),
        kind: kind,
        flag: flag
      )
    )
  }

  private mutating func close(_ position: inout Int) {
    position += 1
    guard let container = open.popLast() else { return }
    nodes[Int(container)].end = UInt32(position)
    nodes[Int(container)].next = UInt32(nodes.count)
  }
}
