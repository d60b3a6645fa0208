import BrowserMatcher
import ContentBlocking
import EngineComparison
import LoadDeciding
import ResourceLoads
import RuleMatching
import TestSupport
import Testing
import WebURL

/// The functions that the browser extension's script calls, run natively.
///
/// They share lists and working memory, as they do in a browser, so that one test at a time may use
/// them.
@Suite("Browser's matcher", .serialized)
struct BrowserMatcherTests {
  /// One list's part of an answer.
  private struct Part: Equatable {
    struct Action: Equatable {
      var kind: UInt32
      var rules: [UInt32]
    }

    var handle: Int32
    var verdict: UInt32
    /// Stands for what is left out.
    var hidingSet: UInt32
    var actions: [Action]
  }

  private struct Refused: Error {}

  private static let allActions: UInt32 = 1 << 31

  @Test("generated lists decide generated loads as the library does")
  func generatedCases() throws {
    var random = RandomSource(seed: 21)
    let hiding = UInt32(ActionKind.cssDisplayNone.rawValue)
    var compared = 0
    for seed in UInt64(70_000)..<70_080 {
      let made = ComparisonCase(seed: seed)
      let lists = made.texts.enumerated().compactMap { number, text in
        try? ContentRuleList(identifier: String(number), encodedContentRuleList: text)
      }
      guard lists.count == made.texts.count else { continue }
      let handles = try made.texts.map { try opened(ContentRuleList.compile(Array($0)).file) }
      defer { for handle in handles { #expect(close(handle) == 0) } }
      // Some lists are off.
      let isOn = handles.map { _ in random.next() % 4 > 0 }
      for (handle, isOn) in zip(handles, isOn) { #expect(setOn(handle, isOn ? 1 : 0) == 0) }
      var blocker = ContentBlocker(lists: lists)
      /// The rules that each number identified.
      var hidden: [UInt32: [[UInt32]]] = [:]
      let loads = made.loads.compactMap(\.resourceLoad)
      // Forwards and backwards, so that pages repeat.
      for load in loads + loads.reversed() {
        let decision = blocker.decision(for: load)
        guard turn(load) else {
          Issue.record("\(load.topURL) is no page, seed \(seed)")
          continue
        }
        let party = decide(load, Self.allActions)
        #expect(party == (load.isChecked ? Int32(load.loadType.rawValue) : 0), "seed \(seed)")
        let all = answer()
        let expected = expectedParts(decision, handles, isOn)
        #expect(all.map(\.actions) == expected.map(\.actions), "seed \(seed), \(load)")
        // The hiding bit covers only the rules that depend on the load.
        let hidingBit: UInt32 = 1 << hiding
        // The library does not tell of this one.
        let ignoresFollowing: UInt32 = 1 << 17
        #expect(
          all.map { $0.verdict & ~(hidingBit | ignoresFollowing) } == expected.map(\.verdict),
          "seed \(seed), \(load)"
        )
        #expect(decide(load, 0) == party)
        for (part, whole) in zip(answer(), all) {
          #expect(part.handle == whole.handle && part.verdict == whole.verdict)
          // An action that two rules cause is reported once here.
          let others = whole.actions.filter { $0.kind != hiding }
          let once = others.enumerated().filter { !others[..<$0.offset].contains($0.element) }
          #expect(part.actions.filter { $0.kind != hiding } == once.map(\.element))
          // The actions contain the hiding rules that depend on the load; the number identifies the rest.
          let own = Set(part.actions.filter { $0.kind == hiding }.flatMap(\.rules))
          let rest = whole.actions.filter { $0.kind == hiding }
            .map { $0.rules.filter { !own.contains($0) } }.filter { !$0.isEmpty }
          #expect(hidden[part.hidingSet, default: rest] == rest, "seed \(seed), \(load)")
          hidden[part.hidingSet] = rest
        }
        compared += 1
      }
    }
    #expect(compared > 500)
  }

  @Test("what is no page or no URL is said, and nothing is decided on the page before")
  func refusals() throws {
    let handle = try opened(
      ContentRuleList.compile(
        Array(#"[{"trigger":{"url-filter":"ad"},"action":{"type":"block"}}]"#.utf8)
      ).file
    )
    defer { #expect(close(handle) == 0) }
    let image = LoadProperties(resourceType: .image, loadType: .firstParty).packed
    #expect(decide("https://a.test/ad", image) == -1)
    #expect(turn("https://a.test/", "https://a.test/"))
    #expect(decide("https://a.test/ad", image) == 1)
    #expect(answer().map(\.actions.count) == [1])
    #expect(decide("no URL", image) == -1)
    #expect(decide("data:,ad", image) == 0)
    #expect(answer().isEmpty)
    #expect(!turn("no page", "https://a.test/"))
    #expect(decide("https://a.test/ad", image) == -1)
    #expect(turn("https://a.test/", "https://a.test/"))
    #expect(decide("https://a.test/ad", image) == 1)
    #expect(setOn(handle, 0) == 0)
    #expect(decide("https://a.test/ad", image) == 1)
    #expect(answer().isEmpty)
    #expect(setOn(handle + 1, 0) == -1)
    #expect(close(handle + 1) == -1)
    #expect(text(handle + 1, 0) == -1)
  }

  @Test("the hosts whose requests hide more are a text, nothing, or none for any")
  func hidingHostsOfLists() throws {
    func hosts(_ filters: [String]) throws -> (Int32, String) {
      let rules = filters.map {
        #"{"trigger":{"url-filter":"\#($0)"},"action":{"type":"css-display-none","selector":"a"}}"#
      }
      let text = Array("[\(rules.joined(separator: ","))]".utf8)
      let handle = try opened(ContentRuleList.compile(text).file)
      defer { #expect(close(handle) == 0) }
      let count = hidingHosts(handle)
      guard count > 0, let address = unsafe resultAddress() else { return (count, "") }
      let bytes = unsafe UnsafeRawBufferPointer(start: address, count: Int(count))
      return (count, unsafe String(decoding: bytes, as: UTF8.self))
    }
    let host = #"^https?://([^/]+\\.)?"#
    #expect(try hosts([".*"]) == (0, ""))
    #expect(try hosts(["ad"]) == (-1, ""))
    let found = try hosts([host + #"b\\.test[/:]"#, host + #"a\\.test[/:]"#, ".*"])
    #expect(found.0 == 13)
    #expect(Set(found.1.split(separator: "\n")) == ["a.test", "b.test"])
    #expect(hidingHosts(0) == -1)
  }

  // MARK: Calls

  private func opened(_ file: [UInt8]) throws -> Int32 {
    guard let memory = unsafe allocate(Int32(file.count)) else { throw Refused() }
    unsafe memory.copyMemory(from: file, byteCount: file.count)
    let handle = unsafe open(memory, Int32(file.count))
    guard handle > 0 else { throw Refused() }
    return handle
  }

  private func turn(_ load: ResourceLoad) -> Bool {
    turn(load.topURL.serialized, load.frameURL.serialized)
  }

  private func turn(_ top: String, _ frame: String) -> Bool {
    let top = Array(top.utf8)
    let frame = Array(frame.utf8)
    return unsafe BrowserMatcher.turn(top, Int32(top.count), frame, Int32(frame.count)) == 0
  }

  private func decide(_ load: ResourceLoad, _ wish: UInt32) -> Int32 {
    let flags = TriggerFlags(
      resourceTypes: load.resourceType,
      loadTypes: load.loadTypeOverride ?? [],
      loadContexts: load.loadContext,
      requestMethod: load.requestMethod
    )
    return decide(load.url.serialized, flags.packed | wish)
  }

  private func decide(_ url: String, _ properties: UInt32) -> Int32 {
    let url = Array(url.utf8)
    return unsafe decideLoad(url, Int32(url.count), properties)
  }

  private func answer() -> [Part] {
    let count = Int(lastResultCount())
    guard count > 0, let address = unsafe resultAddress() else { return [] }
    let words = unsafe Array(
      UnsafeBufferPointer(start: address.assumingMemoryBound(to: UInt32.self), count: count)
    )
    var parts: [Part] = []
    var place = 0
    while place < count {
      var part = Part(
        handle: Int32(words[place]),
        verdict: words[place + 1],
        hidingSet: words[place + 2],
        actions: []
      )
      let actionCount = words[place + 3]
      place += 4
      for _ in 0..<actionCount {
        let ruleCount = Int(words[place + 2])
        part.actions.append(
          Part.Action(
            kind: words[place + 1],
            rules: Array(words[place + 3..<place + 3 + ruleCount])
          )
        )
        place += 3 + ruleCount
      }
      parts.append(part)
    }
    return parts
  }

  private func expectedParts(
    _ decision: LoadDecision,
    _ handles: [Int32],
    _ isOn: [Bool]
  ) -> [Part] {
    decision.lists.indices.filter { isOn[$0] }.map { list in
      let actions = decision.actions.filter { $0.list == list }
      let hiding = ActionKind.cssDisplayNone
      var kinds: UInt32 = 0
      for action in actions where action.kind != hiding {
        kinds |= 1 << UInt32(action.kind.rawValue)
      }
      return Part(
        handle: handles[list],
        verdict: kinds | (decision.lists[list].attachesGlobalSheet ? 0 : 1 << 16),
        hidingSet: 0,
        actions: actions.map {
          Part.Action(kind: UInt32($0.kind.rawValue), rules: $0.rules.map { UInt32($0) })
        }
      )
    }
  }
}
