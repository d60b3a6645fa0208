internal import CommandInput
internal import CommandOutput
internal import ContentBlocking
internal import ContentRules
internal import ResourceLoads
internal import TextOutput
internal import WebURL

/// Finds the rules behind lines of WebKit's console.
///
/// They do not have the type of a load, so all types are tried.
struct ConsoleExplainer: ~Copyable {
  private var explainer: Explainer
  private let style: TextStyle

  init(explainer: consuming Explainer, style: TextStyle) {
    self.explainer = explainer
    self.style = style
  }

  /// A rule that would have had the effect, with the loads that it was tried on.
  private struct Suspect {
    var id: RuleID
    var types: ResourceType
    var urlRange: Range<Int>?
  }

  /// Explains the lines, one after the other.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - page: The page for lines that do not name it.
  ///   - write: Receives each explanation, as text and as a line of JSON.
  /// - Throws: Whatever `write` throws.
  mutating func explain(
    _ lines: [ConsoleLine],
    page: WebURL?,
    _ write: (_ text: String, _ json: [UInt8]) throws(OutputError) -> Void
  ) throws(OutputError) {
    var lastPage = page
    for (number, line) in lines.enumerated() {
      if case .blocked(_, let page) = line { lastPage = WebURL(page) ?? lastPage }
      let (address, kind): (String, LineKind) =
        switch line {
        case .blocked(let url, _): (url, .blocked)
        case .promoted(let url): (url, .promoted)
        }
      guard let url = WebURL(address) else {
        let shown = Shown.line(address)
        try write(
          "\(style.shortened(shown, to: style.width))\n  is not a URL; the line may be cut off\n\n",
          unreadable(shown)
        )
        continue
      }
      let top = lastPage ?? url
      let suspects = suspects(url, top, kind)
      try write(
        (number > 0 ? "\n" : "") + text(url, top, kind, suspects),
        json(url, top, kind, suspects)
      )
    }
  }

  private enum LineKind: String {
    case blocked, promoted
  }

  private mutating func suspects(_ url: WebURL, _ top: WebURL, _ kind: LineKind) -> [Suspect] {
    // Tries a load from a frame only if none from the page itself fits.
    for context in [LoadContext.topFrame, .childFrame] {
      var suspects: [Suspect] = []
      for (_, type) in ResourceType.words {
        let load = ResourceLoad(
          url: url,
          topURL: top,
          resourceType: type,
          loadContext: type == .childDocument ? .childFrame : context
        )
        // A page's document is a load of its own URL only.
        if type == .topDocument, url != top { continue }
        let explanation = explainer.explanation(for: load, detail: .ranges)
        let decision = explanation.decision
        guard kind == .blocked ? decision.isBlocked : decision.newURL != nil else { continue }
        let wanted: Action = kind == .blocked ? .block : .makeHTTPS
        for match in explanation.matches {
          let id = RuleID(list: match.list, rule: match.rule)
          guard explainer.rule(id)?.action == wanted, match.fate.takesPart else { continue }
          if let index = suspects.firstIndex(where: { $0.id == id }) {
            suspects[index].types.insert(type)
          } else {
            suspects.append(Suspect(id: id, types: type, urlRange: match.urlRange))
          }
        }
      }
      if !suspects.isEmpty { return suspects }
    }
    return []
  }

  private func text(
    _ url: WebURL,
    _ top: WebURL,
    _ kind: LineKind,
    _ suspects: [Suspect]
  ) -> String {
    let verb = kind == .blocked ? "blocked" : "made https"
    var text =
      style.paint.red(kind == .blocked ? "BLOCKED" : "made https") + "  "
      + style.shortened(url.serialized, to: style.width - 12) + "\n"
    text += "  on the page \(style.shortened(top.serialized, to: style.width - 14))\n"
    if suspects.isEmpty {
      return text
        + Shown.wrapped(
          "no rule of these lists does that, whatever the load was for; another list was active, "
            + "or these have changed since",
          width: style.width,
          indent: 2
        )
    }
    for suspect in suspects {
      var line = "\(verb) by rule \(suspect.id.rule) (\(explainer.place(suspect.id)))"
      if let range = suspect.urlRange {
        let found = String(decoding: url.utf8[range], as: UTF8.self)
        line += ", matched \"\(style.shortened(found, to: 32))\""
      }
      text += Shown.wrapped(
        line + ", \(Self.types(suspect.types))",
        width: style.width,
        indent: 2
      )
      text += Shown.wrapped(
        explainer.text(suspect.id),
        width: style.width,
        indent: 6,
        limit: style.isWide ? .max : 4
      )
    }
    return text
  }

  private static func types(_ types: ResourceType) -> String {
    // A top document is tried only if its URL is the page's.
    let possible = ResourceType.all.subtracting(.topDocument)
    if types.isSuperset(of: possible) { return "whatever the load was for" }
    let words = ResourceType.words.filter { types.contains($0.type) }.map { "\($0.word)" }
    return "if the load was for \(words.joined(separator: ", "))"
  }

  private func json(
    _ url: WebURL,
    _ top: WebURL,
    _ kind: LineKind,
    _ suspects: [Suspect]
  ) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.field("url") { $0.string(utf8: url.utf8) }
      json.field("top_url") { $0.string(utf8: top.utf8) }
      json.field("outcome", kind.rawValue)
      json.field("rules") { json in
        json.array(of: suspects) { json, suspect in
          json.object { json in
            explainer.write(suspect.id, to: &json)
            json.field("resource_types") { json in
              let types = ResourceType.words.filter { suspect.types.contains($0.type) }
              json.array(of: types) { $0.string("\($1.word)") }
            }
          }
        }
      }
    }
    json.endLine()
    return json.bytes
  }

  private func unreadable(_ address: String) -> [UInt8] {
    var json = JSONWriter()
    json.object { $0.field("error", "no URL: \(address)") }
    json.endLine()
    return json.bytes
  }
}

extension Explanation.Fate {
  /// Whether the rule's action takes effect, possibly through another rule.
  fileprivate var takesPart: Bool {
    switch self {
    case .applied, .merged: true
    case .cancelled, .swallowed, .inert, .tooLate: false
    }
  }
}
