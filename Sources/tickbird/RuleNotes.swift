internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ResourceLoads
internal import RuleMatching
internal import WebURL

/// What rules did over all loads, and what their author may not have meant.
struct RuleNotes {
  private struct Deeds {
    /// Blocked URLs by type, in the order of the loads.
    var blocked: [(type: ResourceType, load: ResourceLoad)] = []
    var applied = 0
    var overridden = 0
  }

  private var deeds: [RuleID: Deeds] = [:]
  /// Rules that matched, in the order of the loads.
  private(set) var rules: [RuleID] = []

  /// Takes note of a load.
  mutating func add(_ explanation: Explanation) {
    for match in explanation.matches {
      let id = RuleID(list: match.list, rule: match.rule)
      if deeds[id] == nil { rules.append(id) }
      var deed = deeds[id] ?? Deeds()
      switch match.fate {
      case .applied, .merged:
        deed.applied += 1
        let isBlocking = explanation.decision.actions.contains {
          $0.kind == .block && $0.isEffective && $0.list == match.list
            && $0.rules.contains(match.rule)
        }
        if isBlocking {
          deed.blocked.append((explanation.load.resourceType, explanation.load))
        }
      case .cancelled, .swallowed, .inert, .tooLate: deed.overridden += 1
      }
      deeds[id] = deed
    }
  }

  /// What a rule did, in few words.
  func summary(of id: RuleID) -> String {
    guard let deed = deeds[id] else { return "" }
    var parts: [String] = []
    if !deed.blocked.isEmpty {
      parts.append("blocked " + Self.counts(deed.blocked.map(\.type)))
    } else if deed.applied > 0 {
      parts.append("acted on " + Shown.count(deed.applied, "load"))
    }
    if deed.overridden > 0 {
      parts.append("overridden on " + Shown.count(deed.overridden, "load"))
    }
    return parts.joined(separator: ", ")
  }

  /// Types with their numbers, such as "3 images, 1 style sheet".
  private static func counts(_ types: [ResourceType]) -> String {
    nouns.compactMap { type, noun in
      let count = types.count { $0 == type }
      return count == 0 ? nil : Shown.count(count, noun, type == .fetch ? "fetches" : nil)
    }.joined(separator: ", ")
  }

  private static let nouns: [(type: ResourceType, noun: String)] = [
    (.topDocument, "page"), (.childDocument, "frame"), (.image, "image"),
    (.styleSheet, "style sheet"), (.script, "script"), (.font, "font"),
    (.svgDocument, "SVG document"), (.media, "media file"), (.popup, "popup"), (.ping, "ping"),
    (.fetch, "fetch"), (.webSocket, "websocket"), (.other, "other load"),
    (.cspReport, "CSP report"),
  ]
}

// MARK: Advice

extension RuleNotes {
  /// Types without which a page is broken, and that patterns for something else hit by mistake.
  private static let structural: ResourceType = [
    .topDocument, .childDocument, .styleSheet, .script, .font,
  ]

  /// Points out rules that block parts of the page's own site which they hardly mean.
  ///
  /// That is suspected of rules without `resource-type` that take a document, style sheet, script
  /// or font of the page's own site.
  func advice(_ explainer: borrowing Explainer, _ style: TextStyle) -> String {
    var text = ""
    for id in rules {
      guard let rule = explainer.rule(id), rule.trigger.flags.resourceTypes.isEmpty,
        let deed = deeds[id]
      else { continue }
      let accidents = deed.blocked.filter {
        Self.structural.contains($0.type) && $0.load.loadType == .firstParty
      }
      guard !accidents.isEmpty else { continue }
      text += advice(id, accidents.map(\.load), deed.blocked.map(\.type), explainer, style)
    }
    return text.isEmpty ? "" : "\n" + style.paint.bold("Was that meant?") + "\n" + text
  }

  private func advice(
    _ id: RuleID,
    _ accidents: [ResourceLoad],
    _ blocked: [ResourceType],
    _ explainer: borrowing Explainer,
    _ style: TextStyle
  ) -> String {
    func line(_ text: String) -> String { Shown.wrapped(text, width: style.width, indent: 4) }
    var text = Shown.wrapped(
      "Rule \(id.rule) (\(explainer.place(id))) is for every resource type; of the page's own "
        + "site it blocked " + Self.counts(accidents.map(\.resourceType)) + ":",
      width: style.width,
      indent: 2
    )
    for load in accidents.prefix(3) {
      text += "      \(style.shortened(load.url.serialized, to: style.width - 6))\n"
    }
    if accidents.count > 3 { text += "      and \(Shown.grouped(accidents.count - 3)) more\n" }
    let meant = blocked.filter { !Self.structural.contains($0) }
    if !meant.isEmpty {
      let words = ResourceType.words.filter { meant.contains($0.type) }.map { "\"\($0.word)\"" }
      text += line("To block only \(Self.counts(meant)), add to its trigger:")
      text += "        "
      text += style.paint.cyan("\"resource-type\": [\(words.joined(separator: ", "))]") + "\n"
    }
    text += line(
      "To let \(accidents.count == 1 ? "it" : "the first one") through, add as the last rule:"
    )
    // Not broken, so that it can be copied.
    return text + "        " + style.paint.cyan(Self.exception(for: accidents[0].url)) + "\n"
  }

  /// A rule that cancels all others for a URL.
  private static func exception(for url: WebURL) -> String {
    let path = Array(url.utf8[url.pathRange])
    var pattern = ""
    // A short path would be found in many URLs.
    let subject =
      path.count > 3 ? path : Array("^".utf8) + url.utf8[..<url.pathRange.upperBound]
    for (offset, byte) in subject.enumerated() {
      if offset > 0 || byte != UInt8(ascii: "^"),
        ".*+?^$()[]{}|\\".utf8.contains(byte)
      {
        pattern += "\\"
      }
      pattern.unicodeScalars.append(Unicode.Scalar(byte))
    }
    if path.count <= 3 { pattern += "$" }
    var json = JSONWriter()
    json.object { json in
      json.field("trigger") { json in json.object { $0.field("url-filter", pattern) } }
      json.field("action") { json in json.object { $0.field("type", "ignore-previous-rules") } }
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
