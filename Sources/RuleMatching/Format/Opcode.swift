/// The instructions of filter programs.
///
/// A program decides whether a pattern, or the rest of one, matches a URL from a given position.
/// There are three kinds, told apart by the first byte:
///
/// - **pieces**, anything below ``dfa``: sequences of single characters separated by gaps. Each
///   piece is found at its leftmost place, which is also the best for what follows, so nothing is
///   tried twice.
/// - ``dfa``: a table of states, one step a character.
/// - ``threads``: an NFA whose states advance together, for patterns whose DFA would exceed the
///   compiler's limits.
///
/// Behind the URL's last character every program reads one character 0, which `$` stands for.
/// Offsets are relative to the start of ``Section/programs``.
public enum Opcode {
  /// `accept` — the pattern has matched.
  public static let accept: UInt8 = 0x00
  /// `character c` — the next character is *c* (1 byte, 1–127).
  public static let character: UInt8 = 0x01
  /// `set n` — the next character is in set *n* (LEB128) of ``Section/characterSets``.
  public static let set: UInt8 = 0x02
  /// `string n c…` — the next *n* (1 byte, 2–255) characters are *c…*.
  public static let string: UInt8 = 0x03
  /// `gap` — any run of characters; what follows is searched for.
  public static let gap: UInt8 = 0x04

  /// `dfa w s k a m t…` — a state table.
  ///
  ///     offset  size  field
  ///          0     1  opcode
  ///          1     1  w: width of a state number, 1 or 2 bytes
  ///          2     2  s: number of states; state 0 is dead, state 1 the start
  ///          4     2  k: number of character classes
  ///          6     2  a: states from this number on accept
  ///          8     4  m: offset of the class map, 128 bytes, one a character
  ///         12  skw  t: the next state for each state and class
  public static let dfa: UInt8 = 0x10

  /// `threads n i…` — an NFA of *n* (4 bytes) instructions of 8 bytes each.
  ///
  ///     offset  size  field
  ///          0     1  operation: accept, character, set, split or jump
  ///          1     1  the character
  ///          2     2  zero
  ///          4     4  set: its number; split, jump: the instruction to go to
  ///
  /// Every operation but jump and accept goes on to the next instruction.
  public static let threads: UInt8 = 0x11
  /// In ``threads``: go on at the next instruction and at the given one.
  public static let split: UInt8 = 0x20
  /// In ``threads``: go on at the given instruction.
  public static let jump: UInt8 = 0x21

  /// The size of the fixed part of a ``dfa`` program, in bytes.
  public static let dfaHeaderSize = 12
  /// The size of the fixed part of a ``threads`` program, in bytes.
  public static let threadsHeaderSize = 5
  /// The size of an instruction of a ``threads`` program, in bytes.
  public static let threadSize = 8
}
