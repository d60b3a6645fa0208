internal import ArgumentParser
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

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    try await Extensions.withHost { host in
      let value = try await host.call(.listExtensions)
      if json {
        StandardOutput.json(value.json)
        return
      }
      let summaries = (value.array ?? []).map(Summary.init)
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

  @Flag(help: "Print JSON.")
  var json = false

  @OptionGroup var extensionName: IdentifierArgument

  func run() async throws {
    try await Extensions.withHost { host in
      let value = try await host.call(.describeExtension, extensionName.arguments)
      if json {
        StandardOutput.json(value.json)
      } else {
        StandardOutput.line(Summary(value).text)
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

  @OptionGroup var extensionName: IdentifierArgument

  func run() async throws {
    try await Extensions.withHost { host in
      let value = try await host.call(.logOfExtension, extensionName.arguments)
      StandardOutput.write("\(lines: value.string ?? "")")
    }
  }
}

/// The host's description of an extension.
struct Summary {
  private let value: MessageValue

  init(_ value: MessageValue) {
    self.value = value
  }

  var identifier: String { text("identifier") }
  var kind: String { text("kind") }
  var version: String { text("version") }
  var isOn: Bool { isTrue("isOn") }
  /// Whether the host cannot read the bundle or the user's decisions.
  var isUnreadable: Bool { isTrue("isUnreadable") }
  /// The message of the last error.
  var message: String { value["lastError"]?["message"]?.string ?? "" }

  /// The last error as a sentence, with its position and the code that apps see.
  var error: String? {
    guard let error = value["lastError"] else { return nil }
    let place = error["place"]?.string.map { ", \($0)" } ?? ""
    let code = error["code"]?.integer.map { "\($0)" } ?? ""
    return "\(error["message"]?.string ?? "")\(place) (\(error["domain"]?.string ?? "") \(code))"
  }

  /// Several lines for people.
  var text: OutputText {
    var lines = [
      ("identifier", identifier), ("name", text("name")), ("kind", kind),
      ("version", "\(version) (\(text("build")))"), ("state", isOn ? "on" : "off"),
    ]
    if let previous = value["previousVersion"]?.string {
      lines.append(("version before", previous))
    }
    if kind != "shared-links" { lines.append(("list", list)) }
    lines.append(("network", network))
    if let groups { lines.append(("groups", groups)) }
    lines.append(("signed by", text("signer").isEmpty ? "nobody" : text("signer")))
    if let walls = value["walls"]?.string {
      lines.append(("sandbox", walls))
      if let last = value["wallsOfLastStart"]?.string, last != walls {
        lines.append(("at last start", last))
      }
    }
    lines.append(("bundle", text("path")))
    for (index, limit) in (value["limits"]?.array ?? []).enumerated() {
      func word(_ key: String) -> String { limit[key]?.string ?? "" }
      lines.append(
        (
          index == 0 ? "limits" : "",
          "\(word("resource")): \(word("amount")), held by \(word("heldBy"))"
        )
      )
    }
    if let error { lines.append(("last error", "\(error), \(date(value["lastError"]?["date"]))")) }
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
    let groups = (value["groups"]?.array ?? []).compactMap(\.string)
    guard !groups.isEmpty else { return nil }
    return groups.map { group in
      let others = (value["sharers"]?[group]?.array ?? []).compactMap(\.string)
      return others.isEmpty ? group : "\(group) (with \(others.joined(separator: ", ")))"
    }.joined(separator: ", ")
  }

  private var list: String {
    guard value["listDate"] != nil else { return "none" }
    let source = isTrue("isListSetByScript") ? ", set by its script" : ""
    let force = isTrue("hasListInForce") ? "active" : "kept, not active"
    return "\(force), of \(date(value["listDate"]))\(source)"
  }

  private var network: String {
    if isTrue("hasEntitlements") {
      return isTrue("allowsNetwork") ? "allowed by its entitlements" : "not among its entitlements"
    }
    return isTrue("isNetworkGranted")
      ? "granted" : "refused; grant it with: tickbird extensions grant network \(identifier)"
  }

  private func date(_ value: MessageValue?) -> String {
    guard case .date(let seconds) = value else { return "" }
    return Date(timeIntervalSince1970: seconds).formatted(.iso8601)
  }

  private func text(_ key: String) -> String { value[key]?.string ?? "" }
  private func isTrue(_ key: String) -> Bool { value[key] == .bool(true) }
}
