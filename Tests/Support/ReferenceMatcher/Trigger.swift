/// The flag groups of a trigger: an empty group restricts nothing.
///
/// > Source: The rule language, sections 2.1 and 2.2.
struct TriggerFlags: Hashable {
  var resourceTypes: Set<String> = []
  var loadTypes: Set<String> = []
  var loadContexts: Set<String> = []
  var requestMethod: String?

  static let resourceTypeWords: [String: Set<String>] = {
    let plain = [
      "top-document", "child-document", "image", "style-sheet", "script", "font", "svg-document",
      "media", "popup", "ping", "fetch", "websocket", "csp-report",
    ]
    var words = Dictionary(uniqueKeysWithValues: plain.map { ($0, Set([$0])) })
    words["document"] = ["top-document", "child-document"]
    words["raw"] = ["fetch", "websocket", "other", "ping"]
    words["other"] = ["other", "ping", "csp-report"]
    return words
  }()
  static let loadTypeWords: [String: Set<String>] = [
    "first-party": ["first-party"], "third-party": ["third-party"],
  ]
  static let loadContextWords: [String: Set<String>] = [
    "top-frame": ["top-frame"], "child-frame": ["child-frame"],
  ]
  static let requestMethods: Set<String> = [
    "get", "head", "options", "trace", "put", "delete", "post", "patch", "connect",
  ]

  var isEmpty: Bool { self == TriggerFlags() }

  func allow(_ load: ReferenceLoad) -> Bool {
    (resourceTypes.isEmpty || resourceTypes.contains(load.resourceType))
      && (loadTypes.isEmpty
        || loadTypes.contains(load.isFirstParty ? "first-party" : "third-party"))
      && (loadContexts.isEmpty || loadContexts.contains(load.loadContext))
      && (requestMethod == nil || requestMethod == load.method?.lowercased())
  }
}

/// When a rule applies.
///
/// > Source: The rule language, sections 2.1 and 6.
struct Trigger {
  /// What makes two triggers the same, apart from their conditions.
  struct Identity: Hashable {
    var urlFilter: String
    var caseFlags: [Bool]
    var flags: TriggerFlags
  }

  var identity: Identity
  var condition: Condition?
  /// The url filter, ready for searching.
  ///
  /// Empty until ``preparePatterns(_:)``.
  var urlFilter = SearchPattern.everything

  var flags: TriggerFlags { identity.flags }

  /// Whether the rule applies to every load, by a pattern that matches everything.
  var isUniversal: Bool { urlFilter.matchesEverything && flags.isEmpty && condition == nil }

  init(_ value: JSONValue?) throws {
    guard let members = value?.object else { throw ReferenceRefusal(name: "JSONInvalidTrigger") }
    guard let urlFilter = members["url-filter"]?.string, !urlFilter.isEmpty else {
      throw ReferenceRefusal(name: "JSONInvalidURLFilterInTrigger")
    }
    let caseFlags = [
      "url-filter-is-case-sensitive", "top-url-filter-is-case-sensitive",
      "frame-url-filter-is-case-sensitive",
    ].map { members[$0]?.boolean ?? false }

    var flags = TriggerFlags()
    flags.resourceTypes = try Self.words(members["resource-type"], TriggerFlags.resourceTypeWords)
    flags.loadTypes = try Self.words(members["load-type"], TriggerFlags.loadTypeWords)
    flags.loadContexts = try Self.words(members["load-context"], TriggerFlags.loadContextWords)
    if let method = members["request-method"] {
      guard let word = method.string?.lowercased(), TriggerFlags.requestMethods.contains(word)
      else { throw ReferenceRefusal(name: "JSONInvalidRequestMethod") }
      flags.requestMethod = word
    }
    identity = Identity(urlFilter: urlFilter, caseFlags: caseFlags, flags: flags)

    for kind in Condition.Kind.allCases {
      guard let value = members[kind.rawValue] else { continue }
      guard condition == nil else { throw ReferenceRefusal(name: "JSONMultipleConditions") }
      condition = try Condition(
        kind,
        value,
        isCaseSensitive: kind.looksAtFrame ? caseFlags[2] : caseFlags[1]
      )
    }
  }

  private static func words(
    _ value: JSONValue?,
    _ known: [String: Set<String>]
  ) throws -> Set<String> {
    guard let value else { return [] }
    guard let members = value.array else {
      throw ReferenceRefusal(name: "JSONInvalidTriggerFlagsArray")
    }
    return try members.reduce(into: []) { result, member in
      guard let meaning = member.string.flatMap({ known[$0] }) else {
        throw ReferenceRefusal(name: "JSONInvalidStringInTriggerFlagsArray")
      }
      result.formUnion(meaning)
    }
  }

  /// Reads the patterns, which is done only after all rules of the list have been read.
  mutating func preparePatterns(_ cache: inout PatternCache) throws {
    urlFilter = try cache.pattern(identity.urlFilter, isCaseSensitive: identity.caseFlags[0])
    try condition?.preparePatterns(&cache)
  }

  func matches(_ load: SearchedLoad) -> Bool {
    guard urlFilter.matches(load.url, load.options) && flags.allow(load.load) else { return false }
    guard let condition else { return true }
    // The defect of section 6.4: with a request method, no entry is ever seen to match.
    let someEntryMatches = flags.requestMethod == nil && condition.someEntryMatches(load)
    return condition.kind.isUnless ? !someEntryMatches : someEntryMatches
  }
}

/// A load with its three texts ready for searching.
struct SearchedLoad {
  let load: ReferenceLoad
  let url: SearchedText
  let topURL: SearchedText
  let frameURL: SearchedText
  let options: ReferenceOptions

  init(_ load: ReferenceLoad, _ options: ReferenceOptions) {
    self.load = load
    self.options = options
    url = SearchedText(load.url)
    topURL = SearchedText(load.topURL)
    frameURL = SearchedText(load.frameURL)
  }
}

/// A pattern that is either known to match everything or has a machine.
struct SearchPattern {
  static let everything = SearchPattern(machine: nil)
  private let machine: PatternMachine?

  private init(machine: PatternMachine?) { self.machine = machine }

  init(_ pattern: ReferencePattern) {
    machine = pattern.matchesEverything ? nil : PatternMachine(pattern)
  }

  var matchesEverything: Bool { machine == nil }

  func matches(_ text: SearchedText, _ options: ReferenceOptions) -> Bool {
    guard let machine else { return true }
    if options.usesLiteralCheck && !machine.maybeFinds(in: text) { return false }
    return machine.finds(in: text)
  }
}

/// The patterns of a list, each read once however often it occurs.
struct PatternCache {
  private struct Key: Hashable {
    let text: [UInt8]
    let isCaseSensitive: Bool
  }
  private var known: [Key: SearchPattern] = [:]

  mutating func pattern(_ text: String, isCaseSensitive: Bool) throws -> SearchPattern {
    let key = Key(text: Array(text.utf8), isCaseSensitive: isCaseSensitive)
    if let pattern = known[key] { return pattern }
    let pattern = SearchPattern(try ReferencePattern(text, isCaseSensitive: isCaseSensitive))
    known[key] = pattern
    return pattern
  }
}
