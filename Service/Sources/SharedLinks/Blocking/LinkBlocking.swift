internal import ContentBlocking
internal import Foundation
internal import GRDB
internal import ResourceLoads
internal import RuleMatching
internal import Synchronization
internal import WebURL

/// Caches the user's enabled rule lists, and reopens them after a change.
final class LinkBlocking: Sendable {
  private struct State {
    var generation: Int64?
    var lists: [ContentRuleList] = []
  }
  private let state = Mutex(State())

  /// Returns the lists of a generation; calls `open` unless that generation is the one cached, with all of its
  /// lists.
  func lists(
    generation: Int64,
    open: () throws -> (lists: [ContentRuleList], areAll: Bool)
  ) throws -> [ContentRuleList] {
    try state.withLock { state in
      if state.generation != generation {
        let opened = try open()
        state.lists = opened.lists
        state.generation = opened.areAll ? generation : nil
      }
      return state.lists
    }
  }
}

/// Decides which links of one source the user's rules block.
///
/// A link is judged like the navigation that follows it from the feed's page: a top-level document
/// in the top frame, whose page is the feed's page (or the feed itself if it names none). So
/// `resource-type` is `document`, a link to another site is third-party, and `if-domain` is matched
/// against the feed's page. Only blocking counts; other effects of rules are ignored.
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

  /// Returns the rule that blocks a link, or nil.
  func rule(for address: String) -> BlockingRule? {
    guard let url = WebURL(address) else { return nil }
    var load = ResourceLoad(url: url, resourceType: .topDocument)
    // In WebKit a navigation is its own page; here conditions are about the feed's page.
    load.topURL = page
    load.frameURL = page
    guard blocker.outcome(for: load).isBlocked else { return nil }
    let blocks = blocker.decision(for: load).actions.filter { $0.kind == .block && $0.isEffective }
    guard let action = blocks.first, let rule = action.rules.first else { return nil }
    return BlockingRule(list: lists[action.list].identifier, rule: rule)
  }
}
