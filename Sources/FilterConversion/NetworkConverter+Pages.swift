internal import ContentRules
internal import FilterLists

/// Exceptions for all of a page: `$document`, `$elemhide`, `$generichide` and the like.
extension NetworkConverter {
  /// The most hosts without specific hiding: each is compared with every specific filter.
  private static let mostSpecificHidingExceptions = 1_000

  /// Lifts what an exception names, on the pages that it names.
  ///
  /// - Throws: The reason why WebKit has no condition for the pages.
  mutating func lift(
    _ meaning: FilterMeaning,
    _ patterns: [[UInt8]],
    _ host: [UInt8]?,
    line: Int,
    _ list: inout ListBuilder
  ) throws(ConversionReason) {
    guard meaning.lifted != .others else { return }
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
    if meaning.lifted.contains(.specificHiding) {
      guard urls.isEmpty, !isEverywhere, domains.allSatisfy({ !$0.hasWildcard }) else {
        throw ConversionReason(.twoConditions)
      }
      guard specificHidingExceptions.count + domains.count <= Self.mostSpecificHidingExceptions
      else { throw ConversionReason(.tooManyExclusions) }
      for domain in domains { specificHidingExceptions.append((domain, line)) }
    }
    for part in Self.parts(lifted: meaning.lifted, hasBarrier: list.hasBarrier) {
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
  private static func parts(lifted: FilterMeaning.Lifted, hasBarrier: Bool) -> [RulePart] {
    if lifted.contains(.everything) {
      return hasBarrier
        ? [.documentExceptionsForPages, .documentExceptions] : [.documentExceptions]
    }
    var parts: [RulePart] = []
    if lifted.contains(.genericHiding) { parts.append(.genericHidingExceptions) }
    if lifted.contains(.hiding) { parts.append(.hidingExceptions) }
    if lifted.contains(.genericBlocking) { parts.append(.genericBlockingExceptions) }
    if lifted.contains(.blocking) { parts.append(.exceptions) }
    return parts
  }
}
