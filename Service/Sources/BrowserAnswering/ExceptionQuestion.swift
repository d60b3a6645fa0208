package import ContentBlocking
package import Foundation
internal import LoadAdvice
package import NativeMessaging
internal import ResourceLoads
internal import WebURL

/// The question which exception would let a load through, with the loads that it is tried on.
package struct ExceptionQuestion: Sendable {
  /// The most loads that an exception is tried on.
  private static let loadLimit = 2000
  /// The longest address of one, in bytes.
  private static let addressLimit = 8 << 10
  /// How many of the other loads that would change are named.
  package static let changeLimit = 20

  private let loads: [ResourceLoad]
  /// The place of each load in the question.
  private let places: [Int]
  /// The index in `loads` of the one that it is for.
  private let wanted: Int

  /// Reads a question; loads without an address of the web are left out.
  ///
  /// - Throws: `WireError` with the code `bad-argument` or `value`.
  package init(_ json: Data) throws(WireError) {
    guard let question = try? JSONDecoder().decode(Asking.self, from: json),
      !question.loads.isEmpty, question.loads.count <= Self.loadLimit,
      question.loads.indices.contains(question.load)
    else {
      throw WireError(
        "bad-argument",
        "the request exception cannot be read; load the extension that came with this program"
      )
    }
    var loads: [ResourceLoad] = []
    var places: [Int] = []
    for (place, load) in question.loads.enumerated() {
      guard let load = load.load else { continue }
      loads.append(load)
      places.append(place)
    }
    guard let wanted = places.firstIndex(of: question.load) else {
      throw WireError("value", "the load that the exception is for has no address of the web")
    }
    self.loads = loads
    self.places = places
    self.wanted = wanted
  }

  /// Tries the exception.
  ///
  /// - Parameter lists: The lists that act, with their names.
  /// - Returns: The exception, and what it would change.
  /// - Throws: `WireError` with the code `value` where there can be none.
  package func advice(
    by lists: [(name: String, list: ContentRuleList)]
  ) throws(WireError) -> Advice {
    do throws(ExceptionAdvice.Refusal) {
      let advice = try ExceptionAdvice(for: wanted, of: loads, by: lists.map(\.list))
      return Advice(
        rule: advice.rule,
        lists: advice.lists.map { lists[$0].name },
        tried: loads.count,
        isHarmless: advice.objection == nil,
        reason: advice.objection,
        changes: advice.changes.prefix(Self.changeLimit).map { places[$0] }
      )
    } catch {
      switch error {
      case .notBlocked: throw WireError("value", "no list blocks this load now")
      case .notSayable:
        throw WireError("value", "the load's address and page cannot be said by host and path")
      }
    }
  }

  /// Returns whether lists block the load that the exception is for.
  package func isBlocked(by lists: [ContentRuleList]) -> Bool {
    var blocker = ContentBlocker(lists: lists)
    return blocker.decision(for: loads[wanted]).isBlocked
  }

  /// The keys of `exception`.
  struct Asking: Decodable {
    /// All loads that it is tried on.
    var loads: [Load]
    /// The index of the load that it is for.
    var load: Int

    struct Load: Decodable {
      var url: String
      /// The rule language's word.
      var type: String
      /// The page's address.
      var page: String
      /// The address of the frame that makes it; the page's where it is absent.
      var frame: String?

      /// The load; nil if it is none of the web.
      var load: ResourceLoad? {
        let limit = ExceptionQuestion.addressLimit
        guard url.utf8.count <= limit, page.utf8.count <= limit, (frame?.utf8.count ?? 0) <= limit,
          let address = WebURL(url), let page = WebURL(page),
          let type = ResourceType.words.first(where: { "\($0.word)" == type })?.type
        else { return nil }
        let frame = frame.flatMap { WebURL($0) }
        return ResourceLoad(url: address, topURL: page, frameURL: frame, resourceType: type)
      }
    }
  }

  /// The answer to `exception`.
  package struct Advice: Encodable, Equatable, Sendable {
    package var rule: String
    /// The names of the lists that it has to be the last rule of.
    package var lists: [String]
    /// On how many loads it was tried.
    package var tried: Int
    package var isHarmless: Bool
    /// Why it is not harmless.
    package var reason: String?
    /// Other loads of the question that it would change, by their indexes.
    package var changes: [Int]
  }
}
