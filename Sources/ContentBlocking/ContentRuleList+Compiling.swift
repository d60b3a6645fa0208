#if !hasFeature(Embedded)
internal import CLibrary
#endif
public import ContentRules
public import RuleCompiler

extension ContentRuleList {
  /// The least bytes of a list that are worth a thread: some milliseconds of work.
  package static let bytesPerThread = 256 << 10

  /// Reads a list and compiles it to the bytes of a file.
  ///
  /// Compiles rules as they are read, without keeping them: besides the text and the file, memory
  /// holds tables of about twice the size of the file without its source, and half as much again with
  /// several threads. The file and the report do not depend on the number of threads.
  ///
  /// - Parameters:
  ///   - json: The list's text in UTF-8.
  ///   - limits: The limits on what compiling may cost.
  ///   - threads: The most threads to use, the caller's included; `nil` for one for each processor that
  ///     the process may use, and four at most. Short lists take fewer.
  /// - Returns: The file, and a report of what WebKit silently ignores; the report is without
  ///   rules.
  /// - Throws: As ``init(identifier:encodedContentRuleList:limits:)-(_,[UInt8],_)``.
  public static func compile(
    _ json: [UInt8],
    limits: CompilerLimits = CompilerLimits(),
    threads: Int? = nil
  ) throws(RuleListError) -> (file: [UInt8], report: RuleListReport) {
    var options = readingOptions()
    // Not needed here: compiling itself finds such a fault.
    options.limitFault = nil
    options.findsTraps = false
    return try compile(json, options: options, limits: limits, threads: threads)
  }

  /// Reads a list with options of the caller's, which look for no traps and for no faults of limits, and
  /// compiles it; otherwise like ``compile(_:limits:threads:)``.
  package static func compile(
    _ json: [UInt8],
    options: ReadingOptions,
    limits: CompilerLimits = CompilerLimits(),
    threads: Int? = nil,
    bytesPerThread: Int = bytesPerThread
  ) throws(RuleListError) -> (file: [UInt8], report: RuleListReport) {
    #if !hasFeature(Embedded)
    let most = min(json.count / max(1, bytesPerThread), threads ?? mostThreads)
    if most > 1 {
      let compiled =
        threads == nil
        ? withFreeProcessors(atMost: most) { compileInPieces(json, options, limits, $0) }
        : compileInPieces(json, options, limits, most)
      if let compiled { return compiled }
    }
    #endif
    return try compileInOneGo(json, options, limits)
  }

  private static func compileInOneGo(
    _ json: [UInt8],
    _ options: ReadingOptions,
    _ limits: CompilerLimits
  ) throws(RuleListError) -> (file: [UInt8], report: RuleListReport) {
    var compilation = RuleListCompilation(limits: limits)
    var fault: CompileError?
    let report = RuleListReader.read(json.span, options: options) { rule in
      // If WebKit refuses the list, that is the error to report.
      guard fault == nil else { return }
      do throws(CompileError) { try compilation.add(rule) } catch { fault = error }
    }
    guard report.isAccepted else { throw .refused(report) }
    if let fault { throw .exceedsLimits(fault) }
    do throws(CompileError) {
      return (try compilation.finish(source: json, ruleCount: report.ruleCount), report)
    } catch {
      throw .exceedsLimits(error)
    }
  }
}

#if !hasFeature(Embedded)
extension ContentRuleList {
  /// Threads that share a list's rules must then join what they have made of them, which more threads
  /// make no faster.
  private static let mostThreads = 4

  /// Compiles a list that has nothing unusual, in pieces, each on a thread of its own.
  ///
  /// - Returns: What compiling it in one go gives; `nil` if that must be done to know it.
  package static func compileInPieces(
    _ json: [UInt8],
    _ options: ReadingOptions,
    _ limits: CompilerLimits,
    _ threads: Int
  ) -> (file: [UInt8], report: RuleListReport)? {
    let ranges = RuleListReader.pieces(of: json.span, threads, options: options)
    guard ranges.count > 1 else { return nil }
    let pieces = mapInParallel(ranges.count) { number in
      CompiledPiece(json, ranges[number], options, limits, isFirst: number == 0)
    }
    .compactMap { $0 }
    guard pieces.count == ranges.count,
      let report = RuleListReader.report(of: pieces.map(\.reading), json.span, options: options),
      report.isAccepted
    else { return nil }
    return join(pieces, json, ranges, options, report).map { ($0, report) }
  }

  /// Makes the file of pieces that have been compiled without a fault.
  private static func join(
    _ pieces: consuming [CompiledPiece],
    _ json: [UInt8],
    _ ranges: [Range<Int>],
    _ options: ReadingOptions,
    _ report: RuleListReport
  ) -> [UInt8]? {
    // How many elements precede each piece.
    var ruleCounts = [0]
    for place in pieces.indices {
      ruleCounts.append(ruleCounts[place] + pieces[place].reading.ruleCount)
    }
    var others = pieces.map(\.compilation)
    pieces = []
    var compilation = others.removeFirst()
    let callBoth: CallBoth = { first, second in
      _ = mapInParallel(2) { $0 == 0 ? first() : second() }
    }
    // Whether all tables together stay within the list's limit on states; no piece knew of the others.
    let isExact = compilation.isExact(withAlso: others)
    if isExact {
      compilation.append(others, after: Array(ruleCounts[1..<ranges.count]), callBoth: callBoth)
    } else {
      others = []
      for (range, ruleCount) in zip(ranges, ruleCounts).dropFirst() {
        guard compilation.read(json, range, options, after: ruleCount) != nil else { return nil }
      }
    }
    // A list that exceeds a limit is compiled in one go, where it is known which rule is one too many.
    let file = try? compilation.finish(
      source: json,
      ruleCount: report.ruleCount,
      callBoth: callBoth
    )
    return !isExact || compilation.isExact(withAlso: []) ? file : nil
  }
}

/// What a thread has made of a piece of a list.
private struct CompiledPiece {
  var reading: ListPiece
  var compilation: RuleListCompilation

  init?(
    _ json: [UInt8],
    _ piece: Range<Int>,
    _ options: ReadingOptions,
    _ limits: CompilerLimits,
    isFirst: Bool
  ) {
    var compilation =
      isFirst ? RuleListCompilation(limits: limits) : RuleListCompilation(joiningWithin: limits)
    guard let reading = compilation.read(json, piece, options, after: 0) else { return nil }
    self.reading = reading
    self.compilation = compilation
  }
}

extension RuleListCompilation {
  /// Reads a piece of a list and adds its rules.
  ///
  /// - Returns: What was read; `nil` if the list must be read or compiled in one go.
  fileprivate mutating func read(
    _ json: [UInt8],
    _ piece: Range<Int>,
    _ options: ReadingOptions,
    after ruleCount: Int
  ) -> ListPiece? {
    var isWithinLimits = true
    let reading = RuleListReader.readPiece(json.span, piece, options: options) { rule in
      guard isWithinLimits else { return }
      var rule = rule
      rule.index += ruleCount
      do throws(CompileError) { try add(rule) } catch { isWithinLimits = false }
    }
    return isWithinLimits ? reading : nil
  }
}
#endif
