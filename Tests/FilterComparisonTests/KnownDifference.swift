import FilterConversion
import FilterMatcher

/// A way in which a converted list may decide otherwise than filters do.
struct KnownDifference: Sendable {
  /// The reason in the account of some line; `nil` if the account does not mention it.
  var code: ConversionReason.Code?
  /// Why it cannot be otherwise.
  var reason: String
  /// The requests that it is about.
  var concerns: @Sendable (FilterRequest, PlainFilterList.Decision) -> Bool

  /// All that there are; everything else is a fault.
  static let all = [
    KnownDifference(
      reason: """
        Adblock Plus drops the anchor behind a final separator; AdGuard, uBlock Origin and Brave keep \
        it, and so do we
        """
    ) { _, decision in
      (decision.filter?.prefix { $0 != "$" }).map { $0.hasSuffix("^|") } ?? false
    },
    KnownDifference(code: .beaconsAreOther, reason: "WebKit's type of a beacon is other") {
      request,
      _ in ["ping", "other"].contains(request.type)
    },
    KnownDifference(code: .otherIncludesPings, reason: "WebKit's word other selects pings too") {
      request,
      _ in request.type == "ping"
    },
    KnownDifference(code: .redirectedAsBlocked, reason: "content blockers cannot answer requests") {
      _,
      decision in decision.fate == .replace
    },
    KnownDifference(
      code: .denyallowOrder,
      reason: "an exception in WebKit lifts everything before it, and not one filter"
    ) { _, decision in decision.fate == .block },
    KnownDifference(code: .pagesNotByParty, reason: "a page is first-party to itself in WebKit") {
      request,
      _ in request.type == "document"
    },
    KnownDifference(
      code: .pagesOnly,
      reason: "an exception in WebKit lifts everything before it, and a page is its own top URL"
    ) { request, _ in request.type != "document" },
    KnownDifference(
      reason: """
        what blocks pages themselves stands in front of what an exception from generic filters lifts, \
        as filters for some pages must not be lifted with it
        """
    ) { request, decision in
      request.type == "document" && decision.fate == .load
        && decision.filter?.contains("genericblock") ?? false
    },
    KnownDifference(
      code: .wildcardDomain,
      reason: "WebKit's domains have no wildcard, and patterns know no public suffixes"
    ) { _, _ in true },
    KnownDifference(
      code: .toAnywhereBehind,
      reason: "a pattern in WebKit cannot be looked for in the host alone"
    ) { _, _ in true },
  ]

  /// The difference that explains a decision, if one does.
  static func explaining(
    _ request: FilterRequest,
    _ decision: PlainFilterList.Decision,
    _ codes: Set<ConversionReason.Code>
  ) -> KnownDifference? {
    all.first { ($0.code.map(codes.contains) ?? true) && $0.concerns(request, decision) }
  }
}
