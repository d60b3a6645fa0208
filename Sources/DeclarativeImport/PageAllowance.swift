/// `allowAllRequests` as rules of WebKit's: what a page or frame loads is let through.
struct PageAllowance {
  /// The rules as JSON.
  var rules: [String] = []
  var reasons: [ImportReason] = []

  /// Translates the conditions of such a rule.
  ///
  /// - Throws: Why WebKit cannot express them.
  init(
    _ condition: ImportedRule.Condition,
    expressions: ExpressionPatterns
  ) throws(ImportReason) {
    // The address is the page's or the frame's; what else is asked of it WebKit does not know.
    var address = condition
    address.types = ["main_frame"]
    address.isThirdParty = nil
    guard condition.methods == nil, condition.excludedMethods.isEmpty else {
      throw ImportReason(.methodOfPage)
    }
    guard condition.initiatorDomains == nil, condition.excludedInitiatorDomains.isEmpty,
      condition.topDomains == nil, condition.excludedTopDomains.isEmpty
    else { throw ImportReason(.twoConditions) }
    let made = try ConditionTranslator(address, expressions: expressions)
    guard made.excludedHosts.isEmpty else { throw ImportReason(.twoPatterns) }
    reasons = made.reasons
    let patterns = ConditionTranslator.unique(made.triggers.map(\.pattern))
    let entries = patterns.map(quoted).joined(separator: ",")
    let types = condition.types ?? []
    if types.contains("main_frame") {
      if condition.isThirdParty != nil { reasons.append(ImportReason(.pagesNotByParty)) }
      // A page that nobody opens counts as one of another party.
      if condition.isThirdParty != false {
        let cased = condition.isCaseSensitive ? ",\"top-url-filter-is-case-sensitive\":true" : ""
        rules.append(Self.rule("\"url-filter\":\".*\"\(cased),\"if-top-url\":[\(entries)]"))
      }
    }
    if types.contains("sub_frame") {
      reasons.append(ImportReason(.nestedFrames))
      let party = condition.isThirdParty.map {
        ",\"load-type\":[\"\($0 ? "third-party" : "first-party")\"]"
      }
      for trigger in made.triggers {
        let cased = trigger.isCaseSensitive ? ",\"url-filter-is-case-sensitive\":true" : ""
        rules.append(
          Self.rule(
            "\"url-filter\":\(quoted(trigger.pattern))\(cased)"
              + ",\"resource-type\":[\"child-document\"]" + (party ?? "")
          )
        )
      }
      let cased = condition.isCaseSensitive ? ",\"frame-url-filter-is-case-sensitive\":true" : ""
      rules.append(
        Self.rule(
          "\"url-filter\":\".*\",\"load-context\":[\"child-frame\"]\(cased)"
            + ",\"if-frame-url\":[\(entries)]"
        )
      )
    }
    guard !rules.isEmpty else { throw ImportReason(.neverApplies) }
  }

  private static func rule(_ trigger: String) -> String {
    "{\"trigger\":{\(trigger)},\"action\":{\"type\":\"ignore-previous-rules\"}}"
  }
}
