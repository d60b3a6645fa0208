import ExtensionMessages
import Foundation
import Testing

@testable import ExtensionHost

@Suite("What a handler says to its browser")
struct BrowserCallTests {
  private static let all = WebsiteAccess([
    "NSExtension": ["SFSafariWebsiteAccess": ["Level": "All"]]
  ])

  private func call(_ name: String, _ members: [String: MessageValue] = [:]) -> MessageValue {
    .dictionary(members.merging(["type": .string("call"), "call": .string(name)]) { $1 })
  }

  @Test("A known call passes, without members that are not known")
  func passed() {
    var calls = BrowserCalls(Self.all)
    let sent = call("closeTab", ["tab": .string("1"), "id": .integer(4), "url": .string("x")])
    let expected = call("closeTab", ["tab": .string("1"), "id": .integer(4)])
    let verdict = calls.check(sent)
    #expect(verdict == .passed(expected))
    let validated: MessageValue = [
      "type": .string("validated"), "id": .integer(1), "enabled": .bool(true),
      "other": .bool(true),
    ]
    let kept: MessageValue = [
      "type": .string("validated"), "id": .integer(1), "enabled": .bool(true),
    ]
    let second = calls.check(validated)
    #expect(second == .passed(kept))
  }

  @Test("Anything else is refused, with the number of the call that waits")
  func refused() {
    var calls = BrowserCalls(Self.all)
    let wrong: [MessageValue] = [
      .null, .string("call"), [:], ["type": .string("event"), "event": .string("result")],
      call("eval", ["code": .string("1")]), call("closeTab"),
      call("closeTab", ["tab": .integer(1)]),
      call("closeTab", ["tab": .string("")]),
      call("closeTab", ["tab": .string(String(repeating: "1", count: 201))]),
      call(
        "dispatchMessage",
        ["page": .string("1:a"), "name": .string("n"), "userInfo": .bool(true)]
      ),
      call("openWindow", ["url": .string("javascript:alert(1)")]),
      call("navigateTab", ["tab": .string("1"), "url": .string("file:///etc/passwd")]),
      call("openURL", ["url": .string("https:")]), ["type": .string("validated")],
    ]
    for message in wrong {
      guard case .refused(_, nil) = calls.check(message) else {
        Issue.record("\(message) passes")
        continue
      }
    }
    guard case .refused(_, 7) = calls.check(call("eval", ["id": .integer(7)])) else {
      Issue.record("the number is lost")
      return
    }
  }

  @Test("Its own pages can be opened once the browser has told where they are")
  func ownPages() {
    var calls = BrowserCalls(WebsiteAccess([:]))
    let page = call(
      "openTab",
      [
        "window": .string("1"), "url": .string("moz-extension://a-b/page.html"),
        "active": .bool(true),
      ]
    )
    func isPassed() -> Bool { if case .passed = calls.check(page) { true } else { false } }
    func result(_ id: Int64, _ address: String) -> MessageValue {
      [
        "type": .string("event"), "event": .string("result"), "id": .integer(id),
        "result": .string(address),
      ]
    }
    #expect(!isPassed())
    // Nobody asked.
    calls.learn(from: result(3, "moz-extension://a-b/"))
    #expect(!isPassed())
    _ = calls.check(call("baseURI", ["id": .integer(3)]))
    calls.learn(from: result(3, "file:///"))
    #expect(!isPassed())
    _ = calls.check(call("baseURI", ["id": .integer(4)]))
    calls.learn(from: result(4, "moz-extension://a-b/"))
    #expect(isPassed())
  }

  @Test(
    "Domains are those of Info.plist, with their subdomains where an asterisk says so",
    arguments: [
      (["*.a.example"], "https://a.example/", true),
      (["*.a.example"], "https://b.a.example/", true),
      (["*a.example"], "https://b.a.example/", true),
      (["*.a.example"], "https://ba.example/", false),
      (["a.example"], "https://b.a.example/", false), (["A.example"], "https://a.EXAMPLE/", true),
      (["*"], "https://a.example/", true), ([], "https://a.example/", false),
      (["a.example"], "https://a.example@b.example/", false),
      (["a.example"], "ftp://a.example/", false),
    ]
  )
  func domains(domains: [String], url: String, isAllowed: Bool) throws {
    let access = WebsiteAccess([
      "NSExtension": ["SFSafariWebsiteAccess": ["Level": "Some", "Allowed Domains": domains]]
    ])
    #expect(access.allows(try #require(URL(string: url))) == isAllowed)
  }

  @Test("A rate lets a burst pass, and then so many a second")
  func rate() {
    var limit = RateLimit(burst: 3, perSecond: 2)
    let now = System.milliseconds
    var passed = (0..<4).map { _ in limit.allows(at: now) }
    passed += (0..<2).map { _ in limit.allows(at: now + 500) }
    passed.append(limit.allows(4, at: now + 1_000_000))
    #expect(passed == [true, true, true, false, true, false, false])
  }
}
