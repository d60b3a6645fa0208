internal import CommandOutput
internal import ContentBlocking
internal import ListTesting
internal import TextOutput

/// What running tests gave.
struct ListTestReport {
  /// An expectation that was tried.
  struct Outcome {
    var expectation: ListExpectation
    /// What happened to the load, in words.
    var words: String
    /// The URL that the load ends up at; `nil` if it is unchanged.
    var newURL: String?
    /// The claims that do not hold.
    var failures: [ListTestVerdict.Failure] = []
    /// Why they do not hold.
    var reasons: [ReasonLine] = []
    /// The time that it took, in seconds.
    var seconds = 0.0

    var holds: Bool { failures.isEmpty }

    /// Why the expectation is not met, without quotations of rules; never empty for one that is not.
    var sentences: [String] {
      let sentences = reasons.filter { !$0.isQuote }.map(\.text)
      return sentences.isEmpty
        ? ["the expectation is not met; it is \(words.lowercased())"] : sentences
    }
  }

  /// A test file.
  struct TestFile {
    var name: String
    /// The file's text; empty if it cannot be read.
    var text: [UInt8] = []
    /// The paths of the lists that decided.
    var lists: [String] = []
    /// The filters that their rules were converted from.
    var origins = RuleSources.none
    var outcomes: [Outcome] = []
    /// The expectations that were not tried, because another one failed before.
    var untriedCount = 0
    /// The expectations that --filter left out.
    var filteredCount = 0
    /// What is wrong with the file.
    var faults: [ListTestFile.Fault] = []
    /// Why it, or its lists, cannot be used at all.
    var trouble: String?
    /// The exit status for the trouble.
    var troubleStatus = ExitStatus.wrongUse
    /// Whether standard error has the trouble already.
    var isTroubleTold = false

    var failedCount: Int { outcomes.count { !$0.holds } }
  }

  /// What the tests exercise of a list.
  struct ListCoverage {
    var path: String
    var source: ListSource
    var coverage: RuleCoverage
    /// The filters that its rules were converted from.
    var origins = RuleSources.none
    /// The list's number among those of ``origins``.
    var list = 0
  }

  var files: [TestFile] = []
  /// The coverage of each list, in the order of first use; `nil` unless it was asked for.
  var coverage: [ListCoverage]?

  var triedCount: Int { files.reduce(0) { $0 + $1.outcomes.count } }
  var failedCount: Int { files.reduce(0) { $0 + $1.failedCount } }
  var untriedCount: Int { files.reduce(0) { $0 + $1.untriedCount } }
  var filteredCount: Int { files.reduce(0) { $0 + $1.filteredCount } }
  /// Whether a file or a list could not be used, so that nothing was tried.
  var hasTrouble: Bool { files.contains { !$0.faults.isEmpty || $0.trouble != nil } }

  /// The exit status: that of the worst trouble, or whether all expectations hold.
  var status: ExitStatus {
    guard hasTrouble else { return failedCount > 0 ? .refused : .fine }
    return files.reduce(.fine) { status, file in
      let trouble = file.trouble == nil ? .fine : file.troubleStatus
      return status | trouble | (file.faults.isEmpty ? .fine : .wrongUse)
    }
  }

  /// The numbers in a sentence, such as "12 expectations in 2 files: 11 hold, 1 failed".
  var summary: String {
    guard !hasTrouble else { return "nothing was tried" }
    var text = Shown.count(triedCount, "expectation")
    if files.count > 1 { text += " in \(Shown.count(files.count, "file"))" }
    text += ": "
    let held = triedCount - failedCount
    if failedCount == 0 {
      text += triedCount == 1 ? "it holds" : "all hold"
    } else {
      text += held > 0 ? "\(Shown.grouped(held)) hold, " : ""
      text += "\(Shown.grouped(failedCount)) failed"
    }
    if untriedCount > 0 { text += "; \(Shown.grouped(untriedCount)) not tried after the failure" }
    if filteredCount > 0 { text += "; \(Shown.grouped(filteredCount)) left out by --filter" }
    return text
  }
}
