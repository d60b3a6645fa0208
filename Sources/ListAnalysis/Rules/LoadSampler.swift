package import ContentBlocking
internal import ContentRules
internal import ResourceLoads
package import RuleProofs
internal import WebURL

/// Makes loads that a rule matches, to try what is claimed of it.
package struct LoadSampler {
  private let sets: LoadSets
  private let samples: PatternSamples
  /// Whether documents come first, as suits rules that hide.
  package var prefersDocuments = false

  /// Pages on which rules without conditions are tried.
  private static let pages = ["https://page.test/", "http://other.example/a?b"]

  /// Creates a sampler for rules of some sets.
  package init(sets: LoadSets, samples: PatternSamples) {
    self.sets = sets
    self.samples = samples
  }

  /// Returns loads that are in a set, as far as they are found.
  ///
  /// - Parameters:
  ///   - loads: The set.
  ///   - limit: The most loads.
  /// - Returns: The loads.
  package func loads(of loads: LoadSet, limit: Int = 8) -> [ResourceLoad] {
    guard case .some(let urls) = samples.samples(of: loads.pattern) else { return [] }
    return self.loads(of: loads, urls: urls, limit: limit)
  }

  /// Returns loads that are in one set and probably not in another, as far as they are found.
  ///
  /// - Parameters:
  ///   - loads: The set.
  ///   - other: The set to stay outside of.
  ///   - limit: The most loads.
  /// - Returns: The loads.
  package func loads(
    of loads: LoadSet,
    outside other: LoadSet,
    limit: Int = 12
  ) -> [ResourceLoad] {
    var made: [ResourceLoad] = []
    if let url = url(matching: [loads.pattern], notMatching: [other.pattern]) {
      made += self.loads(of: loads, urls: [url], limit: 4)
    }
    var rest = loads
    rest.types = loads.types.subtracting(other.types)
    if !rest.types.isEmpty { made += self.loads(of: rest, limit: 3) }
    rest = loads
    rest.parties = loads.parties.subtracting(other.parties)
    if !rest.parties.isEmpty { made += self.loads(of: rest, limit: 3) }
    rest = loads
    rest.contexts = loads.contexts.subtracting(other.contexts)
    if !rest.contexts.isEmpty { made += self.loads(of: rest, limit: 3) }
    for page in sets.conditions.pages(in: loads.condition, outside: other.condition, limit: 3) {
      rest = loads
      rest.condition = page
      made += self.loads(of: rest, limit: 3)
    }
    if other.method != nil, loads.method == nil {
      rest = loads
      rest.method = other.method == .post ? .put : .post
      made += self.loads(of: rest, limit: 2)
    }
    return Array(made.prefix(limit))
  }

  /// Returns loads that are in two sets.
  package func loads(of loads: LoadSet, and other: LoadSet, limit: Int = 6) -> [ResourceLoad] {
    guard let url = url(matching: [loads.pattern, other.pattern]) else { return [] }
    var both = loads
    both.types = loads.types.intersection(other.types)
    both.parties = loads.parties.intersection(other.parties)
    both.contexts = loads.contexts.intersection(other.contexts)
    both.method = loads.method ?? other.method
    guard !both.types.isEmpty, !both.parties.isEmpty, !both.contexts.isEmpty else { return [] }
    var made = self.loads(of: both, urls: [url], limit: limit)
    both.condition = other.condition
    made += self.loads(of: both, urls: [url], limit: limit)
    return made
  }

  /// Returns loads of a set whose URLs two patterns at most do not match.
  package func loads(
    of loads: LoadSet,
    avoiding patterns: [PatternTable.Number],
    limit: Int = 4
  ) -> [ResourceLoad] {
    guard let url = url(matching: [loads.pattern], notMatching: Array(patterns.prefix(2))) else {
      return []
    }
    return self.loads(of: loads, urls: [url], limit: limit)
  }

  /// Returns loads of some URLs that are in a set but perhaps for the URL.
  package func loads(of loads: LoadSet, urls: [String], limit: Int) -> [ResourceLoad] {
    var made: [ResourceLoad] = []
    for text in urls + socketURLs(loads) {
      guard let url = WebURL(text), url.serialized == text else {
        continue
      }
      let isSocket = text.hasPrefix("ws:") || text.hasPrefix("wss:")
      for type in types(of: loads, isSocket: isSocket) {
        if type == .topDocument {
          for document in documents(of: loads, url) where made.count < limit {
            made.append(document)
          }
          continue
        }
        for (top, frame) in pages(of: loads, url) {
          guard made.count < limit else { return made }
          made.append(load(url, type, top: top, frame: frame, loads))
        }
      }
    }
    return made
  }

  /// Returns a URL, of the web if there is one.
  private func url(
    matching patterns: [PatternTable.Number],
    notMatching others: [PatternTable.Number] = []
  ) -> String? {
    for urls in [URLAutomaton.pages, .everything] {
      if case .found(let url) = sets.patterns.url(
        matching: patterns,
        notMatching: others,
        in: urls
      ) {
        return url
      }
    }
    return nil
  }

  /// Returns loads of documents, which are their own pages.
  private func documents(of loads: LoadSet, _ url: WebURL) -> [ResourceLoad] {
    let pages = loads.condition == 0 ? [url] : self.pages(of: loads, url).map(\.top)
    let automaton = sets.patterns.automaton(loads.pattern)
    return pages.compactMap { page in
      let text = page.serialized
      guard sets.patterns.isUniversal(loads.pattern) || automaton?.matches(text) ?? false else {
        return nil
      }
      return ResourceLoad(
        url: page,
        resourceType: .topDocument,
        requestMethod: loads.method ?? .get
      )
    }
  }

  private func load(
    _ url: WebURL,
    _ type: ResourceType,
    top: WebURL,
    frame: WebURL?,
    _ loads: LoadSet
  ) -> ResourceLoad {
    var load = ResourceLoad(
      url: url,
      topURL: top,
      frameURL: frame,
      resourceType: type,
      requestMethod: loads.method ?? .get
    )
    if !loads.parties.contains(load.loadType) { load.loadTypeOverride = loads.parties }
    if !loads.contexts.contains(load.loadContext) {
      load.loadContext = loads.contexts.contains(.topFrame) ? .topFrame : .childFrame
    }
    return load
  }

  private func socketURLs(_ loads: LoadSet) -> [String] {
    guard loads.types == .webSocket,
      case .found(let url) = sets.patterns.url(matching: [loads.pattern], in: .webSockets)
    else { return [] }
    return [url]
  }

  /// Returns up to three types, those that say most first.
  private func types(of loads: LoadSet, isSocket: Bool) -> [ResourceType] {
    if isSocket { return loads.types.contains(.webSocket) ? [.webSocket] : [] }
    let first: [ResourceType] =
      prefersDocuments ? [.topDocument, .script, .image] : [.script, .image, .topDocument]
    let order: [ResourceType] =
      first + [
        .childDocument, .fetch, .styleSheet, .font, .media, .other,
        .popup, .ping, .svgDocument, .cspReport,
      ]
    return Array(
      order.filter { loads.types.contains($0) && Self.exists($0, loads.contexts) }.prefix(3)
    )
  }

  /// Whether a type is loaded in one of some contexts: the document of an iframe counts as one of a child frame, and
  /// that of a page as one of the top frame.
  private static func exists(_ type: ResourceType, _ contexts: LoadContext) -> Bool {
    switch type {
    case .childDocument: contexts.contains(.childFrame)
    case .topDocument: contexts.contains(.topFrame)
    default: true
    }
  }

  /// Returns pages and frames on which a set's condition holds.
  private func pages(of loads: LoadSet, _ url: WebURL) -> [(top: WebURL, frame: WebURL?)] {
    var own = Self.pages.compactMap { WebURL($0) }
    // A page of the load's own site, for first-party loads.
    if !loads.parties.contains(.thirdParty) { own.insert(url, at: 0) }
    guard let condition = sets.conditions.condition(loads.condition), !condition.isNegated else {
      return own.prefix(2).map { ($0, nil) }
    }
    var texts: [String] = sets.conditions.hosts(of: loads.condition).hosts.prefix(3).map {
      "https://\($0)/"
    }
    if texts.isEmpty,
      let (entries, _, _) = sets.conditions.patterns(of: loads.condition, limit: 64)
    {
      for entry in entries.prefix(3) {
        if case .found(let text) = sets.patterns.url(matching: [entry], in: .pages) {
          texts.append(text)
        }
      }
    }
    let pages = texts.compactMap { WebURL($0) }
    if condition.subject == .frameURL { return pages.map { (own[0], $0) } }
    return pages.map { ($0, nil) }
  }
}
