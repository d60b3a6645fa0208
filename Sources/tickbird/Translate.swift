internal import ArgumentParser
internal import CommandArguments
internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import DeclarativeRules
internal import TextOutput

struct Translate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "translate",
    abstract: "Translates rule lists to a browser's declarative rules, and says what is lost.",
    discussion: """
      The lists are translated as if all were active at once. Each rule is translated exactly, is \
      approximated, or is not expressible. Hiding rules are not translated, because an extension \
      hides with style sheets. Without --report and --rules a summary is printed. For example:

        tickbird translate ads.json --report
        tickbird translate ads.json privacy.json --rules > rules.json

      --rules prints one JSON array, as declarativeNetRequest.updateDynamicRules and files of static \
      rules take it.

      --report names each rule that is not exact with its line, column and text.

      --format json writes the summary as one object: {"browser", "rules", "regexes", "sessionRules", \
      "limits": {"rules", "regexes", "sessionRules"}, "lists": [{"file", "exact", "approximated", \
      "notExpressible", "hiding", "withoutEffect", "skipped", "rules", "report"?: [{"rule", "line", "column", \
      "action", "text", "verdict", "differences": [{"code", "text"}]}]}]}, with "report" if \
      --report is given. Rules count from 0, lines and columns from 1, columns in bytes.

      Exit status: 0 all is well, also if rules are approximated; 1 a list was refused, or a rule \
      is not expressible; 2 wrong use, or a file cannot be read. If a list cannot be translated, \
      it is named, and nothing is translated.
      """
  )

  enum Target: String, CaseIterable, ExpressibleByArgument {
    case chromium, firefox

    var browser: DeclarativeBrowser { self == .chromium ? .chromium : .firefox }
  }

  @Argument(help: "Lists to translate; - is standard input.")
  var lists: [String]

  @Option(help: "The browser to make rules for.")
  var to: Target = .chromium

  @Flag(help: "For every rule that is not exact, say what differs, with the rule's line and text.")
  var report = false

  @Flag(help: "Print the browser's rules.")
  var rules = false

  @OptionGroup var format: FormatOption

  @OptionGroup var output: OutputOptions

  func validate() throws {
    if lists.count(where: { $0 == "-" }) > 1 {
      throw ValidationError("Standard input (-) can be given only once.")
    }
    if rules, report || format.isGiven {
      throw ValidationError("--rules prints JSON alone; give it without --report and --format.")
    }
  }

  func run() throws {
    let sources = try ReadList.read(lists)
    var progress = Progress()
    progress.show("translating …")
    let translation = Translator.translate(
      sources.map { DeclarativeList(name: $0.source.name, rules: $0.rules) },
      to: to.browser
    )
    progress.end()
    var out = OutputStream.standardOutput()
    if rules {
      try out.write(Self.rules(of: translation))
      let sessionCount = translation.rules.count(where: \.isForSession)
      if sessionCount > 0 {
        ConsoleMessage.warning(
          "the last \(Shown.count(sessionCount, "rule")) fit only into a session "
            + "(declarativeNetRequest.updateSessionRules)"
        )
      }
    } else {
      let writer = TranslationWriter(
        translation: translation,
        sources: sources,
        paint: output.paint,
        hasReport: report,
        width: Terminal.width
      )
      if format.isJSON {
        try out.write(writer.json())
      } else {
        try out.write(OutputText(painted: writer.text()))
      }
    }
    try out.flush()
    let isWhole = translation.lists.allSatisfy { $0.counts.notExpressible == 0 }
    try (isWhole ? ExitStatus.fine : .refused).finish()
  }

  private static func rules(of translation: Translation) -> [UInt8] {
    var json: [UInt8] = Array("[".utf8)
    for (place, rule) in translation.rules.enumerated() {
      json += Array((place > 0 ? ",\n" : "\n").utf8)
      rule.appendJSON(id: place + 1, to: &json)
    }
    return json + Array("\n]\n".utf8)
  }
}

/// Writes the result of a translation.
struct TranslationWriter {
  let translation: Translation
  let sources: [ReadList]
  let paint: Paint
  let hasReport: Bool
  let width: Int

  func text() -> String {
    var text = ""
    for (list, source) in zip(translation.lists, sources) {
      if hasReport { writeReport(list, source, to: &text) }
      let counts = list.counts
      text += paint.bold(Shown.line(list.name)) + "\n"
      text +=
        "  \(Shown.count(counts.acting, "rule")) on loads: \(Shown.grouped(counts.exact)) exact, "
        + "\(Shown.grouped(counts.approximated)) approximated, "
        + "\(Shown.grouped(counts.notExpressible)) not expressible\n"
      if counts.hiding > 0 {
        text += "  \(Shown.count(counts.hiding, "hiding rule")), done by an extension\n"
      }
      if counts.withoutEffect > 0 {
        text += "  \(Shown.count(counts.withoutEffect, "rule")) without effect, as in Safari\n"
      }
      if source.skippedCount > 0 {
        text += "  \(Shown.count(source.skippedCount, "rule")) skipped, as in Safari\n"
      }
      text += "  \(Shown.count(list.ruleCount, "rule")) of the browser's\n"
      if !hasReport { writeDifferences(list, to: &text) }
    }
    let browser = translation.browser
    let sessionCount = translation.rules.count(where: \.isForSession)
    text +=
      "\(browser.name): \(Shown.grouped(translation.rules.count - sessionCount)) of "
      + "\(Shown.grouped(browser.dynamicRules)) rules, "
      + "\(Shown.grouped(translation.regexCount)) of "
      + "\(Shown.grouped(browser.dynamicRegexes + browser.sessionRegexes)) regular expressions"
    if sessionCount > 0 {
      text +=
        "; \(Shown.grouped(sessionCount)) of \(Shown.grouped(browser.sessionRules)) rules of a "
        + "session"
    }
    return text + "\n"
  }

  /// Writes how often each difference occurs.
  private func writeDifferences(_ list: Translation.ListResult, to text: inout String) {
    var counts: [Difference: Int] = [:]
    for (_, verdict) in list.verdicts {
      for difference in verdict.differences { counts[difference, default: 0] += 1 }
    }
    for (difference, count) in counts.sorted(by: {
      ($1.value, $0.key.code) < ($0.value, $1.key.code)
    }) {
      text += paint.dim("    \(Shown.grouped(count)): \(difference.sentence)") + "\n"
    }
  }

  private func writeReport(
    _ list: Translation.ListResult,
    _ source: ReadList,
    to text: inout String
  ) {
    forEachInexact(list, source) { place, rule, verdict in
      let label =
        verdict.isExpressible ? paint.yellow(verdict.word + ":") : paint.red(verdict.word + ":")
      let reasons =
        verdict == .withoutEffect
        ? "as a content blocker's in Safari"
        : verdict.differences.map(\.sentence).joined(separator: "; ")
      text +=
        "\(Shown.line(list.name)):\(place.line):\(place.column): rule \(rule.index): \(label) \(reasons)\n"
      text += Shown.wrapped(
        Shown.line(source.text(of: rule)),
        width: width,
        indent: 4,
        limit: 4
      )
    }
  }

  /// Calls `body` with each rule that is not exact, and its line and column from 1.
  private func forEachInexact(
    _ list: Translation.ListResult,
    _ source: ReadList,
    _ body: ((line: Int, column: Int), Rule, Verdict) -> Void
  ) {
    var lines = LineCounter()
    for (rule, (_, verdict)) in zip(source.rules, list.verdicts)
    where !verdict.differences.isEmpty || verdict == .withoutEffect {
      let position = lines.advance(to: rule.sourceRange.lowerBound, in: source.source.text.span)
      body(position, rule, verdict)
    }
  }

  func json() -> [UInt8] {
    let sessionCount = translation.rules.count(where: \.isForSession)
    let browser = translation.browser
    var json = JSONWriter()
    json.object { json in
      json.field("browser", browser.name)
      json.field("rules", translation.rules.count - sessionCount)
      json.field("regexes", translation.regexCount)
      json.field("sessionRules", sessionCount)
      json.field("limits") { json in
        json.object { json in
          json.field("rules", browser.dynamicRules)
          json.field("regexes", browser.dynamicRegexes + browser.sessionRegexes)
          json.field("sessionRules", browser.sessionRules)
        }
      }
      json.field("lists") { json in
        json.array(of: zip(translation.lists, sources)) { json, pair in
          write(pair.0, pair.1, to: &json)
        }
      }
    }
    json.endLine()
    return json.bytes
  }

  private func write(
    _ list: Translation.ListResult,
    _ source: ReadList,
    to json: inout JSONWriter
  ) {
    let counts = list.counts
    json.object { json in
      json.field("file", list.name)
      json.field("exact", counts.exact)
      json.field("approximated", counts.approximated)
      json.field("notExpressible", counts.notExpressible)
      json.field("hiding", counts.hiding)
      json.field("withoutEffect", counts.withoutEffect)
      json.field("skipped", source.skippedCount)
      json.field("rules", list.ruleCount)
      guard hasReport else { return }
      json.field("report") { json in
        json.array { json in
          forEachInexact(list, source) { place, rule, verdict in
            json.object { json in
              json.field("rule", rule.index)
              json.field("line", place.line)
              json.field("column", place.column)
              json.field("action", rule.action.word)
              json.field("text", source.text(of: rule))
              let isWithout = verdict == .withoutEffect
              let word = verdict.isExpressible ? "approximated" : "notExpressible"
              json.field("verdict", isWithout ? "withoutEffect" : word)
              json.field("differences") { json in
                json.array(of: verdict.differences) { json, difference in
                  json.object { json in
                    json.field("code", difference.code)
                    json.field("text", difference.sentence)
                  }
                }
              }
            }
          }
        }
      }
    }
  }
}
