internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ListAnalysis
internal import RuleCompiler
internal import TextOutput
internal import WebURL

/// Shows how far a long analysis is.
final class PhaseProgress {
  private var progress = Progress()

  /// Shows a phase of an analysis, and how much of it is done.
  func tell(_ phase: RuleAnalyzer.Phase, _ done: Int, _ count: Int) {
    show(phase.rawValue, done, count)
  }

  /// Shows what is being done, and how much of it is done; 0 of 0 if that is not known.
  func show(_ phase: String, _ done: Int, _ count: Int) {
    let part = count > 0 ? ": \(Shown.grouped(done)) of \(Shown.grouped(count))" : ""
    progress.show("\(phase)\(part) …")
  }

  /// Clears what was shown.
  func end() { progress.end() }
}

/// Errors of the commands that compare and change lists.
enum AuthoringError {
  /// A pattern that costs more than the compiler allows.
  static func tooLarge(_ read: ReadList, _ error: CompileError) -> InputError {
    InputError(
      "\(read.source.name): a pattern of the list exceeds the compiler's limits, so that it cannot "
        + "be analysed; tickbird compile names the rule (\(error.message))"
    )
  }
}

extension AuthoringError {
  /// The message for any error of an analysis of a list.
  static func failure(_ error: any Error, _ read: ReadList) -> any Error {
    switch error {
    case let error as CompileError: return tooLarge(read, error)
    case let error as RuleListError: return InputError("\(read.source.name): \(error.message)")
    case ListOptimizer.Failure.refuted(let load), ListSplitter.Failure.refuted(let load):
      return InputError(
        "\(read.source.name): the engine decides \(load.url.serialized) "
          + "differently with the new list, so that nothing was written; this is a fault of tickbird, "
          + "please report it with the list"
      )
    default: return error
    }
  }
}

/// Writes lists that were made of others.
enum AuthoringOutput {
  /// Writes a list to a file, or to standard output.
  static func write(_ text: [UInt8], to path: String?) throws {
    if let path { return try OutputFile.replace(path, with: text) }
    var out = OutputStream.standardOutput()
    try out.write(text)
    try out.flush()
  }

  /// Writes a line about it where the list is not.
  static func summary(_ line: String, hasFile: Bool) throws {
    guard hasFile else { return ConsoleMessage.plain(line) }
    var out = OutputStream.standardOutput()
    try out.write(OutputText(painted: line + "\n"))
    try out.flush()
  }
}

extension ReadList {
  /// Reads the map of the list; without one no rule's source is known.
  func origins(_ map: String?) throws(InputError) -> RuleSources {
    try Self.origins(map.map { [$0] } ?? [], [self])
  }

  /// Reads the maps of lists, in their order.
  static func origins(_ maps: [String], _ lists: [ReadList]) throws(InputError) -> RuleSources {
    try RuleSources(maps, lists: lists.map { ($0.source.name, $0.ruleCount) })
  }
}
