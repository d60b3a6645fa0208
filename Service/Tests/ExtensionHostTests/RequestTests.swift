import ContentBlocking
import ExtensionMessages
import Foundation
import Testing

@testable import ExtensionHost

@Suite("Requests to extensions")
struct RequestTests {
  private let blocker = "com.example.blocker"
  private let web = "com.example.web"

  private func failure(_ body: () async throws -> Void) async throws -> ErrorReport {
    try await #require(throws: ErrorReport.self) { try await body() }
  }

  // MARK: Templates and handlers as people write them

  @Test(
    "Content blockers of the templates are compiled",
    arguments: ["ContentBlockerTemplate", "ContentBlockerMacTemplate"]
  )
  func contentBlockerTemplates(target: String) async throws {
    let test = try await TestHost()
    try await test.install(
      SampleExtensions.Description(
        target: target,
        principal: target + ".ContentBlockerRequestHandler",
        resources: ["blockerList.json": rules("webkit.svg")]
      )
    )
    #expect(await test.sources == [blocker: rules("webkit.svg")])
    #expect(try await test.host.summary(of: blocker).state.lastError == nil)
  }

  @Test("The Shared Links template gives its item")
  func sharedLinksTemplate() async throws {
    let test = try await TestHost()
    try await test.install(
      SampleExtensions.Description(
        target: "SharedLinksTemplate",
        identifier: "com.example.links",
        point: "com.apple.Safari.sharedlinks-service"
      )
    )
    let items = try await test.host.sharedLinks(of: "com.example.links")
    #expect(items.map(\.title) == ["Sample title"])
    #expect(items.first?.userInfo["urlString"] != nil)
  }

  @Test(
    "The web extension templates answer",
    arguments: [
      ("WebExtensionTemplate", "echo"), ("OldWebExtensionTemplate", "Response to"),
    ]
  )
  func webExtensionTemplates(target: String, key: String) async throws {
    let test = try await TestHost()
    try await test.install(
      SampleExtensions.Description(
        target: target,
        identifier: web,
        point: "com.apple.Safari.web-extension"
      )
    )
    let message: MessageValue = [
      "greeting": .string("hello"), "list": .array([.integer(1), .null]),
    ]
    #expect(try await test.host.ask(message, of: web) == [key: message] as MessageValue)
    #expect(try await test.host.ask(.null, of: web) == [key: .null] as MessageValue)
  }

  @Test("A list comes from a file in the temporary folder or in the caches")
  func temporaryFile() async throws {
    let test = try await TestHost()
    try await test.install(.handler("TemporaryFileBlocker"))
    #expect(await test.sources == [blocker: rules("ads")])
  }

  @Test(
    "Lists that are strings and data reach the compiler, which refuses these",
    arguments: [
      ("StringBlocker", "Invalid or unsupported regular expression."),
      ("SettingsBlocker", "Empty extension."),
    ]
  )
  func stringAndData(handler: String, sentence: String) async throws {
    let test = try await TestHost()
    let error = try await failure { try await test.install(.handler(handler)) }
    #expect(error.domain == "WKErrorDomain")
    #expect(error.description == "Rule list compilation failed: " + sentence)
    await test.host.waitForProcesses()
    let isPrinted = try await test.host.logText(of: blocker).contains("printed: making the list")
    #expect(isPrinted == (handler == "StringBlocker"))
  }

  @Test("App and extension share a group's folder and defaults")
  func groups() async throws {
    let group = "group.com.example.blocker"
    let test = try await TestHost()
    try await test.install(
      .handler("SettingsBlocker").with {
        $0.entitlements = ["com.apple.security.application-groups": [group]]
      },
      isOn: false
    )
    let folder = test.data.appending(path: "Groups/\(group)/Library/Preferences")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "\(group).plist")
    try SampleExtensions.write(["domains": ["ads.test"]], to: file)
    try await test.host.turnOn(blocker)
    #expect(try #require(await test.sources[blocker]).contains("*ads.test"))
    await test.host.waitForProcesses()
    let plist = try unsafe PropertyListSerialization.propertyList(
      from: Data(contentsOf: file),
      format: nil
    )
    #expect((plist as? [String: Any])?["runs"] as? Int == 1)
  }

  @Test("A handler may answer later, and with optionals inside")
  func lateAndNested() async throws {
    let test = try await TestHost()
    try await test.install(.handler("LateHandler").asWebExtension)
    let late = try await test.host.ask(["request": .string("check"), "url": .string("u")], of: web)
    #expect(late["type"] == .string("ignore"))
    try await test.install(.handler("NestedHandler").asWebExtension)
    let nested = try await test.host.ask(
      ["flag": .bool(true), "nothing": .null, "list": .array([.null, .null])],
      of: web,
      profile: .uuid(high: 1, low: 2)
    )
    #expect(nested["flag"] == .bool(true))
    #expect(nested["isNull"] == .bool(true))
    #expect(nested["count"] == .integer(2))
    #expect(nested["missing"] == .null)
    #expect(nested["profile"] == .string("00000000-0000-0001-0000-000000000002"))
  }

  @Test("The process has one item, its own folders and no others of the host's variables")
  func environment() async throws {
    let test = try await TestHost()
    try await test.install(.handler("WitnessHandler").asWebExtension)
    let answer = try await test.host.ask(.string("x"), of: web)
    let home = test.data.appending(path: "Containers/\(web)").path
    #expect(answer["items"] == .integer(1))
    #expect(answer["home"]?.string == home)
    let environment = try #require(answer["environment"]?.dictionary)
    #expect(environment["TMPDIR"] == .string(home + "/tmp"))
    #expect(environment["XDG_CACHE_HOME"] == .string(home + "/.cache"))
    #expect(environment["TICKBIRD_EXTENSION_CHANNEL"] == nil)
    let known: Set = [
      "HOME", "CFFIXED_USER_HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME",
      "PATH", "SWIFT_BACKTRACE", "LANG", "LD_LIBRARY_PATH", "TZ",
      "MALLOC_ARENA_MAX",
    ]
    #expect(Set(environment.keys).subtracting(known) == [])
  }

  // MARK: Failures

  /// A handler that fails, and what the caller and the developer are to see.
  struct Failure: CustomTestStringConvertible {
    let handler: String
    let domain: String
    let code: Int64
    let words: String
    var logged = ""
    var testDescription: String { handler }
  }

  static let failures = [
    Failure(
      handler: "CrashingHandler",
      domain: "SFErrorDomain",
      code: 3,
      words: "crashed by signal",
      logged: "printed: about to crash"
    ),
    Failure(
      handler: "SilentHandler",
      domain: "SFErrorDomain",
      code: 3,
      words: "no answer within",
      logged: "printed: nothing to say"
    ),
    Failure(
      handler: "StubbornHandler",
      domain: "SFErrorDomain",
      code: 3,
      words: "no answer within"
    ),
    Failure(
      handler: "LeavingHandler",
      domain: "SFErrorDomain",
      code: 3,
      words: "ended with status 0, without an answer"
    ),
    Failure(handler: "NilHandler", domain: "SFErrorDomain", code: 2, words: "answered with nil"),
    Failure(handler: "BareHandler", domain: "SFErrorDomain", code: 2, words: "no attachment"),
    Failure(
      handler: "LostFileBlocker",
      domain: "SFErrorDomain",
      code: 3,
      words: "could not be loaded"
    ),
    Failure(
      handler: "CancellingBlocker",
      domain: "com.example.blocker",
      code: 42,
      words: "Only asking",
      logged: "was cancelled: com.example.blocker 42"
    ),
    Failure(
      handler: "BabblingHandler",
      domain: "SFErrorDomain",
      code: 3,
      words: "is not an answer"
    ),
    Failure(handler: "HugeBlocker", domain: "SFErrorDomain", code: 3, words: "exceeds"),
    Failure(handler: "NoSuchClass", domain: "AppHandlers", code: 1, words: "no principal class"),
  ]

  @Test(
    "A handler that fails gives its error, is logged, and leaves the list that was active",
    arguments: failures
  )
  func failure(_ expected: Failure) async throws {
    let test = try await TestHost { configuration in
      let isNeverAnswering = ["SilentHandler", "StubbornHandler"].contains(expected.handler)
      configuration.deadline = isNeverAnswering ? 3 : 120
      configuration.grace = 1
      configuration.answer = 8 << 20
    }
    try await test.install(.list(rules("before")))
    let error = try await failure {
      try await test.install(.handler(expected.handler))
      try await test.host.reload(blocker)
    }
    #expect(error.domain == expected.domain)
    #expect(error.code == expected.code)
    #expect(error.description.contains(expected.words), "\(error.description)")
    #expect(await test.sources == [blocker: rules("before")])
    await test.host.waitForProcesses()
    #expect(await test.host.runningExtensions == [])
    let log = try await test.host.logText(of: blocker)
    #expect(log.contains("host: the list was not replaced: \(expected.domain) \(expected.code)"))
    #expect(expected.logged.isEmpty || log.contains(expected.logged))
    let record = try #require(try await test.host.summary(of: blocker).state.lastError)
    #expect(record.domain == expected.domain && record.code == expected.code)
    // A list that is well again clears the record.
    try await test.install(.list(rules("after")))
    #expect(await test.sources == [blocker: rules("after")])
    #expect(try await test.host.summary(of: blocker).state.lastError == nil)
  }

  @Test("A list that does not compile gives WebKit's error with the place")
  func badList() async throws {
    let test = try await TestHost()
    try await test.install(.list(rules("before")))
    try await test.install(
      .list("[\n{\"trigger\":{\"url-filter\":\"a(?=b)\"},\"action\":{\"type\":\"block\"}}]"),
      isOn: false
    )
    let error = try await failure { try await test.host.reload(blocker) }
    #expect(error.domain == "WKErrorDomain")
    #expect(error.code == 6)
    let anchor = try #require(error.userInfo["NSHelpAnchor"]?.string)
    #expect(anchor.hasPrefix("Rule list compilation failed: "))
    #expect(anchor == error.description)
    let record = try #require(try await test.host.summary(of: blocker).state.lastError)
    #expect(record.place?.hasPrefix("line 2, column ") == true)
    #expect(await test.sources == [blocker: rules("before")])
  }

  @Test("What an extension prints is kept up to a limit, without control characters")
  func output() async throws {
    let test = try await TestHost {
      $0.output = 10_000
      $0.log = 20_000
    }
    try await test.install(.handler("ChattyHandler").asWebExtension)
    for _ in 0..<4 { #expect(try await test.host.ask(.null, of: web) == .string("done")) }
    await test.host.waitForProcesses()
    let log = try await test.host.logText(of: web)
    #expect(log.contains("more bytes were printed"))
    #expect(!log.contains("\u{1B}"))
    #expect(log.utf8.count < 60_000)
  }

  @Test("An answer comes before the process ends, which is told to end in time")
  func lingering() async throws {
    let test = try await TestHost { $0.grace = 1 }
    try await test.install(.handler("LingeringHandler").asWebExtension)
    #expect(try await test.host.ask(.null, of: web) == .string("answered"))
    await test.host.waitForProcesses()
    let log = try await test.host.logText(of: web)
    #expect(log.contains("did not end within 1"))
    #expect(log.contains("printed: told to end"))
  }

  @Test("An extension may not call what is for apps, and not reload itself")
  func meddling() async throws {
    let test = try await TestHost()
    try await test.install(.handler("MeddlingHandler").asWebExtension)
    let answer = try await test.host.ask(.null, of: web)
    #expect(answer["code"] == .integer(1))
    try await test.install(.handler("ReloadingHandler").asWebExtension)
    let none = try await test.host.ask(.null, of: web)
    #expect(none["reloaded"] == .bool(false))
    #expect(none["code"] == .integer(1))
    // One that is there is another one's, as long as nobody signed both.
    try await test.install(.list(rules("a")))
    #expect(try await test.host.ask(.null, of: web)["reloaded"] == .bool(false))
    let key = try TestHost.key("a")
    try await test.install(.handler("ReloadingHandler").asWebExtension, signedBy: key)
    try await test.install(.list(rules("a")), signedBy: key)
    let compiles = await test.host.compileCount
    let some = try await test.host.ask(.null, of: web)
    #expect(some["reloaded"] == .bool(true))
    #expect(await test.host.compileCount == compiles + 1)
    let refused = await test.host.reply(
      to: HostCall(id: 1, function: .removeExtension, arguments: ["identifier": .string(web)]),
      from: try await test.host.summary(of: web).bundle
    )
    guard case .failure(let error) = refused else {
      Issue.record("the extension removed itself")
      return
    }
    #expect(error.domain == HostError.domain)
  }

  @Test("Turning off and removing end the requests that run")
  func stop() async throws {
    let test = try await TestHost()
    try await test.install(.handler("SilentHandler").asWebExtension)
    for isRemoved in [false, true] {
      let request = Task { try await test.host.ask(.null, of: web) }
      while await test.host.runningExtensions.isEmpty {
        try await Task.sleep(for: .milliseconds(5))
      }
      if isRemoved {
        try await test.host.remove(web)
      } else {
        try await test.host.turnOff(web)
        try await test.host.turnOn(web)
      }
      let error = try await failure { _ = try await request.value }
      #expect(error.domain == "NSCocoaErrorDomain")
      #expect(error.code == 4097)
    }
    await test.host.waitForProcesses()
    #expect(await test.host.runningExtensions == [])
  }

  @Test("Messages to one extension run side by side up to a limit, and all are answered")
  func sideBySide() async throws {
    let test = try await TestHost { $0.messagesAtOnce = 2 }
    try await test.install(.handler("LateHandler").asWebExtension)
    try await withThrowingTaskGroup(of: MessageValue.self) { group in
      for number in 0..<6 {
        group.addTask {
          try await test.host.ask(["request": .string("\(number)")], of: web)
        }
      }
      var answers: Set<String> = []
      do {
        for try await answer in group { answers.insert(answer["request"]?.string ?? "") }
      } catch {
        Issue.record("\(error)\n\(try await test.host.logText(of: web))")
      }
      #expect(answers == Set((0..<6).map { "\($0)" }))
    }
  }
}
