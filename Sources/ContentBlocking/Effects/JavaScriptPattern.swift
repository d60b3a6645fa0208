internal import ContentRules

/// A url filter compiled as an ordinary JavaScript regular expression.
///
/// Rule lists are matched by automata, which have neither captures nor ordered alternatives. A
/// `regex-substitution` needs both, so the filter is read again with JavaScript's semantics:
/// letters match only themselves, `.` does not match line breaks, and `\1` is a backreference if
/// the filter has such a group.
///
/// Only filters that the rule language accepts are read; they have no alternatives, look-around or
/// classes such as `\d`.
///
/// > Source: the rule language, sections 3.2 and 5.1; ECMAScript, "Pattern Semantics", with the
/// > legacy syntax of its Annex B.
struct JavaScriptPattern: Sendable {
  /// One instruction of the backtracking machine; targets are indexes into ``program``.
  enum Instruction: Hashable, Sendable {
    /// Does nothing; the remainder of a group without a quantifier.
    case nothing
    /// Consumes one character of the set.
    case character(CharacterSet)
    /// Succeeds only at the start of the text.
    case startOfText
    /// Succeeds only at the end of the text.
    case endOfText
    /// Writes the position to a slot.
    case record(slot: Int32)
    /// Consumes the text of a group once more; nothing if the group did not take part.
    case reference(group: Int32)
    /// Continues at the first target and, if that fails, at the second.
    case either(first: Int32, second: Int32)
    /// Continues at the target.
    case jump(Int32)
    /// Enters a loop that runs at least once; its first iteration may be empty.
    case beginLoop(slot: Int32)
    /// Writes the position to a slot and clears the captures of groups.
    case beginIteration(slot: Int32, groups: Range<Int32>)
    /// Fails if nothing was consumed since the position in the slot.
    case endIteration(slot: Int32)
    /// The whole filter has matched.
    case accept
  }

  /// The instructions; the first to run is at 0, the last is `accept`.
  var program: [Instruction] = []
  /// The number of groups, including the whole match as group 0.
  var groupCount = 1
  /// The number of slots of a run: start and end of every group, then one for each loop.
  var slotCount = 2
  /// Whether a match can only begin at the start of the text.
  var isAnchored = false
  /// The characters that a match can begin with, if obvious.
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
