internal import ArgumentParser
internal import CommandArguments
internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ListTesting
internal import TextOutput

struct Reduce: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reduce",
    abstract: "Finds the fewest rules of a list that still do something to a load.",
    discussion: """
      The result is a list of its own, with the rules' own text, to think about, to report, or to \
      put into a test. Which rules they are is written to standard error. For example:

        tickbird reduce --list ads.json --url https://cdn.example/app.js \\
          --type script --page https://shop.example/ --expect blocked
        tickbird reduce --list ads.json --url https://shop.example/ --type document \\
          --expect hidden:.ad > few.json
        tickbird reduce --list ads.json --test shop.tests

      --expect is blocked, loaded, cookies, https, hidden:SELECTOR or shown:SELECTOR; give it \
      several times to keep all of them. loaded and shown keep the exception and a rule that it \
      cancels. With --test, all expectations of a test file still hold.

      No rule of the result can be left out. Where that is possible in bounded time, all smaller \
      sets were tried, too; the command says which of the two is so.

      \(LoadHelp.defaults)

      --format json writes one object: {"rules": [{"rule", "line", "column", "text"}], "of", \
      "matched", "fewest": true or false}; where there is no result, {"rules": null, "of", "code": \
      "not-met", "no-rule-needed" or "not-reproduced", "text"}, if it goes to standard output.

      Exit status: 0 all is well; 1 the list was refused or does not do it, or no rule is needed \
      for it; 2 wrong use, or a file cannot be read or written.
      """
  )

  @Option(name: .shortAndLong, help: "The rule list, as JSON or compiled; - is standard input.")
  var list: String

  @Option(help: ArgumentHelp("The URL of the load.", valueName: "url"))
  var url: String?

  @Option(help: ArgumentHelp("The page that makes the load.", valueName: "url"))
  var page: String?

  @Option(help: "The load's resource type, such as image, style-sheet, script or document.")
  var type: String?

  @Option(help: ArgumentHelp("The document of the frame that makes the load.", valueName: "url"))
  var frame: String?

  @Option(help: "The method that the document was fetched with; null if unknown.")
  var method: String?

  @Option(help: "Which frame makes the load: top-frame or child-frame.")
  var context: String?

  @Option(
    help: ArgumentHelp(
      "What must still happen: blocked, loaded, cookies, https, hidden:SELECTOR or "
        + "shown:SELECTOR; can be given several times.",
      valueName: "outcome"
    )
  )
  var expect: [String] = []

  @Option(help: ArgumentHelp("A test file whose expectations must still hold.", valueName: "file"))
  var test: String?

  @Option(help: "The output format; text is the list itself.")
  var format: TextFormat = .text

  @Option(
    name: [.short, .customLong("output")],
    help: ArgumentHelp("The file to write, instead of standard output.", valueName: "file")
  )
  var outputFile: String?

  func validate() throws {
    try OutputOption.requireName(outputFile, of: "-o")
    if test != nil {
      guard url == nil, expect.isEmpty, page == nil, type == nil, frame == nil, method == nil,
        context == nil
      else { throw ValidationError("--test has the loads; leave out the options of a load.") }
      guard test != "-" || list != "-" else {
        throw ValidationError("Standard input (-) can be given only once.")
      }
      return
    }
    guard url != nil else {
      throw ValidationError(
        "Say what to keep: --url URL --type TYPE --page URL --expect blocked, or --test FILE."
      )
    }
    guard !expect.isEmpty else {
      throw ValidationError(
        "Say by --expect what must still happen: blocked, loaded, cookies, https, "
          + "hidden:SELECTOR or shown:SELECTOR."
      )
    }
  }

  func run() throws {
    if let outputFile { try OwnInputs([list, test].compactMap(\.self)).check(output: outputFile) }
    let (expectations, permissions) = try wanted()
    let files = try Lists.open([list])
    try Lists.checkSources(files)
    let explainer = Explainer(files)
    var reduction = RuleReduction(
      files[0].list,
      source: explainer.sources[0],
      expectations,
      permissions: permissions,
      wantsExceptions: test == nil
    )
    var progress = Progress()
    let result: RuleReduction.Result
    do {
      result = try reduction.result { count in
        progress.tick("\(Shown.grouped(count)) lists tried")
      }
      progress.end()
    } catch {
      progress.end()
      throw try tell(error, explainer)
    }
    try write(result, reduction, explainer)
  }

  // MARK: What must hold

  private func wanted() throws -> (
    expectations: [ListExpectation], permissions: [URLMatchPattern]
  ) {
    guard let test else {
      let load = try SingleLoad(
        url: url,
        page: page,
        frame: frame,
        type: type,
        context: context,
        method: method
      ).load()
      return ([ListExpectation(load: load, claims: try expect.map { try claim($0) })], [])
    }
    let (file, faults) = try ListTestReader.read(path: test)
    for fault in faults {
      ConsoleMessage.error("\(file.name):\(fault.line):\(fault.column): \(fault.message)")
    }
    guard faults.isEmpty else { throw ExitStatus.wrongUse }
    guard !file.expectations.isEmpty else {
      throw InputError("\(file.name) has no expectations; write one a line")
    }
    for expectation in file.expectations {
      for claim in expectation.claims {
        guard case .number = claim.cause else { continue }
        throw InputError(
          "\(file.name):\(expectation.line):\(claim.column): numbers of rules change when rules are "
            + "left out; name the rule by its url-filter, as in by \"/ads/\""
        )
      }
    }
    return (file.expectations, file.permissions)
  }

  /// Returns the claim that a word of `--expect` means.
  private func claim(_ word: String) throws -> ListClaim {
    let text: String
    switch word {
    case "blocked": text = "block"
    case "loaded": text = "load"
    case "cookies": text = "cookies stripped"
    case "https": text = "https"
    case _ where word.hasPrefix("hidden:"): text = "hide \(word.dropFirst(7))"
    case _ where word.hasPrefix("shown:"): text = "show \(word.dropFirst(6))"
    default:
      throw InputError(
        "--expect: "
          + LoadWords.unknown(
            "outcome",
            word,
            among: ["blocked", "loaded", "cookies", "https", "hidden:SELECTOR", "shown:SELECTOR"]
          )
      )
    }
    do throws(ListTestFile.Fault) {
      let claims = try ListTestReader.claims(text)
      guard claims.count == 1 else {
        throw ListTestFile.Fault(
          line: 1,
          column: 1,
          message: "give one selector; several are several --expect"
        )
      }
      return claims[0]
    } catch {
      throw InputError("--expect \(word): \(error.message)")
    }
  }

  // MARK: Results

  /// Says why there is no result, and in JSON writes an object of it as well.
  private func tell(
    _ failure: any Error,
    _ explainer: consuming Explainer
  ) throws -> ExitStatus {
    guard let failure = failure as? RuleReduction.Failure else { return .wrongUse }
    let ruleCount = explainer.sources[0].ruleCount
    let (code, messages) = reasons(failure, explainer)
    for message in messages {
      ConsoleMessage.error(message.text)
      message.details.forEach { ConsoleMessage.plain($0) }
    }
    guard format == .json, outputFile == nil else { return .refused }
    var json = JSONWriter()
    json.object { json in
      json.field("rules") { $0.null() }
      json.field("of", ruleCount)
      json.field("code", code)
      json.field("text", messages.map(\.text).joined(separator: "; "))
    }
    json.endLine()
    var out = OutputStream.standardOutput()
    try out.write(json.bytes)
    try out.flush()
    return .refused
  }

  private func reasons(
    _ failure: RuleReduction.Failure,
    _ explainer: consuming Explainer
  ) -> (code: String, [(text: String, details: [String])]) {
    switch failure {
    case .notMet(let unmet):
      let name = explainer.files[0].name
      let judge = ListTestJudge(explainer.files.map(\.list), sources: explainer.sources)
      var reasons = FailureReasons(judge, explainer)
      return (
        "not-met",
        unmet.map { expectation, verdict in
          let place = expectation.line > 0 ? "\(test ?? ""):\(expectation.line): " : ""
          return (
            "\(place)\(name) does not do that",
            reasons.lines(for: expectation, verdict.failures).map {
              ($0.isQuote ? "      " : "    ") + $0.text
            }
          )
        }
      )
    case .noRuleNeeded:
      return ("no-rule-needed", [("no rule is needed for that; it is so without any", [])])
    case .notReproduced:
      return (
        "not-reproduced",
        [
          (
            "it is not so with those rules alone that match, which should not be; please report it "
              + "with the list", []
          )
        ]
      )
    }
  }

  private func write(
    _ result: RuleReduction.Result,
    _ reduction: RuleReduction,
    _ explainer: borrowing Explainer
  ) throws {
    let bytes =
      format == .json
      ? json(result, explainer) : Array(reduction.text(of: result.rules).utf8)
    if let outputFile {
      try OutputFile.replace(outputFile, with: bytes)
    } else {
      var out = OutputStream.standardOutput()
      try out.write(bytes)
      try out.flush()
    }
    let names = result.rules.map { explainer.name(RuleID(list: 0, rule: $0)) }
    let count = Shown.count(result.rules.count, "rule")
    let all = Shown.grouped(explainer.sources[0].ruleCount)
    let proof =
      result.isFewest ? "no smaller set does it" : "none of them can be left out"
    ConsoleMessage.plain(
      "\(count) of \(all): \(names.joined(separator: ", ")); "
        + "\(Shown.grouped(result.matchedCount)) matched; \(proof)"
    )
  }

  private func json(
    _ result: RuleReduction.Result,
    _ explainer: borrowing Explainer
  ) -> [UInt8] {
    var json = JSONWriter()
    let source = explainer.sources[0]
    json.object { json in
      json.field("rules") { json in
        json.array(of: result.rules.compactMap { source.rule(at: $0) }) { json, rule in
          let place = source.position(of: rule)
          json.object { json in
            json.field("rule", rule.index)
            json.field("line", place.line)
            json.field("column", place.column)
            json.field("text", source.text(of: rule))
          }
        }
      }
      json.field("of", source.ruleCount)
      json.field("matched", result.matchedCount)
      json.field("fewest", result.isFewest)
    }
    json.endLine()
    return json.bytes
  }
}
