internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import TextOutput

/// Opens the lists that a command was given.
enum Lists {
  /// The help of `--list`.
  static let help = "A rule list, as JSON or compiled; can be given several times."

  /// Opens all lists, and reports all that cannot be used.
  ///
  /// - Throws: ``ExitStatus`` if any list cannot be used.
  static func open(_ paths: [String]) throws -> [ListFile] {
    try ReadList.checkStandardInput(paths)
    var files: [ListFile] = []
    var status = ExitStatus.fine
    var progress = Progress()
    for path in paths {
      do throws(ListFile.Failure) {
        progress.show("opening \(path) …")
        let file = try ListFile(path: path)
        progress.end()
        if let note = file.note { ConsoleMessage.warning(note) }
        files.append(file)
      } catch {
        progress.end()
        status = status | tell(error, path)
      }
    }
    try status.finish()
    return files
  }

  /// Verifies the source texts of lists before they are shown; deciding does not need them.
  ///
  /// - Throws: ``InputError`` with the first file whose text is damaged.
  static func checkSources(_ files: [ListFile]) throws(InputError) {
    for file in files where !file.list.isSourceIntact {
      throw InputError(
        "\(file.name): the JSON text in this compiled list is damaged, so its rules cannot be shown; "
          + "compile it again from its JSON"
      )
    }
  }

  /// Reports why a list cannot be used.
  static func tell(_ failure: ListFile.Failure, _ path: String) -> ExitStatus {
    let name = path == "-" ? "standard input" : path
    switch failure {
    case .unreadable(let error):
      ConsoleMessage.error(error.message)
      return .wrongUse
    case .refused(let report, let text):
      tell(refusal: report, name, text)
      return .refused
    case .exceedsLimits(let error):
      ConsoleMessage.error("\(name): \(error.rule.map { "rule \($0): " } ?? "")\(error.message)")
      return .refused
    }
  }

  /// Returns what to give a command for a list that messages call by a name.
  static func argument(for name: String) -> String { name == "standard input" ? "-" : name }

  /// Reports why WebKit refuses a list, with the place of its error.
  static func tell(refusal report: RuleListReport, _ name: String, _ text: [UInt8]) {
    let renderer = DiagnosticRenderer(
      fileName: name,
      usesColor: Terminal.usesColor(.auto, descriptor: 2),
      lineWidth: 68
    )
    if let error = report.webKitError {
      var message = renderer.render(error, in: text.span)
      if message.hasSuffix("\n") { message.removeLast() }
      ConsoleMessage.plain(message)
    }
    if let error = report.limitError {
      let rule = error.location.ruleIndex.map { "rule \($0): " } ?? ""
      return ConsoleMessage.error("\(name): \(rule)\(error.message)")
    }
    // From 0xEF on it is a byte-order mark, of which the error has told.
    if let first = text.first(where: { $0 > 0x20 }), !"[{\"".utf8.contains(first), first < 0xEF {
      return ConsoleMessage.error(
        "\(name) is not JSON, so it cannot be a rule list; if it is a filter list or a hosts file, make one of it "
          + "with tickbird convert"
      )
    }
    let others = report.diagnostics.count { $0.severity == .error } - 1
    ConsoleMessage.error(
      "\(name) is refused, as WebKit would refuse it; "
        + (others > 0
          ? "run tickbird check \(argument(for: name)) to see \(Shown.count(others, "other error")) as well"
          : "correct the list, and see tickbird check \(argument(for: name))")
    )
  }
}
