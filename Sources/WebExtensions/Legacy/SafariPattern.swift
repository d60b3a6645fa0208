/// A pattern by which Safari's older extensions name pages: `scheme://domain/path`, with stars for any
/// text in domain and path.
struct SafariPattern: Hashable {
  /// `http`, `https`, or both.
  let schemes: [String]
  /// In lower case.
  let host: String
  /// The path with the query, which begins with a slash or a star.
  let path: String

  static let webSchemes = ["http", "https"]

  /// Reads a pattern; `nil` if it is none, or one for something else than the web.
  init?(_ text: String) {
    guard let separator = text.firstRange(of: "://"), text.utf8.count <= 2_000,
      !text.contains(where: { $0.isWhitespace || $0.isNewline })
    else { return nil }
    let scheme = text[..<separator.lowerBound].lowercased()
    switch scheme {
    case "http", "https": schemes = [scheme]
    case "*", "http*", "http?": schemes = Self.webSchemes
    default: return nil
    }
    let rest = text[separator.upperBound...]
    let slash = rest.firstIndex(of: "/") ?? rest.endIndex
    host = rest[..<slash].lowercased()
    path = slash == rest.endIndex ? "/*" : String(rest[slash...])
    guard !host.isEmpty, !host.contains(where: { "?#@\\".contains($0) }), !path.contains("#") else {
      return nil
    }
  }

  private init(schemes: [String], host: String, path: String) {
    self.schemes = schemes
    self.host = host
    self.path = path
  }

  /// All pages of a domain, as website access names it; a leading star is for all below it.
  init?(domain text: String, schemes: [String]) {
    let name = text.lowercased()
    let isDomain = name.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "-._*".contains(Character(scalar))
    }
    guard isDomain, !name.isEmpty, name.utf8.count <= 300 else { return nil }
    let isBelow = name.hasPrefix("*") && !name.hasPrefix("*.") && name != "*"
    self.init(schemes: schemes, host: isBelow ? "*." + name.dropFirst() : name, path: "/*")
  }

  /// All pages.
  static func everything(_ schemes: [String]) -> SafariPattern {
    SafariPattern(schemes: schemes, host: "*", path: "/*")
  }

  /// Whether browsers' manifests can say it: their hosts have no star but a leading one.
  var isPlain: Bool {
    guard path.hasPrefix("/") else { return false }
    if host == "*" { return true }
    let name = host.hasPrefix("*.") ? host.dropFirst(2) : host[...]
    return !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || "-._".utf8.contains(byte)
      }
  }

  /// The patterns in browsers' words, one for each scheme or one for both.
  var matchPatterns: [String] {
    schemes == Self.webSchemes
      ? ["*://\(host)\(path)"] : schemes.map { "\($0)://\(host)\(path)" }
  }

  /// Its own words.
  var text: String { (schemes == Self.webSchemes ? "*" : schemes[0]) + "://\(host)\(path)" }

  /// Returns the pages of both, where this is one of website access; `nil` for none.
  ///
  /// - Precondition: Both are plain.
  func narrowed(to other: SafariPattern) -> SafariPattern? {
    let both = schemes.filter(other.schemes.contains)
    guard !both.isEmpty else { return nil }
    let narrower: String
    if Self.covers(host, other.host) {
      narrower = other.host
    } else if Self.covers(other.host, host) {
      narrower = host
    } else {
      return nil
    }
    return SafariPattern(schemes: both, host: narrower, path: other.path)
  }

  /// Whether a plain host covers another.
  private static func covers(_ host: String, _ other: String) -> Bool {
    if host == "*" || host == other { return true }
    guard host.hasPrefix("*.") else { return false }
    let name = host.dropFirst(2)
    let rest = other.hasPrefix("*.") ? other.dropFirst(2) : other[...]
    return rest == name || rest.hasSuffix("." + name)
  }
}

/// The pages that an extension may see.
struct SafariAccess: Equatable {
  var schemes: [String]
  /// The domains; `nil` for all.
  var domains: [String]?

  static let none = SafariAccess(schemes: [], domains: [])

  /// The pages as patterns.
  var patterns: [SafariPattern] {
    guard let domains else { return schemes.isEmpty ? [] : [.everything(schemes)] }
    return schemes.isEmpty ? [] : domains.compactMap { SafariPattern(domain: $0, schemes: schemes) }
  }

  /// The pages for the scripts, which test them.
  var json: ManifestValue {
    .object([
      ("schemes", .strings(schemes)),
      (
        "domains",
        domains == nil ? ManifestValue(.null) : .strings(patterns.map(\.host))
      ),
    ])
  }
}

/// The pages that a script or a style sheet is for, within what the extension may see.
struct SafariPages: Hashable {
  /// `nil` for all.
  var allowed: [SafariPattern]?
  var excluded: [SafariPattern] = []

  /// The most patterns that a manifest gets.
  private static let limit = 20_000

  /// Whether the browser's manifest can say it.
  private var isPlain: Bool {
    (allowed ?? []).allSatisfy(\.isPlain) && excluded.allSatisfy(\.isPlain)
  }

  /// What the manifest says.
  struct Matches: Equatable {
    var included: [String]
    var excluded: [String]
    /// Whether the browser takes more pages than are meant, so that the script has to test them.
    var needsTest: Bool
  }

  /// Returns the pages in browsers' words; `nil` for none.
  func matches(within access: SafariAccess) -> Matches? {
    let bounds = access.patterns
    guard !bounds.isEmpty, allowed?.isEmpty != true else { return nil }
    let areBoundsPlain = bounds.allSatisfy(\.isPlain)
    let out = excluded.filter(\.isPlain).flatMap(\.matchPatterns)
    let needsTest = !isPlain || !areBoundsPlain
    guard areBoundsPlain, let allowed, allowed.allSatisfy(\.isPlain),
      allowed.count <= Self.limit / bounds.count
    else {
      let wide = areBoundsPlain ? bounds : [.everything(access.schemes)]
      return Matches(
        included: Self.unique(wide.flatMap(\.matchPatterns)),
        excluded: Self.unique(out),
        needsTest: needsTest || allowed != nil
      )
    }
    let narrowed = bounds.flatMap { bound in allowed.compactMap { bound.narrowed(to: $0) } }
    guard !narrowed.isEmpty else { return nil }
    return Matches(
      included: Self.unique(narrowed.flatMap(\.matchPatterns)),
      excluded: Self.unique(out),
      needsTest: needsTest
    )
  }

  private static func unique(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }

  /// The pages for the scripts, which test them.
  var json: ManifestValue {
    .object([
      ("allowed", allowed.map { .strings($0.map(\.text)) } ?? ManifestValue(.null)),
      ("excluded", .strings(excluded.map(\.text))),
    ])
  }
}
