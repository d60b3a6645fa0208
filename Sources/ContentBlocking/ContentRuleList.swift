public import ContentRules
public import RuleCompiler
public import RuleMatching
internal import WebURL

/// A compiled rule list with a name, ready to decide loads.
///
///     let list = try ContentRuleList(identifier: "ads", encodedContentRuleList: json)
///     var blocker = ContentBlocker(lists: [list])
///     try blocker.decision(url: image, page: "https://news.test/", type: "image").isBlocked
///
/// The counterpart of WebKit's `WKContentRuleList`: an opaque, immutable value that any number of
/// threads may share.
public struct ContentRuleList: Sendable {
  /// The name that the list was compiled under.
  public let identifier: String
  /// The engine's form of the list.
  public let compiled: CompiledRuleList

  /// Compiles a list from its JSON text.
  ///
  /// - Parameters:
  ///   - identifier: The name, any text.
  ///   - json: The list's text in UTF-8.
  ///   - limits: The limits on what compiling may cost.
  /// - Throws: ``RuleListError/refused(_:)`` with every diagnostic when WebKit refuses the list;
  ///   ``RuleListError/exceedsLimits(_:)`` when a pattern costs more than the limits allow.
  /// - Complexity: O(*n*) for *n* bytes, plus at most ``CompilerLimits/statesPerList`` states.
  public init(
    identifier: String,
    encodedContentRuleList json: [UInt8],
    limits: CompilerLimits = CompilerLimits()
  ) throws(RuleListError) {
    let file = try Self.compile(json, limits: limits).file
    do throws(ByteCodeError) {
      self.init(identifier: identifier, compiled: try CompiledRuleList(validating: file))
    } catch {
      throw .damaged(error)
    }
  }

  /// Compiles a list from its JSON text, like
  /// ``init(identifier:encodedContentRuleList:limits:)-(_,[UInt8],_)`` from bytes.
  public init(
    identifier: String,
    encodedContentRuleList json: String,
    limits: CompilerLimits = CompilerLimits()
  ) throws(RuleListError) {
    try self.init(
      identifier: identifier,
      encodedContentRuleList: Array(json.utf8),
      limits: limits
    )
  }

  /// Compiles rules that were read and accepted before, however many.
  ///
  /// - Parameters:
  ///   - identifier: The name, any text.
  ///   - rules: The rules in the list's order.
  ///   - json: The text that they were read from.
  /// - Throws: ``RuleListError/exceedsLimits(_:)`` when a pattern costs more than the limits allow.
  /// - Complexity: As compiling from text, without reading it.
  package init(
    identifier: String,
    rules: [Rule],
    source json: [UInt8]
  ) throws(RuleListError) {
    let file: [UInt8]
    do throws(CompileError) {
      var compilation = RuleListCompilation()
      for rule in rules { try compilation.add(rule) }
      file = try compilation.finish(source: json, ruleCount: (rules.last?.index ?? -1) + 1)
    } catch {
      throw .exceedsLimits(error)
    }
    try self.init(identifier: identifier, compiledFile: file)
  }

  /// Opens the bytes of a compiled file.
  ///
  /// - Throws: ``RuleListError/damaged(_:)`` if they are not a compiled list of this version.
  public init(identifier: String, compiledFile file: [UInt8]) throws(RuleListError) {
    do throws(ByteCodeError) {
      self.init(identifier: identifier, compiled: try CompiledRuleList(validating: file))
    } catch {
      throw .damaged(error)
    }
  }

  /// Gives a compiled list a name.
  public init(identifier: String, compiled: CompiledRuleList) {
    self.identifier = identifier
    self.compiled = compiled
  }

  /// Returns options that check the URLs of redirects by the URL standard.
  ///
  /// With them, reading also refuses a list that WebKit accepts but that would not compile, so that
  /// checking and compiling have the same verdict.
  ///
  /// - Parameters:
  ///   - target: The engine release; features that it lacks become warnings.
  ///   - findsRequirements: Whether to determine what the list needs of an engine.
  ///   - limits: The limits on what compiling may cost.
  /// - Returns: The options.
  public static func readingOptions(
    target: EngineRelease? = nil,
    findsRequirements: Bool = false,
    limits: CompilerLimits = CompilerLimits()
  ) -> ReadingOptions {
    var options = ReadingOptions(target: target, findsRequirements: findsRequirements) {
      WebURL($0)?.scheme
    }
    options.limitFault = { Self.limitFault($0, cost: $1, limits) }
    return options
  }

  /// Returns why a list of valid rules does not compile, by compiling it unless that cannot fail.
  private static func limitFault(
    _ text: Span<UInt8>,
    cost: MatchingCost,
    _ limits: CompilerLimits
  ) -> LimitFault? {
    let every = min(
      limits.instructionsPerLoad,
      limits.instructionsPerText,
      limits.instructionsPerLongURL
    )
    // Colliding hosts are found only by building the table, but cannot outnumber the hosts.
    let isWithin =
      cost.atHosts <= limits.instructionsPerHost && cost.elsewhere <= every
      && cost.elsewhere <= limits.instructionsPerFilter
      && cost.mostThreads <= limits.threadsPerFilter
      && cost.mostHosts <= limits.collidingHosts
    if isWithin { return nil }
    let json = unsafe text.withUnsafeBufferPointer { unsafe Array($0) }
    do throws(RuleListError) {
      _ = try compile(json, limits: limits)
      return nil
    } catch {
      guard case .exceedsLimits(let fault) = error else { return nil }
      return LimitFault(rule: fault.rule, message: fault.message)
    }
  }

  /// The JSON text that the list was compiled from.
  ///
  /// Deciding does not need it, so a list stays usable if its file is damaged there; check
  /// ``isSourceIntact`` before showing the text.
  public var source: [UInt8] { compiled.source }

  /// Whether the source text is undamaged, by its checksum.
  ///
  /// - Complexity: O(*n*) for *n* bytes of source.
  public var isSourceIntact: Bool { compiled.isSourceIntact }

  /// The selectors that hide on every page, joined by commas; `nil` without any.
  ///
  /// They apply with any load of a document that meets no `ignore-previous-rules`; see
  /// ``LoadDecision/ListResult/attachesGlobalSheet``.
  public var globalSelectors: String? {
    compiled.globalSheet.map { String(decoding: $0, as: UTF8.self) }
  }
}

/// The reason why there is no compiled list.
public enum RuleListError: Error, Sendable {
  /// WebKit refuses the list; the report says why, and everything else about it.
  case refused(RuleListReport)
  /// WebKit accepts the list, but compiling would cost too much.
  case exceedsLimits(CompileError)
  /// The bytes are not a compiled list of this version.
  case damaged(ByteCodeError)

  /// The problem and what to do, in one sentence; WebKit's own message if there is one.
  public var message: String {
    switch self {
    case .refused(let report):
      "Rule list compilation failed: "
        + (report.webKitError?.webKitError?.message ?? "the list was refused")
    case .exceedsLimits(let error): error.message
    case .damaged(let error): "The compiled list cannot be used: \(error.message)"
    }
  }
}
