internal import FilterLists

/// Filters that others disable by `$badfilter`.
struct DisabledFilters {
  private var keys: Set<[UInt8]> = []
  /// Those that some filter has.
  private var used: Set<[UInt8]> = []
  private var lines: [(key: [UInt8], line: Int)] = []
  /// A filter with `$badfilter` of AdGuard, which disables others on the pages of both.
  private struct Scope {
    var key: [UInt8]
    /// Its domains as they are written, in lower case; none for all pages.
    var names: Set<String>
    /// Those of them that end in `.*`.
    var wildcards: [PageScope.Domain]
  }
  /// Filters with `$badfilter` of AdGuard by what they say apart from domains without `~`.
  private var scopes: [[UInt8]: [Scope]] = [:]
  /// How many more domains of these are compared with those of filters.
  private var comparisons = 5_000_000

  /// How much of a filter is disabled.
  enum Extent {
    case nothing, everything
    /// What it does on the pages of some domains.
    case pages([PageScope.Domain])
    /// Too much would have to be compared to find out.
    case undecided
  }

  /// Reads all filters with `$badfilter`.
  init(_ collection: FilterCollection) {
    collection.forEachNetworkFilter(containing: "badfilter") { filter, source, _ in
      guard filter.modifiers.contains(where: { $0.kind == .badfilter }) else { return }
      let key = Self.key(filter, source)
      guard keys.insert(key).inserted, source.dialect == .adguard else { return }
      let names = Self.names(filter, source.text)
      scopes[Self.key(filter, source, withoutIncluded: true), default: []].append(
        Scope(key: key, names: names, wildcards: Self.wildcards(names))
      )
    }
  }

  /// The domains without `~` of a filter, as they are written, in lower case.
  private static func names(_ filter: NetworkFilter, _ text: [UInt8]) -> Set<String> {
    var names: Set<String> = []
    for modifier in filter.modifiers where modifier.kind == .domain {
      for part in FilterText.split(text, modifier.value ?? 0..<0, at: UInt8(ascii: "|"))
      where text[part.lowerBound] != UInt8(ascii: "~") {
        names.insert(FilterText.string(text, part).lowercased())
      }
    }
    return names
  }

  private static func wildcards(_ names: Set<String>) -> [PageScope.Domain] {
    names.filter { $0.hasSuffix(".*") }.compactMap(domain)
  }

  private static func domain(_ name: String) -> PageScope.Domain? {
    PageScope.domain(Array(name.utf8)[...])
  }

  private static func isAmong(_ wildcards: [PageScope.Domain], _ name: String) -> Bool {
    guard !wildcards.isEmpty, let domain = domain(name) else {
      return false
    }
    return wildcards.contains { PageScope.isBelow(domain, $0) }
  }

  /// Returns how much of a filter is disabled.
  ///
  /// In AdGuard a filter with `$badfilter` and domains disables others that say the same on the pages
  /// that both name, and one without domains on all pages of theirs; `*` is no more than a name there.
  mutating func extent(of filter: NetworkFilter, _ source: FilterSource) -> Extent {
    guard !keys.isEmpty else { return .nothing }
    if uses(Self.key(filter, source)) { return .everything }
    guard source.dialect == .adguard,
      let scopes = scopes[Self.key(filter, source, withoutIncluded: true)]
    else { return .nothing }
    let own = Self.names(filter, source.text)
    let ownWildcards = Self.wildcards(own)
    var disabled: Set<String> = []
    for scope in scopes {
      comparisons -=
        1 + own.count * (1 + scope.wildcards.count) + scope.names.count * ownWildcards.count
      guard comparisons > 0 else { return .undecided }
      let both =
        own.isEmpty
        ? scope.names
        : own.intersection(scope.names).union(own.filter { Self.isAmong(scope.wildcards, $0) })
          .union(scope.names.filter { Self.isAmong(ownWildcards, $0) })
      guard scope.names.isEmpty || !both.isEmpty else { continue }
      used.insert(scope.key)
      if scope.names.isEmpty { return .everything }
      disabled.formUnion(both)
    }
    guard !disabled.isEmpty else { return .nothing }
    if !own.isEmpty, own.isSubset(of: disabled) { return .everything }
    // Of names that no host has, nothing is disabled; of `*` beside others, no condition says it.
    guard !disabled.contains("*") else { return .undecided }
    return .pages(disabled.sorted().compactMap(Self.domain))
  }

  /// Whether a host of a hosts file's line is disabled, as `||host^`.
  mutating func contains(host: Range<Int>, _ text: [UInt8]) -> Bool {
    guard !keys.isEmpty, let host = AddressFilter.asciiHost(text[host]) else { return false }
    return uses(Self.key(host: host) + [0, 0])
  }

  private mutating func uses(_ key: [UInt8]) -> Bool {
    guard keys.contains(key) else { return false }
    used.insert(key)
    return true
  }

  /// Takes the line of a filter with `$badfilter`.
  mutating func add(_ filter: NetworkFilter, _ source: FilterSource, line: Int) {
    lines.append((Self.key(filter, source), line))
  }

  /// Accounts for the lines, once all filters have been looked at.
  func account(_ list: inout ListBuilder) {
    for (key, line) in lines {
      let code = used.contains(key) ? ConversionReason.Code.disablesFilters : .cancelsNothing
      list.account(line, .converted, ConversionReason(code))
    }
  }

  /// The pattern with the modifiers in one order and one spelling, `badfilter` apart.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - source: Its list.
  ///   - withoutIncluded: Whether domains without `~` are left out.
  /// - Returns: The key.
  private static func key(
    _ filter: NetworkFilter,
    _ source: FilterSource,
    withoutIncluded: Bool = false
  ) -> [UInt8] {
    let text = source.text
    var key = Array(text[filter.pattern])
    if source.dialect == .ubo, !filter.isRegex, NetworkConverter.anchorsHosts(filter, text),
      let host = AddressFilter.hostName(text, filter.pattern)
    {
      key = Self.key(host: host)
    }
    key.append(filter.isException ? 1 : 0)
    key.append(filter.isRegex ? 1 : 0)
    let modifiers = filter.modifiers
      .filter { $0.kind != .badfilter && $0.kind != .noop }
      .compactMap { spelling($0, text, withoutIncluded: withoutIncluded) }
    for modifier in modifiers.sorted() {
      key.append(0)
      key += Array(modifier.utf8)
    }
    return key
  }

  private static func key(host: [UInt8]) -> [UInt8] {
    Array("||".utf8) + host + [UInt8(ascii: "^")]
  }

  /// Returns one spelling for all that mean the same, such as `3p`, `third-party` and `~1p`.
  private static func spelling(
    _ modifier: FilterModifier,
    _ text: [UInt8],
    withoutIncluded: Bool
  ) -> String? {
    var kind = modifier.kind
    var isNegated = modifier.isNegated
    switch kind {
    case .script, .image, .stylesheet, .font, .media, .object, .subdocument, .xmlhttprequest,
      .websocket, .ping, .other, .webrtc, .document, .popup, .popunder, .all, .inlineScript,
      .inlineFont, .elemhide, .generichide, .specifichide, .genericblock, .urlblock, .thirdParty,
      .strictThirdParty, .domain, .top, .to, .denyallow, .matchCase, .important:
      break
    case .firstParty, .strictFirstParty:
      kind = kind == .firstParty ? .thirdParty : .strictThirdParty
      isNegated.toggle()
    // Of other kinds different names may say different things.
    default: return FilterText.string(text, modifier.text)
    }
    let name = (isNegated ? "~" : "") + String(kind.rawValue)
    guard let value = modifier.value else { return name }
    var domains = FilterText.split(text, value, at: UInt8(ascii: "|"))
      .map { FilterText.string(text, $0).lowercased() }
    if withoutIncluded, kind == .domain {
      domains.removeAll { !$0.hasPrefix("~") }
      if domains.isEmpty { return nil }
    }
    return name + "=" + Set(domains).sorted().joined(separator: "|")
  }
}

extension FilterCollection {
  /// Calls a function for each filter about loads whose line contains a word, with its list and its line's position.
  func forEachNetworkFilter(
    containing word: StaticString,
    _ body: (NetworkFilter, FilterSource, Int) -> Void
  ) {
    for (number, line) in lines.enumerated() where line.standing == .ordinary {
      let source = sources[Int(line.source)]
      guard FilterText.contains(source.text, line.range, word),
        case .network(let filter) = FilterParser.parse(
          source.text,
          line.range,
          dialect: source.dialect
        )
      else { continue }
      body(filter, source, number)
    }
  }
}
