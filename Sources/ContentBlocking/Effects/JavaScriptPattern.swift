internal import ContentRules

/// A url filter read as an ordinary JavaScript regular expression, ready to run.
///
/// Rule lists are matched by automata, which know neither captures nor the order of alternatives.
/// A `regex-substitution` needs both, so the filter is read a second time, the way JavaScript reads
/// it: letters match only themselves, `.` does not match line breaks, and `\1` is a back-reference
/// where the filter has such a group.
///
/// Only filters that the rule language accepts are read; there are no alternatives, no look-around
/// and no classes such as `\d` in them.
///
/// > Source: the rule language, sections 3.2 and 5.1; ECMAScript, "Pattern Semantics", with the
/// > legacy syntax of its Annex B.
struct JavaScriptPattern: Sendable {
  /// One instruction of the backtracking machine; targets are indexes into ``program``.
  enum Instruction: Hashable, Sendable {
    /// Goes on; what is left of a group without a quantifier.
    case nothing
    /// Takes one character of the set.
    case character(CharacterSet)
    /// Goes on at the start of the text only.
    case startOfText
    /// Goes on at the end of the text only.
    case endOfText
    /// Writes the position to a slot.
    case record(slot: Int32)
    /// Takes the text of a group once more; nothing if the group took no part.
    case reference(group: Int32)
    /// Goes on at the first target, and when that fails at the second.
    case either(first: Int32, second: Int32)
    /// Goes on at the target.
    case jump(Int32)
    /// Enters a loop that runs at least once; its first iteration may be empty.
    case beginLoop(slot: Int32)
    /// Writes the position to a slot and forgets what the groups have captured.
    case beginIteration(slot: Int32, groups: Range<Int32>)
    /// Fails if nothing has been taken since the position in the slot.
    case endIteration(slot: Int32)
    /// The whole filter has matched.
    case accept
  }

  /// The instructions; the first to run is at 0, the last is `accept`.
  var program: [Instruction] = []
  /// How many groups the filter has, the whole match as group 0 included.
  var groupCount = 1
  /// How many slots a run needs: start and end of every group, then one for each loop.
  var slotCount = 2
  /// Whether a match can only begin at the start of the text.
  var isAnchored = false
  /// The characters a match can begin with, if that is plain to see.
  var firstCharacters: CharacterSet?
}

extension JavaScriptPattern {
  /// Reads a url filter; `nil` if the rule language does not accept it.
  ///
  /// - Parameter urlFilter: The filter as it stands in the rule, JSON escapes resolved.
  /// - Complexity: O(*n*), where *n* is the number of bytes; needs no recursion.
  init?(_ urlFilter: String) {
    var scratch: [Term] = []
    let text = Array(urlFilter.utf8)
    guard URLFilterParser.firstFault(in: text.span, scratch: &scratch) == nil else { return nil }
    var reader = JavaScriptPatternReader(text)
    guard reader.read() else { return nil }
    self = reader.pattern
    for instruction in program {
      switch instruction {
      case .nothing, .record, .beginLoop: continue
      case .startOfText: isAnchored = true
      case .character(let set): firstCharacters = set
      default: break
      }
      return
    }
  }
}
