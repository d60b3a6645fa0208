internal import ContentRules
internal import RuleProofs

/// How a pattern says where in the URL it matches: what its costs depend on most.
package enum PatternForm: String, CaseIterable, Hashable, Sendable {
  /// It matches every URL, as `.*` does.
  case everyURL = "every-url"
  /// `^[^:]+://+([^:/]+\.)?host`, as AdGuard's converter writes a host and its subdomains.
  case hostAnchor = "host-anchor"
  /// `^[htpsw]+:\/\/([a-z0-9-]+\.)?host`, as AdGuard's converter wrote it before.
  case oldHostAnchor = "old-host-anchor"
  /// The same with `([\/:&\?].*)?$` at the end.
  case oldHostAnchorToEnd = "old-host-anchor-to-end"
  /// `^[^:]+:(//)?([^/]+\.)?host`, as abp2blocklist writes it.
  case looseHostAnchor = "loose-host-anchor"
  /// `^https?://([^/]+\.)?host`, as Focus and Disconnect write it.
  case webHostAnchor = "web-host-anchor"
  /// Anything else that begins at the URL's start.
  case anchored
  /// A text anywhere in the URL.
  case anywhere
  /// Nothing that could be looked up: no three characters in a row are the same in all matches.
  case withoutText = "without-text"

  /// Tells the form of a pattern.
  init(_ number: PatternTable.Number, in patterns: PatternTable) {
    let text = patterns.filters[number].text
    if patterns.isUniversal(number) {
      self = .everyURL
    } else if let form = Self.beginnings.first(where: { text.hasPrefix($0.text) })?.form {
      self = form == .oldHostAnchor && text.hasSuffix("].*)?$") ? .oldHostAnchorToEnd : form
    } else if text.hasPrefix("^") {
      self = .anchored
    } else {
      self = patterns.longestText(of: number) < 3 ? .withoutText : .anywhere
    }
  }

  private static let beginnings: [(text: String, form: PatternForm)] = [
    (#"^[^:]+://+([^:/]+\.)?"#, .hostAnchor), (#"^[htpsw]+:\/\/([a-z0-9-]+\.)?"#, .oldHostAnchor),
    (#"^[^:]+:(//)?([^/]+\.)?"#, .looseHostAnchor), (#"^https?://([^/]+\.)?"#, .webHostAnchor),
    (#"^https?:\/\/([^/]+\.)?"#, .webHostAnchor),
  ]

  /// How converters write that a host or one below it follows.
  package static let hostBeginnings = beginnings.map(\.text)

  /// How the form is written, or what it is.
  package var description: String {
    switch self {
    case .everyURL: "every URL"
    case .hostAnchor: #"^[^:]+://+([^:/]+\.)?host"#
    case .oldHostAnchor: #"^[htpsw]+:\/\/([a-z0-9-]+\.)?host"#
    case .oldHostAnchorToEnd: #"^[htpsw]+:\/\/([a-z0-9-]+\.)?host([\/:&\?].*)?$"#
    case .looseHostAnchor: #"^[^:]+:(//)?([^/]+\.)?host"#
    case .webHostAnchor: #"^https?://([^/]+\.)?host"#
    case .anchored: "^ and anything else"
    case .anywhere: "a text anywhere"
    case .withoutText: "no text to look up"
    }
  }

  /// How long WebKit compiles patterns of this form, compared with ``hostAnchor``; `nil` where that
  /// was not measured, since it depends on the patterns.
  package var webKitFactor: Double? { WebKitFactors.factors[self] }
}
