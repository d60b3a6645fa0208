internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ListAnalysis
internal import LoadAdvice
internal import ResourceLoads
internal import WebURL

/// Explains loads by lists; has the rules' places and texts.
struct Explainer: ~Copyable {
  let files: [ListFile]
  let sources: [ListSource]
  /// The filters that the rules were converted from.
  let origins: RuleSources
  /// The rules of each list that hide on every page.
  let globalRules: [[Rule]]
  private var blocker: ContentBlocker
  /// The lists' names without folders, where that distinguishes them.
  private let shortNames: [String]

  /// Creates an explainer.
  ///
  /// - Parameters:
  ///   - files: The lists.
  ///   - sources: Their sources, if they have been read already.
  ///   - origins: The filters that the rules were converted from.
  ///   - permissions: What the lists may redirect and change.
  init(
    _ files: [ListFile],
    sources: [ListSource]? = nil,
    origins: RuleSources = .none,
    permissions: [String: ContentBlocker.Permission] = [:]
  ) {
    let sources = sources ?? files.map { ListSource($0.list.source) }
    self.files = files
    self.sources = sources
    self.origins = origins
    globalRules = sources.map(\.globalRules)
    let names = files.map { file in
      file.name.split(separator: "/").last.map { Shown.line(String($0)) } ?? file.name
    }
    shortNames =
      Set(names).count == names.count ? names : files.map { Shown.line($0.name) }
    blocker = ContentBlocker(lists: files.map(\.list))
    blocker.permissions = permissions
  }

  mutating func explanation(
    for load: ResourceLoad,
    detail: Explanation.Detail
  ) -> Explanation {
    blocker.explanation(for: load, sources: sources, detail: detail)
  }

  /// Adds what a load hides to its page; returns the number of rules that hide because of it.
  @discardableResult
  mutating func addHiding(of load: ResourceLoad, to page: inout PageHiding) -> Int {
    blocker.addHiding(of: load, to: &page)
  }

  /// Whether a rule's match in a load's URL begins behind the host.
  mutating func matchesPath(_ id: RuleID, of load: ResourceLoad) -> Bool {
    explanation(for: load, detail: .ranges).matches.contains { match in
      match.list == id.list && match.rule == id.rule
        && (match.urlRange?.lowerBound ?? 0) >= load.url.pathRange.lowerBound
    }
  }

  /// Tries changes of the lists on all loads.
  mutating func trial(_ verdicts: LoadVerdicts) -> ChangeTrial {
    ChangeTrial(
      verdicts.loads.map(\.load),
      pages: verdicts.pages,
      sources: sources,
      globalRules: globalRules,
      &blocker
    )
  }

  /// An empty page.
  var newPage: PageHiding { PageHiding(listCount: files.count) }

  /// Returns the rule that `N` or `L:N` names.
  func rule(_ text: String) throws -> RuleID {
    let (list, number) = try Self.numbers(ofRule: text)
    guard sources.indices.contains(list) else {
      throw InputError(
        "--rule: there is no list \(list); the lists are 0 to \(sources.count - 1), in the order "
          + "of --list"
      )
    }
    let count = sources[list].ruleCount
    guard (0..<count).contains(number) else {
      throw InputError(
        "--rule: \(files[list].name) has no rule \(number); its rules are 0 to \(count - 1)"
      )
    }
    return RuleID(list: list, rule: number)
  }

  /// Returns the numbers of a list and a rule that `N` or `L:N` names, whether there are such or not.
  ///
  /// - Throws: ``InputError`` for any other text.
  static func numbers(ofRule text: String) throws(InputError) -> (list: Int, rule: Int) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    let list = parts.count == 2 ? parts[0] : parts.count == 1 ? 0 : nil
    guard let list, let number = parts.last ?? nil else {
      throw InputError("--rule: \(text) is not a rule; give its number N, or L:N with its list L")
    }
    return (list, number)
  }

  func rule(_ id: RuleID) -> Rule? { sources[id.list].rule(at: id.rule) }

  /// Returns the file, line and column of a rule, and those of its filter if a map has them.
  func place(_ id: RuleID, isShort: Bool = true, withFilter: Bool = true) -> String {
    let name = isShort ? shortNames[id.list] : Shown.line(files[id.list].name)
    guard let rule = rule(id) else { return name }
    let position = sources[id.list].position(of: rule)
    let label = withFilter ? origins.label(list: id.list, rule: id.rule) : nil
    let origin = label.map { "; \($0)" } ?? ""
    return "\(name):\(position.line):\(position.column)\(origin)"
  }

  /// Whether the line of a rule says which it is, in all lists: rules have one way to be named.
  var linesNameRules: Bool { sources.allSatisfy(\.hasLines) }

  /// Returns a rule's number, with its place if lines identify rules.
  func name(_ id: RuleID) -> String {
    if linesNameRules { return "\(id.rule) (\(place(id)))" }
    let origin = origins.label(list: id.list, rule: id.rule).map { " (\($0))" } ?? ""
    return "\(id.rule)" + (files.count > 1 ? " of \(shortNames[id.list])" : "") + origin
  }

  /// Returns a rule in short: its pattern, and in brackets the rest.
  func gist(_ id: RuleID) -> String {
    guard let trigger = rule(id)?.trigger else { return "" }
    var extras: [String] = []
    switch trigger.flags.loadTypes {
    case .firstParty: extras.append("first-party")
    case .thirdParty: extras.append("third-party")
    default: break
    }
    extras += ResourceType.words.filter { trigger.flags.resourceTypes.contains($0.type) }.map {
      "\($0.word)"
    }
    if let condition = trigger.condition {
      let first = Shown.line(condition.entries.first ?? "")
      let more = condition.entries.count > 1 ? " +\(condition.entries.count - 1)" : ""
      extras.append("\(condition.key) \(first)\(more)")
    }
    let pattern = Shown.line(trigger.urlFilter.text)
    return extras.isEmpty ? pattern : "\(pattern)  [\(extras.joined(separator: ", "))]"
  }

  /// Returns what a table says about a rule: the filter that it comes from, or its pattern.
  ///
  /// - Parameters:
  ///   - id: The rule.
  ///   - isBrief: Whether the usual beginning of a pattern for a host and its subdomains is written as
  ///     filters write it: the host says more.
  /// - Returns: The title, on one line.
  func title(_ id: RuleID, isBrief: Bool) -> String {
    if let filter = filter(id) { return filter }
    let gist = gist(id)
    guard isBrief, let start = PatternForm.hostBeginnings.first(where: { gist.hasPrefix($0) })
    else { return gist }
    return "||" + gist.dropFirst(start.count)
  }

  /// Whether there is no room for a rule's title unless it is brief.
  func needsBriefTitle(_ id: RuleID, in room: Int) -> Bool {
    let title = title(id, isBrief: false)
    return title.count > room && title != self.title(id, isBrief: true)
  }

  /// Returns the filter that a rule comes from, on one line; `nil` without a map or its file.
  func filter(_ id: RuleID) -> String? { origins.filter(list: id.list, rule: id.rule) }

  /// Returns a rule's text on one line.
  func text(_ id: RuleID) -> String {
    rule(id).map { Shown.line(sources[id.list].text(of: $0)) } ?? ""
  }
}
