internal import ContentRules
internal import FilterLists

/// Exceptions for all of a page: `$document`, `$elemhide`, `$generichide` and the like.
extension NetworkConverter {
  /// The most hosts without specific hiding.
  private static let mostSpecificHidingExceptions = 100_000

  /// Lifts what an exception names, on the pages that it names.
  ///
  /// - Throws: The reason why WebKit has no condition for the pages.
  mutating func lift(
    _ meaning: FilterMeaning,
    _ patterns: [[UInt8]],
    _ host: [UInt8]?,
    line: Int,
    _ reasons: inout [ConversionReason],
    _ list: inout ListBuilder
  ) throws(ConversionReason) {
    guard meaning.lifted != .others else { return }
    var lifted = meaning.lifted
    if list.barrier == .previous, !lifted.contains(.everything) {
      // Behind blocking, an exception from hiding would lift blocking, too.
      if lifted.contains(.hiding) { lifted.formUnion([.genericHiding, .specificHiding]) }
      if !lifted.isDisjoint(with: [.blocking, .genericBlocking]), !lifted.contains(.genericHiding) {
        reasons.append(ConversionReason(.genericHidingToo))
      }
    }
    var domains: [PageScope.Domain] = []
    var urls: [[UInt8]] = []
    var isEverywhere = false
    if meaning.pages.isEmpty, !meaning.pages.namesIncluded {
      if let host, let domain = PageScope.domain(host[...]) {
        domains = [domain]
      } else if patterns == [AddressFilter.everything] {
        isEverywhere = true
      } else {
        urls = patterns
      }
    } else {
      guard patterns == [AddressFilter.everything], meaning.pages.excluded.isEmpty,
        !meaning.pages.included.isEmpty
      else { throw ConversionReason(.twoConditions) }
      domains = meaning.pages.included
    }
    if let target = list.target, target.lacksTopURL,
      !urls.isEmpty || domains.contains(where: \.hasWildcard)
    {
      throw ConversionReason(.targetLacks, "\(target) has no patterns for pages")
    }
    if lifted.contains(.specificHiding), lifted.contains(.hiding),
      !urls.isEmpty || isEverywhere || domains.contains(where: \.hasWildcard)
    {
      reasons.append(ConversionReason(.genericHidingAlone))
    } else if lifted.contains(.specificHiding) {
      guard urls.isEmpty, !isEverywhere, domains.allSatisfy({ !$0.hasWildcard }) else {
        throw ConversionReason(.twoConditions)
      }
      guard specificHidingExceptions.count + domains.count <= Self.mostSpecificHidingExceptions
      else { throw ConversionReason(.tooManyExclusions) }
      for domain in domains { specificHidingExceptions.append((domain, line)) }
    }
    if lifted.contains(.genericBlocking) {
      genericBlockingExceptions.add(domains, hasPatterns: !urls.isEmpty, isEverywhere: isEverywhere)
    }
    for part in Self.parts(lifted: lifted, list.barrier) {
      var pages = list.pageExceptions.pages[part] ?? PageExceptions.Pages()
      list.pageExceptions.pages[part] = nil
      if isEverywhere { pages.everywhere.append(Int32(line)) }
      for domain in domains {
        if domain.hasWildcard {
          for pattern in PageScope.patterns(of: domain) {
            pages.patterns.append((pattern, Int32(line)))
          }
        } else {
          pages.domains.append((domain.name, Int32(line)))
        }
      }
      for url in urls { pages.patterns.append((url, Int32(line))) }
      list.pageExceptions.pages[part] = pages
    }
  }

  /// The parts of the list in which an exception for a page stands: behind what it lifts.
  private static func parts(lifted: FilterMeaning.Lifted, _ barrier: PageBarrier) -> [RulePart] {
    if lifted.contains(.everything) {
      return barrier == .following
        ? [.documentExceptionsForPages, .unblockedPages, .documentExceptions]
        : [.documentExceptions]
    }
    var parts: [RulePart] = []
    if lifted.contains(.genericHiding) { parts.append(.genericHidingExceptions) }
    if lifted.contains(.hiding), barrier != .previous { parts.append(.hidingExceptions) }
    if lifted.contains(.genericBlocking) { parts.append(.genericBlockingExceptions) }
    if lifted.contains(.blocking) { parts.append(.exceptions) }
    return parts
  }
}

/// The pages on which filters without domains do not block.
struct GenericBlockingExceptions {
  var domains: [PageScope.Domain] = []
  /// Whether some of them are named by patterns, which no condition on domains meets.
  var hasPatterns = false
  var isEverywhere = false

  mutating func add(_ domains: [PageScope.Domain], hasPatterns: Bool, isEverywhere: Bool) {
    self.domains += domains.filter { !$0.hasWildcard }
    if hasPatterns || domains.contains(where: \.hasWildcard) { self.hasPatterns = true }
    if isEverywhere { self.isEverywhere = true }
  }

  var isEmpty: Bool { domains.isEmpty && !hasPatterns && !isEverywhere }

  /// Returns the pages of a scope among these, as far as domains name them.
  func pages(of scope: PageScope) -> PageScope {
    if isEverywhere { return scope }
    var both = scope
    both.included = []
    for domain in scope.included where !domain.hasWildcard {
      for other in domains {
        if other == domain || PageScope.isBelow(domain, other) {
          both.included.append(domain)
        } else if PageScope.isBelow(other, domain) {
          both.included.append(other)
        }
      }
    }
    both.included = PageScope.distinct(both.included)
    return both
  }
}
