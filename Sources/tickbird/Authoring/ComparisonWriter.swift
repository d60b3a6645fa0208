internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ListAnalysis
internal import ResourceLoads
internal import WebURL

/// Writes how two lists differ.
struct ComparisonWriter {
  let old: ReadList
  let new: ReadList
  /// The filters that the rules of the old list and of the new one were converted from.
  let origins: RuleSources
  let comparison: Comparison
  let logs: LogComparison?
  let limit: Int

  // MARK: JSON

  func json() -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("equal") { json in
        if let isEqual = comparison.isEqual { json.boolean(isEqual) } else { json.null() }
      }
      json.field("changes") { json in
        json.array(of: comparison.changes) { json, change in
          json.object { json in
            json.field("kind", change.kind.rawValue)
            json.field("old") { number(change.old, &$0) }
            json.field("new") { number(change.new, &$0) }
            if let rule = change.old {
              origins.write(list: 0, rule: rule, as: "oldSource", to: &json)
            }
            if let rule = change.new {
              origins.write(list: 1, rule: rule, as: "newSource", to: &json)
            }
            json.field("witness") { json in
              guard let witness = change.witness else { return json.null() }
              write(witness, &json)
            }
          }
        }
      }
      json.field("skipped") { json in
        json.object { json in
          json.field("old", old.skippedCount)
          json.field("new", new.skippedCount)
        }
      }
      json.field("loadsTried", comparison.loadsTried)
      json.field("budget") { json in
        json.object { json in
          json.field("loads", comparison.loadsTried)
          json.field("states", comparison.statesSearched)
          json.field("givenUp", comparison.givenUp)
        }
      }
      json.field("logs") { json in
        guard let logs else { return json.null() }
        json.object { json in
          json.field("loads", logs.loadCount)
          json.field("differences") { json in
            json.array(of: logs.differences) { json, difference in
              json.object { json in
                writeLoad(difference.load, isWhole: true, &json)
                write(difference.changes, &json)
                write(
                  "hidden",
                  difference.after.hidden.subtracting(difference.before.hidden),
                  &json
                )
                write("shown", difference.before.hidden.subtracting(difference.after.hidden), &json)
              }
            }
          }
        }
      }
    }
    json.endLine()
    return json.bytes
  }

  private func number(_ number: Int?, _ json: inout JSONWriter) {
    if let number { json.number(number) } else { json.null() }
  }

  private func write(_ witness: Witness, _ json: inout JSONWriter) {
    json.object { json in
      writeLoad(witness.load, isWhole: false, &json)
      write(witness.difference.changes, &json)
    }
  }

  private func write(_ changes: [LoadChange], _ json: inout JSONWriter) {
    json.field("changes") { json in
      json.array(of: changes) { $0.string($1.rawValue) }
    }
  }

  private func write(_ key: StaticString, _ selectors: Set<String>, _ json: inout JSONWriter) {
    json.field(key) { json in
      json.array(of: selectors.sorted()) { $0.string($1) }
    }
  }

  /// Writes the fields of a load; those with their usual values only if `isWhole`.
  private func writeLoad(_ load: ResourceLoad, isWhole: Bool, _ json: inout JSONWriter) {
    json.field("url", load.url.serialized)
    json.field("page", load.topURL.serialized)
    json.field("type", load.resourceType.word)
    let usual = ResourceLoad(
      url: load.url,
      topURL: load.topURL,
      resourceType: load.resourceType
    )
    if isWhole || load.loadType != usual.loadType { json.field("party", load.loadType.word) }
    if load.frameURL != usual.frameURL { json.field("frame", load.frameURL.serialized) }
    if let context = unusualContext(of: load) { json.field("context", context) }
    if let method = load.requestMethod, method != .get { json.field("method", "\(method)") }
  }

  /// The word of a load's context, where it is not the one that follows from its frame.
  private func unusualContext(of load: ResourceLoad) -> String? {
    let withFrame = ResourceLoad(
      url: load.url,
      topURL: load.topURL,
      frameURL: load.frameURL,
      resourceType: load.resourceType
    )
    guard load.loadContext != withFrame.loadContext else { return nil }
    return load.loadContext == .topFrame ? "top-frame" : "child-frame"
  }

  // MARK: Text

  func text(_ paint: Paint) -> String {
    var text = ""
    let shown = limit == 0 ? comparison.changes[...] : comparison.changes.prefix(limit)
    for change in shown { write(change, paint, to: &text) }
    if shown.count < comparison.changes.count {
      text +=
        "and \(Shown.grouped(comparison.changes.count - shown.count)) more changes; --limit 0 shows"
        + " all\n"
    }
    if let logs { write(logs, paint, to: &text) }
    return text + summary
  }

  private func write(_ change: Change, _ paint: Paint, to text: inout String) {
    var line = paint.bold(change.kind.rawValue) + ":"
    if let number = change.old {
      line += " \(place(number, old, "old"))\(origins.suffix(list: 0, rule: number))"
    }
    if change.old != nil, change.new != nil { line += " →" }
    if let number = change.new {
      line += " \(place(number, new, "new"))\(origins.suffix(list: 1, rule: number))"
    }
    text += line + "\n"
    if let number = change.old, change.kind != .moved {
      text += "  - \(ruleText(number, old))\n" + filter(number, 0)
    }
    if let number = change.new {
      text +=
        "  \(change.kind == .moved ? " " : "+") \(ruleText(number, new))\n" + filter(number, 1)
    }
    guard let witness = change.witness else { return }
    let found = witness.difference
    text += "    \(words(found.changes)): \(description(witness.load))\n"
    if found.hidden.count > 0 { text += "    hides \(selectors(found.hidden))\n" }
    if found.shown.count > 0 { text += "    no longer hides \(selectors(found.shown))\n" }
  }

  /// Returns the filter that a rule comes from, on a line of its own.
  private func filter(_ number: Int, _ list: Int) -> String {
    origins.filter(list: list, rule: number).map {
      "    filter \(Shown.shortened($0, to: 150))\n"
    } ?? ""
  }

  private func selectors(_ selectors: EffectsDifference.Selectors) -> String {
    let shown = selectors.first.map { Shown.shortened(Shown.line($0), to: 60) }
    let rest = selectors.count - shown.count
    return shown.joined(separator: ", ") + (rest > 0 ? " and \(Shown.grouped(rest)) more" : "")
  }

  private func words(_ changes: [LoadChange]) -> String {
    changes.map(\.rawValue).joined(separator: ", ")
  }

  /// Returns what is loaded, as what, from which page.
  private func description(_ load: ResourceLoad) -> String {
    var text = "\(Shown.line(load.url.serialized)) \(load.resourceType.word)"
    if load.resourceType != .topDocument { text += " on \(Shown.line(load.topURL.serialized))" }
    let usual = ResourceLoad(
      url: load.url,
      topURL: load.topURL,
      resourceType: load.resourceType
    )
    if load.frameURL != usual.frameURL { text += " in \(Shown.line(load.frameURL.serialized))" }
    if let context = unusualContext(of: load) { text += " as \(context)" }
    if load.loadType != usual.loadType { text += ", \(load.loadType.word)" }
    return text
  }

  private func place(_ number: Int, _ list: ReadList, _ side: String) -> String {
    guard let rule = rule(number, list) else { return "\(side) rule \(number)" }
    var lines = LineCounter()
    let place = lines.advance(to: rule.sourceRange.lowerBound, in: list.source.text.span)
    return "\(Shown.line(list.source.name)):\(place.line):\(place.column) rule \(number)"
  }

  private func rule(_ number: Int, _ list: ReadList) -> Rule? {
    // Rules that WebKit skips leave gaps, so that a rule's place is at most its number.
    var (low, high) = (0, list.rules.count)
    while low < high {
      let middle = (low + high) / 2
      if list.rules[middle].index < number { low = middle + 1 } else { high = middle }
    }
    return low < list.rules.count && list.rules[low].index == number ? list.rules[low] : nil
  }

  private func ruleText(_ number: Int, _ list: ReadList) -> String {
    guard let rule = rule(number, list) else { return "" }
    return Shown.shortened(Shown.line(list.text(of: rule)), to: 160)
  }

  private func write(_ logs: LogComparison, _ paint: Paint, to text: inout String) {
    for kind in LoadChange.allCases {
      let own = logs.differences.filter { $0.changes.contains(kind) }
      guard !own.isEmpty else { continue }
      text += paint.bold("\(kind.rawValue) in the logs: \(Shown.count(own.count, "load"))") + "\n"
      text += "  by site: \(table(own.map { $0.load.topURL.hostText }))\n"
      text += "  by type: \(table(own.map { $0.load.resourceType.word }))\n"
      let shown = limit == 0 ? own[...] : own.prefix(min(limit, 5))
      for difference in shown { text += "    \(description(difference.load))\n" }
      if shown.count < own.count {
        text += "    and \(Shown.grouped(own.count - shown.count)) more\n"
      }
    }
  }

  /// Returns how often each text occurs, the most frequent first.
  private func table(_ texts: [String]) -> String {
    var counts: [String: Int] = [:]
    for text in texts { counts[text, default: 0] += 1 }
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let shown = sorted.prefix(6).map { "\(Shown.line($0.key)) \(Shown.grouped($0.value))" }
    return shown.joined(separator: ", ") + (sorted.count > 6 ? ", …" : "")
  }

  private var summary: String {
    var counts: [String] = []
    for kind in Change.Kind.allCases {
      let count = comparison.changes.count { $0.kind == kind }
      if count > 0 { counts.append("\(Shown.grouped(count)) \(kind.rawValue)") }
    }
    var text = counts.isEmpty ? "no rule differs" : counts.joined(separator: ", ")
    switch comparison.isEqual {
    case true: text += "; both lists decide every load alike"
    case false:
      let count = comparison.changes.count { $0.witness != nil }
      text += "; \(Shown.count(count, "change")) shown to have an effect"
    case nil:
      text +=
        "; undecided whether the lists differ: \(Shown.count(comparison.loadsTried, "load")) were "
        + "decided alike, and \(Shown.count(comparison.statesSearched, "state")) of automata were "
        + "searched without a proof; \(Shown.count(comparison.givenUp, "search", "searches")) "
        + "\(comparison.givenUp == 1 ? "was" : "were") given up for want of budget"
    }
    if let logs {
      text +=
        "; in the logs \(Shown.grouped(logs.differences.count)) of "
        + "\(Shown.count(logs.loadCount, "load")) differ"
    }
    let skipped = [old, new].filter { $0.skippedCount > 0 }.map { list in
      "\(Shown.grouped(list.skippedCount)) of \(Shown.line(list.source.name))"
    }
    if !skipped.isEmpty {
      text +=
        "; not compared are the rules that WebKit skips, \(skipped.joined(separator: " and "))"
    }
    return text + "\n"
  }
}

extension WebURL {
  /// The host as text; the scheme where there is none.
  fileprivate var hostText: String {
    let host = String(decoding: Array(utf8)[hostRange], as: UTF8.self)
    return host.isEmpty ? "\(scheme):" : host
  }
}

extension ResourceType {
  fileprivate var word: String {
    Self.words.first { $0.type == self }.map { "\($0.word)" } ?? "other"
  }
}

extension LoadType {
  fileprivate var word: String { self == .firstParty ? "first-party" : "third-party" }
}
