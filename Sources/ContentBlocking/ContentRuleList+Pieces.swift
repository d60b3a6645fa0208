#if !hasFeature(Embedded)
internal import CLibrary
package import ContentRules
package import RuleCompiler

/// Compiling a list on several threads, to the bytes that one would give.
extension ContentRuleList {
  /// Threads that share a list's rules must then join what they have made of them, which more threads
  /// make no faster.
  static let mostThreads = 4

  /// The text is cut into so many blocks for each thread, so that none waits long for another.
  private static let blocksPerThread = 8

  /// Compiles a list that has nothing unusual, in pieces, each on one of several threads.
  ///
  /// - Returns: What compiling it in one go gives; `nil` if the list has to be compiled in one go.
  package static func compileInPieces(
    _ json: [UInt8],
    _ options: ReadingOptions,
    _ limits: CompilerLimits,
    _ threads: Int
  ) -> (file: [UInt8], report: RuleListReport)? {
    guard
      let pieces = compiledPieces(json, options, limits, threads),
      let report = RuleListReader.report(of: pieces.map(\.reading), json.span, options: options),
      report.isAccepted
    else { return nil }
    return join(pieces, json, options, report).map { ($0, report) }
  }

  /// Reads and compiles a list's text in pieces; in a function of its own, which leaves no other copy of them, so
  /// that the first can be extended where it is.
  ///
  /// - Returns: The pieces in the list's order; `nil` if the list must be compiled in one go.
  private static func compiledPieces(
    _ json: [UInt8],
    _ options: ReadingOptions,
    _ limits: CompilerLimits,
    _ threads: Int
  ) -> [CompiledPiece]? {
    let blocks = RuleListReader.pieces(
      of: json.span,
      threads * blocksPerThread,
      options: options
    )
    guard blocks.count > 1 else { return nil }
    let shares = BlockShares(
      blocks: blocks.count,
      threads: threads,
      mostStates: limits.statesPerList - limits.statesPerFilter
    )
    let found = mapInParallel(threads) { thread -> [CompiledPiece]? in
      var pieces: [CompiledPiece] = []
      var states = 0
      while let block = shares.anyNext(of: thread) {
        let piece = CompiledPiece(json, blocks[block], options, limits, threads) { more in
          shares.next(of: thread, states: states + more).map { blocks[$0].upperBound }
        }
        guard let piece else {
          // The list has to be compiled in one go, so the others need not go on.
          shares.giveUp()
          return nil
        }
        states += piece.compilation.stateCount
        pieces.append(piece)
      }
      return pieces
    }
    var pieces: [CompiledPiece] = []
    for some in found {
      guard let some else { return nil }
      pieces += some
    }
    pieces.sort { $0.start < $1.start }
    // The first has gone to the end if the pieces together had too many states.
    if let first = pieces.first, first.end == json.count { pieces = [first] }
    return pieces
  }

  /// Makes the file of pieces that have been compiled without a fault.
  private static func join(
    _ pieces: consuming [CompiledPiece],
    _ json: [UInt8],
    _ options: ReadingOptions,
    _ report: RuleListReport
  ) -> [UInt8]? {
    // How many elements precede each piece.
    var ruleCounts = [0]
    for place in pieces.indices {
      ruleCounts.append(ruleCounts[place] + pieces[place].reading.ruleCount)
    }
    ruleCounts.removeLast()
    let second = pieces.count > 1 ? pieces[1].start : json.count
    var others = pieces.map(\.compilation)
    pieces = []
    var compilation = others.removeFirst()
    // Whether all tables together stay within the list's limit on states; no piece knew of the others.
    let isAlone = others.isEmpty
    let isExact = isAlone || compilation.isExact(withAlso: others)
    if isExact {
      compilation.append(others, after: Array(ruleCounts.dropFirst()), callBoth: callInParallel)
    } else {
      // The first piece is as it would be in any case; what follows is compiled behind it.
      others = []
      let rest = second..<json.count
      let ruleCount = ruleCounts.dropFirst().first ?? 0
      guard compilation.read(json, rest, options, after: ruleCount, extend: { _ in nil }) != nil
      else {
        return nil
      }
    }
    // A list that exceeds a limit is compiled in one go, where it is known which rule is one too many.
    let file = try? compilation.finish(
      source: json,
      ruleCount: report.ruleCount,
      callBoth: callInParallel,
      reserve: reserve
    )
    return isAlone || !isExact || compilation.isExact(withAlso: []) ? file : nil
  }
}

/// What a thread has made of a piece of a list.
private struct CompiledPiece {
  /// Where it begins and ends in the text.
  var start: Int
  var end: Int
  var reading: ListPiece
  var compilation: RuleListCompilation

  init?(
    _ json: [UInt8],
    _ piece: Range<Int>,
    _ options: ReadingOptions,
    _ limits: CompilerLimits,
    _ threads: Int,
    extend: (_ states: Int) -> Int?
  ) {
    var end = piece.upperBound
    var compilation =
      piece.lowerBound == 0
      ? RuleListCompilation(limits: limits) : RuleListCompilation(joiningWithin: limits)
    // The others are joined to the first. A thread may take over what others have left.
    let most = json.count * 3 / (2 * threads)
    compilation.reserve(forBytes: piece.lowerBound == 0 ? json.count : most)
    let reading = compilation.read(json, piece, options, after: 0) { states in
      let next = extend(states)
      end = next ?? end
      return next
    }
    guard let reading else { return nil }
    start = piece.lowerBound
    self.end = end
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
    after ruleCount: Int,
    extend: (_ states: Int) -> Int?
  ) -> ListPiece? {
    var isWithinLimits = true
    let reading = RuleListReader.readPiece(
      json.span,
      piece,
      options: options,
      extend: { isWithinLimits ? extend(stateCount) : nil }
    ) { rule in
      guard isWithinLimits else { return }
      do throws(CompileError) {
        guard ruleCount > 0 else { return try add(rule) }
        var rule = rule
        rule.index += ruleCount
        try add(rule)
      } catch {
        isWithinLimits = false
      }
    }
    return isWithinLimits ? reading : nil
  }
}
#endif
