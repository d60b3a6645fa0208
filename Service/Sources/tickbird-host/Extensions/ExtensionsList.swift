internal import ArgumentParser
internal import CommandArguments
internal import ContentRules
internal import ExtensionHost
internal import ExtensionMessages
internal import Foundation
internal import TextOutput

/// Lists the installed extensions, one a line.
struct ExtensionsList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the installed extensions."
  )

  @OptionGroup var format: FormatOption

  func run() async throws {
    try await Extensions.withHost { host in
      let found = try await host.call(ListExtensions())
      if format.isJSON {
        return try ExtensionOutput.json(found)
      }
      let summaries = found.map(Summary.init)
      if summaries.isEmpty {
        Report.complain(
          "no extension is installed; install one with: tickbird extensions install BUNDLE"
        )
      }
      let width = summaries.map(\.identifier.count).max() ?? 0
      for summary in summaries {
        guard !summary.isUnreadable else {
          Report.complain("\(summary.identifier) is not in use: \(summary.message)")
          continue
        }
        let name = summary.identifier.padding(toLength: width, withPad: " ", startingAt: 0)
        let words = [
          name, summary.isOn ? "on " : "off", summary.kind, summary.version,
          summary.error == nil ? "" : "(failed; see state)",
        ]
        let line = words.map { DisplayText.path($0) }.filter { !$0.isEmpty }
        StandardOutput.line("\(asIs: line.joined(separator: "  "))")
      }
    }
  }
}

/// Shows everything about one extension.
struct ExtensionsState: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "state",
    abstract: "Shows whether an extension is on, its list, its limits and its last error."
  )

  @OptionGroup var format: FormatOption

  @OptionGroup var extensionName: IdentifierArgument

  func run() async throws {
    try await Extensions.withHost { host in
      let found = try await host.call(DescribeExtension(identifier: extensionName.identifier))
      if format.isJSON {
        try ExtensionOutput.json(found)
      } else {
        StandardOutput.line(Summary(found).text)
      }
    }
  }
}

/// Shows an extension's log.
struct ExtensionsLog: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Prints what an extension printed, and how its requests ended."
  )

  @OptionGroup var format: FormatOption

  @OptionGroup var extensionName: IdentifierArgument

  func run() async throws {
    try await Extensions.withHost { host in
      let log = try await host.call(LogOfExtension(identifier: extensionName.identifier))
      guard format.isJSON else { return StandardOutput.write("\(lines: log)") }
      try HostOutput.write(json: log.split(separator: "\n").map(LogLineJSON.init))
    }
  }
}

/// A line of a log in the JSON output.
private struct LogLineJSON: Encodable {
  let time: String
  let speaker: String
  let text: String

  /// Takes a line apart: `2016-09-13T20:15:00.250Z host: the request was cancelled`.
  init(_ line: Substring) {
    let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    time = words.first.map(String.init) ?? ""
    speaker = words.count > 1 ? String(words[1].prefix { $0 != ":" }) : ""
    text = words.count > 2 ? String(words[2]) : ""
  }
}

/// An extension as the host describes it, for people.
struct Summary {
  private let found: ExtensionDescription

  init(_ found: ExtensionDescription) { self.found = found }

  var identifier: String { found.identifier }
  var kind: String { found.kind ?? "" }
  var version: String { found.version ?? "" }
  var isOn: Bool { found.isOn }
  /// Whether the host cannot read the bundle or the user's decisions.
  var isUnreadable: Bool { found.isUnreadable == true }
  /// The message of the last error.
  var message: String { found.lastError?.message ?? "" }

  /// The last error as a sentence, with its position and the code that apps see.
  var error: String? {
    guard let error = found.lastError else { return nil }
    let place = error.place.map { ", \($0)" } ?? ""
    return "\(error.message)\(place) (\(error.domain) \(error.code))"
  }

  /// Several lines for people.
  var text: OutputText {
    var lines = [
      ("identifier", identifier), ("name", found.name), ("kind", kind),
      ("version", "\(version) (\(found.build ?? ""))"), ("state", isOn ? "on" : "off"),
    ]
    if let previous = found.previousVersion { lines.append(("version before", previous)) }
    if kind != "shared-links" { lines.append(("list", list)) }
    lines.append(("network", network))
    if let groups { lines.append(("groups", groups)) }
    for (group, folder) in (found.groupFolders ?? [:]).sorted(by: { $0.key < $1.key }) {
      lines.append(("folder of group", "\(folder) (\(group))"))
    }
    lines.append(("signed by", found.signer ?? "nobody"))
    if let walls = found.walls {
      lines.append(("sandbox", walls))
      if let last = found.wallsOfLastStart, last != walls { lines.append(("at last start", last)) }
    }
    lines.append(("bundle", found.path ?? ""))
    for (index, limit) in (found.limits ?? []).enumerated() {
      lines.append(
        (
          index == 0 ? "limits" : "",
          "\(limit.resource): \(limit.amount), held by \(limit.heldBy)"
        )
      )
    }
    if let error, let date = found.lastError?.date {
      lines.append(("last error", "\(error), \(Self.words(date))"))
    }
    let width = lines.map(\.0.count).max() ?? 0
    return OutputText(
      joining: lines.map { label, text in
        let label = label.isEmpty ? "" : "\(label):"
        return "\(asIs: label.padding(toLength: width + 2, withPad: " ", startingAt: 0))\(text)"
      }
    )
  }

  /// Its application groups, each with the other extensions that share it; nil if it has none.
  var groups: String? {
    guard let groups = found.groups, !groups.isEmpty else { return nil }
    return groups.map { group in
      let others = found.sharers?[group] ?? []
      return others.isEmpty ? group : "\(group) (with \(others.joined(separator: ", ")))"
    }.joined(separator: ", ")
  }

  private var list: String {
    guard let date = found.listDate else { return "none" }
    let source = found.isListSetByScript == true ? ", set by its script" : ""
    let force = found.hasListInForce == true ? "active" : "kept, not active"
    return "\(force), of \(Self.words(date))\(source)"
  }

  private var network: String {
    if found.hasEntitlements == true {
      return found.allowsNetwork == true
        ? "allowed by its entitlements" : "not among its entitlements"
    }
    return found.isNetworkGranted == true
      ? "granted" : "refused; grant it with: tickbird extensions grant network \(identifier)"
  }

  private static func words(_ date: MessageDate) -> String {
    Date(timeIntervalSince1970: date.seconds).formatted(.iso8601)
  }
}
