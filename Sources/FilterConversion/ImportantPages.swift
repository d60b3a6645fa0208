internal import FilterLists

/// The pages on which important filters may block, which exceptions in lists of AdGuard have to know.
struct ImportantPages {
  /// Whether there is such a filter at all.
  private var isEmpty = true
  /// Whether one is for pages that are named by no domains.
  private var isAnywhere = false
  private var domains = LiftedDomains([])

  /// No pages.
  init() {}

  /// Reads all important filters.
  ///
  /// - Parameter collection: The lists; those of AdGuard alone have exceptions that want to know.
  init(_ collection: FilterCollection) {
    guard collection.sources.contains(where: { $0.dialect == .adguard }) else { return }
    var entries: [LiftedDomains.Entry] = []
    collection.forEachNetworkFilter(containing: "important") { filter, source, number in
      guard !filter.isException,
        filter.modifiers.contains(where: { $0.kind == .important && !$0.isNegated })
      else { return }
      isEmpty = false
      let included = PageScope(of: filter, source).included
      if included.isEmpty || included.contains(where: \.hasWildcard) { isAnywhere = true }
      for domain in included { entries.append((domain, number)) }
    }
    if !isAnywhere { domains = LiftedDomains(entries) }
  }

  /// Whether a page of a host, or of one below it, may be among these.
  ///
  /// - Parameter host: The host; `nil` for any page.
  /// - Returns: False only if none is.
  /// - Complexity: O(*n*) for *n* bytes of the host.
  func mayHave(_ host: PageScope.Domain?) -> Bool {
    guard !isEmpty, !isAnywhere, let host else { return !isEmpty }
    return domains.hasAny(near: host)
  }
}
