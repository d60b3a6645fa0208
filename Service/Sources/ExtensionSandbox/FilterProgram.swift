/// An instruction of a filter: classic BPF, as used by `seccomp`.
struct FilterInstruction: Equatable, Sendable {
  var code: UInt16
  var ifTrue: UInt8 = 0
  var ifFalse: UInt8 = 0
  var value: UInt32

  static func load(offset: UInt32) -> Self { Self(code: 0x20, value: offset) }
  static func and(_ mask: UInt32) -> Self { Self(code: 0x54, value: mask) }
  static func returns(_ verdict: UInt32) -> Self { Self(code: 0x06, value: verdict) }
  static func ifEqual(_ value: UInt32, skip: UInt8, else other: UInt8) -> Self {
    Self(code: 0x15, ifTrue: skip, ifFalse: other, value: value)
  }
  static func ifAtLeast(_ value: UInt32, skip: UInt8, else other: UInt8) -> Self {
    Self(code: 0x35, ifTrue: skip, ifFalse: other, value: value)
  }
}

/// The return values of a filter (`SECCOMP_RET_…`).
enum FilterVerdict {
  static let allow: UInt32 = 0x7FFF_0000
  static let ask: UInt32 = 0x7FC0_0000
  static let killProcess: UInt32 = 0x8000_0000
  static func error(_ number: UInt32) -> UInt32 { 0x0005_0000 | number }
  static let notPermitted = error(1)
  static let noSuchCall = error(38)
  static let notSupported = error(95)
}

/// A seccomp filter for one processor, compiled from rules.
///
/// Call numbers are tested in ascending order, each range with the same rule once:
///
///     arch word is not the processor's → kill
///     number has the x32 bit           → no such call
///     number ≥ end of range 1?         → skip its block, else: block of range 1
///     …
///     beyond the table                 → no such call
///
/// Every block ends with a verdict. The kernel caches the numbers that are allowed whatever their
/// arguments, so that the filter's length costs only the others.
struct FilterProgram: Equatable, Sendable {
  private(set) var instructions: [FilterInstruction] = []
  /// The offsets of instructions whose value is the process's own number, which is known only after
  /// the fork.
  private(set) var ownProcess: [UInt16] = []

  private let asks: Bool

  /// - Parameters:
  ///   - rules: The rules.
  ///   - processor: The processor whose call numbers to use.
  ///   - asks: Whether the parent can be asked; if not, the filter decides those calls itself.
  init(rules: SystemCallRules, processor: Processor, asks: Bool) {
    self.asks = asks
    let numbers = SystemCallNumbers(processor)
    let architecture: UInt32 = 4
    let x32: UInt32 = 0x4000_0000
    instructions = [
      .load(offset: architecture),
      .ifEqual(processor.architectureWord, skip: 1, else: 0),
      .returns(FilterVerdict.killProcess),
      .load(offset: 0),
      .ifAtLeast(x32, skip: 0, else: 1),
      .returns(FilterVerdict.noSuchCall),
    ]
    var range: (rule: SystemCallRule, end: UInt32)?
    for number in 0..<numbers.end {
      // A gap in the table is not a system call.
      let rule =
        numbers.byNumber[number].map { rules.byName[$0] ?? .refuse } ?? SystemCallRule.absent
      if let current = range, current.rule != rule {
        append(current.rule, end: current.end)
      }
      range = (rule, number + 1)
    }
    if let range { append(range.rule, end: range.end) }
    instructions.append(.returns(FilterVerdict.noSuchCall))
  }

  private mutating func append(_ rule: SystemCallRule, end: UInt32) {
    let refused = asks ? FilterVerdict.ask : FilterVerdict.notPermitted
    let observed = asks ? FilterVerdict.ask : FilterVerdict.allow
    let test = instructions.count
    instructions.append(.ifAtLeast(end, skip: 0, else: 0))
    switch rule {
    case .allow: instructions.append(.returns(FilterVerdict.allow))
    case .refuse: instructions.append(.returns(refused))
    case .absent: instructions.append(.returns(FilterVerdict.noSuchCall))
    case .unsupported: instructions.append(.returns(FilterVerdict.notSupported))
    case .ask: instructions.append(.returns(refused))
    case .observe: instructions.append(.returns(observed))
    case .allowIf(let alternatives):
      append(alternatives, then: FilterVerdict.allow, else: refused)
    case .count(let alternatives): append(alternatives, then: observed, else: refused)
    case .execute: instructions.append(.returns(observed))
    case .open(let alternatives):
      append(alternatives, then: observed, else: FilterVerdict.notPermitted)
    }
    let length = instructions.count - test - 1
    precondition(length <= 255, "a filter block is longer than a jump can reach")
    instructions[test].ifTrue = UInt8(length)
  }

  /// Appends a block that returns `verdict` if all conditions of one of the alternatives hold.
  private mutating func append(
    _ alternatives: [[ArgumentCondition]],
    then verdict: UInt32,
    else other: UInt32
  ) {
    for alternative in alternatives {
      var failing: [Int] = []
      for condition in alternative {
        // Loads the low half of an argument; both processors are little-endian.
        instructions.append(.load(offset: UInt32(16 + 8 * condition.index)))
        if condition.mask != .max { instructions.append(.and(condition.mask)) }
        var values = condition.values.map { ($0, false) }
        if condition.orOwnProcess { values.append((0, true)) }
        for (index, value) in values.enumerated() {
          if value.1 { ownProcess.append(UInt16(instructions.count)) }
          // After the values comes one jump, taken if none was equal.
          let remaining = values.count - index - 1
          instructions.append(.ifEqual(value.0, skip: UInt8(remaining + 1), else: 0))
        }
        failing.append(instructions.count)
        instructions.append(FilterInstruction(code: 0x05, value: 0))
      }
      instructions.append(.returns(verdict))
      for jump in failing {
        instructions[jump].value = UInt32(instructions.count - jump - 1)
      }
    }
    instructions.append(.returns(other))
  }
}
