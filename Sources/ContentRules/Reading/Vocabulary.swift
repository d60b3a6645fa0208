internal import ResourceLoads

/// The words of the rule language, prepared for comparing with bytes.
///
/// Keys are in the order of the enumerations below, in which WebKit reads them.
///
/// > Source: the rule language, sections 2 and 3.
struct Vocabulary: Sendable {
  let ruleKeys = WordTable(RuleKey.words)
  let triggerKeys = WordTable(TriggerKey.words)
  let actionKeys = WordTable(ActionKey.words)
  let actionTypes = WordTable(ActionType.words)
  let redirectKeys = WordTable(["extension-path", "regex-substitution", "transform", "url"])
  let transformKeys = WordTable([
    "fragment", "host", "password", "path", "port", "query", "query-transform", "scheme",
    "username",
  ])
  let queryTransformKeys = WordTable(["remove-parameters", "add-or-replace-parameters"])
  let parameterKeys = WordTable(["key", "value", "replace-only"])
  let headerKeys = WordTable(["operation", "header", "value"])
  let headerOperations = WordTable(["set", "append", "remove"])

  let resourceTypes: WordTable
  /// The engine types of each word of ``resourceTypes``.
  let resourceTypeSets: [ResourceType]
  let loadTypes = WordTable(["first-party", "third-party"])
  let loadContexts = WordTable(["top-frame", "child-frame"])
  /// In the order of `RequestMethod`.
  let requestMethods = WordTable([
    "get", "head", "options", "trace", "put", "delete", "post", "patch", "connect",
  ])

  init() {
    let words: [(word: String, types: ResourceType)] = [
      ("document", [.topDocument, .childDocument]),
      ("top-document", .topDocument), ("child-document", .childDocument), ("image", .image),
      ("style-sheet", .styleSheet), ("script", .script), ("font", .font),
      ("svg-document", .svgDocument), ("media", .media), ("popup", .popup), ("ping", .ping),
      ("fetch", .fetch), ("websocket", .webSocket), ("csp-report", .cspReport),
      ("raw", [.fetch, .webSocket, .other, .ping]),
      ("other", [.other, .ping, .cspReport]),
    ]
    resourceTypes = WordTable(words.map { $0.word })
    resourceTypeSets = words.map { $0.types }
  }
}

enum RuleKey: Int, CaseIterable {
  case trigger, action, identifier, rulesetIdentifier

  static let words = [
    "trigger", "action", "_identifier", "_rulesetIdentifier",
  ]

  var word: String { Self.words[rawValue] }
}

enum TriggerKey: Int, CaseIterable {
  case urlFilter, urlFilterIsCaseSensitive, topURLFilterIsCaseSensitive,
    frameURLFilterIsCaseSensitive, resourceType, loadType, loadContext, requestMethod, ifDomain,
    unlessDomain, ifTopURL, unlessTopURL, ifFrameURL, unlessFrameURL

  static let words = [
    "url-filter", "url-filter-is-case-sensitive", "top-url-filter-is-case-sensitive",
    "frame-url-filter-is-case-sensitive", "resource-type", "load-type", "load-context",
    "request-method", "if-domain", "unless-domain", "if-top-url", "unless-top-url",
    "if-frame-url", "unless-frame-url",
  ]

  var word: String { Self.words[rawValue] }

  /// The keys of conditions, of which a trigger may have one, in the order in which WebKit reads
  /// them.
  static let conditions: [TriggerKey] = [
    .ifDomain, .unlessDomain, .ifTopURL, .unlessTopURL, .ifFrameURL, .unlessFrameURL,
  ]

  /// What this key's condition tests; domains for other keys.
  var subject: Condition.Subject {
    switch self {
    case .ifTopURL, .unlessTopURL: .topURL
    case .ifFrameURL, .unlessFrameURL: .frameURL
    default: .domain
    }
  }

  /// Whether this key's condition holds if no entry matches.
  var isNegated: Bool {
    self == .unlessDomain || self == .unlessTopURL || self == .unlessFrameURL
  }
}

enum ActionKey: Int, CaseIterable {
  case type, selector, notification, redirect, priority, requestHeaders, responseHeaders

  static let words = [
    "type", "selector", "notification", "redirect", "priority", "request-headers",
    "response-headers",
  ]

  var word: String { Self.words[rawValue] }
}

enum ActionType: Int, CaseIterable {
  case block, blockCookies, cssDisplayNone, ignorePreviousRules, ignoreFollowingRules, makeHTTPS,
    notify, redirect, modifyHeaders

  static let words = [
    "block", "block-cookies", "css-display-none", "ignore-previous-rules",
    "ignore-following-rules", "make-https", "notify", "redirect", "modify-headers",
  ]

  var word: String { Self.words[rawValue] }

  /// The type of an action.
  init(_ action: Action) {
    self =
      switch action {
      case .block: .block
      case .blockCookies: .blockCookies
      case .cssDisplayNone: .cssDisplayNone
      case .ignorePreviousRules: .ignorePreviousRules
      case .ignoreFollowingRules: .ignoreFollowingRules
      case .makeHTTPS: .makeHTTPS
      case .notify: .notify
      case .redirect: .redirect
      case .modifyHeaders: .modifyHeaders
      }
  }

  /// The keys that actions of this type read, beside `type`.
  var keys: [ActionKey] {
    switch self {
    case .cssDisplayNone: [.selector]
    case .notify: [.notification]
    case .redirect: [.redirect]
    case .modifyHeaders: [.priority, .requestHeaders, .responseHeaders]
    default: []
    }
  }
}
