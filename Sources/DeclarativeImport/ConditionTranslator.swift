internal import ContentRules

/// The conditions of a rule as triggers of WebKit's.
///
/// A trigger has one pattern and one condition on the page or frame, and no alternatives, so one
/// rule may become several.
struct ConditionTranslator {
  /// A trigger's fields as JSON, without those of its pattern.
  struct Trigger: Hashable {
    var pattern: String
    var isCaseSensitive: Bool
    var fields: String

    /// The fields as JSON.
    var json: String {
      "\"url-filter\":\(quoted(pattern))"
        + (isCaseSensitive ? ",\"url-filter-is-case-sensitive\":true" : "") + fields
    }
  }

  var triggers: [Trigger] = []
  var reasons: [ImportReason] = []
  /// Hosts of requests that the rule must leave alone, which other rules have to see to.
  var excludedHosts: [String] = []

  private let condition: ImportedRule.Condition

  /// Translates the conditions of a rule.
  ///
  /// - Parameters:
  ///   - condition: The conditions.
  ///   - excluded: Types in WebKit's words that the action is not for.
  ///   - expressions: Gives WebKit's patterns for a regular expression.
  /// - Throws: Why WebKit cannot express them.
  init(
    _ condition: ImportedRule.Condition,
    without excluded: Set<String> = [],
    expressions: ExpressionPatterns
  ) throws(ImportReason) {
    self.condition = condition
    if let key = condition.unsupported { throw ImportReason(.unsupportedCondition, key) }
    var (all, lost) = WebKitTypes.words(of: condition)
    if !all.isEmpty, all.isSubset(of: excluded) { throw ImportReason(.neverApplies) }
    all.subtract(excluded)
    if !lost.isEmpty { add(.typesNotApplicable, lost.joined(separator: ", ")) }
    guard !all.isEmpty else {
      throw ImportReason(.unsupportedCondition, "the type \(lost.joined(separator: ", "))")
    }
    let patterns = try self.patterns(expressions)
    for scope in try scopes(all) {
      for method in scope.methods {
        for pattern in patterns {
          triggers.append(
            Trigger(
              pattern: pattern,
              isCaseSensitive: condition.isCaseSensitive,
              fields: scope.fields + method
            )
          )
        }
      }
    }
    guard !triggers.isEmpty else { throw ImportReason(.neverApplies) }
  }

  private mutating func add(_ code: ImportReason.Code, _ detail: String = "") {
    let reason = ImportReason(code, detail)
    if !reasons.contains(reason) { reasons.append(reason) }
  }

  // MARK: Addresses

  /// The patterns of URLs, any of which is enough.
  private mutating func patterns(
    _ expressions: ExpressionPatterns
  ) throws(ImportReason) -> [String] {
    excludedHosts = condition.excludedRequestDomains
    if let domains = condition.requestDomains {
      if condition.regexFilter != nil { throw ImportReason(.twoPatterns) }
      let named = Self.outermost(domains)
      let excluded = CoveringDomains(excludedHosts)
      let wanted = named.filter { !excluded.cover($0) }
      guard !wanted.isEmpty else { throw ImportReason(.neverApplies) }
      excludedHosts = excludedHosts.filter(CoveringDomains(wanted).cover)
      guard let filter = condition.urlFilter else { return wanted.map(URLPatterns.host) }
      let made = wanted.map { ($0, pattern(filter, on: $0)) }
      let patterns = made.compactMap(\.1)
      // An anchored pattern names a host; domains that have nothing to do with it never match.
      guard !patterns.isEmpty else { throw ImportReason(.twoPatterns) }
      if patterns.contains(where: \.isBehindHost) { add(.behindHost) }
      return Self.unique(patterns.map(\.pattern))
    }
    if let expression = condition.regexFilter {
      let made = try expressions.patterns(expression)
      for difference in made.differences { add(.regexDiffers, difference) }
      return made.patterns
    }
    guard let filter = condition.urlFilter else { return [URLPatterns.everything] }
    let parts = FilterParts(filter)
    if parts.start == .host {
      let name = String(parts.body.prefix { !"^*/:?".contains($0) })
      if let next = parts.body.dropFirst(name.count).first, "^/:".contains(next) {
        if CoveringDomains(excludedHosts).cover(name) { throw ImportReason(.neverApplies) }
        excludedHosts = excludedHosts.filter(CoveringDomains([name]).cover)
      }
    }
    return [URLPatterns(filter: filter, isCaseSensitive: condition.isCaseSensitive).pattern]
  }

  private func pattern(_ filter: String, on domain: String) -> URLPatterns? {
    URLPatterns(filter: filter, on: domain, isCaseSensitive: condition.isCaseSensitive)
  }

  static func unique(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }

  /// Domains without those below others of them.
  static func outermost(_ domains: [String]) -> [String] {
    let all = Set(domains)
    return domains.filter { domain in
      URLPatterns.isAddress(domain) || !ParentDomains(of: domain).contains(where: all.contains)
    }
  }

  // MARK: Types, parties, pages and methods

  /// Loads that one set of fields describes.
  private struct Scope {
    var fields: String
    /// The fields for methods; one empty one for all methods.
    var methods: [String]
  }

  /// Splits the types by what their rules need.
  private mutating func scopes(_ all: Set<String>) throws(ImportReason) -> [Scope] {
    var types = all
    var methods = [""]
    if condition.methods != nil || !condition.excludedMethods.isEmpty {
      let documents = types.intersection(["top-document", "child-document"])
      guard !documents.isEmpty else { throw ImportReason(.methodOfPage) }
      if documents != types { add(.documentsOnly) }
      types = documents
      methods = methodFields()
      guard !methods.isEmpty else { throw ImportReason(.neverApplies) }
    }
    var pages = types.intersection(["top-document"])
    var frames = types.intersection(["child-document"])
    let others = types.subtracting(["top-document", "child-document"])
    let conditions = try ImportedPages(condition)
    if conditions.needsInitiator, !pages.isEmpty {
      add(.pagesNotByInitiator)
      pages = []
    }
    if let isThird = condition.isThirdParty, !pages.isEmpty {
      add(.pagesNotByParty)
      // A page that nobody opens has no party, which counts as another one.
      if !isThird { pages = [] }
    }
    if pages.union(frames).union(others).isEmpty, let reason = reasons.last {
      // No more than pages was asked for, and the last reason has taken them.
      throw reason
    }
    if conditions.isOfInitiator, !frames.isEmpty { add(.frameOfPage) }
    let party = condition.isThirdParty.map {
      ",\"load-type\":[\"\($0 ? "third-party" : "first-party")\"]"
    }
    var groups: [(types: Set<String>, fields: String)] = []
    if !conditions.isOfInitiator, party == nil || pages.isEmpty {
      groups = [(pages.union(frames).union(others), (party ?? "") + conditions.ofTop)]
    } else {
      if conditions.ofFrame == conditions.ofTop {
        frames.formUnion(others)
      } else {
        groups.append((others, (party ?? "") + conditions.ofFrame))
      }
      groups.append((frames, (party ?? "") + conditions.ofTop))
      groups.append((pages, conditions.ofPage))
    }
    guard
      methods == [""]
        || groups.allSatisfy({ $0.types.isEmpty || !$0.fields.contains("-url") })
          && conditions.ofTop.isEmpty
    else { throw ImportReason(.twoConditions) }
    return groups.filter { !$0.types.isEmpty }.map { types, fields in
      let words = WebKitTypes.order.filter(types.contains).map(quoted).joined(separator: ",")
      return Scope(fields: ",\"resource-type\":[\(words)]" + fields, methods: methods)
    }
  }

  private func methodFields() -> [String] {
    let known = ["get", "head", "options", "put", "delete", "post", "patch", "connect"]
    let excluded = Set(condition.excludedMethods)
    return (condition.methods ?? known).filter { known.contains($0) && !excluded.contains($0) }
      .map { ",\"request-method\":\"\($0)\"" }
  }
}

/// What a rule asks of pages and of documents that make requests, as fields of triggers.
private struct ImportedPages {
  /// For what a document loads, frames apart.
  var ofFrame = ""
  /// For documents of frames.
  var ofTop = ""
  /// For pages.
  var ofPage = ""
  /// Whether the document that makes the request is asked for.
  var isOfInitiator = false
  /// Whether it must be a certain one, so that pages without one are not meant.
  var needsInitiator = false

  init(_ condition: ImportedRule.Condition) throws(ImportReason) {
    let initiator = try Self.condition(
      condition.initiatorDomains,
      condition.excludedInitiatorDomains
    )
    let top = try Self.condition(condition.topDomains, condition.excludedTopDomains)
    guard initiator == nil || top == nil else { throw ImportReason(.twoConditions) }
    if let top {
      ofTop = Self.domains(top)
      ofFrame = ofTop
      ofPage = ofTop
    } else if let initiator {
      isOfInitiator = true
      needsInitiator = initiator.isWanted
      ofTop = Self.domains(initiator)
      let patterns = initiator.domains.map { quoted(URLPatterns.host($0)) }
      let key = initiator.isWanted ? "if-frame-url" : "unless-frame-url"
      ofFrame = ",\"\(key)\":[\(patterns.joined(separator: ","))]"
    }
  }

  private typealias Domains = (domains: [String], isWanted: Bool)

  /// The one condition that wanted and excluded domains are; `nil` for none.
  private static func condition(
    _ wanted: [String]?,
    _ excluded: [String]
  ) throws(ImportReason) -> Domains? {
    // WebKit cannot read a domain with brackets, and would refuse the list.
    if let odd = ((wanted ?? []) + excluded).first(where: { $0.contains { "[]:".contains($0) } }) {
      throw ImportReason(.unsupportedCondition, "the domain \(odd)")
    }
    guard let wanted else {
      return excluded.isEmpty ? nil : (ConditionTranslator.outermost(excluded), false)
    }
    let covering = CoveringDomains(excluded)
    let left = ConditionTranslator.outermost(wanted).filter { !covering.cover($0) }
    guard !left.isEmpty else { throw ImportReason(.neverApplies) }
    guard !excluded.contains(where: CoveringDomains(left).cover) else {
      throw ImportReason(.twoConditions)
    }
    return (left, true)
  }

  private static func domains(_ condition: Domains) -> String {
    let entries = condition.domains.map { domain in
      quoted(URLPatterns.isAddress(domain) ? domain : "*" + domain)
    }
    return ",\"\(condition.isWanted ? "if" : "unless")-domain\":[\(entries.joined(separator: ","))]"
  }
}
