/// A feature that engines have since a certain release.
///
/// The only table of such dates. An engine is looked up by its month, Safari by its version: a
/// version may be released long after its engine's month, or without a part of it.
public struct EngineFeature: Hashable, Sendable {
  /// The first month whose engines have it.
  public var since: EngineRelease
  /// The first version of Safari that has it; `nil` if unknown.
  public var safari: SafariVersion?
  /// When that was, in words to follow "appeared".
  var appearance: String
  /// The effect of its absence on the rule, if that is not obvious.
  var consequence: String?
  /// Whether the first releases are only the first known ones, so that earlier ones may have it,
  /// too.
  public var isLatestDate: Bool
  /// The source of the dates.
  public var source: String

  init(
    since: EngineRelease,
    safari: SafariVersion?,
    _ appearance: String,
    consequence: String? = nil,
    isLatestDate: Bool = false,
    source: String
  ) {
    self.since = since
    self.safari = safari
    self.appearance = appearance
    self.consequence = consequence
    self.isLatestDate = isLatestDate
    self.source = source
  }

  /// The date of features that appeared after the engines of 2019, at an unknown time.
  private static let after2019 = EngineRelease(year: 2020, month: 1)

  static let topURL = EngineFeature(
    since: EngineRelease(year: 2017, month: 6),
    safari: SafariVersion(11),
    "in June 2017",
    consequence: "the rule would apply on all pages",
    source: "Apple, What's New in Safari 11.0"
  )
  static let largeLists = EngineFeature(
    since: after2019,
    safari: SafariVersion(15),
    "after 2019",
    source: "AdGuard's SafariConverterLib, SafariVersion.rulesLimit"
  )
  private static let fetchTypes = EngineFeature(
    since: after2019,
    safari: SafariVersion(15),
    "after 2019",
    source: "webkit.org/b/222709; AdGuard's SafariConverterLib, issue 18"
  )
  /// `document` is as old as content blockers.
  private static let documentTypes = EngineFeature(
    since: EngineRelease(year: 2025, month: 3),
    safari: SafariVersion(26),
    "in March 2025",
    source: "webkit.org/b/290067, WebKit's pull request 42722 of 2025-03-20; Safari 18.4 to 18.6"
      + " have engine 621, which is older, and Safari 26 has engine 622"
  )
  private static let reportType = EngineFeature(
    since: EngineRelease(year: 2023, month: 9),
    safari: SafariVersion(17),
    "between 2021 and Safari 17",
    isLatestDate: true,
    source: "ResourceLoadInfo.cpp in copies of WebKit: not in one of 2021 that has fetch, in one of"
      + " engine 616.1, which is Safari 17; not dated more closely"
  )
  /// The words of `resource-type` that are newer than content blockers.
  static let resourceTypes = [
    "fetch": fetchTypes, "websocket": fetchTypes, "other": fetchTypes,
    "top-document": documentTypes, "child-document": documentTypes, "csp-report": reportType,
  ]
  static let loadContext = EngineFeature(
    since: after2019,
    safari: SafariVersion(15),
    "after 2019",
    consequence: "the rule would apply in all frames",
    source: "Apple, Creating a content blocker; AdGuard's SafariConverterLib, issue 19"
  )
  static let redirect = EngineFeature(
    since: after2019,
    safari: SafariVersion(15, 4),
    "after 2019",
    source: "MDN's browser-compat-data, declarativeNetRequest.Redirect"
  )
  static let modifyHeaders = EngineFeature(
    since: after2019,
    safari: SafariVersion(16, 4),
    "after 2019",
    source: "MDN's browser-compat-data, declarativeNetRequest.RuleAction.requestHeaders"
  )
  static let headerPriority = EngineFeature(
    since: EngineRelease(year: 2022, month: 10),
    safari: SafariVersion(16, 4),
    "in October 2022",
    consequence: "competing changes of a header come in any order there",
    source: "WebKit's history; the first Safari that changes headers at all"
  )
  static let ifFrameURL = EngineFeature(
    since: after2019,
    safari: SafariVersion(26),
    "after 2019",
    consequence: "the rule would apply in all frames",
    source: "webkit.org/blog/17333, WebKit Features in Safari 26.0; engine: WebKit's history"
  )
  static let unlessFrameURL = EngineFeature(
    since: EngineRelease(year: 2024, month: 11),
    safari: SafariVersion(26),
    "in November 2024",
    consequence: "the rule would apply in all frames",
    source: "webkit.org/blog/17333, WebKit Features in Safari 26.0; engine: WebKit's history"
  )
  static let requestMethod = EngineFeature(
    since: EngineRelease(year: 2025, month: 4),
    safari: SafariVersion(26),
    "in April 2025",
    consequence: "the rule would apply to all methods",
    source: "webkit.org/blog/17333, WebKit Features in Safari 26.0; engine: WebKit's history"
  )
  static let ignoreFollowingRules = EngineFeature(
    since: EngineRelease(year: 2025, month: 6),
    safari: SafariVersion(26, 2),
    "in June 2025",
    source: "WebKit's history; Safari 26.2 is the first whose engine, 623, was cut after that month"
  )
  static let ruleIdentifiers = EngineFeature(
    since: EngineRelease(year: 2026, month: 2),
    safari: nil,
    "between August 2025 and February 2026",
    consequence: "matches of the rule would not be reported",
    source: "WebKit's history, between WebKitGTK 2.50 and 2.52"
  )
}

extension EngineRelease {
  /// Whether an engine lacks a feature.
  func lacks(_ feature: EngineFeature) -> Bool {
    guard let safari else { return self < feature.since }
    if let first = feature.safari { return safari < first }
    // A Safari is released within half a year of the day on which its engine was branched.
    let months = year * 12 + month - 6
    return months < feature.since.year * 12 + feature.since.month
  }
}

/// Something that a list needs of an engine, with the first place that needs it.
public struct Requirement: Hashable, Sendable {
  /// Its name, such as `load-context` or `:has()`.
  public var name: String
  /// The feature, with its dates.
  public var feature: EngineFeature
  /// The first place in the list.
  public var location: SourceLocation
}
