internal import ResourceLoads

/// The capabilities and limits of a browser's declarative rules.
public struct DeclarativeBrowser: Hashable, Sendable {
  /// The browser's name on the command line.
  public var name: String
  /// The most rules that persist when the browser exits.
  public var dynamicRules: Int
  /// The most of these that modify headers.
  public var unsafeDynamicRules: Int
  /// The most of these that are regular expressions.
  public var dynamicRegexes: Int
  /// The most rules that are dropped when the browser exits.
  public var sessionRules: Int
  /// The most of these that are regular expressions.
  public var sessionRegexes: Int
  /// The most instructions that a regular expression may be compiled to; see ``RegexCost``.
  public var regexInstructions: Int
  /// Whether a rule can name the page's domain, not only that of the requesting document.
  public var knowsPageDomain: Bool
  /// Whether patterns see a URL's fragment.
  public var seesFragments: Bool
  /// The browser's types, with the engine's type for each.
  var types: [BrowserType]

  /// A resource type, by the browser's name and the engine's.
  struct BrowserType: Hashable, Sendable {
    var name: String
    var type: ResourceType

    init(name: String, word: String) {
      self.name = name
      type = ResourceType.words.first { "\($0.word)" == word }?.type ?? .other
    }
  }

  /// The browser with less room for lists: what is left takes the rules that the extension makes of the user's
  /// settings.
  ///
  /// An exempted site, a tab that is off, and a page that is opened once must act however long the lists are. The
  /// extension keeps the same room by itself (`rule-limits.js`), since it may have a translation of an older host.
  public var withRoomForSettings: DeclarativeBrowser {
    var browser = self
    browser.dynamicRules -= 500
    browser.unsafeDynamicRules -= 500
    browser.dynamicRegexes -= 50
    browser.sessionRules -= 250
    browser.sessionRegexes -= 50
    return browser
  }

  /// Chromium, with the limits of version 156.
  public static let chromium = DeclarativeBrowser(
    name: "chromium",
    dynamicRules: 30_000,
    unsafeDynamicRules: 5_000,
    dynamicRegexes: 1_000,
    sessionRules: 5_000,
    sessionRegexes: 1_000,
    regexInstructions: 100,
    knowsPageDomain: true,
    seesFragments: true,
    types: [
      BrowserType(name: "main_frame", word: "top-document"),
      BrowserType(name: "sub_frame", word: "child-document"),
      BrowserType(name: "object", word: "child-document"),
      BrowserType(name: "image", word: "image"),
      BrowserType(name: "stylesheet", word: "style-sheet"),
      BrowserType(name: "script", word: "script"),
      BrowserType(name: "font", word: "font"),
      BrowserType(name: "media", word: "media"),
      BrowserType(name: "ping", word: "ping"),
      BrowserType(name: "xmlhttprequest", word: "fetch"),
      BrowserType(name: "websocket", word: "websocket"),
      BrowserType(name: "csp_report", word: "csp-report"),
      BrowserType(name: "webtransport", word: "other"),
      BrowserType(name: "webbundle", word: "other"),
      BrowserType(name: "other", word: "other"),
    ]
  )

  /// Firefox, with the limits of version 153.
  public static let firefox = DeclarativeBrowser(
    name: "firefox",
    dynamicRules: 5_000,
    unsafeDynamicRules: 5_000,
    dynamicRegexes: 1_000,
    sessionRules: 5_000,
    sessionRegexes: 1_000,
    regexInstructions: .max,
    knowsPageDomain: false,
    seesFragments: false,
    types: [
      BrowserType(name: "main_frame", word: "top-document"),
      BrowserType(name: "sub_frame", word: "child-document"),
      BrowserType(name: "object", word: "child-document"),
      BrowserType(name: "image", word: "image"),
      BrowserType(name: "imageset", word: "image"),
      BrowserType(name: "stylesheet", word: "style-sheet"),
      BrowserType(name: "xslt", word: "style-sheet"),
      BrowserType(name: "script", word: "script"),
      BrowserType(name: "json", word: "script"),
      BrowserType(name: "font", word: "font"),
      BrowserType(name: "media", word: "media"),
      BrowserType(name: "ping", word: "ping"),
      BrowserType(name: "xmlhttprequest", word: "fetch"),
      BrowserType(name: "websocket", word: "websocket"),
      BrowserType(name: "csp_report", word: "csp-report"),
      BrowserType(name: "beacon", word: "other"),
      BrowserType(name: "object_subrequest", word: "other"),
      BrowserType(name: "web_manifest", word: "other"),
      BrowserType(name: "xml_dtd", word: "other"),
      BrowserType(name: "speculative", word: "other"),
      BrowserType(name: "other", word: "other"),
    ]
  )
}
