extension EngineRelease {
  /// Whether an engine lacks a word of `resource-type`.
  package func lacks(resourceType word: String) -> Bool {
    EngineFeature.resourceTypes[word].map { lacks($0) } ?? false
  }

  /// Whether an engine lacks `load-context`.
  package var lacksLoadContext: Bool { lacks(.loadContext) }

  /// Whether an engine lacks `if-top-url` and `unless-top-url`.
  package var lacksTopURL: Bool { lacks(.topURL) }

  /// Whether an engine lacks `request-method`.
  package var lacksRequestMethod: Bool { lacks(.requestMethod) }

  /// Whether an engine lacks `ignore-following-rules`.
  package var lacksIgnoreFollowingRules: Bool { lacks(.ignoreFollowingRules) }

  /// The most rules that an engine takes in one list.
  package var ruleLimit: Int { lacks(.largeLists) ? 50_000 : RuleListReader.ruleLimit }
}

extension SelectorList {
  /// Returns the youngest part of a valid selector list that not every Safari with content blockers
  /// knows, with the first version that does; `nil` if there is none.
  package static func youngestPart(in text: Span<UInt8>) -> (name: String, since: SafariVersion)? {
    var youngest: (name: String, since: SafariVersion)?
    SelectorAge.forEach(in: text) { name, feature, _ in
      guard let version = feature.safari, youngest.map({ $0.since < version }) ?? true else {
        return
      }
      youngest = (name, version)
    }
    return youngest
  }

  /// Returns a part of a valid selector list that an engine lacks; `nil` if it has all.
  package static func part(in text: Span<UInt8>, lackedBy engine: EngineRelease) -> String? {
    var lacked: String?
    SelectorAge.forEach(in: text) { name, feature, _ in
      if lacked == nil, engine.lacks(feature) { lacked = name }
    }
    return lacked
  }
}
