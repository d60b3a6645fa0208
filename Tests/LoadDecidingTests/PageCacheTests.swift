import ContentBlocking
import LoadDeciding
import ResourceLoads
import RuleMatching
import Testing

/// Pages that a decider caches.
@Suite("Page cache")
struct PageCacheTests {
  private let list: CompiledRuleList

  init() throws {
    // Blocks on every third site.
    let text = (0..<40).filter { $0 % 3 == 0 }.map {
      #"{"trigger":{"url-filter":"x","if-domain":["*s\#($0).test"]},"action":{"type":"block"}}"#
    }.joined(separator: ",")
    list = try ContentRuleList(identifier: "list", encodedContentRuleList: "[\(text)]").compiled
  }

  private func isBlocked(
    _ decider: inout LoadDecider,
    _ page: String,
    _ frame: String? = nil
  ) -> Bool? {
    let url = Array("https://a.test/x".utf8)
    let page = Array(page.utf8)
    let frame = frame.map { Array($0.utf8) } ?? []
    switch decider.prepare(
      url: url.span,
      topURL: page.span,
      frameURL: frame.span,
      LoadTraits(resourceType: .image)
    ) {
    case .invalid: return nil
    case .unchecked: return false
    case .checked(let properties): return decider.decide(properties, list: 0).isBlocked
    }
  }

  @Test(
    "pages that differ in little are told apart, however many are cached",
    arguments: [1, 2, 8, 512]
  )
  func pages(capacity: Int) {
    var decider = LoadDecider([list], pages: capacity)
    for round in 0..<6 {
      for site in 0..<40 {
        let number = round % 2 == 0 ? site : 39 - site
        for path in ["", "a", "b", "ab", "ba"] {
          #expect(isBlocked(&decider, "https://s\(number).test/\(path)") == (number % 3 == 0))
          let entry = decider.page.entry
          #expect(entry < capacity)
        }
      }
    }
  }

  @Test("a page that is met again is the same; the one that was used longest ago makes room")
  func order() throws {
    var decider = LoadDecider([list], pages: 3)
    var identities: [String: UInt64] = [:]
    func identity(_ page: String, _ decider: inout LoadDecider) -> UInt64 {
      _ = isBlocked(&decider, "https://\(page).test/")
      return decider.page.identity
    }
    let none = decider.page.identity
    #expect(none == 0)
    for page in ["a", "b", "c"] { identities[page] = identity(page, &decider) }
    #expect(Set(identities.values).count == 3)
    #expect(identity("a", &decider) == identities["a"])
    // b is the one that was used longest ago.
    let fourth = identity("d", &decider)
    #expect(!identities.values.contains(fourth))
    #expect(identity("a", &decider) == identities["a"])
    #expect(identity("c", &decider) == identities["c"])
    #expect(identity("b", &decider) != identities["b"])
  }

  @Test("a text that is no page leaves no page, and spoils none")
  func refused() {
    var decider = LoadDecider([list], pages: 2)
    #expect(isBlocked(&decider, "https://s0.test/") == true)
    #expect(isBlocked(&decider, "no page") == nil)
    let none = decider.page.identity
    #expect(none == 0)
    #expect(isBlocked(&decider, "https://s1.test/") == false)
    #expect(isBlocked(&decider, "https://s0.test/", "no frame") == nil)
    #expect(isBlocked(&decider, "https://s0.test/") == true)
  }

  @Test("lists that come and go are asked on the pages that were there before")
  func lists() {
    var decider = LoadDecider([], pages: 8)
    let url = Array("https://a.test/x".utf8)
    let page = Array("https://s0.test/".utf8)
    for _ in 0..<2 {
      decider.append(list)
      let before = decider.page.identity
      #expect(before == 0)
      decider.turn(topURL: page.span, frameURL: page.span)
      guard
        case .checked(let properties) = decider.prepare(
          url: url.span,
          LoadTraits(resourceType: .image)
        )
      else {
        Issue.record("the load is not decided")
        return
      }
      let decision = decider.decide(properties, list: 0)
      #expect(decision.isBlocked)
      decider.remove(list: 0)
      let isEmpty = decider.lists.isEmpty
      #expect(isEmpty)
    }
  }
}
