internal import FilterLists

/// The pages on which important filters without domains do not block: those of `$genericblock,important`.
///
/// In AdGuard such an exception is above important filters, and one without `important` below them. No rule
/// behind the filters could lift those without domains alone, so the pages are conditions of theirs.
struct ImportantGenericExceptions {
  /// The pages, with the lines that name them.
  private(set) var domains: [(domain: PageScope.Domain, line: Int)] = []
  /// The lines that name all pages.
  private(set) var everywhere: [Int] = []

  /// The most domains, each of which is a condition of each filter.
  private static let mostDomains = 1_000

  /// No pages.
  init() {}

  /// Reads all such exceptions.
  ///
  /// - Parameters:
  ///   - collection: The lists.
  ///   - disabled: What is disabled by `$badfilter`.
  init(_ collection: FilterCollection, _ disabled: DisabledFilters) {
    var disabled = disabled
    collection.forEachNetworkFilter(containing: "genericblock") { filter, source, number in
      guard filter.isException,
        let meaning = try? FilterMeaning(filter, source.text, dialect: source.dialect),
        meaning.isImportant, !meaning.isBadfilter, meaning.lifted.contains(.genericBlocking),
        !filter.isRegex,
        let address = try? AddressFilter.read(
          source.text,
          filter.pattern,
          isCaseSensitive: meaning.isCaseSensitive
        ),
        let pages = try? LiftedPages(meaning, [address.pattern], address.host),
        case .nothing = disabled.extent(of: filter, source)
      else { return }
      if pages.isEverywhere { everywhere.append(number) }
      guard domains.count + pages.domains.count <= Self.mostDomains else { return }
      domains += pages.domains.map { ($0, number) }
    }
  }

  /// Whether an exception's pages are all conditions.
  func cover(_ pages: LiftedPages, line: Int) -> Bool {
    guard pages.urls.isEmpty else { return false }
    return pages.domains.isEmpty || domains.contains { $0.line == line }
  }
}
