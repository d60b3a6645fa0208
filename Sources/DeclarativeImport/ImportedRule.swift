/// A declarative rule of Chromium's, as an extension's file has it.
package struct ImportedRule: Sendable {
  /// The rule's number, unique in its file.
  package var id: Int
  /// The place of the rule in its file, in bytes.
  package var offset: Int
  var priority = 1
  var action = Action.block
  var condition = Condition()

  /// What a rule does.
  enum Action: Hashable, Sendable {
    case block, allow, allowAllRequests, upgradeScheme
    /// The fields of WebKit's `redirect` object, as JSON, and how Chromium's rule says where to.
    case redirect(json: String, kind: RedirectKind)
    case modifyHeaders(HeaderEdits)

    /// The order among rules of one priority, the weakest first.
    var step: Int {
      switch self {
      case .modifyHeaders: 0
      case .redirect: 1
      case .upgradeScheme: 2
      case .block: 3
      case .allowAllRequests: 4
      case .allow: 5
      }
    }

    var isAllowing: Bool { self == .allow || self == .allowAllRequests }
    var isRedirect: Bool { if case .redirect = self { true } else { false } }
  }

  /// What WebKit does otherwise depends on how a redirect is said.
  enum RedirectKind: Hashable, Sendable { case address, substitution, transform, parameters }

  /// Changes of headers.
  struct HeaderEdits: Hashable, Sendable {
    /// An operation on a header.
    struct Edit: Hashable, Sendable {
      var header: String
      var operation: String
      var value: String?
    }

    var request: [Edit] = []
    var response: [Edit] = []
  }

  /// The loads that a rule is for; an absent part is no restriction.
  struct Condition: Hashable, Sendable {
    var urlFilter: String?
    var regexFilter: String?
    var isCaseSensitive = false
    var types: [String]?
    var excludedTypes: [String]?
    var isThirdParty: Bool?
    var requestDomains: [String]?
    var excludedRequestDomains: [String] = []
    var initiatorDomains: [String]?
    var excludedInitiatorDomains: [String] = []
    var topDomains: [String]?
    var excludedTopDomains: [String] = []
    var methods: [String]?
    var excludedMethods: [String] = []
    /// A part that no rule of WebKit's can have, such as `tabIds`.
    var unsupported: String?
  }
}

/// What the reader made of one element of the array.
package enum ImportedElement: Sendable {
  case rule(ImportedRule)
  /// What Chromium refuses, with its place and the reason.
  case refused(id: Int?, offset: Int, reason: ImportReason)
}

extension ImportedElement {
  /// The rule's number in its file, if it has one.
  package var id: Int? {
    switch self {
    case .rule(let rule): rule.id
    case .refused(let id, _, _): id
    }
  }

  /// Its place in the file, in bytes.
  package var offset: Int {
    switch self {
    case .rule(let rule): rule.offset
    case .refused(_, let offset, _): offset
    }
  }
}
