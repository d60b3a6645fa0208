internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ResourceLoads
internal import WebURL

/// Counts of loads, grouped by a subject.
struct LoadCounts {
  /// The subject that loads are grouped by.
  enum Subject: String, CaseIterable {
    case rule, host, site
  }

  /// The loads of a group.
  private struct Row {
    var name = ""
    var rule: RuleID?
    var loads = 0
    var blocked = 0
    /// Those that would not have happened.
    var prevented = 0
  }

  /// The number of rows that fit two screens.
  private static let shownRows = 40

  let subject: Subject
  private var rows: [Row] = []

  /// Counts loads; for rules, those that they decide.
  init(_ subject: Subject, _ places: [Int], _ verdicts: LoadVerdicts) {
    struct Key: Hashable {
      var name: String
      var rule: RuleID?
    }
    self.subject = subject
    var numbers: [Key: Int] = [:]
    var sites: [WebURL: String] = [:]
    for place in places {
      let (load, verdict) = verdicts[place]
      var key = Key(name: "", rule: nil)
      switch subject {
      case .rule:
        guard let decider = verdict.decider else { continue }
        key.rule = decider
      case .host: key.name = load.url.host ?? ""
      case .site:
        let known = sites[load.topURL]
        key.name =
          known ?? String(decoding: PageSite(topURL: load.topURL.utf8.span).domain, as: UTF8.self)
        sites[load.topURL] = key.name
      }
      let number = numbers[key] ?? rows.count
      if number == rows.count {
        numbers[key] = number
        rows.append(Row(name: key.name, rule: key.rule))
      }
      rows[number].loads += 1
      rows[number].blocked += verdict.fate.isBlocked ? 1 : 0
      rows[number].prevented += verdict.prevention != nil ? 1 : 0
    }
    rows.sort { a, b in
      if a.blocked != b.blocked { return a.blocked > b.blocked }
      if a.loads != b.loads { return a.loads > b.loads }
      let (left, right) = (a.rule, b.rule)
      if let left, let right { return (left.list, left.rule) < (right.list, right.rule) }
      return a.name < b.name
    }
  }

  /// The counts as a table.
  func text(_ style: TextStyle, _ explainer: borrowing Explainer) -> String {
    guard !rows.isEmpty else { return "\nNo rule decides any of them.\n" }
    let title =
      switch subject {
      case .rule: "rule that decides"
      case .host: "host"
      case .site: "site of the page"
      }
    // A log without causes needs no column for them.
    let showsPrevented = rows.contains { $0.prevented > 0 }
    let head = "   loads   blocked" + (showsPrevented ? "  prevented" : "")
    let room = style.width - (showsPrevented ? 31 : 20)
    var text = "\n" + style.paint.bold("\(head)  \(title)") + "\n"
    let shown = style.isWide ? rows[...] : rows.prefix(Self.shownRows)
    // All titles have one form.
    let isBrief =
      !style.isWide
      && shown.contains { row in
        guard let rule = row.rule else { return false }
        return explainer.needsBriefTitle(rule, in: room - Self.start(rule, explainer).count)
      }
    for row in shown {
      text += Self.column(row.loads, 8) + Self.column(row.blocked, 10)
      text += (showsPrevented ? Self.column(row.prevented, 11) : "") + "  "
      let name: String
      if let rule = row.rule {
        let start = Self.start(rule, explainer)
        let title = explainer.title(rule, isBrief: isBrief)
        name = start + style.shortened(title, to: room - start.count)
      } else {
        let shown = Shown.line(row.name)
        name = shown.isEmpty ? "(no host)" : style.shortened(shown, to: room)
      }
      text += name + "\n"
    }
    if shown.count < rows.count {
      text += "  and \(Shown.grouped(rows.count - shown.count)) more (--wide shows all)\n"
    }
    return text
  }

  /// What stands before a rule's title.
  private static func start(_ rule: RuleID, _ explainer: borrowing Explainer) -> String {
    "\(explainer.rule(rule)?.action.word ?? "") rule \(explainer.name(rule))  "
  }

  /// The counts as JSON, one row a line.
  func json(_ explainer: borrowing Explainer) -> [UInt8] {
    var json = JSONWriter()
    for row in rows {
      json.object { json in
        if let rule = row.rule {
          explainer.write(rule, to: &json)
        } else if subject == .host {
          json.field("host", row.name)
        } else {
          json.field("site", row.name)
        }
        json.field("loads", row.loads)
        json.field("blocked", row.blocked)
        json.field("prevented", row.prevented)
      }
      json.endLine()
    }
    return json.bytes
  }

  static func column(_ number: Int, _ width: Int) -> String {
    let text = Shown.grouped(number)
    return String(repeating: " ", count: max(1, width - text.count)) + text
  }
}

/// A summary of all loads: the outcomes for each type, and the rules that decide most.
struct LoadSummary {
  let places: [Int]
  let verdicts: LoadVerdicts

  private struct TypeRow {
    var type: ResourceType
    var loads: Int
    var blocked: Int
  }

  private var types: [TypeRow] {
    ResourceType.words.compactMap { word in
      let loads = places.filter { verdicts[$0].load.resourceType == word.type }
      guard !loads.isEmpty else { return nil }
      let blocked = loads.count { verdicts[$0].verdict.fate.isBlocked }
      return TypeRow(type: word.type, loads: loads.count, blocked: blocked)
    }
  }

  func text(_ style: TextStyle) -> String {
    var text = "\n" + style.paint.bold("   loads   blocked  type") + "\n"
    for row in types {
      text += LoadCounts.column(row.loads, 8) + LoadCounts.column(row.blocked, 10)
      text += "  \(LoadWords.word(for: row.type))\n"
    }
    return text
  }

  /// Returns one object with the counts and the advice.
  func json(_ advice: [Advice]) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("loads", places.count)
      json.field("pages", Set(places.map { verdicts.loads[$0].page }).count)
      json.field("blocked", places.count { verdicts[$0].verdict.fate.isBlocked })
      json.field("prevented", places.count { verdicts[$0].verdict.prevention != nil })
      json.field("guessed", places.count { !verdicts.loads[$0].guesses.isEmpty })
      json.field("types") { json in
        json.array(of: types) { json, row in
          json.object { json in
            json.field("resource_type", LoadWords.word(for: row.type))
            json.field("loads", row.loads)
            json.field("blocked", row.blocked)
          }
        }
      }
      json.field("advice") { json in
        json.array(of: advice) { json, advice in
          json.object { json in
            json.field("list", advice.rule.list)
            json.field("rule", advice.rule.rule)
            json.field("loads") { json in
              json.array(of: advice.accidents) { $0.number($1) }
            }
            if let restriction = advice.restriction {
              json.field("restriction", restriction.text)
              if let safari = restriction.safari {
                json.field("restriction_safari", safari.description)
              }
            }
            if let exception = advice.exception {
              json.field("exception", exception.text)
              if let safari = exception.safari {
                json.field("exception_safari", safari.description)
              }
            }
            if let text = advice.refusal { json.field("no_exception", text) }
          }
        }
      }
    }
    json.endLine()
    return json.bytes
  }
}
