/// How well browser rules express a rule of a list.
public enum Verdict: Hashable, Sendable {
  /// The browser decides as the engine does.
  case exact
  /// The browser decides differently in the given respects.
  case approximated([Difference])
  /// The browser does not do what the rule says.
  case notExpressible(Difference)
  /// A hiding rule, which an extension applies by a style sheet.
  case hiding
  /// The rule has no effect on loads for a content blocker, in Safari as here.
  case withoutEffect

  /// The differences, or the reason why the rule cannot be expressed; empty if exact.
  public var differences: [Difference] {
    switch self {
    case .approximated(let differences): differences
    case .notExpressible(let difference): [difference]
    case .exact, .hiding, .withoutEffect: []
    }
  }

  /// Whether the browser applies the rule at least in part.
  public var isExpressible: Bool {
    if case .notExpressible = self { false } else { true }
  }

  /// The verdict for a rule of which this is the verdict for one part, and another for the other.
  func joined(with other: Verdict) -> Verdict {
    switch (self, other) {
    case (.notExpressible, .notExpressible), (.exact, .exact): return self
    default: break
    }
    var differences = (self.differences + other.differences)
    if !isExpressible || !other.isExpressible { differences.append(.onlyInPart) }
    var seen: Set<Difference> = []
    differences = differences.filter { seen.insert($0).inserted }
    return differences.isEmpty ? self : .approximated(differences)
  }

  /// The verdict in a word or two.
  public var word: String {
    switch self {
    case .exact: "exact"
    case .approximated: "approximated"
    case .notExpressible: "not expressible"
    case .hiding: "done by an extension"
    case .withoutEffect: "without effect"
    }
  }
}

/// What the browser does otherwise than the engine, or why it does nothing.
public enum Difference: Hashable, Sendable {
  // Approximations.
  case domainsWithSubdomains
  case deeperSubdomains
  case atLabelStart
  case anySeparatorOrEnd
  case capitalIsNoSeparator
  case partyOfFrame
  case domainOfFrame
  case frameByOrigin
  case allFrames
  case documentsOnly
  case otherTypesOnly
  case partOfDomains
  case pageMethodIsGet
  case upgradeMatchedAgain
  case upgradeWithPort
  case liftsOtherLists
  case liftsEarlierToo
  case previousPage
  case onlyInPart
  // What cannot be said at all.
  case pageAddress
  case frameAddress
  case typesUnknown
  case subresourcesOfFrames
  case pageMethod
  case domainPattern
  case patternTooRich
  case regexTooLarge
  case regexLimit
  case ruleLimit
  case unsafeLimit
  case upgradePattern

  /// A short name that stays the same, for programs.
  public var code: String { "\(self)" }

  /// The difference in a sentence without a full stop.
  public var sentence: String {
    switch self {
    case .domainsWithSubdomains: "also on subdomains of the domains that are named without “*”"
    case .deeperSubdomains: "also for hosts more than one label below the one that is named"
    case .atLabelStart: "for hosts only where the name begins a label"
    case .anySeparatorOrEnd: "also where the URL ends instead of going on with a separator"
    case .capitalIsNoSeparator: "not where a capital letter follows"
    case .partyOfFrame:
      "the party is that of the frame, not of the page, so frames of other sites differ"
    case .domainOfFrame:
      "the domain is that of the frame, not of the page, so frames of other sites differ"
    case .frameByOrigin: "a frame is known by its document's host, and a new frame by who opens it"
    case .allFrames: "for what frames load as well"
    case .documentsOnly: "only for documents, not for what they load"
    case .otherTypesOnly: "without popup and svg-document, which the browser does not distinguish"
    case .partOfDomains: "without the domains that the browser cannot name"
    case .pageMethodIsGet: "on all pages, as if each was fetched by GET"
    case .upgradeMatchedAgain: "the upgraded URL is matched again, by all rules"
    case .upgradeWithPort: "URLs with a port are upgraded too"
    case .liftsOtherLists: "also lifts rules of other lists"
    case .liftsEarlierToo: "also lifts what matched before it"
    case .previousPage: "not for pages, of which the browser does not tell what was there before"
    case .onlyInPart: "only in part, for there are more rules than the browser takes"
    case .pageAddress: "the browser knows of a page's address the host alone"
    case .frameAddress: "the browser knows of a frame's address the host alone"
    case .typesUnknown: "the browser does not tell these types apart from others"
    case .subresourcesOfFrames: "the browser does not know which frame a load belongs to"
    case .pageMethod: "the browser does not know by which method a page was fetched"
    case .domainPattern: "its domains are none that the browser can name"
    case .patternTooRich: "the browser has no pattern like this"
    case .regexTooLarge: "as a regular expression it is larger than the browser allows"
    case .regexLimit: "there are more regular expressions than the browser takes"
    case .ruleLimit: "there are more rules than the browser takes"
    case .unsafeLimit: "there are more rules about headers than the browser takes"
    case .upgradePattern: "the browser cannot say this pattern and “http without a port” at once"
    }
  }
}
