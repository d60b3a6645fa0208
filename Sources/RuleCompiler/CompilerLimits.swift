/// Limits on the cost of compiling a list and of deciding with it.
///
/// A hostile pattern exceeds one of them and is refused with a message, instead of taking hours. A
/// step is the comparison of a character with a set, or one transition of a table.
public struct CompilerLimits: Hashable, Sendable {
  /// The most DFA states for one pattern.
  ///
  /// A larger pattern runs as an NFA, which is slower but never larger than the pattern.
  public var statesPerFilter = 128
  /// The most DFA states built for a whole list, those of tables that were given up included.
  public var statesPerList = 200_000
  /// The longest pattern, in NFA instructions, for which a DFA is tried.
  public var instructionsPerTable = 512
  /// The longest NFA program, in instructions.
  ///
  /// In the worst case each instruction costs a step per character of every URL that reaches it.
  public var instructionsPerFilter = 1 << 22
  /// The most NFA threads of one pattern that may be alive at once.
  ///
  /// Optional parts add up: `a?b?c?` keeps three alive. Without the limit, one pattern of 400 kB
  /// made a decision about an ordinary URL take seconds.
  public var threadsPerFilter = 16_384
  /// The most steps per character of any URL.
  ///
  /// Sums over all filters that run on every URL because they contain no text to look up.
  public var instructionsPerLoad = 600_000
  /// The most steps per character of a URL that contains the literals or hosts of all filters.
  ///
  /// Sums over all filters with a repetition before or behind their literal or host. Only a URL
  /// about as long as all those literals together makes all of them run.
  public var instructionsPerLongURL = 600_000
  /// The most steps that one occurrence of a gram in a URL may lead to.
  ///
  /// Sums over all filters indexed under one gram: per occurrence, plus once per URL for what is
  /// searched behind it. A filter alone under its gram is exempt.
  public var instructionsPerText = 600_000
  /// The most steps that one host in a URL may lead to; sums over all filters of that host.
  public var instructionsPerHost = 4_000_000
  /// The most slots of colliding hosts that the look-up of a host may probe.
  public var collidingHosts = 1 << 20

  /// Creates the documented default limits.
  public init() {}
}

/// The error for a list that WebKit accepts but Tickbird refuses to compile.
///
/// WebKit has no such limits: it takes the time and the memory that a pattern asks for, or aborts.
///
/// > Deviation: the rule language, section 9, "no limit on DFA size or compile time".
public struct CompileError: Error, Hashable, Sendable {
  /// The kinds of refusals.
  public enum Code: Hashable, Sendable {
    /// One pattern exceeds ``CompilerLimits/instructionsPerFilter`` or
    /// ``CompilerLimits/threadsPerFilter``.
    case patternTooLarge
    /// Patterns without text to look up together exceed ``CompilerLimits/instructionsPerLoad``.
    case tooManyUnindexedPatterns
    /// Patterns with repetitions together exceed ``CompilerLimits/instructionsPerLongURL``.
    case tooManyRepetitions
    /// Patterns with the same text or host together exceed ``CompilerLimits/instructionsPerText``
    /// or ``CompilerLimits/instructionsPerHost``.
    case tooManyPatternsAlike
    /// Hosts collide in the key table so often that only intent explains it.
    case collidingHosts
    /// A section is larger than the format's offsets can address.
    case listTooLarge
  }

  /// The kind of refusal.
  public var code: Code
  /// The rule in question, by its position in the JSON array; `nil` when it is the list's size.
  public var rule: Int?
  /// What exceeds which limit, and what to do, in one sentence.
  public var message: String
}
