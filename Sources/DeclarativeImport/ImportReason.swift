/// Why a declarative rule does not become WebKit's as it stands.
package struct ImportReason: Hashable, Sendable {
  /// The kind of reason.
  package var code: Code
  /// What exactly; empty if the code says it all.
  package var detail: String

  init(_ code: Code, _ detail: String = "") {
    self.code = code
    self.detail = detail
  }

  /// The kinds of reasons; a raw value keeps its name in later versions.
  package enum Code: String, CaseIterable, Sendable {
    // Converted to something near.
    case behindHost = "behind-host"
    case blockWins = "block-wins"
    case cookiesWholly = "cookies-wholly"
    case documentsOnly = "documents-only"
    case exclusionsFirst = "exclusions-first"
    case exclusionsOfOthers = "exclusions-of-others"
    case frameOfPage = "frame-of-page"
    case needsPermission = "needs-permission"
    case nestedFrames = "nested-frames"
    case pagesNotByInitiator = "pages-not-by-initiator"
    case pagesNotByParty = "pages-not-by-party"
    case queryParameters = "query-parameters"
    case redirectsInTurn = "redirects-in-turn"
    case regexDiffers = "regex-differs"
    case responseHeaders = "response-headers"
    case sharedRedirect = "shared-redirect"
    case substitutionOfCase = "substitution-of-case"
    case substitutionOfURL = "substitution-of-url"
    case typesNotApplicable = "types-not-applicable"

    // Impossible.
    case invalidRule = "invalid-rule"
    case methodOfPage = "method-of-page"
    case neverApplies = "never-applies"
    case regex
    case regexSubstitution = "regex-substitution"
    case twoConditions = "two-conditions"
    case twoPatterns = "two-patterns"
    case unsupportedAction = "unsupported-action"
    case unsupportedCondition = "unsupported-condition"
  }

  /// One sentence without a full stop.
  package var sentence: String {
    switch code {
    case .behindHost: "the text is looked for behind the host alone"
    case .blockWins: "a rule of lower priority that blocks the load still blocks it"
    case .cookiesWholly: "cookies are left out that are sent, and those that are received"
    case .documentsOnly:
      "for documents alone: WebKit compares the method by which the page was fetched"
    case .exclusionsFirst:
      "rules of lower priority that allow lift it: it has to stand before them"
    case .exclusionsOfOthers: "the hosts that later rules exclude are excluded here, too"
    case .frameOfPage: "documents of frames by the page's domain, and not by who opens them"
    case .needsPermission: "WebKit does this for web extensions with the host's permission alone"
    case .nestedFrames: "not for frames within the frame"
    case .pagesNotByInitiator: "not for pages, of which WebKit does not know who opens them"
    case .pagesNotByParty: "pages are not told apart by who opens them"
    case .queryParameters:
      "WebKit adds parameters only where there is a query, replaces none but by replaceOnly, then all of the name, and "
        + "escapes nothing"
    case .redirectsInTurn:
      "WebKit redirects by each rule that matches, one after the other, and not by that of the highest priority alone"
    case .responseHeaders: "WebKit changes no headers of answers"
    case .sharedRedirect:
      "what allows a load by one rule takes all rules with the same redirect from it in WebKit"
    case .substitutionOfCase: "WebKit tells small letters from capitals where it substitutes"
    case .substitutionOfURL:
      "WebKit replaces the whole URL, and not what the expression matches alone"
    case .typesNotApplicable: "without what WebKit has no type for: \(detail)"
    case .invalidRule: "Chromium refuses the rule: \(detail)"
    case .methodOfPage: "WebKit compares the method by which the page was fetched, not the load's"
    case .neverApplies: "its conditions exclude each other"
    case .regex, .regexDiffers: detail
    case .regexSubstitution: "WebKit would take its groups from another expression"
    case .twoConditions: "a rule has one condition on the page, and this would need two"
    case .twoPatterns: "a rule has one pattern for the URL, and this would need two"
    case .unsupportedAction: "WebKit's rules cannot do this: \(detail)"
    case .unsupportedCondition: "WebKit's rules have no condition like \(detail)"
    }
  }
}
