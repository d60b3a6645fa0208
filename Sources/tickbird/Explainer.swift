internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ResourceLoads
internal import WebURL

/// A rule of a list, by their places.
struct RuleID: Hashable {
  var list: Int
  var rule: Int
}

/// Explains loads by lists, and knows the rules' places and texts.
struct Explainer: ~Copyable {
  let files: [ListFile]
  let sources: [ListSource]
  /// The rules of each list that hide on every page.
  let globalRules: [[Rule]]
  private var blocker: ContentBlocker
  /// The lists' names without folders, where that tells them apart.
  private let shortNames: [String]

  init(_ files: [ListFile]) {
    self.files = files
    sources = files.map { ListSource($0.list.source) }
    globalRules = sources.map(\.globalRules)
    let names = files.map { file in
      file.name.split(separator: "/").last.map { Shown.line(String($0)) } ?? file.name
    }
    shortNames =
      Set(names).count == names.count ? names : files.map { Shown.line($0.name) }
    blocker = ContentBlocker(lists: files.map(\.list))
  }

  mutating func explanation(for load: ResourceLoad) -> Explanation {
    blocker.explanation(for: load, sources: sources)
  }

  mutating func decision(for load: ResourceLoad) -> LoadDecision { blocker.decision(for: load) }

  /// The rule that `N` or `L:N` names.
  func rule(_ text: String) throws -> RuleID {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    let list = parts.count == 2 ? parts[0] : parts.count == 1 ? 0 : nil
    guard let list, let number = parts.last ?? nil else {
      throw InputError("--rule: \(text) is no rule; write its number, or L:N for rule N of list L")
    }
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

  func rule(_ id: RuleID) -> Rule? { sources[id.list].rule(at: id.rule) }

  /// File, line and column of a rule.
  func place(_ id: RuleID, isShort: Bool = true) -> String {
    let name = isShort ? shortNames[id.list] : Shown.line(files[id.list].name)
    guard let rule = rule(id) else { return name }
    let position = sources[id.list].position(of: rule)
    return "\(name):\(position.line):\(position.column)"
  }

  /// A rule's text on one line.
  func text(_ id: RuleID) -> String {
    rule(id).map { Shown.line(sources[id.list].text(of: $0)) } ?? ""
  }
}

extension Explanation.Fate {
  /// The fate in one word.
  var word: String {
    switch self {
    case .applied: "applied"
    case .merged: "merged"
    case .cancelled: "cancelled"
    case .swallowed: "swallowed"
    case .inert: "inert"
    case .tooLate: "too-late"
    }
  }

  /// The rule that brought it about.
  func cause(list: Int) -> RuleID? {
    switch self {
    case .applied, .inert: nil
    case .merged(let rule), .cancelled(let rule), .swallowed(let rule):
      RuleID(list: list, rule: rule)
    case .tooLate(let list, let rule): RuleID(list: list, rule: rule)
    }
  }
}

// MARK: JSON

extension Explainer {
  /// Writes the explanation of a load as one line.
  func write(
    _ explanation: Explanation,
    page: Int,
    asked: RuleID?,
    to json: inout JSONWriter
  ) {
    let load = explanation.load
    json.object { json in
      json.field("url") { $0.string(utf8: load.url.utf8) }
      json.field("top_url") { $0.string(utf8: load.topURL.utf8) }
      json.field("frame_url") { $0.string(utf8: load.frameURL.utf8) }
      json.field("resource_type", LoadWords.word(for: load.resourceType))
      json.field("load_context", load.loadContext == .topFrame ? "top-frame" : "child-frame")
      json.field("load_type", load.loadType == .firstParty ? "first-party" : "third-party")
      json.field("method") { json in
        if let method = load.requestMethod { json.string("\(method)") } else { json.null() }
      }
      json.field("page", page)
      json.field("decision") { $0.decision(explanation.decision) }
      json.field("matches") { json in
        json.array(of: explanation.matches) { write($1, to: &$0) }
      }
      guard let asked else { return }
      json.field("why_not") { json in
        let reason = NonMatch(rule: asked.rule, of: sources[asked.list], load: load)
        guard reason != .none else { return json.null() }
        json.object { json in
          write(asked, to: &json)
          json.field("reason", reason.word)
          json.field("message", reason.sentence(load))
        }
      }
    }
    json.endLine()
  }

  private func write(_ match: Explanation.Match, to json: inout JSONWriter) {
    json.object { json in
      write(RuleID(list: match.list, rule: match.rule), to: &json)
      json.field("fate", match.fate.word)
      if let cause = match.fate.cause(list: match.list) {
        json.field("by") { json in
          json.object { json in
            json.field("list", cause.list)
            json.field("rule", cause.rule)
          }
        }
      }
      json.field("url_range") { json in
        guard let range = match.urlRange else { return json.null() }
        json.array { json in
          json.number(range.lowerBound)
          json.number(range.upperBound)
        }
      }
    }
  }

  /// Writes the fields that say which rule it is.
  func write(_ id: RuleID, to json: inout JSONWriter) {
    json.field("list", id.list)
    json.field("rule", id.rule)
    json.field("file", files[id.list].name)
    guard let rule = rule(id) else { return }
    let position = sources[id.list].position(of: rule)
    json.field("line", position.line)
    json.field("column", position.column)
    json.field("action", rule.action.word)
    json.field("text", sources[id.list].text(of: rule))
  }
}
