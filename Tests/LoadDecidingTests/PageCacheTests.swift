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

  @Test(
    "the page of the load before is recognised, with a frame and without",
    arguments: ["", "https://f.test/"]
  )
  func samePage(frame: String) {
    var decider = LoadDecider([list], pages: 1)
    #expect(isBlocked(&decider, "https://s0.test/", frame) == true)
    let first = decider.page.identity
    #expect(first > 0)
    #expect(isBlocked(&decider, "https://s0.test/", frame) == true)
    let again = decider.page.identity
    #expect(again == first)
    #expect(isBlocked(&decider, "https://s3.test/", frame) == true)
    let other = decider.page.identity
    #expect(other != first)
  }

  @Test("each list is asked by its number, also behind one that was removed")
  func numbers() throws {
    // Each blocks one host.
    let lists = try (0..<3).map { number in
      try ContentRuleList(
        identifier: "\(number)",
        encodedContentRuleList:
          #"[{"trigger":{"url-filter":"//h\#(number)"},"action":{"type":"block"}}]"#
      ).compiled
    }
    var decider = LoadDecider(lists, pages: 2)
    func blocking(_ host: Int, _ decider: inout LoadDecider) -> [Int] {
      let url = Array("https://h\(host).test/".utf8)
      let page = Array("https://s1.test/".utf8)
      decider.turn(topURL: page.span, frameURL: page.span)
      guard
        case .checked(let properties) = decider.prepare(
          url: url.span,
          LoadTraits(resourceType: .image)
        )
      else { return [] }
      var numbers: [Int] = []
      for number in decider.lists.indices where decider.decide(properties, list: number).isBlocked {
        numbers.append(number)
      }
      return numbers
    }
    func check(_ expected: [[Int]], _ decider: inout LoadDecider) {
      for host in expected.indices {
        let numbers = blocking(host, &decider)
        #expect(numbers == expected[host], "host \(host)")
      }
    }
    check([[0], [1], [2]], &decider)
    decider.remove(list: 1)
    check([[0], [], [1]], &decider)
    decider.append(lists[1])
    check([[0], [2], [1]], &decider)
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
