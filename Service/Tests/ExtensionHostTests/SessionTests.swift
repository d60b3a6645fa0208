import ExtensionMessages
import Foundation
import Testing

@testable import ExtensionHost

@Suite("Sessions of browsers with handlers of Safari app extensions")
struct SessionTests {
  private let identifier = "com.example.app-extension"

  private func start(
    _ change: (inout SampleExtensions.Description) -> Void = { _ in },
    _ configure: (inout HostConfiguration) -> Void = { _ in }
  ) async throws -> (TestHost, FakeBrowser) {
    let test = try await TestHost(configure)
    try await test.install(.appExtension().with(change))
    return (test, try await FakeBrowser(test))
  }

  // MARK: Events and calls

  @Test("A script's message reaches the handler, and the handler's the script, with its types")
  func messages() async throws {
    let (_, browser) = try await start()
    let sent: MessageValue = ["text": .string("x"), "list": .array([.integer(1), .null])]
    try await browser.dispatch("echo", sent)
    #expect(try await browser.nextMessage("echoed") == sent)
    try await browser.dispatch(
      "types",
      [
        "number": .integer(7), "fraction": .double(0.5), "flag": .bool(true),
        "texts": .array([.string("a")]), "table": .array([["a": .integer(1)]]),
      ]
    )
    let types: MessageValue = [
      "int": .integer(7), "double": .double(0.5), "bool": .bool(true),
      "texts": .array([.string("a")]), "table": .integer(1), "absent": .bool(true),
    ]
    #expect(try await browser.nextMessage("types") == types)
  }

  @Test("Each event has a new object, and all of a session one process; pages are equal by value")
  func objects() async throws {
    let (test, browser) = try await start()
    try await browser.dispatch("count")
    let first = try await browser.nextMessage("count")
    try await browser.dispatch("count")
    let second = try await browser.nextMessage("count")
    #expect(first?["object"] == .integer(1) && second?["object"] == .integer(1))
    #expect(second?["page"] == .integer(2))
    #expect(first?["process"] == second?["process"])
    #expect(await test.host.runningExtensions == [identifier])

    let other = try await FakeBrowser(test)
    try await other.dispatch("count")
    let third = try await other.nextMessage("count")
    #expect(third?["page"] == .integer(1) && third?["process"] != first?["process"])
  }

  @Test("The chain from page to tab to window to tabs is as in Vimari")
  func chain() async throws {
    let (_, browser) = try await start()
    try await browser.dispatch("forward")
    #expect(try await browser.next(call: "activateTab")["tab"] == .string("12"))
    #expect(try await browser.nextMessage("forward") == ["from": .integer(0)] as MessageValue)
    try await browser.dispatch("async")
    let asked: MessageValue = ["isSame": .bool(true), "pages": .integer(1)]
    #expect(try await browser.nextMessage("async") == asked)
    try await browser.dispatch("properties")
    let properties: MessageValue = [
      "url": .string("https://a.example/"), "title": .string("A"), "private": .bool(false),
    ]
    #expect(try await browser.nextMessage("properties") == properties)
  }

  @Test("A handler that waits on the main thread for the browser gets its answer")
  func waiting() async throws {
    let (_, browser) = try await start()
    try await browser.dispatch("wait")
    _ = try await browser.nextMessage("waited")
    try await browser.dispatch("echo", [:])
    #expect(try await browser.nextMessage("echoed") == [:] as MessageValue)
  }

  @Test("Clicks, validations and the menu")
  func toolbar() async throws {
    let (_, browser) = try await start()
    try await browser.send("toolbarItemClicked", ["window": .string("1")])
    for (member, value) in [
      ("badge", .string("7")), ("enabled", .bool(false)), ("label", .string("Seven")),
      ("image", .null),
    ] as [(String, MessageValue)] {
      let call = try await browser.next(call: "toolbarItem")
      #expect(call["window"] == .string("1") && call[member] == value)
    }
    try await browser.send("validateToolbarItem", ["id": .integer(3), "window": .string("1")])
    let answer = try await browser.answer(3)
    #expect(answer["enabled"] == .bool(true) && answer["badge"] == .string("A"))

    let userInfo: MessageValue = ["link": .string("https://b.example/")]
    try await browser.send(
      "validateContextMenuItem",
      [
        "id": .integer(4), "page": FakeBrowser.page, "command": .string("Go"),
        "userInfo": userInfo,
      ]
    )
    // The handler answers twice; the first one counts.
    let item = try await browser.answer(4)
    #expect(item["hidden"] == .bool(false) && item["text"] == .string("Open Go"))
    try await browser.send(
      "contextMenuItemSelected",
      ["page": FakeBrowser.page, "command": .string("Go"), "userInfo": userInfo]
    )
    #expect(try await browser.nextMessage("Go") == userInfo)
  }

  @Test("Headers, blocked resources and navigations")
  func others() async throws {
    let (_, browser) = try await start()
    try await browser.send(
      "additionalRequestHeaders",
      ["id": .integer(1), "url": .string("https://b.example/x")]
    )
    let headers: MessageValue = ["X-Host": .string("b.example")]
    #expect(try await browser.answer(1)["headers"] == headers)
    let urls = MessageValue.array([.string("https://ads.example/a.js")])
    try await browser.send(
      "blockedResources",
      ["page": FakeBrowser.page, "contentBlocker": .string("com.example.b"), "urls": urls]
    )
    #expect(try await browser.nextMessage("com.example.b") == ["urls": urls] as MessageValue)
    try await browser.send(
      "willNavigate",
      ["page": FakeBrowser.page, "url": .string("https://c.example/")]
    )
    #expect(try await browser.next(call: "navigateTab")["url"] == .string("https://c.example/"))
    #expect(try await browser.next(call: "closeTab")["tab"] == .string("11"))
  }

  @Test("Messages of the app wait for a session, and reach the one that was used last")
  func app() async throws {
    let test = try await TestHost()
    try await test.install(.appExtension())
    try await test.host.dispatchMessage("early", userInfo: .null, to: identifier)
    let browser = try await FakeBrowser(test)
    _ = try await browser.next(call: "toolbarItemsNeedUpdate")
    try await test.host.dispatchMessage("late", userInfo: .null, to: identifier)
    _ = try await browser.next(call: "toolbarItemsNeedUpdate")
    #expect(try await test.host.logText(of: identifier).contains("printed: app says early"))
  }

  // MARK: Life

  @Test("A crash is told, the next event starts the handler again, and crashes do not go on")
  func crashes() async throws {
    let (test, browser) = try await start()
    for _ in 0..<5 {
      try await browser.dispatch("crash")
      await test.host.waitForProcesses(of: identifier)
    }
    let error = try await #require(throws: ErrorReport.self) {
      try await browser.dispatch("echo", [:])
    }
    #expect(HostError.Code(error) == .overLimit)
    #expect(try await test.host.logText(of: identifier).contains("crashed by signal"))
    try await test.host.turnOff(identifier)
    try await test.host.turnOn(identifier)
    try await browser.dispatch("echo", [:])
    _ = try await browser.nextMessage("echoed")
  }

  @Test("Turning off, updating and removing end the process; what is off gets no event")
  func decisions() async throws {
    let (test, browser) = try await start()
    try await browser.dispatch("count")
    let first = try await browser.nextMessage("count")
    try await test.host.turnOff(identifier)
    await test.host.waitForProcesses(of: identifier)
    let error = try await #require(throws: ErrorReport.self) {
      try await browser.dispatch("count")
    }
    #expect(error.code == 1)
    #expect(await test.host.runningExtensions.isEmpty)
    try await test.host.turnOn(identifier)
    try await browser.dispatch("count")
    let second = try await browser.nextMessage("count")
    #expect(second?["process"] != first?["process"])
    try await test.install(.appExtension().with { $0.version = "2.0" })
    await test.host.waitForProcesses(of: identifier)
    try await browser.dispatch("count")
    #expect(try await browser.nextMessage("count")?["process"] != second?["process"])
    try await test.host.remove(identifier)
    await test.host.waitForProcesses(of: identifier)
    await #expect(throws: ErrorReport.self) { try await browser.dispatch("count") }
  }

  @Test("A handler without work ends, and the next event starts it again")
  func idle() async throws {
    // The start of a process counts as idle time, and takes long on a busy machine.
    let (test, browser) = try await start({ _ in }, { $0.idle = 3 })
    try await browser.dispatch("count")
    let first = try await browser.nextMessage("count")
    await test.host.waitForProcesses(of: identifier)
    try await browser.dispatch("count")
    #expect(try await browser.nextMessage("count")?["process"] != first?["process"])
    #expect(try await test.host.logText(of: identifier).contains("had nothing to do"))
  }

  @Test("The process ends with the browser's port")
  func leaving() async throws {
    let (test, browser) = try await start()
    try await browser.dispatch("count")
    _ = try await browser.nextMessage("count")
    browser.leave()
    await test.host.waitForProcesses(of: identifier)
    let error = try await #require(throws: ErrorReport.self) {
      try await browser.dispatch("count")
    }
    #expect(HostError.Code(error) == .badArgument)
  }

  // MARK: Walls

  @Test("A session is for one developer's extension, and for no other kind")
  func owners() async throws {
    let test = try await TestHost()
    try await test.install(.appExtension())
    let other = ExtensionOwner(signer: "0000", installation: nil)
    let error = await #expect(throws: ErrorReport.self) {
      _ = try await test.host.openSession(of: identifier, owner: other)
    }
    #expect(error.flatMap(HostError.Code.init) == .refused)
    try await test.install(.handler("NilHandler").asWebExtension)
    await #expect(throws: ErrorReport.self) {
      _ = try await test.host.openSession(of: "com.example.web")
    }
    await #expect(throws: ErrorReport.self) {
      _ = try await test.host.ask(.null, of: identifier)
    }
  }

  @Test(
    "Tabs are opened where Info.plist gives access, and for web pages alone",
    arguments: [
      ("https://a.example/x", true), ("https://b.a.example/", true), ("https://xa.example/", false),
      ("http://only.example/", true), ("http://sub.only.example/", false),
      ("javascript:alert(1)", false), ("file:///etc/passwd", false), ("about:config", false),
      ("chrome-extension://abcdefghijklmnop/page.html", false),
    ]
  )
  func access(url: String, isOpened: Bool) async throws {
    let (_, browser) = try await start {
      $0.added["SFSafariWebsiteAccess"] = [
        "Level": "Some", "Allowed Domains": ["*.a.example", "only.example"],
      ]
    }
    try await browser.dispatch("open", ["url": .string(url)])
    #expect(
      try await browser.nextMessage("opened") == ["isThere": .bool(isOpened)] as MessageValue
    )
    #expect(browser.count("openTab") == (isOpened ? 1 : 0))
  }

  @Test(
    "NSWorkspace opens web pages in the browser, and names all else",
    arguments: [("https://b.example/", true), ("iina://weblink", false)]
  )
  func workspace(url: String, isOpened: Bool) async throws {
    let (test, browser) = try await start()
    try await browser.dispatch("workspace", ["url": .string(url)])
    #expect(
      try await browser.nextMessage("workspace") == ["isOpened": .bool(isOpened)] as MessageValue
    )
    #expect(browser.count("openURL") == (isOpened ? 1 : 0))
    browser.leave()
    await test.host.waitForProcesses(of: identifier)
    let isNamed = try await test.host.logText(of: identifier).contains("iina URLs belong to")
    #expect(isNamed == !isOpened)
  }

  @Test("All of many messages arrive in order; pages that open without end do not")
  func floods() async throws {
    let (test, browser) = try await start()
    try await browser.dispatch("flood")
    for number in 0..<5000 {
      let message = try await browser.nextMessage("flood")
      #expect(message == ["number": .integer(Int64(number))] as MessageValue)
    }
    try await browser.dispatch("windows")
    _ = try await browser.nextMessage("windows")
    #expect((20...25).contains(browser.count("openWindow")))
    #expect(try await test.host.logText(of: identifier).contains("it opens too many pages"))
  }
}
