import ExtensionMessages
import Foundation
import HostTestSupport
import Testing

@testable import ExtensionHost

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite(
  "The service's processes",
  .enabled(if: TestHost.hasSandbox, "extensions run only where the kernel can confine them")
)
struct LifeCycleTests {
  private let blocker = "com.example.blocker"
  private let group = "group.com.example.blocker"

  private var groupFolderBlocker: SampleExtensions.Description {
    .handler("GroupFolderBlocker").with {
      $0.entitlements = ["com.apple.security.application-groups": [group]]
    }
  }

  @Test("An extension's whole life, over real processes and the real socket")
  func wholeLife() async throws {
    let service = try ServiceProcess()
    let process = try await service.start()
    func state() async throws -> MessageValue {
      let outcome = try await service.run("extensions", "state", "--format", "json", blocker)
      return try #require(outcome.value)
    }

    // Installed, and off until the user turns it on.
    let bundle = try await service.make(groupFolderBlocker)
    let installed = try await service.run("extensions", "install", bundle)
    #expect(installed.status == 0 && installed.output == "installed \(blocker) 1.0\n")
    #expect(installed.errors.contains("it is off"))
    #expect(
      try await service.runApp("state-of-blocker", blocker).value == ["isEnabled": .bool(false)]
    )
    let whileOff = try await service.runApp("reload", blocker)
    #expect(whileOff.value?["domain"] == .string("SFErrorDomain"))
    #expect(whileOff.value?["code"] == .integer(1))

    // The app leaves a list in the group's folder, and the user turns the extension on.
    #expect(
      try await service.runApp("write", group, "lists/blockerList.json", rules("first")).status == 0
    )
    let on = try await service.run("extensions", "on", blocker)
    #expect(on.status == 0, "\(on.errors)")
    #expect(
      try await service.runApp("state-of-blocker", blocker).value == ["isEnabled": .bool(true)]
    )
    #expect(try await service.runApp("state", blocker).value == ["isEnabled": .bool(true)])
    #expect(try await state()["hasListInForce"] == .bool(true))
    let firstDate = try await state()["listDate"]

    // The app changes the list and asks for a reload.
    _ = try await service.runApp("write", group, "lists/blockerList.json", rules("second"))
    for form in ["reload", "reload-with-handler"] {
      #expect(try await service.runApp(form, blocker).value == ["done": .bool(true)])
    }
    #expect(try await state()["listDate"] != firstDate)
    func compiled() throws -> Data {
      let folder = service.home.appending(path: "data/Lists")
      let name = try #require(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).first
      )
      return try Data(contentsOf: folder.appending(path: name))
    }
    let second = try compiled()
    #expect(String(decoding: second, as: UTF8.self).contains("second"))

    // A bad list: the right error, and the old list stays.
    _ = try await service.runApp("write", group, "lists/blockerList.json", "[{\"trigger\":{}}]")
    let bad = try await service.runApp("reload", blocker)
    #expect(bad.status == 1)
    #expect(bad.value?["domain"] == .string("WKErrorDomain"))
    #expect(bad.value?["code"] == .integer(6))
    let anchor = try #require(bad.value?["anchor"]?.string)
    #expect(anchor.hasPrefix("Rule list compilation failed: "))
    #expect(try compiled() == second)
    #expect(try await state()["lastError"]?["domain"] == .string("WKErrorDomain"))
    let log = try await service.run("extensions", "log", blocker)
    #expect(log.output.contains("the list was not replaced: WKErrorDomain 6"))

    // Updates whose handler crashes, then never answers in time: the list stays.
    for (version, handler) in [("1.1", "CrashingHandler"), ("1.2", "BabblingHandler")] {
      let broken = try await service.make(
        groupFolderBlocker.with {
          $0.principal = "AppHandlers." + handler
          $0.version = version
        }
      )
      let updated = try await service.run("extensions", "install", broken)
      #expect(updated.status == 0)
      #expect(updated.errors.contains("SFErrorDomain 3"), "\(updated.errors)")
      let reload = try await service.runApp("reload", blocker)
      #expect(reload.value?["domain"] == .string("SFErrorDomain"))
      #expect(reload.value?["code"] == .integer(3))
      #expect(try compiled() == second)
      #expect(try await state()["hasListInForce"] == .bool(true))
    }
    #expect(
      try await service.run("extensions", "log", blocker).output.contains("about to crash")
    )

    // Back to the version before, and an update that works.
    #expect(
      try await service.run("extensions", "go-back", blocker).output
        == "\(blocker) is at 1.1 again\n"
    )
    _ = try await service.runApp("write", group, "lists/blockerList.json", rules("third"))
    let good = try await service.make(groupFolderBlocker.with { $0.version = "2.0" })
    #expect(try await service.run("extensions", "install", "--only-newer", good).status == 0)
    #expect(String(decoding: try compiled(), as: UTF8.self).contains("third"))
    #expect(try await state()["lastError"] == nil)
    #expect(try await service.run("extensions", "install", "--only-newer", bundle).status == 1)

    // A service that ends and starts again has the active list, and did not compile it.
    let before =
      try FileManager.default.attributesOfItem(
        atPath: service.home.appending(path: "data/Lists/ContentRuleList-\(blocker)").path
      )[.modificationDate] as? Date
    await service.stop(process)
    #expect(process.terminationStatus == 0)
    let gone = try await service.runApp("reload", blocker)
    #expect(gone.value?["domain"] == .string("SFErrorDomain"))
    #expect(gone.value?["code"] == .integer(0))
    #expect(gone.value?["description"]?.string?.contains("tickbird-host run") == true)
    let again = try await service.start()
    #expect(try await state()["hasListInForce"] == .bool(true))
    let after =
      try FileManager.default.attributesOfItem(
        atPath: service.home.appending(path: "data/Lists/ContentRuleList-\(blocker)").path
      )[.modificationDate] as? Date
    #expect(before == after)

    // Removed, with everything of it but the group's folder.
    #expect(try await service.run("extensions", "remove", blocker).status == 0)
    let unknown = try await service.runApp("state-of-blocker", blocker)
    #expect(unknown.value?["domain"] == .string("SFErrorDomain"))
    #expect(unknown.value?["code"] == .integer(1))
    for name in ["Extensions", "Lists", "Containers", "States", "Logs"] {
      let folder = service.home.appending(path: "data/\(name)").path
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [], "\(name)")
    }
    await service.stop(again)
  }

  @Test("An app shares defaults with its extension, and sends messages to its script")
  func appAndExtension() async throws {
    let service = try ServiceProcess()
    let process = try await service.start()
    let bundle = try await service.make(
      .handler("SettingsBlocker").with {
        $0.entitlements = ["com.apple.security.application-groups": [group]]
      }
    )
    _ = try await service.run("extensions", "install", bundle)
    let set = try await service.runApp("set-default", group, "domains", "ads.test,more.test")
    #expect(set.value == ["done": .bool(true)])
    let on = try await service.run("extensions", "on", blocker)
    #expect(on.status == 0, "\(on.errors)")
    let list = try Data(
      contentsOf: service.home.appending(path: "data/Lists/ContentRuleList-\(blocker)")
    )
    #expect(String(decoding: list, as: UTF8.self).contains(#"["*more.test"]"#))

    let web = "com.example.web"
    let off = try await service.runApp("dispatch", web, "hello")
    #expect(off.value?["code"] == .integer(1))
    _ = try await service.run(
      "extensions",
      "install",
      service.make(.handler("LateHandler").asWebExtension)
    )
    _ = try await service.run("extensions", "on", web)
    #expect(try await service.runApp("dispatch", web, "hello").value == ["done": .bool(true)])
    let message = try await HostClient(socket: service.socket).call(
      .nextMessage,
      ["identifier": .string(web)]
    )
    #expect(message["name"] == .string("hello"))
    #expect(message["userInfo"] == ["from": .string("app"), "count": .integer(3)])
    let preferences = try await service.runApp("preferences", web)
    #expect(preferences.value?["description"]?.string?.contains("has no settings") == true)
    await service.stop(process)
  }

  @Test("A handler that hangs is ended at its deadline, which a file sets")
  func hang() async throws {
    let service = try ServiceProcess()
    let data = service.home.appending(path: "data")
    try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
    try Data(#"{"deadline": 3, "grace": 1}"#.utf8).write(to: data.appending(path: "Host.json"))
    let process = try await service.start()
    _ = try await service.run("extensions", "install", service.make(.list(rules("before"))))
    _ = try await service.run("extensions", "on", blocker)
    _ = try await service.run("extensions", "install", service.make(.handler("StubbornHandler")))
    let error = try await service.runApp("reload", blocker)
    #expect(error.value?["code"] == .integer(3))
    #expect(error.value?["description"]?.string?.contains("no answer within 3 s") == true)
    let state = try await service.run("extensions", "state", blocker)
    #expect(state.output.contains("active"))
    await service.stop(process)
  }

  @Test("Without a service the commands do the work themselves, with the same outcome")
  func withoutService() async throws {
    let service = try ServiceProcess()
    let list = try await service.make(.list(rules("a")))
    let empty = try await service.run("extensions", "list")
    #expect(empty.status == 0 && empty.output.isEmpty)
    #expect(empty.errors.contains("no extension is installed"))
    #expect(try await service.run("extensions", "install", list).status == 0)
    #expect(try await service.run("extensions", "on", blocker).output == "\(blocker) is on\n")
    let listed = try await service.run("extensions", "list")
    #expect(listed.output == "\(blocker)  on   content-blocker  1.0\n")
    let web = try await service.make(.handler("NestedHandler").asWebExtension)
    #expect(try await service.run("extensions", "install", web).status == 0)
    #expect(try await service.run("extensions", "on", "com.example.web").status == 0)
    let asked = try await service.run(
      "extensions",
      "ask",
      "com.example.web",
      #"{"flag": true, "list": [1, 2, 3]}"#
    )
    #expect(asked.value?["flag"] == .bool(true), "\(asked.errors)")
    #expect(asked.value?["count"] == .integer(3))
    let set = try await service.run("extensions", "set-list", "com.example.web", rules("script"))
    #expect(set.status == 0, "\(set.errors)")
    let state = try await service.run("extensions", "state", "com.example.web")
    #expect(state.output.contains("set by its script"))
    // A service takes over what the commands did.
    let process = try await service.start()
    #expect(try await service.run("extensions", "list").output.contains("on   content-blocker"))
    await service.stop(process)
  }

  @Test(
    "Wrong use ends with a sentence and a status",
    arguments: [
      (["extensions", "on", "com.example.none"], 1, "no extension \"com.example.none\""),
      (["extensions", "install", "/nowhere.appex"], 2, "there is no bundle /nowhere.appex"),
      (["extensions", "ask", "a", "{"], 2, "this is not JSON"),
      (["extensions", "grant", "camera", "a"], 2, "network"),
      (["extensions", "frobnicate"], 2, "frobnicate"),
    ]
  )
  func wrongUse(arguments: [String], status: Int, words: String) async throws {
    let service = try ServiceProcess()
    let outcome = try await service.run(arguments)
    #expect(outcome.status == Int32(status))
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test("A second service says that there is one")
  func secondService() async throws {
    let service = try ServiceProcess()
    let process = try await service.start()
    let second = try await service.run("run")
    #expect(second.status == 1)
    #expect(second.errors.contains("is held by a service (process \(process.processIdentifier))"))
    #expect(process.isRunning)
    await service.stop(process)
  }

  @Test("An extension without the entitlement has no network, and the log says so")
  func networkRefused() async throws {
    let test = try await TestHost()
    let identifier = "com.example.links"
    let group = "group.com.example.links"
    let description = SampleExtensions.Description.handler("FeedHandler").with {
      $0.identifier = identifier
      $0.point = "com.apple.Safari.sharedlinks-service"
      $0.entitlements = ["com.apple.security.application-groups": [group]]
    }
    try await test.install(description)
    _ = try await #require(throws: ErrorReport.self) {
      try await test.host.sharedLinks(of: identifier)
    }
    await test.host.waitForProcesses()
    let log = try await test.host.logText(of: identifier)
    #expect(log.contains("refused: network refused: no outgoing-connections entitlement"), "\(log)")
    // With it the connection is tried, and nobody listens at the handler's address.
    try await test.host.remove(identifier)
    try await test.install(
      description.with { $0.entitlements?["com.apple.security.network.client"] = true }
    )
    let refused = try await #require(throws: ErrorReport.self) {
      try await test.host.sharedLinks(of: identifier)
    }
    #expect(refused.domain == "NSURLErrorDomain")
    await test.host.waitForProcesses()
    #expect(try await test.host.logText(of: identifier).contains("network refused") == false)
  }

  @Test("A Shared Links extension fetches from its server")
  func feed() async throws {
    let test = try await TestHost()
    let identifier = "com.example.links"
    let group = "group.com.example.links"
    let server = try OneAnswerServer(
      json: """
        [{"url": "https://a.test/1", "title": "One", "date": "2015-06-08T10:00:00Z"},
         {"url": "https://a.test/2", "title": "Two", "date": "2015-06-09T10:00:00Z"}]
        """
    )
    let preferences = test.data.appending(path: "Groups/\(group)/Library/Preferences")
    try FileManager.default.createDirectory(at: preferences, withIntermediateDirectories: true)
    try SampleExtensions.write(
      ["feed": "http://127.0.0.1:\(server.port)/"],
      to: preferences.appending(path: "\(group).plist")
    )
    try await test.install(
      .handler("FeedHandler").with {
        $0.identifier = identifier
        $0.point = "com.apple.Safari.sharedlinks-service"
        $0.resources = ["icon.png": "an icon"]
        $0.entitlements = [
          "com.apple.security.application-groups": [group],
          "com.apple.security.network.client": true,
        ]
      }
    )
    let items = try await test.host.sharedLinks(of: identifier)
    #expect(items.map(\.title) == ["One", "Two"])
    #expect(
      items.map { $0.userInfo["urlString"] } == [
        .string("https://a.test/1"), .string("https://a.test/2"),
      ]
    )
    let icon = items.first?.attachments.first?.representations.first?.content
    #expect(icon == .success(.data(Array("an icon".utf8))))
  }

  @Test("An extension that takes too much memory is ended and named")
  func memory() async throws {
    let test = try await TestHost { $0.memory = 256 << 20 }
    try await test.install(.handler("GreedyHandler").asWebExtension)
    let error = try await #require(throws: ErrorReport.self) {
      try await test.host.ask(.null, of: "com.example.web")
    }
    #expect(error.domain == "SFErrorDomain" && error.code == 3)
    #expect(
      error.description.contains("exceeded its limit of memory")
        || error.description.contains("crashed by signal"),
      "\(error.description)"
    )
  }
}
