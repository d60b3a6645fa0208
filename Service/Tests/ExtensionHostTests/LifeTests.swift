import BlockingWork
import ContentBlocking
import ExtensionMessages
import Foundation
import ResourceLoads
import Testing
import WebURL

@testable import ExtensionHost

@Suite("What the host keeps")
struct LifeTests {
  private let blocker = "com.example.blocker"
  private let web = "com.example.web"

  private func error(_ body: () async throws -> Void) async throws -> ErrorReport {
    try await #require(throws: ErrorReport.self) { try await body() }
  }

  @Test("An extension is off until the user turns it on, and nothing of it is asked while off")
  func offUntilTurnedOn() async throws {
    let test = try await TestHost()
    try await test.install(.list(rules("a")), isOn: false)
    #expect(try await test.host.isOn(blocker) == false)
    #expect(await test.host.contentRuleLists.isEmpty)
    let off = try await error { try await test.host.reload(blocker) }
    #expect(off.domain == "SFErrorDomain" && off.code == 1)
    #expect(await test.host.compileCount == 0)
    try await test.host.turnOn(blocker)
    #expect(try await test.host.isOn(blocker))
    #expect(await test.sources == [blocker: rules("a")])
    try await test.host.turnOff(blocker)
    #expect(await test.host.contentRuleLists.isEmpty)
  }

  @Test("What is not installed has the error that apps know")
  func unknown() async throws {
    let test = try await TestHost()
    try await test.install(.list(rules("a")))
    let host = test.host
    for identifier in ["com.example.none", "", "../..", String(repeating: "a", count: 1000)] {
      let calls: [() async throws -> Void] = [
        { _ = try await host.isOn(identifier) },
        { try await host.reload(identifier) },
        { try await host.turnOn(identifier) },
        { try await host.turnOff(identifier) },
        { try await host.remove(identifier) },
        { _ = try await host.ask(.null, of: identifier) },
        { _ = try await host.logText(of: identifier) },
        { try await host.setContentBlocker(.null, of: identifier) },
      ]
      for call in calls {
        let report = try await error(call)
        #expect(report.domain == "SFErrorDomain" && report.code == 1)
      }
    }
    // A content blocker is no web extension.
    let kinds: [() async throws -> Void] = [
      { _ = try await host.ask(.null, of: self.blocker) },
      { _ = try await host.sharedLinks(of: self.blocker) },
      { try await host.setContentBlocker(.null, of: self.blocker) },
    ]
    for call in kinds { #expect(try await error(call).code == 1) }
  }

  @Test("Compiled lists are active at the next start without compiling")
  func nextStart() async throws {
    let folder = try TemporaryFolder()
    do {
      let test = try await TestHost(folder: folder)
      try await test.install(.list(rules("kept")))
      try await test.install(
        .list(rules("off")).with { $0.identifier = "com.example.off" }
      )
      try await test.host.turnOff("com.example.off")
      #expect(await test.host.compileCount == 2)
    }
    let test = try await TestHost(folder: folder)
    #expect(await test.sources == [blocker: rules("kept")])
    #expect(await test.host.compileCount == 0)
    var contentBlocker = await test.host.contentBlocker()
    let outcome = contentBlocker.outcome(
      url: "https://a.test/kept.js",
      topURL: "https://b.test/",
      resourceType: .script
    )
    #expect(outcome?.isBlocked == true)
  }

  @Test("A content blocker whose compiled list is damaged is named at the start, to be reloaded")
  func damagedList() async throws {
    let folder = try TemporaryFolder()
    do {
      let test = try await TestHost(folder: folder)
      try await test.install(.list(rules("a")))
    }
    let lists = folder.url.appending(path: "data/Lists")
    for name in try FileManager.default.contentsOfDirectory(atPath: lists.path) {
      try Data("rubbish".utf8).write(to: lists.appending(path: name))
    }
    let host = try await blocking {
      try AppExtensionHost(
        data: folder.url.appending(path: "data"),
        launcher: PlainLauncher(),
        holder: "a test",
        waiting: 60
      )
    }
    #expect(await host.start() == [blocker])
    try await host.reload(blocker)
    #expect(await host.contentRuleLists.count == 1)
  }

  @Test(
    "What cannot be read at the start is reported, holds up no other, and is active once it can be",
    arguments: ["States/com.example.blocker.json", "Extensions/com.example.blocker/Versions.json"]
  )
  func unreadAtStart(path: String) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "data/\(path)")
    let kept = folder.url.appending(path: "kept")
    do {
      let test = try await TestHost(folder: folder)
      try await test.install(.list(rules("a")))
      try await test.install(.list(rules("b")).with { $0.identifier = "com.example.other" })
    }
    try FileManager.default.moveItem(at: file, to: kept)
    // As little to be read as on a disk that fails: it may be on one that is away.
    let away = folder.url.appending(path: "disk/kept")
    try FileManager.default.createSymbolicLink(at: file, withDestinationURL: away)
    let test = try await TestHost(folder: folder)
    #expect(await test.sources == ["com.example.other": rules("b")])
    #expect(await Array(test.host.unread.keys) == [blocker])
    let log = folder.url.appending(path: "data/Logs/\(blocker).log")
    #expect(try String(contentsOf: log, encoding: .utf8).contains("is not in use: "))
    let call = HostCall(id: 1, function: .listExtensions, arguments: [:])
    let listed = try await test.host.reply(to: call).get().array ?? []
    #expect(listed.map { $0["identifier"]?.string } == [blocker, "com.example.other"])
    #expect(
      listed.first?["lastError"]?["message"]?.string?.contains(file.lastPathComponent) == true
    )
    // It is reported once.
    let told = try Data(contentsOf: log)
    #expect(await test.host.takeUpUnread() == [])
    #expect(try Data(contentsOf: log) == told)

    try FileManager.default.removeItem(at: file)
    try FileManager.default.moveItem(at: kept, to: file)
    #expect(await test.host.takeUpUnread() == [])
    #expect(await test.host.unread.isEmpty)
    #expect(await test.sources.count == 2)
    #expect(try await test.host.logText(of: blocker).contains("can be read again"))
  }

  @Test("A damaged state counts as off, and turning on mends it")
  func damagedState() async throws {
    let test = try await TestHost()
    try await test.install(.list(rules("a")))
    let file = test.data.appending(path: "States/\(blocker).json")
    try Data("{".utf8).write(to: file)
    let report = try await error { _ = try await test.host.isOn(blocker) }
    #expect(report.description.contains("is damaged"))
    try await test.host.turnOn(blocker)
    #expect(try await test.host.isOn(blocker))
  }

  @Test("Reloads that wait for their turn are one reload")
  func mergedReloads() async throws {
    let test = try await TestHost()
    try await test.install(.list(rules("a")))
    let compiles = await test.host.compileCount
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<20 { group.addTask { try await test.host.reload(blocker) } }
      try await group.waitForAll()
    }
    let more = await test.host.compileCount - compiles
    #expect(more >= 1 && more < 20)
  }

  @Test("A release is newer than what came before it, and not the other way round")
  func stages() async throws {
    let test = try await TestHost()
    func bundle(_ version: String) async throws -> URL {
      try await SampleExtensions.make(
        .list(rules(version), version: version),
        in: test.folder.url
      )
    }
    for version in ["2.0a1", "2.0b3", "2.0"] {
      _ = try await test.host.install(bundle(version), onlyNewer: true)
    }
    let beta = try await bundle("2.0b4")
    let refused = try await error { _ = try await test.host.install(beta, onlyNewer: true) }
    #expect(refused.description.contains("2.0b4 (1) is not newer than the installed 2.0 (1)"))
  }

  @Test("An update keeps what the user decided; going back and removing undo it")
  func update() async throws {
    let test = try await TestHost()
    try await test.install(.list(rules("one"), version: "1"))
    try await test.install(.list(rules("two"), version: "2"), isOn: false)
    #expect(try await test.host.isOn(blocker))
    #expect(await test.sources == [blocker: rules("two")])
    let older = try await SampleExtensions.make(
      .list(rules("x"), version: "1.5"),
      in: test.folder.url
    )
    let refused = try await error {
      _ = try await test.host.install(older, onlyNewer: true)
    }
    #expect(refused.domain == HostError.domain)
    #expect(refused.description.contains("1.5 (1) is not newer than the installed 2 (1)"))
    try await test.host.goBack(blocker)
    #expect(await test.sources == [blocker: rules("one")])
    try await test.host.remove(blocker)
    #expect(await test.sources == [:])
    #expect(try await test.host.extensions() == [])
    // Installed again, it is new.
    try await test.install(.list(rules("three")), isOn: false)
    #expect(try await test.host.isOn(blocker) == false)
    #expect(try await test.host.logText(of: blocker).split(separator: "\n").count == 1)
  }

  @Test("A bundle with a bad list takes the place of a good one, whose list stays active")
  func updateWithBadList() async throws {
    let test = try await TestHost()
    try await test.install(.list(rules("one")))
    try await test.install(.list("{}"), isOn: false)
    #expect(await test.sources == [blocker: rules("one")])
    #expect(try await test.host.summary(of: blocker).state.lastError?.domain == "WKErrorDomain")
    // Off and on again: still the old one.
    try await test.host.turnOff(blocker)
    #expect(await test.sources == [:])
    #expect(try await error { try await test.host.turnOn(blocker) }.code == 6)
    #expect(await test.sources == [blocker: rules("one")])
  }

  @Test(
    "A script sets its list as text or as objects",
    arguments: [
      MessageValue.string(rules("script")),
      .array([
        [
          "trigger": ["url-filter": .string("script")] as MessageValue,
          "action": ["type": .string("block")] as MessageValue,
        ]
      ]),
    ]
  )
  func setContentBlocker(list: MessageValue) async throws {
    let folder = try TemporaryFolder()
    do {
      let test = try await TestHost(folder: folder)
      try await test.install(.handler("WitnessHandler").asWebExtension)
      try await test.host.setContentBlocker(list, of: web)
      var contentBlocker = await test.host.contentBlocker()
      let outcome = contentBlocker.outcome(
        url: "https://a.test/script.js",
        topURL: "https://b.test/",
        resourceType: .script
      )
      #expect(outcome?.isBlocked == true)
      #expect(try await test.host.summary(of: web).state.isListSetByScript)
      // Neither a bad list nor one of the wrong form replaces it.
      for bad in [MessageValue.string("[{]"), [:], .string("[]"), .integer(1), .string("")] {
        _ = try await error { try await test.host.setContentBlocker(bad, of: web) }
        #expect(await test.host.contentRuleLists.count == 1)
      }
    }
    let test = try await TestHost(folder: folder)
    #expect(await test.host.contentRuleLists.map(\.identifier) == [web])
    try await test.host.turnOff(web)
    #expect(await test.host.contentRuleLists.isEmpty)
    try await test.host.turnOn(web)
    #expect(await test.host.contentRuleLists.map(\.identifier) == [web])
    try await test.host.setContentBlocker(.null, of: web)
    try await test.host.setContentBlocker(.null, of: web)
    #expect(await test.host.contentRuleLists.isEmpty)
    #expect(try await test.host.summary(of: web).state.isListSetByScript == false)
  }

  @Test("The network is an entitlement's matter, or the user's where there are none")
  func network() async throws {
    let test = try await TestHost()
    func isAllowed() async throws -> Bool { try await test.host.summary(of: web).allowsNetwork }
    try await test.install(.handler("WitnessHandler").asWebExtension)
    #expect(try await isAllowed() == false)
    try await test.host.setNetworkGranted(true, to: web)
    #expect(try await isAllowed())
    try await test.install(.handler("WitnessHandler").asWebExtension.with { $0.entitlements = [:] })
    #expect(try await isAllowed() == false)
    let refused = try await error { try await test.host.setNetworkGranted(true, to: web) }
    #expect(refused.description.contains("com.apple.security.network.client"))
    try await test.install(
      .handler("WitnessHandler").asWebExtension.with {
        $0.entitlements = ["com.apple.security.network.client": true]
      }
    )
    #expect(try await isAllowed())
  }

  @Test("A container's links lead nobody out of it")
  func containerLinks() async throws {
    let test = try await TestHost()
    let outside = test.folder.url.appending(path: "outside")
    try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
    let container = test.data.appending(path: "Containers/\(web)")
    try FileManager.default.createDirectory(at: container, withIntermediateDirectories: true)
    for name in [".config", ".cache", "tmp"] {
      try FileManager.default.createSymbolicLink(
        at: container.appending(path: name),
        withDestinationURL: outside
      )
    }
    try await test.install(
      .handler("WitnessHandler").asWebExtension.with {
        $0.entitlements = ["com.apple.security.application-groups": ["group.example"]]
      }
    )
    _ = try await test.host.ask(.null, of: web)
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == [])
  }

  @Test("Messages of an app wait for the script, and a script waits for them")
  func scriptMessages() async throws {
    let test = try await TestHost()
    try await test.install(.handler("WitnessHandler").asWebExtension)
    try await test.host.dispatchMessage("one", userInfo: .null, to: web)
    try await test.host.dispatchMessage("two", userInfo: ["a": .integer(1)], to: web)
    #expect(try await test.host.nextMessage(for: web)?.name == "one")
    #expect(
      try await test.host.nextMessage(for: web)
        == ScriptMessage(name: "two", userInfo: ["a": .integer(1)])
    )
    let cancelled = Task { try await test.host.nextMessage(for: web) }
    cancelled.cancel()
    #expect(try await cancelled.value == nil)
    let waiting = Task { try await test.host.nextMessage(for: web) }
    try await test.host.dispatchMessage("three", userInfo: .null, to: web)
    #expect(try await waiting.value?.name == "three")
  }

  @Test("A second host of the same folder is refused, and says who has it")
  func secondHost() async throws {
    let test = try await TestHost()
    let error = try #require(throws: HostError.self) {
      try AppExtensionHost(data: test.data, launcher: PlainLauncher(), holder: "another")
    }
    #expect(error.code == .locked)
    #expect(error.message.contains("a test"))
  }

  @Test(
    "The configuration's file is read, and a bad one is named",
    arguments: [
      (#"{"deadline": 60, "memory": 1073741824}"#, 60.0),
      (#"{"deadline": -1, "grace": 1e300}"#, 0.1), (#"{}"#, 30), ("{", nil), (#"{"log":"a"}"#, nil),
    ]
  )
  func configuration(text: String, deadline: Double?) throws {
    let folder = try TemporaryFolder()
    try Data(text.utf8).write(to: folder.url.appending(path: "Host.json"))
    let configuration = Result { try HostConfiguration(in: folder.url) }
    #expect((try? configuration.get().deadline) == deadline)
    if deadline == nil {
      let error = #expect(throws: HostError.self) { try configuration.get() }
      #expect(error?.message.contains("Host.json") == true)
    }
  }

  @Test(
    "JSON is read and written",
    arguments: [
      "null", "true", "[1,-2,0.5,1e+300]", #"{"a":[],"b":{"c":"\"\\\n\u0001ü"}}"#, #""text""#,
      "9007199254740993",
    ]
  )
  func json(text: String) throws {
    let value = try MessageValue(json: Data(text.utf8))
    #expect(value.json == text)
    #expect(try MessageValue(json: Data(value.json.utf8)) == value)
  }

  @Test(
    "What is no JSON is refused",
    arguments: ["", "{", "[1 2]", String(repeating: "[", count: 100_000)]
  )
  func badJSON(text: String) {
    #expect(throws: HostError.self) { try MessageValue(json: Data(text.utf8)) }
  }
}
