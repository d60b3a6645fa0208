internal import ContentRules
internal import ResourceLoads

extension Trigger {
  /// All restrictions of the trigger besides its pattern, in the words of rule lists.
  ///
  ///     resource-type image, script; load-type third-party; if-domain a.test, b.test and 3 more
  var conditionsText: String {
    var parts: [String] = []
    if urlFilter.isCaseSensitive { parts.append("case-sensitive") }
    let types = ResourceType.words.filter { flags.resourceTypes.contains($0.type) }
    if !types.isEmpty {
      parts.append("resource-type " + types.map { "\($0.word)" }.joined(separator: ", "))
    }
    var parties: [String] = []
    if flags.loadTypes.contains(.firstParty) { parties.append("first-party") }
    if flags.loadTypes.contains(.thirdParty) { parties.append("third-party") }
    if !parties.isEmpty { parts.append("load-type " + parties.joined(separator: ", ")) }
    var contexts: [String] = []
    if flags.loadContexts.contains(.topFrame) { contexts.append("top-frame") }
    if flags.loadContexts.contains(.childFrame) { contexts.append("child-frame") }
    if !contexts.isEmpty { parts.append("load-context " + contexts.joined(separator: ", ")) }
    if let method = flags.requestMethod { parts.append("request-method \(method)") }
    if let condition { parts.append(condition.text) }
    return parts.joined(separator: "; ")
  }
}

extension Condition {
  /// The most entries to name; lists have rules with hundreds.
  private static let shownEntries = 4
  /// The most characters of an entry to keep.
  private static let entryLimit = 60

  fileprivate var text: String {
    let subject =
      switch subject {
      case .domain: "domain"
      case .topURL: "top-url"
      case .frameURL: "frame-url"
      }
    let shown = entries.prefix(Self.shownEntries).map { entry in
      entry.unicodeScalars.count <= Self.entryLimit
        ? entry : String(entry.unicodeScalars.prefix(Self.entryLimit - 1)) + "…"
    }
    let more = entries.count - shown.count
    return (isNegated ? "unless-" : "if-") + subject + " " + shown.joined(separator: ", ")
      + (more > 0 ? " and \(more) more" : "")
  }
}
