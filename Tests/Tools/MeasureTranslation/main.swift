// Prints, as tables for the documents, how well real lists translate to browsers' rules.

import ContentBlocking
import ContentRules
import DeclarativeModel
import DeclarativeRules
import Foundation
import ResourceLoads
import TestSupport
import WebURL

/// The log's requests that Chromium's rules see.
func loads() throws -> [(load: ResourceLoad, seen: BrowserLoad)] {
  try SharedData.lines("data/requests/top500-2019.tsv").dropFirst().compactMap { line in
    let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
    let type = columns[3] == "document" ? "top-document" : String(columns[3])
    guard let url = WebURL(String(columns[0])), let top = WebURL(String(columns[1])),
      let word = ResourceType.words.first(where: { "\($0.word)" == type })
    else { return nil }
    let load = ResourceLoad(url: url, topURL: top, resourceType: word.type)
    return BrowserLoad(load).map { (load, $0) }
  }
}

/// Counts how often a list's rules in a browser agree with the engine on the log's requests.
struct Agreement {
  /// The requests with the engine's outcome.
  var alike = 0
  /// The requests that exact rules alone match, in the engine and in the browser.
  var decidedExactly = 0
  /// Of these, those with the engine's outcome.
  var exactlyAlike = 0
}

/// A list, and the engine that has it.
final class Measured {
  let name: String
  let rules: [Rule]
  private let source: ListSource
  private var blocker: ContentBlocker
  private var known: [Int: [Int]] = [:]

  init?(_ name: String) throws {
    let json = try SharedData.bytes("data/lists/\(name).json")
    guard let rules = RuleListReader.read(json).ruleList?.rules else { return nil }
    self.name = name
    self.rules = rules
    source = ListSource(json)
    blocker = ContentBlocker(
      lists: [try ContentRuleList(identifier: name, encodedContentRuleList: json)]
    )
  }

  /// Translates the list and compares what the rules do with what the engine does.
  func row(
    _ browser: DeclarativeBrowser,
    _ requests: [(load: ResourceLoad, seen: BrowserLoad)]
  ) throws -> (text: String, agreement: Agreement) {
    let translation = Translator.translate([DeclarativeList(name: name, rules: rules)], to: browser)
    let model = try DeclarativeModel(translation.rules)
    var inexact: Set<Int> = []
    for (rule, verdict) in translation.lists[0].verdicts where !verdict.differences.isEmpty {
      inexact.insert(rule)
    }
    var agreement = Agreement()
    for (number, (load, seen)) in requests.enumerated() {
      let outcome = model.outcome(seen)
      let engine = blocker.outcome(for: load)
      let isAlike =
        outcome.isBlocked == engine.isBlocked
        && (engine.isBlocked || outcome.losesCookies == engine.blocksCookies)
      if isAlike { agreement.alike += 1 }
      let ofBrowser = outcome.matched.flatMap { translation.rules[$0].sources }
      let isTouched = !ofBrowser.isEmpty || engine.isBlocked || engine.blocksCookies
      guard isTouched, ofBrowser.allSatisfy({ !inexact.contains($0) }) else { continue }
      let matched = matches(number, load)
      guard matched.allSatisfy({ !inexact.contains($0) }) else { continue }
      agreement.decidedExactly += 1
      if isAlike {
        agreement.exactlyAlike += 1
      } else {
        print("\(seen) by rules \(matched) and \(ofBrowser.prefix(5))")
      }
    }
    let counts = translation.lists[0].counts
    let columns = [
      counts.acting, counts.exact, counts.approximated, counts.notExpressible,
      translation.rules.count, translation.regexCount, agreement.alike, agreement.decidedExactly,
      agreement.exactlyAlike,
    ]
    let cells = columns.map(Self.grouped).joined(separator: " | ")
    return ("| \(name) | \(cells) |", agreement)
  }

  /// Returns the rules that match a request in the engine, a slow search.
  private func matches(_ number: Int, _ load: ResourceLoad) -> [Int] {
    if let matches = known[number] { return matches }
    let matches = blocker.explanation(for: load, sources: [source]).matches.map(\.rule)
    known[number] = matches
    return matches
  }

  /// A number with commas between its thousands.
  static func grouped(_ number: Int) -> String {
    var digits = "\(number)"
    var place = digits.count - 3
    while place > 0 {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
      place -= 3
    }
    return digits
  }
}

guard !SharedData.isAbsent else {
  print("There is no folder of data; name one by TICKBIRD_SHARED.")
  exit(77)
}
let requests = try loads()
let header = """
  | list | rules on loads | exact | approximated | not expressible | browser's rules \
  | regular expressions | requests as by the engine | decided by exact rules alone | of these, as by \
  the engine |
  | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
  """
let browsers = [DeclarativeBrowser.chromium, .firefox]
var tables = browsers.map { _ in [header] }
var hasFault = false
for name in SharedData.listNames {
  guard let list = try Measured(name) else { continue }
  for (place, browser) in browsers.enumerated() {
    let (text, agreement) = try list.row(browser, requests)
    tables[place].append(text)
    if agreement.decidedExactly > agreement.exactlyAlike { hasFault = true }
  }
}
for (browser, table) in zip(browsers, tables) {
  print("\(browser.name), \(Measured.grouped(requests.count)) requests:\n")
  print(table.joined(separator: "\n") + "\n")
}
exit(hasFault ? 1 : 0)
