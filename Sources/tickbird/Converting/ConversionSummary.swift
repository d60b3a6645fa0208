internal import CommandOutput
internal import TextOutput

/// Says in a few lines what became of the source lines.
struct ConversionSummary {
  let list: any ConvertedList
  private(set) var counts: [AccountedOutcome: Int] = [:]
  /// How many lines have each reason, by outcome.
  private(set) var reasons:
    [AccountedOutcome: [(code: String, example: AccountedLine, count: Int)]] =
      [:]

  init(_ list: any ConvertedList) {
    self.list = list
    var places: [AccountedOutcome: [String: Int]] = [:]
    for line in 0..<list.lineCount {
      let outcome = list.outcome(ofLine: line)
      counts[outcome, default: 0] += 1
      guard outcome != .converted, outcome != .comment else { continue }
      let account = list.account(ofLine: line)
      for reason in account.reasons {
        if let place = places[outcome]?[reason.code] {
          reasons[outcome]?[place].count += 1
        } else {
          places[outcome, default: [:]][reason.code] = reasons[outcome]?.count ?? 0
          reasons[outcome, default: []].append((reason.code, account, 1))
        }
      }
    }
    for outcome in AccountedOutcome.allCases {
      reasons[outcome]?.sort { ($1.count, $0.code) < ($0.count, $1.code) }
    }
  }

  func count(_ outcome: AccountedOutcome) -> Int { counts[outcome] ?? 0 }

  /// The summary for people.
  ///
  /// - Parameter reasonLimit: The most reasons to show of each outcome.
  /// - Returns: Some lines.
  func text(reasonLimit: Int) -> OutputText {
    var lines: [OutputText] = []
    // JSON has no comments to count.
    let comments =
      list.unit == "line" ? ", \(Shown.count(count(.comment), "comment"))" : ""
    lines.append(
      "\(Shown.count(list.lineCount, list.unit)): \(Shown.grouped(count(.converted))) converted, \(Shown.grouped(count(.approximated))) approximated, \(Shown.grouped(count(.impossible))) impossible\(asIs: comments)"
    )
    lines.append(
      "\(asIs: list.unit == "line" ? "" : "they became ")\(Shown.count(list.ruleCount, "rule")) of at most \(Shown.grouped(list.ruleLimit))"
    )
    lines += recognizedSyntaxes
    for outcome in [AccountedOutcome.impossible, .approximated] {
      guard let reasons = reasons[outcome], !reasons.isEmpty else { continue }
      lines.append("\(outcome.rawValue):")
      for reason in reasons.prefix(reasonLimit) {
        let sentence = reason.example.reasons.first { $0.code == reason.code }?.sentence ?? ""
        let place = "\(list.sources[reason.example.source]):\(reason.example.line)"
        lines.append(
          "  \(asIs: Shown.padded(Shown.grouped(reason.count), to: 6)) \(reason.code): \(Shown.shortened(sentence, to: 100)) (first: \(path: place))"
        )
      }
      let others = reasons.dropFirst(reasonLimit)
      if !others.isEmpty {
        lines.append(
          "  \(asIs: Shown.padded(Shown.grouped(others.reduce(0) { $0 + $1.count }), to: 6)) for \(Shown.count(others.count, "other reason"))"
        )
      }
    }
    for note in list.notes { lines.append("of all rules: \(note.sentence)") }
    return OutputText(joining: lines)
  }

  /// Says how lists are read whose syntax nobody named, in a line for each syntax.
  private var recognizedSyntaxes: [OutputText] {
    var groups: [(first: ListSyntax, count: Int)] = []
    for read in list.listSyntaxes where read.isRecognized {
      if let group = groups.firstIndex(where: { $0.first.syntax == read.syntax }) {
        groups[group].count += 1
      } else {
        groups.append((read, 1))
      }
    }
    return groups.map { first, count in
      let others = count > 1 ? " and \(Shown.count(count - 1, "other list"))" : ""
      return
        "read as \(first.syntax) (\(first.syntaxName)): \(path: first.name)\(asIs: others); --from names another syntax"
    }
  }

  /// The summary for programs.
  func json(output: String, map: String?, withAccounts: Bool) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("output", output)
      json.field("map") { json in map.map { json.string($0) } ?? json.null() }
      json.field("rules", list.ruleCount)
      json.field("ruleLimit", list.ruleLimit)
      json.field("bytes", list.bytes.count)
      json.field("syntaxes") { json in
        json.array(of: list.listSyntaxes) { json, read in
          json.object { json in
            json.field("file", read.name)
            json.field("syntax", read.syntax)
            json.field("recognized", read.isRecognized)
          }
        }
      }
      json.field("lines", list.lineCount)
      json.field("converted", count(.converted))
      json.field("approximated", count(.approximated))
      json.field("impossible", count(.impossible))
      json.field("comments", count(.comment))
      json.field("reasons") { json in
        json.array { json in
          for outcome in [AccountedOutcome.impossible, .approximated] {
            for reason in reasons[outcome] ?? [] {
              json.object { json in
                json.field("outcome", outcome.rawValue)
                json.field("code", reason.code)
                json.field("lines", reason.count)
                json.field(
                  "example",
                  reason.example.reasons.first { $0.code == reason.code }?.sentence ?? ""
                )
                json.field("file", list.sources[reason.example.source])
                json.field("line", reason.example.line)
              }
            }
          }
        }
      }
      json.field("notes") { json in
        json.array(of: list.notes) { json, note in ConversionMap.write(note, to: &json) }
      }
      if withAccounts {
        json.field("accounts") { json in
          ConversionMap(list: list).lines(to: &json, withText: true)
        }
      }
    }
    json.endLine()
    return json.bytes
  }
}
