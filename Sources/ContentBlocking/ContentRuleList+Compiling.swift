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
    compilation.reserve(forBytes: json.count)
    var fault: CompileError?
    let report = RuleListReader.read(json.span, options: options) { rule in
      // If WebKit refuses the list, that is the error to report.
      guard fault == nil else { return }
      do throws(CompileError) { try compilation.add(rule) } catch { fault = error }
    }
    guard report.isAccepted else { throw .refused(report) }
    if let fault { throw .exceedsLimits(fault) }
    do throws(CompileError) {
      let file = try compilation.finish(
        source: json,
        ruleCount: report.ruleCount,
        reserve: reserve
      )
      return (file, report)
    } catch {
      throw .exceedsLimits(error)
    }
  }

  /// Makes room for a compiled file.
  static func reserve(_ file: inout [UInt8], _ count: Int) {
    #if hasFeature(Embedded)
    file.reserveCapacity(count)
    #else
    file.reserveInLargePages(count)
    #endif
  }
}
