internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import Foundation
internal import ListTesting
internal import TextOutput

/// Runs test files.
///
/// Lists stay open from one run to the next one as long as their files are unchanged.
struct ListTestRun {
  /// The paths of test files.
  let paths: [String]
  /// The lists to use instead of those that the files name; empty to use the latter.
  let lists: [String]
  /// The maps of the lists, in the order in which they decide; empty if there are none.
  let maps: [String]
  /// Only expectations that contain this text are tried; `nil` for all.
  let filter: String?
  let stopsAtFailure: Bool
  let countsCoverage: Bool

  /// All files that the last report depends on.
  private(set) var watched = WatchedFiles()
  private var opened: [String: OpenedList] = [:]

  /// A list, with the state of its file.
  private struct OpenedList {
    var file: ListFile
    var state: FileState?
  }

  init(
    paths: [String],
    lists: [String],
    maps: [String],
    filter: String?,
    stopsAtFailure: Bool,
    countsCoverage: Bool
  ) {
    self.paths = paths
    self.lists = lists
    self.maps = maps
    self.filter = filter
    self.stopsAtFailure = stopsAtFailure
    self.countsCoverage = countsCoverage
  }

  /// Reads the files and their lists, and tries the expectations.
  ///
  /// - Returns: The results; with a fault in any file or list, nothing is tried.
  mutating func report() -> ListTestReport {
    var report = ListTestReport()
    var tests: [ListTestFile?] = []
    watched = WatchedFiles()
    for path in lists + maps { watched.note(path) }
    for path in paths {
      watched.note(path)
      var file = ListTestReport.TestFile(name: path == "-" ? "standard input" : path)
      do throws(InputError) {
        let (test, faults) = try ListTestReader.read(path: path)
        file.text = test.text
        file.faults = faults
        file.lists = lists.isEmpty ? test.lists.map { Self.path($0.value, beside: path) } : lists
        for path in file.lists { watched.note(path) }
        if faults.isEmpty { checkLists(test, &file) }
        tests.append(test)
      } catch {
        file.trouble = error.message
        tests.append(nil)
      }
      report.files.append(file)
    }
    guard !report.hasTrouble else { return report }
    open(&report)
    guard !report.hasTrouble else { return report }
    checkExpectations(tests, &report)
    guard !report.hasTrouble else { return report }
    run(tests, &report)
    return report
  }

  /// Returns a path relative to the folder of a test file.
  static func path(_ path: String, beside file: String) -> String {
    guard !path.hasPrefix("/"), let slash = file.lastIndex(of: "/") else { return path }
    return String(file[...slash]) + path
  }

  // MARK: Lists

  /// Reports lists that a test file names and that are not there, with the line that names them.
  private func checkLists(_ test: ListTestFile, _ file: inout ListTestReport.TestFile) {
    guard !file.lists.isEmpty else {
      file.trouble =
        "\(file.name) names no list; write list: PATH at its beginning, or give --list PATH"
      return
    }
    guard lists.isEmpty else { return }
    for (head, path) in zip(test.lists, file.lists) {
      do throws(InputError) {
        try ByteInput.check(path: path)
        // A test file may be a stranger's, and a pipe or a device may have no end.
        guard ByteInput.identity(path: path) != nil else {
          throw InputError("\(path) is not a plain file; give such a list by --list")
        }
      } catch {
        file.faults.append(.init(line: head.line, column: head.column, message: error.message))
      }
    }
  }

  private mutating func open(_ report: inout ListTestReport) {
    // Standard input has no state, and can be read only once.
    var isNew: Set<String> = []
    for number in report.files.indices {
      for path in report.files[number].lists {
        let state = watched.state(path)
        if let known = opened[path], isNew.contains(path) || known.state == state && state != nil {
          continue
        }
        isNew.insert(path)
        opened[path] = nil
        do {
          let files = try Lists.open([path])
          try Lists.checkSources(files)
          for file in files { opened[path] = OpenedList(file: file, state: state) }
        } catch let error as InputError {
          report.files[number].trouble = error.message
        } catch {
          report.files[number].troubleStatus = error as? ExitStatus ?? .wrongUse
          report.files[number].trouble = "\(path) cannot be used; tickbird check \(path) says why"
          report.files[number].isTroubleTold = true
        }
        if report.files[number].trouble != nil { return }
      }
    }
  }

  // MARK: Expectations

  private func isWanted(_ expectation: ListExpectation) -> Bool {
    filter.map { expectation.title.firstRange(of: $0) != nil } ?? true
  }

  /// Reports files without expectations: a test that tries nothing must not look like one that
  /// holds.
  private func checkExpectations(_ tests: [ListTestFile?], _ report: inout ListTestReport) {
    for (number, test) in tests.enumerated() where test?.expectations.isEmpty ?? false {
      let name = report.files[number].name
      report.files[number].trouble =
        "\(name) has no expectations; write one a line, such as https://ads.example/a.js script on "
        + "https://example.com/ => block"
    }
    guard let filter, !report.hasTrouble else { return }
    if !tests.contains(where: { $0?.expectations.contains(where: isWanted) ?? false }) {
      report.files[0].trouble =
        "--filter: no expectation contains \(filter); upper and lower case differ"
    }
  }

  private func run(_ tests: [ListTestFile?], _ report: inout ListTestReport) {
    var judges: [[String]: ListTestJudge] = [:]
    var origins: [[String]: RuleSources] = [:]
    var coverage: [String: ListTestReport.ListCoverage] = [:]
    var order: [String] = []
    var isStopped = false
    var progress = Progress()
    var count = 0
    for (number, test) in tests.enumerated() {
      guard let test else { continue }
      let wanted = test.expectations.filter(isWanted)
      report.files[number].filteredCount = test.expectations.count - wanted.count
      guard !isStopped else {
        report.files[number].untriedCount = wanted.count
        continue
      }
      let paths = report.files[number].lists
      let files = paths.compactMap { opened[$0]?.file }
      let judge =
        judges[paths] ?? ListTestJudge(files.map(\.list), countsCoverage: countsCoverage)
      judges[paths] = judge
      judge.grant(test.permissions)
      let source: RuleSources
      do throws(InputError) {
        if let known = origins[paths] {
          source = known
        } else {
          source = try self.origins(files, judge)
        }
      } catch {
        report.files[number].trouble = error.message
        break
      }
      origins[paths] = source
      report.files[number].origins = source
      let tried = Self.outcomes(of: wanted, judge, stopsAtFailure) {
        count += 1
        progress.tick("\(Shown.grouped(count)) expectations")
      }
      isStopped = stopsAtFailure && tried.contains { !$0.holds }
      report.files[number].outcomes = Self.explained(tried, test, judge, files, source)
      report.files[number].untriedCount = wanted.count - tried.count
    }
    progress.end()
    guard countsCoverage else { return }
    for (number, test) in tests.enumerated() where test != nil {
      let paths = report.files[number].lists
      guard let judge = judges.removeValue(forKey: paths), let covered = judge.coverage else {
        continue
      }
      for (list, path) in paths.enumerated() {
        guard coverage[path] == nil else {
          coverage[path]?.coverage.merge(covered[list])
          continue
        }
        order.append(path)
        coverage[path] = .init(
          path: path,
          source: judge.sources[list],
          coverage: covered[list],
          origins: report.files[number].origins,
          list: list
        )
      }
    }
    report.coverage = order.compactMap { coverage[$0] }
  }

  private static func outcomes(
    of expectations: [ListExpectation],
    _ judge: ListTestJudge,
    _ stopsAtFailure: Bool,
    _ tick: () -> Void
  ) -> [ListTestReport.Outcome] {
    var outcomes: [ListTestReport.Outcome] = []
    outcomes.reserveCapacity(expectations.count)
    let clock = ContinuousClock()
    var last = clock.now
    for expectation in expectations {
      let verdict = judge.verdict(on: expectation)
      let now = clock.now
      outcomes.append(
        ListTestReport.Outcome(
          expectation: expectation,
          words: verdict.decision.words,
          newURL: verdict.decision.newURL?.serialized,
          failures: verdict.failures,
          seconds: (now - last) / .seconds(1)
        )
      )
      last = now
      tick()
      if stopsAtFailure, !verdict.holds { break }
    }
    return outcomes
  }

  /// Returns the filters that the rules of a test's lists were converted from.
  private func origins(
    _ files: [ListFile],
    _ judge: ListTestJudge
  ) throws(InputError) -> RuleSources {
    let lists = zip(files, judge.sources).map { (name: $0.name, ruleCount: $1.ruleCount) }
    return try RuleSources(maps, lists: lists)
  }

  /// The most failures to explain; the others are shown without reasons.
  private static let explainedLimit = 1_000

  /// Adds the reasons of failures.
  private static func explained(
    _ outcomes: [ListTestReport.Outcome],
    _ test: ListTestFile,
    _ judge: ListTestJudge,
    _ files: [ListFile],
    _ origins: RuleSources
  ) -> [ListTestReport.Outcome] {
    guard outcomes.contains(where: { !$0.holds }) else { return outcomes }
    var outcomes = outcomes
    var reasons = FailureReasons(
      judge,
      Explainer(
        files,
        sources: judge.sources,
        origins: origins,
        permissions: ListTestJudge.permissions(test.permissions, of: judge.lists)
      )
    )
    var count = 0
    for place in outcomes.indices where !outcomes[place].holds {
      count += 1
      guard count <= explainedLimit else { break }
      outcomes[place].reasons = reasons.lines(
        for: outcomes[place].expectation,
        outcomes[place].failures
      )
    }
    return outcomes
  }
}
