internal import CommandInput
internal import CommandOutput
internal import ContentRules
internal import ListAnalysis
internal import RuleCompiler
internal import TextOutput

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
