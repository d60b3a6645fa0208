/// What compiling may cost, so that hostile patterns end in a sentence instead of an hour.
public struct CompilerLimits: Hashable, Sendable {
  /// The most states of one pattern's table.
  ///
  /// Beyond, the pattern runs as threads, which is slower to match but never larger than the
  /// pattern.
  public var statesPerFilter = 128
  /// The most states built for all tables of a list together; tables tried in vain count too.
  public var statesPerList = 200_000
  /// The longest pattern that is tried as a table, in instructions.
  public var instructionsPerTable = 512
  /// The longest program with threads, in instructions.
  ///
  /// Each costs a step for each character of every URL that reaches it.
  public var instructionsPerFilter = 1 << 22
  /// The most places of one pattern that a character of a URL may be compared with at once.
  ///
  /// What may be left out adds up: `a?b?c?` has three. Without a bound one pattern of 400 kB made a
  /// decision about an ordinary URL take seconds.
  public var threadsPerFilter = 16_384
  /// The most steps for each character of every URL.
  ///
  /// Filters take them that run on every URL, because nothing in them can be looked up. A step is
  /// the comparison of a character with a set, or one transition of a table.
  public var instructionsPerLoad = 600_000
  /// The most steps for each character of a URL that the text or host of every filter occurs in.
  ///
  /// Filters take them that have a repetition behind their text or host, or in front of it. A URL
  /// has to be about as long as all those texts to make them all run.
  public var instructionsPerLongURL = 600_000
  /// The most steps that one occurrence of a text in a URL may lead to.
  ///
  /// Filters take them that are looked up by the same four characters: at each place of those, and
  /// once for each character of the URL. One filter alone may take more.
  public var instructionsPerText = 600_000
  /// The same for filters that begin with the same host.
  public var instructionsPerHost = 4_000_000
  /// The most hosts that looking up another one may pass by, because their hashes collide.
  public var collidingHosts = 1 << 20

  /// The limits that the documentation speaks of.
  public init() {}
}

/// Why a list that WebKit accepts is not compiled.
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
    /// Patterns without a text to look up exceed ``CompilerLimits/instructionsPerLoad`` together.
    case tooManyUnindexedPatterns
    /// Patterns with repetitions exceed ``CompilerLimits/instructionsPerLongURL`` together.
    case tooManyRepetitions
    /// Patterns with the same text or host exceed ``CompilerLimits/instructionsPerText`` or
    /// ``CompilerLimits/instructionsPerHost`` together.
    case tooManyPatternsAlike
    /// Hosts were chosen so that looking them up would take long.
    case collidingHosts
    /// A section exceeds what the format's numbers can say.
    case listTooLarge
  }

  /// The kind of refusal.
  public var code: Code
  /// The rule in question, by its position in the JSON array; `nil` when it is the list's size.
  public var rule: Int?
  /// What exceeds which limit, and what to do, in one sentence.
  public var message: String
}
