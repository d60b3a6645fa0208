/// The versions of Safari that introduced pseudo-classes and pseudo-elements.
///
/// Lists only what is newer than Safari 9, the first with content blockers.
enum SelectorAge {
  private static let mdn = "MDN's browser-compat-data, css/selectors, at a0a74f9 (August 2026)"

  /// Calls `body` with each listed name, and its position in a valid selector list.
  static func forEach(
    in text: Span<UInt8>,
    _ body: (_ name: String, _ feature: EngineFeature, _ range: Range<Int>) -> Void
  ) {
    var hasColon = false
    for index in text.indices where text[index] == UInt8(ascii: ":") { hasColon = index >= 0 }
    guard hasColon else { return }
    let tokens = SelectorTokenizer(text).tokens
    for index in tokens.indices.dropFirst() where tokens[index - 1].kind == .colon {
      let token = tokens[index]
      guard token.kind == .ident || token.kind == .function, !token.hasEscape else { continue }
      let word = JSONText.string(text.extracting(token.valueStart..<token.valueEnd)).lowercased()
      guard let version = versions[word] else { continue }
      let isElement = index > 1 && tokens[index - 2].kind == .colon
      let name = (isElement ? "::" : ":") + word + (token.kind == .function ? "()" : "")
      let start = tokens[index - (isElement ? 2 : 1)].start
      body(name, feature(word, version), start..<token.valueEnd)
    }
  }

  private static func feature(_ word: String, _ version: SafariVersion) -> EngineFeature {
    let release = EngineRelease(safari: version)
    let isHas = word == "has"
    return EngineFeature(
      since: release.map { EngineRelease(year: $0.year, month: $0.month - (isHas ? 1 : 0)) }
        ?? EngineRelease(year: 2026, month: 9),
      safari: version,
      "with the engine of Safari \(version)",
      source: isHas
        ? "webkit.org/b/248868; AdGuard's SafariConverterLib 2.0.39 (style sheets of pages: 15.4)"
        : mdn
    )
  }

  private static let versions: [String: SafariVersion] = [
    "active-view-transition": SafariVersion(18),
    "active-view-transition-type": SafariVersion(18, 2),
    "autofill": SafariVersion(15),
    "backdrop": SafariVersion(15, 4),
    "buffering": SafariVersion(15, 4),
    "defined": SafariVersion(10),
    "details-content": SafariVersion(18, 4),
    "dir": SafariVersion(16, 4),
    "file-selector-button": SafariVersion(14, 1),
    "focus-visible": SafariVersion(15, 4),
    "focus-within": SafariVersion(10, 1),
    "fullscreen": SafariVersion(16, 4),
    "grammar-error": SafariVersion(17, 4),
    // For content blockers; style sheets of pages have it since 15.4.
    "has": SafariVersion(16, 4),
    "heading": SafariVersion(27),
    "highlight": SafariVersion(17, 2),
    "host": SafariVersion(10),
    "is": SafariVersion(14),
    "marker": SafariVersion(11, 1),
    "modal": SafariVersion(15, 6),
    "muted": SafariVersion(15, 4),
    "open": SafariVersion(26, 5),
    "part": SafariVersion(13, 1),
    "paused": SafariVersion(15, 4),
    "picker": SafariVersion(27),
    "picture-in-picture": SafariVersion(13, 1),
    "placeholder": SafariVersion(10, 1),
    "playing": SafariVersion(15, 4),
    "popover-open": SafariVersion(17),
    "seeking": SafariVersion(15, 4),
    "slotted": SafariVersion(10),
    "spelling-error": SafariVersion(17, 4),
    "stalled": SafariVersion(15, 4),
    "state": SafariVersion(17, 4),
    "target-text": SafariVersion(18, 2),
    "user-invalid": SafariVersion(16, 5),
    "user-valid": SafariVersion(16, 5),
    "view-transition": SafariVersion(18),
    "view-transition-group": SafariVersion(18),
    "view-transition-image-pair": SafariVersion(18),
    "view-transition-new": SafariVersion(18),
    "view-transition-old": SafariVersion(18),
    "volume-locked": SafariVersion(15, 4),
    "where": SafariVersion(14),
  ]
}
