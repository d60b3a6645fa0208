internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import DeclarativeRules
internal import TextOutput

/// Rule lists and filter lists as declarative rules of Chromium's.
enum DeclarativeRoute {
  /// Converts rule lists of WebKit's, which share the browser's limits.
  ///
  /// - Throws: `InputError` or `ExitStatus` if a list cannot be read, or WebKit refuses it.
  static func convertLists(_ request: ConversionRequest) throws -> any ConvertedList {
    try refuse(request.target)
    var lists: [DeclarativeList] = []
    var texts: [[UInt8]] = []
    var skippedCount = 0
    for path in request.paths {
      let source = try ListFile.source(path: path)
      let read = try rules(source.text, source.name)
      lists.append(DeclarativeList(name: source.name, rules: read.rules))
      texts.append(source.text)
      skippedCount += read.skippedCount
    }
    var made = TranslatedRules(
      lists: lists,
      texts: texts,
      translation: Translator.translate(lists)
    )
    made.skippedCount = skippedCount
    return made
  }

  /// Converts filter lists by way of WebKit's rules, and accounts for the filters' lines.
  ///
  /// - Throws: `InputError` or `ExitStatus` if a list cannot be read.
  static func convertFilters(_ request: ConversionRequest) throws -> any ConvertedList {
    try refuse(request.target)
    let filters = try FilterConversionRoute.convert(request, defaultTarget: nil)
    guard filters.ruleCount > 0 else {
      throw InputError("no line of \(request.paths.joined(separator: ", ")) became a rule")
    }
    let list = DeclarativeList(
      name: "filters",
      rules: try rules(filters.bytes, request.paths.joined(separator: ", ")).rules
    )
    let translation = Translator.translate([list])
    return TranslatedFilters(
      filters: filters,
      rules: TranslatedRules(lists: [list], texts: [filters.bytes], translation: translation)
    )
  }

  private static func refuse(_ target: EngineRelease?) throws(InputError) {
    guard let target else { return }
    throw InputError("--target \(target) is an engine of WebKit's; leave it out with --to dnr")
  }

  private static func rules(
    _ text: [UInt8],
    _ name: String
  ) throws -> (rules: [Rule], skippedCount: Int) {
    let report = RuleListReader.read(text, options: ContentRuleList.readingOptions())
    if let list = report.ruleList { return (list.rules, report.skippedRules.count) }
    Lists.tell(refusal: report, name, text)
    throw ExitStatus.refused
  }
}

/// Rule lists as declarative rules; the “lines” of the account are rules.
struct TranslatedRules: ConvertedList {
  private let lists: [DeclarativeList]
  private let texts: [[UInt8]]
  private let translation: Translation
  /// The list and the place of each rule.
  private var places: [(list: Int, rule: Int, line: Int)] = []
  /// The browser's rules by list and rule.
  private var products: [[Int: [Int]]]
  /// The rules that WebKit skips, which are not among the others.
  var skippedCount = 0

  init(lists: [DeclarativeList], texts: [[UInt8]], translation: Translation) {
    self.lists = lists
    self.texts = texts
    self.translation = translation
    products = Array(repeating: [:], count: lists.count)
    for (number, rule) in translation.rules.enumerated() {
      for source in rule.sources { products[rule.list][source, default: []].append(number) }
    }
    for (number, list) in lists.enumerated() {
      var lines = LineCounter()
      let text = texts[number]
      for (place, rule) in list.rules.enumerated() {
        let position = lines.advance(to: rule.sourceRange.lowerBound, in: text.span)
        places.append((number, place, position.line))
      }
    }
  }

  var bytes: [UInt8] {
    var json: [UInt8] = Array("[".utf8)
    for (place, rule) in translation.rules.enumerated() {
      json += Array((place > 0 ? ",\n" : "\n").utf8)
      rule.appendJSON(id: place + 1, to: &json)
    }
    return json + Array("\n]\n".utf8)
  }
  var ruleCount: Int { translation.rules.count }
  var ruleLimit: Int { translation.browser.dynamicRules }
  var sources: [String] { lists.map(\.name) }
  var unit: String { "rule" }
  var lineCount: Int { places.count }
  var notes: [AccountedReason] {
    var notes: [AccountedReason] = []
    if skippedCount > 0 {
      notes.append(
        AccountedReason(code: "skipped-rules", sentence: SkippedRules.sentence(skippedCount))
      )
    }
    let sessionCount = translation.rules.count(where: \.isForSession)
    if sessionCount > 0 {
      notes.append(
        AccountedReason(
          code: "session-rules",
          sentence: "the last \(Shown.count(sessionCount, "rule")) fit only into a session"
        )
      )
    }
    return notes
  }

  private func verdict(_ line: Int) -> Verdict {
    let place = places[line]
    return translation.lists[place.list].verdicts[place.rule].verdict
  }

  func outcome(ofLine line: Int) -> AccountedOutcome {
    switch verdict(line) {
    case .exact: .converted
    case .approximated: .approximated
    case .notExpressible, .hiding, .withoutEffect: .impossible
    }
  }

  func reasons(ofLine line: Int) -> [AccountedReason] {
    switch verdict(line) {
    case .exact: []
    case .withoutEffect:
      [
        AccountedReason(
          code: "without-effect",
          sentence:
            "a content blocker does it nowhere, but a web extension with the host's permission"
        )
      ]
    case .hiding:
      [
        AccountedReason(
          code: "hiding",
          sentence: "an extension hides by style sheets, not by rules"
        )
      ]
    case .approximated, .notExpressible:
      verdict(line).differences.map { AccountedReason(code: $0.code, sentence: $0.sentence) }
    }
  }

  func rules(ofLine line: Int) -> [Int] {
    let place = places[line]
    return products[place.list][lists[place.list].rules[place.rule].index] ?? []
  }

  func account(ofLine line: Int) -> AccountedLine {
    let place = places[line]
    let range = lists[place.list].rules[place.rule].sourceRange
    return AccountedLine(
      source: place.list,
      line: place.line,
      outcome: outcome(ofLine: line),
      rules: rules(ofLine: line),
      reasons: reasons(ofLine: line),
      text: String(decoding: texts[place.list][range], as: UTF8.self)
    )
  }
}

/// Filters as declarative rules, by way of WebKit's.
struct TranslatedFilters: ConvertedList {
  let filters: any ConvertedList
  let rules: TranslatedRules

  var bytes: [UInt8] { rules.bytes }
  var ruleCount: Int { rules.ruleCount }
  var ruleLimit: Int { rules.ruleLimit }
  var sources: [String] { filters.sources }
  var syntaxes: [String] { filters.syntaxes }
  var listSyntaxes: [ListSyntax] { filters.listSyntaxes }
  var lineCount: Int { filters.lineCount }
  var notes: [AccountedReason] { filters.notes + rules.notes }

  func outcome(ofLine line: Int) -> AccountedOutcome { account(ofLine: line).outcome }

  func account(ofLine line: Int) -> AccountedLine {
    var account = filters.account(ofLine: line)
    let made = account.rules
    guard !made.isEmpty else { return account }
    let outcomes = Set(made.map { rules.outcome(ofLine: $0) })
    // What is done in part is approximated.
    if outcomes == [.impossible] {
      account.outcome = .impossible
    } else if outcomes != [.converted] {
      account.outcome = .approximated
    }
    for rule in made {
      for reason in rules.reasons(ofLine: rule) where !account.reasons.contains(reason) {
        account.reasons.append(reason)
      }
    }
    account.rules = Set(made.flatMap { rules.rules(ofLine: $0) }).sorted()
    return account
  }
}
