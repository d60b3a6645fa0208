internal import ContentBlocking
internal import Foundation
internal import GRDB
internal import ResourceLoads
internal import RuleMatching
internal import Synchronization
internal import WebURL

/// The user's rule lists that are on, opened once and again after they changed.
final class LinkBlocking: Sendable {
  private struct State {
    var generation: Int64?
    var lists: [ContentRuleList] = []
  }
  private let state = Mutex(State())

  /// The lists of a generation; `open` is asked when another one was opened last.
  func lists(
    generation: Int64,
    open: () throws -> [ContentRuleList]
  ) throws -> [ContentRuleList] {
    try state.withLock { state in
      if state.generation != generation {
        state.lists = try open()
        state.generation = generation
      }
      return state.lists
    }
  }
}

/// Decides the links of one source.
///
/// A link is decided as the navigation that following it from the feed's page would be: the load of
/// a top-level document, in the top frame, whose page is the feed's page, or the feed itself where
/// it names none. So `resource-type` is `document`, a link to another site is third-party, and
/// `if-domain` is about the feed's page. What else rules may do to a load does not matter here.
final class LinkDecider {
  private var blocker: ContentBlocker
  private let lists: [ContentRuleList]
  private let page: WebURL

  init?(lists: [ContentRuleList], page: String) {
    guard !lists.isEmpty, let page = WebURL(page) else { return nil }
    blocker = ContentBlocker(lists: lists)
    self.lists = lists
    self.page = page
  }

  /// The rule that blocks a link, or nil.
  func rule(for address: String) -> BlockingRule? {
    guard let url = WebURL(address) else { return nil }
    var load = ResourceLoad(url: url, resourceType: .topDocument)
    // A navigation is its own page for WebKit; here the feed's page is what rules are asked about.
    load.topURL = page
    load.frameURL = page
    guard blocker.outcome(for: load).isBlocked else { return nil }
    let blocks = blocker.decision(for: load).actions.filter { $0.kind == .block && $0.isEffective }
    guard let action = blocks.first, let rule = action.rules.first else { return nil }
    return BlockingRule(list: lists[action.list].identifier, rule: rule)
  }
}
