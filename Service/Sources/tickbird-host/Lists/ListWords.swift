internal import Foundation
internal import ListIngestion
internal import ListSubscriptions
internal import TextOutput

/// Lists in words, for people.
enum ListWords {
  /// What to do when there are no lists.
  static let none: OutputText =
    "There are no lists yet. tickbird lists catalogue shows well-known ones; add one with: tickbird lists add easylist"

  /// Returns what a list has, such as `59,000 rules, 1,200 lines impossible`.
  static func contents(_ list: Subscription) -> String {
    guard let summary = list.summary else { return "not fetched yet" }
    var words = HostOutput.count(summary.rules, "rule", "rules")
    if let lines = summary.lines {
      words += " made of \(HostOutput.count(lines.filters, "filter", "filters"))"
      if lines.approximated > 0 { words += ", \(lines.approximated) approximated" }
      if lines.impossible > 0 { words += ", \(lines.impossible) impossible" }
    }
    return words
  }

  /// Says that a compiled list is damaged, and how it is made again.
  static func damage(_ damage: String, of list: Subscription) -> OutputText {
    "damaged: \(damage); make it again with: tickbird lists update \(list.id)"
  }

  /// Writes how an update went, on one line and one for each note.
  static func write(_ report: ListUpdateReport) {
    let list = report.subscription
    switch report.outcome {
    case .changed(let before):
      let change = before.map { ", before \($0)" } ?? ""
      StandardOutput.line("\(list.id): updated, \(contents(list))\(change)")
    case .unchanged: StandardOutput.line("\(list.id): up to date, \(contents(list))")
    case .failed(let error):
      Report.complain("\(list.id): \(error.message)")
      if list.acts {
        Report.complain("\(list.id): the previous version stays in use, with \(contents(list))")
      }
    case .skipped(let reason): StandardOutput.line("\(list.id): not tried, \(reason)")
    }
    for note in report.notes { StandardOutput.line("\(list.id): note: \(note)") }
  }

  /// Everything about a list, on several lines.
  static func detail(_ list: Subscription, _ store: SubscriptionStore) -> OutputText {
    let files = store.files(of: list)
    let header = list.summary?.header
    let fields: [(String, String?)] = [
      ("name", list.name), ("id", list.id), ("state", list.isOn ? "on" : "off"),
      ("source", list.source.text),
      ("mirrors", list.mirrors.isEmpty ? nil : list.mirrors.joined(separator: ", ")),
      ("address before", list.formerAddress),
      ("fetched from", list.fetchedFrom == list.source.text ? nil : list.fetchedFrom),
      ("syntax", list.summary?.format.name), ("contents", contents(list)),
      ("version", header?.version), ("homepage", header?.homepage),
      ("licence", header?.licence), ("added", HostOutput.time(list.added)),
      ("came", list.changed.map(HostOutput.time)),
      ("up to date", list.succeeded.map { "as of \(HostOutput.time($0))" }),
      ("next update", list.isOn ? list.next.map(HostOutput.time) ?? "now" : "when it is on"),
      (
        "last error",
        list.fault.map { "\($0.message) (\($0.code.rawValue), \(HostOutput.time($0.date)))" }
      ),
      ("compiled", files?.compiled.path), ("damaged", store.damage(of: list)),
      ("text", files?.source.path), ("map", files?.map?.path),
    ]
    let lines = fields.compactMap { label, text -> OutputText? in
      guard let text, !text.isEmpty else { return nil }
      let padded = "\(label):".padding(toLength: 16, withPad: " ", startingAt: 0)
      return "\(asIs: padded)\(text)"
    }
    return OutputText(joining: lines + reasons(list))
  }

  /// Why lines of a list are impossible or approximated, a line for each reason; none if all are converted.
  static func reasons(_ list: Subscription) -> [OutputText] {
    var lines: [OutputText] = []
    for isImpossible in [true, false] {
      let reasons = list.summary?.reasons.filter { $0.isImpossible == isImpossible } ?? []
      guard !reasons.isEmpty else { continue }
      lines.append(isImpossible ? "impossible lines:" : "approximated lines:")
      for reason in reasons {
        lines.append(
          "  \(reason.lines) \(reason.code): \(reason.sentence) (first: line \(reason.firstLine))"
        )
      }
    }
    return lines
  }
}

/// A report in the JSON output: the list, and how its update went.
struct ListReportJSON: Encodable {
  private enum Key: String, CodingKey { case outcome, message, notes }

  let report: ListUpdateReport

  init(_ report: ListUpdateReport) { self.report = report }

  func encode(to encoder: any Encoder) throws {
    try SubscriptionDescription(report.subscription).encode(to: encoder)
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(report.notes, forKey: .notes)
    switch report.outcome {
    case .changed: try values.encode("changed", forKey: .outcome)
    case .unchanged: try values.encode("unchanged", forKey: .outcome)
    case .failed(let error):
      try values.encode("failed", forKey: .outcome)
      try values.encode(error.message, forKey: .message)
    case .skipped(let reason):
      try values.encode("skipped", forKey: .outcome)
      try values.encode(reason, forKey: .message)
    }
  }
}

/// A list that was removed, in the JSON output.
struct RemovedListJSON: Encodable {
  private enum Key: String, CodingKey { case left }

  let list: Subscription
  /// What is not Tickbird's and stays.
  let left: [String]

  init(_ list: Subscription, _ left: [String]) {
    self.list = list
    self.left = left
  }

  func encode(to encoder: any Encoder) throws {
    try SubscriptionDescription(list).encode(to: encoder)
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(left, forKey: .left)
  }
}

/// One list in the JSON output, with the reasons of its lines and its files.
struct ListDetailJSON: Encodable {
  private enum Key: String, CodingKey { case reasons, files }

  private struct Files: Encodable {
    var compiled: String
    var source: String
    var map: String?
  }

  let list: Subscription
  let store: SubscriptionStore

  init(_ list: Subscription, _ store: SubscriptionStore) {
    self.list = list
    self.store = store
  }

  func encode(to encoder: any Encoder) throws {
    try SubscriptionDescription(list, damage: store.damage(of: list)).encode(to: encoder)
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(list.summary?.reasons ?? [], forKey: .reasons)
    if let files = store.files(of: list) {
      try values.encode(
        Files(
          compiled: files.compiled.path,
          source: files.source.path,
          map: files.map?.path
        ),
        forKey: .files
      )
    }
  }
}
