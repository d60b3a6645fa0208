/// Why a source line was not converted as it stands, with a stable code and a sentence.
package struct ConversionReason: Hashable, Sendable {
  /// The kind of reason.
  package var code: Code
  /// What exactly, such as a modifier's or a selector's text; empty if the code says it all.
  package var detail: String

  /// The most bytes of a detail.
  private static let longestDetail = 240

  init(_ code: Code, _ detail: String = "") {
    self.code = code
    // What is quoted may be as long as a line.
    self.detail =
      detail.utf8.count <= Self.longestDetail
      ? detail : String(detail.prefix(Self.longestDetail / 4)) + "…"
  }

  /// One sentence without a full stop.
  package var sentence: String { code.sentence(detail) }

  /// The kinds of reasons; a raw value keeps its name in later versions.
  package enum Code: String, CaseIterable, Sendable {
    // Converted, but without a rule of its own, or with less than one may expect.
    case cancelledByException = "cancelled-by-exception"
    case cancelsNothing = "cancels-nothing"
    case disabledByBadfilter = "disabled-by-badfilter"
    case disablesFilters = "disables-filters"
    case leavesNoRule = "leaves-no-rule"
    case nothingToLift = "nothing-to-lift"

    // Approximated.
    case anchoredRegex = "anchored-regex"
    case beaconsAreOther = "beacons-are-other"
    case cookiesWholly = "cookies-wholly"
    case denyallowOrder = "denyallow-order"
    case documentsOfAllFrames = "documents-of-all-frames"
    case genericHidingAlone = "generic-hiding-alone"
    case genericHidingToo = "generic-hiding-too"
    case hidingToo = "hiding-too"
    case importantStays = "important-stays"
    case importantToo = "important-too"
    case loadsOnly = "loads-only"
    case objectsNotToldApart = "objects-not-told-apart"
    case otherIncludesPings = "other-includes-pings"
    case pagesNotByParty = "pages-not-by-party"
    case pagesOnly = "pages-only"
    case pingsWithoutBeacons = "pings-without-beacons"
    case popupsByScript = "popups-by-script"
    case rawTypes = "raw-types"
    case redirectedAsBlocked = "redirected-as-blocked"
    case strictPartyAsParty = "strict-party-as-party"
    case toAnywhereBehind = "to-anywhere-behind"
    case typesNotApplicable = "types-not-applicable"
    case unusableDomains = "unusable-domains"
    case wildcardDomain = "wildcard-domain"

    // Impossible.
    case cosmeticModifier = "cosmetic-modifier"
    case domainPattern = "domain-pattern"
    case exceptionOfOtherKind = "exception-of-other-kind"
    case extendedSelector = "extended-selector"
    case fragmentInPattern = "fragment-in-pattern"
    case hostsNotExcepted = "hosts-not-excepted"
    case htmlFilter = "html-filter"
    case includeRefused = "include-refused"
    case invalidSelector = "invalid-selector"
    case lineTooLong = "line-too-long"
    case methodOfPage = "method-of-page"
    case neverApplies = "never-applies"
    case noSuchAddress = "no-such-address"
    case noFilter = "no-filter"
    case notUTF8 = "not-utf8"
    case openSelector = "open-selector"
    case patternTooLong = "pattern-too-long"
    case regexLookaround = "regex-lookaround"
    case regexReference = "regex-reference"
    case regexSyntax = "regex-syntax"
    case regexTooLarge = "regex-too-large"
    case regexWordBoundary = "regex-word-boundary"
    case scriptlet
    case styleFilter = "style-filter"
    case targetLacks = "target-lacks"
    case tooManyBytes = "too-many-bytes"
    case tooManyExclusions = "too-many-exclusions"
    case twoConditions = "two-conditions"
    case twoPatterns = "two-patterns"
    case typeUnknownToWebKit = "type-unknown-to-webkit"
    case unknownModifier = "unknown-modifier"
    case unsupportedModifier = "unsupported-modifier"

    // Comments.
    case affinity
    case localName = "local-name"
    case otherPlatform = "other-platform"
    case switchedOff = "switched-off"
  }
}

extension ConversionReason.Code {
  /// Says a reason in a sentence without a full stop.
  package func sentence(_ detail: String) -> String {
    switch self {
    case .cancelledByException: "exceptions of the list lift it everywhere"
    case .cancelsNothing: "no filter of the lists has what it lifts"
    case .disabledByBadfilter: "a filter with $badfilter disables it"
    case .disablesFilters: "it disables filters, and needs no rule"
    case .leavesNoRule: "what it lifts has no rule at all"
    case .nothingToLift: "it lifts what WebKit's rules never do, so no rule is needed"
    case .anchoredRegex:
      "matched at the start of a URL alone; anywhere else it would be too large for an automaton"
    case .beaconsAreOther: "beacons have the type other in WebKit, with workers and manifests"
    case .cookiesWholly: "all cookies of the load are left out, those sent and those received"
    case .denyallowOrder:
      "the hosts of $denyallow are excepted from earlier filters with $denyallow, too"
    case .documentsOfAllFrames:
      "\(detail) does not tell documents of pages from those of frames"
    case .genericHidingAlone:
      "before Safari 26.2 specific hiding is excepted on pages of a host alone"
    case .genericHidingToo:
      "before Safari 26.2 hiding for all pages begins with none of the loads that it excepts"
    case .hidingToo: "before Safari 15 what lifts blocking for a page lifts its hiding, too"
    case .importantStays:
      "important filters without domains are lifted for pages of named hosts alone, and not here"
    case .importantToo:
      "before Safari 26.2 it lifts important filters, too"
    case .loadsOnly: "the load itself is excepted, and not what its document loads and shows"
    case .objectsNotToldApart: "WebKit has no type for objects of plug-ins"
    case .otherIncludesPings: "WebKit's type other has pings and reports, too"
    case .pagesNotByParty:
      "a page is first-party to itself, so that pages are not told apart by who links to them"
    case .pagesOnly:
      "pages are blocked, and not windows and loads, for which \(detail) cannot except hosts here"
    case .pingsWithoutBeacons:
      "only pings of links: beacons have the type other in WebKit, and a filter for all URLs would "
        + "block workers and manifests with them"
    case .popupsByScript: "windows that scripts open, and not those of links with a target"
    case .rawTypes: "\(detail) has one type for fetch, WebSocket, pings and others"
    case .redirectedAsBlocked: "the load is blocked instead of being answered by a substitute"
    case .strictPartyAsParty: "by the registrable domain, and not by the host"
    case .toAnywhereBehind: "the pattern is matched behind the host alone"
    case .typesNotApplicable: "without what WebKit has no type for: \(detail)"
    case .unusableDomains: "without the domains that WebKit cannot name: \(detail)"
    case .wildcardDomain:
      "“.*” stands for one label, or for two of which the last is a country, and not for a public "
        + "suffix"
    case .cosmeticModifier: "WebKit has no condition like [$\(detail)] for hiding"
    case .domainPattern: "WebKit cannot name the domain \(detail)"
    case .exceptionOfOtherKind: "an exception from $\(detail) alone has no rule in WebKit"
    case .extendedSelector: "\(detail) is no selector of style sheets"
    case .fragmentInPattern: "URLs of http and https are matched without their fragment"
    case .hostsNotExcepted:
      "only filters that block what pages load can except hosts, and not what \(detail) does here"
    case .htmlFilter: "WebKit does not change the text of a page"
    case .includeRefused: "the file was not included: \(detail)"
    case .invalidSelector: "WebKit refuses the selector: \(detail)"
    case .openSelector:
      "the selector is not closed, and would swallow the rest of WebKit's style sheet"
    case .lineTooLong: "the line has more than 1 MiB"
    case .methodOfPage: "WebKit compares the method by which the page was fetched, not the load's"
    case .neverApplies: "its conditions exclude each other"
    case .noFilter: detail
    case .noSuchAddress: "no URL that WebKit looks at begins like this"
    case .notUTF8: "the line is not UTF-8"
    case .patternTooLong: "as a rule the pattern would have more than 65,536 characters"
    case .regexLookaround: "WebKit's patterns have no look-ahead and no look-behind"
    case .regexReference: "WebKit's patterns have no references to groups"
    case .regexSyntax: "the regular expression cannot be read: \(detail)"
    case .regexTooLarge: "as rules of WebKit the regular expression would be too large"
    case .regexWordBoundary:
      "WebKit's patterns have no word boundaries, and what stands beside this one does not decide it"
    case .scriptlet: "content blockers run no scripts"
    case .styleFilter: "content blockers hide elements, and set no other style"
    case .targetLacks: detail
    case .tooManyBytes: "all rules together would be too large"
    case .tooManyExclusions: "too many excluded subdomains for one condition"
    case .twoConditions: "a rule has one condition on the page, and this would need two"
    case .twoPatterns: "a rule has one pattern for the URL, and this would need two"
    case .typeUnknownToWebKit: "WebKit has no type for \(detail)"
    case .unknownModifier: "no blocker has a modifier \(detail)"
    case .unsupportedModifier: "content blockers have nothing like $\(detail)"
    case .affinity: "it assigns filters to one of several content blockers, and here is one list"
    case .localName: "names of the machine itself block nothing"
    case .otherPlatform: "a hint says that it is for other platforms"
    case .switchedOff: "an !#if leaves it out for Safari"
    }
  }
}
