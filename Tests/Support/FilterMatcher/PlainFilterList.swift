/// Filters, evaluated one after the other.
///
/// The oracle for conversions: short, slow, written from the published semantics of filters alone,
/// and free of the converter's code. Read it from here: a line is read (`PlainNetworkFilter`,
/// `PlainCosmeticFilter`), its pattern (`FilterPattern`) and what it applies to (`FilterOptions`,
/// `DomainCondition`); ``decide(_:)`` collects the filters that match.
public struct PlainFilterList: Sendable {
  private let network: [PlainNetworkFilter]
  private let cosmetic: [PlainCosmeticFilter]
  private let pageExceptions: [PlainNetworkFilter]
  private let sites: Sites
  private var byGram: [ArraySlice<UInt8>: [Int]] = [:]
  private var others: [Int] = []

  /// The lines that have no effect that is modelled, in their order.
  public let ignoredLines: [String]

  /// Reads filters.
  ///
  /// - Parameters:
  ///   - lines: A filter or comment each.
  ///   - publicSuffix: Gives the public suffix of a host; empty for none.
  public init(
    _ lines: some Sequence<String>,
    publicSuffix: @escaping @Sendable (String) -> String
  ) {
    var network: [PlainNetworkFilter] = []
    var cosmetic: [PlainCosmeticFilter] = []
    var ignored: [String] = []
    for line in lines {
      let line = line[...].trimmed
      guard !line.isEmpty, !line.hasPrefix("!"), !line.hasPrefix("[Adblock") else { continue }
      switch PlainCosmeticFilter.kind(of: line) {
      case .hiding(let filter): cosmetic.append(filter)
      case .other: ignored.append(String(line))
      case .none:
        if let filter = PlainNetworkFilter(line) {
          network.append(filter)
        } else {
          ignored.append(String(line))
        }
      }
    }
    let bad = Set(network.filter(\.options.isBadFilter).map(\.identity))
    network.removeAll { $0.options.isBadFilter || bad.contains($0.identity) }
    self.network = network
    self.cosmetic = cosmetic
    pageExceptions = network.filter { !$0.options.pageEffects.isEmpty }
    ignoredLines = ignored
    sites = Sites(publicSuffix: publicSuffix)
    index()
  }

  /// Notes for each filter four bytes that its addresses contain, which fewest filters have.
  private mutating func index() {
    let texts = network.map(\.pattern.knownText)
    var uses: [ArraySlice<UInt8>: Int] = [:]
    for text in texts { for gram in grams(of: text) { uses[gram, default: 0] += 1 } }
    for (place, text) in texts.enumerated() {
      if let gram = grams(of: text).min(by: { uses[$0, default: 0] < uses[$1, default: 0] }) {
        byGram[gram, default: []].append(place)
      } else {
        others.append(place)
      }
    }
  }

  /// What happens to a request.
  public struct Decision: Hashable, Sendable {
    /// What becomes of it.
    public var fate: Fate
    /// The filter that decided, if one did.
    public var filter: String?

    /// Creates a decision.
    public init(fate: Fate, filter: String?) {
      self.fate = fate
      self.filter = filter
    }

    /// What becomes of a request.
    public enum Fate: Sendable {
      /// It is sent.
      case load
      /// It fails.
      case block
      /// It is not sent, but succeeds with something else.
      case replace
    }
  }

  /// Decides a request.
  ///
  /// - Complexity: O(*n*) for *n* filters whose known text is in the address.
  public func decide(_ request: FilterRequest) -> Decision {
    let matched = filters(matching: request)
    let blocking = matched.filter { !$0.isException }
    if request.type != "document", let page = pageException([.document], request) {
      return Decision(fate: .load, filter: page.text)
    }
    let whole = request.type == "document" ? [] : pageExceptions([.urlblock], request)
    let generic = pageExceptions([.genericblock], request)
    let active = blocking.filter { filter in
      !whole.contains { $0.isAbove(filter) }
        && (filter.options.documents.isSpecific || !generic.contains { $0.isAbove(filter) })
    }
    guard let first = active.first(where: \.options.isImportant) ?? active.first else {
      return Decision(fate: .load, filter: (whole.first ?? generic.first)?.text)
    }
    let lifting = matched.first { $0.isException && $0.isAbove(first) }
    if let lifting { return Decision(fate: .load, filter: lifting.text) }
    let isReplaced = active.contains(where: \.options.isReplaced)
    return Decision(fate: isReplaced ? .replace : .block, filter: first.text)
  }

  private func filters(matching request: FilterRequest) -> [PlainNetworkFilter] {
    let address = Address(request.url)
    var candidates = Set(others)
    for gram in grams(of: address.lowered) { candidates.formUnion(byGram[gram] ?? []) }
    return candidates.sorted().map { network[$0] }
      .filter { $0.matches(request, address, sites) }
  }

  /// The exception that turns one of the effects off on the page or the frame of a request.
  private func pageException(
    _ effects: [FilterOptions.PageEffect],
    _ request: FilterRequest
  ) -> PlainNetworkFilter? {
    pageExceptions(effects, request).first
  }

  /// The exceptions that turn one of the effects off on the page or the frame of a request.
  private func pageExceptions(
    _ effects: [FilterOptions.PageEffect],
    _ request: FilterRequest
  ) -> [PlainNetworkFilter] {
    pageExceptions.filter { filter in
      effects.contains { effect in
        filter.turnsOff(effect, on: request.page, in: request.page, sites)
          || request.frame.map { filter.turnsOff(effect, on: $0, in: request.page, sites) } ?? false
      }
    }
  }

  /// The selectors whose elements are hidden on a page, in order, each once.
  public func hiddenSelectors(on page: String) -> [String] {
    let request = FilterRequest(url: page, type: "document", page: page)
    guard pageException([.document, .elemhide], request) == nil else { return [] }
    let hasGeneric = pageException([.generichide], request) == nil
    let hasSpecific = pageException([.specifichide], request) == nil
    let name = host(of: page)
    let suffix = sites.publicSuffix(name)
    let applying = cosmetic.filter { $0.domains.holds(on: name, publicSuffix: suffix) }
    let lifted = Set(applying.filter(\.isException).map(\.selector))
    var selectors: [String] = []
    var seen: Set<String> = []
    for filter in applying where !filter.isException && !lifted.contains(filter.selector) {
      guard filter.domains.isSpecific ? hasSpecific : hasGeneric,
        seen.insert(filter.selector).inserted
      else { continue }
      selectors.append(filter.selector)
    }
    return selectors
  }
}

/// The runs of four bytes of a text.
private func grams(of text: [UInt8]) -> [ArraySlice<UInt8>] {
  text.count < 4 ? [] : (0...(text.count - 4)).map { text[$0..<$0 + 4] }
}
