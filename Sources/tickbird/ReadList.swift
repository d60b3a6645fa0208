internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import TextOutput

/// A list's text with its rules, for commands about what is written in lists.
struct ReadList {
  let source: ListFile.Source
  let rules: [Rule]
  /// The number of elements of the list, with those that WebKit skips.
  let ruleCount: Int
  /// The places of the first rules that WebKit skips, for messages.
  let skippedPlaces: [SourceLocation]

  /// Reads lists, and reports all that cannot be used.
  ///
  /// - Parameters:
  ///   - paths: The files.
  ///   - isAnySize: Whether a list may have more rules than WebKit takes, as those may that are to
  ///     become shorter.
  /// - Returns: The lists, in the order of the paths.
  /// - Throws: ``ExitStatus`` if any list cannot be used.
  static func read(
    _ paths: [String],
    isAnySize: Bool = false
  ) throws -> [ReadList] {
    var status = ExitStatus.fine
    var lists: [ReadList] = []
    var progress = Progress()
    for path in paths {
      progress.show("reading \(path) …")
      do throws(InputError) {
        let source = try ListFile.source(path: path)
        var options = ContentRuleList.readingOptions()
        options.findsTraps = false
        if isAnySize { options.ruleLimit = longListLimit }
        let report = RuleListReader.read(source.text, options: options)
        progress.end()
        if let list = report.ruleList {
          lists.append(
            ReadList(
              source: source,
              rules: list.rules,
              ruleCount: report.ruleCount,
              skippedPlaces: report.diagnostics.filter { $0.code == .skippedRule }
                .prefix(SkippedRules.namedCount).map { $0.location }
            )
          )
        } else {
          Lists.tell(refusal: report, source.name, source.text)
          status = status | .refused
        }
      } catch {
        progress.end()
        ConsoleMessage.error(error.message)
        status = status | .wrongUse
      }
    }
    try status.finish()
    return lists
  }

  /// The most rules of a list that may be longer than WebKit takes.
  private static let longListLimit = 2_000_000

  /// Returns the text of a rule.
  func text(of rule: Rule) -> String {
    String(decoding: source.text[rule.sourceRange], as: UTF8.self)
  }

  /// Returns a rule's file, line, column and number, for messages.
  func label(ofRule number: Int) -> String {
    guard let rule = rules.first(where: { $0.index == number }) else { return "rule \(number)" }
    var lines = LineCounter()
    let place = lines.advance(to: rule.sourceRange.lowerBound, in: source.text.span)
    return "\(source.name):\(place.line):\(place.column) (rule \(number))"
  }

  /// Throws if standard input is given for more than one of some files.
  static func checkStandardInput(_ paths: [String]) throws(InputError) {
    guard paths.count(where: { $0 == "-" }) > 1 else { return }
    throw InputError("standard input (-) can be only one of the lists; give files for the others")
  }
}
