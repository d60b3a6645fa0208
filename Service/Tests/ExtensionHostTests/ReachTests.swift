import ExtensionMessages
import Foundation
import Testing

@testable import ExtensionHost

@Suite("Whom an extension reaches")
struct ReachTests {
  private let victim = "com.victim.web"
  static let functions: [HostCall.Function] = [
    .stateOfExtension, .stateOfContentBlocker, .reloadContentBlocker, .dispatchMessage,
    .showPreferences,
  ]

  private func call(
    _ function: HostCall.Function,
    _ target: String,
    from bundle: InstalledBundle,
    in test: TestHost
  ) async -> Result<MessageValue, ErrorReport> {
    let call = HostCall(
      id: 1,
      function: function,
      arguments: [
        "identifier": .string(target), "name": .string("hello"), "sender": .string("com.trusted"),
        "userInfo": ["sender": .string("com.trusted")],
      ]
    )
    return await test.host.reply(to: call, from: bundle)
  }

  @Test("Another developer's answer is that of one that is not installed", arguments: functions)
  func strangers(function: HostCall.Function) async throws {
    let test = try await TestHost()
    try await test.add(victim, TestHost.key("a"), groups: ["group.victim"], isWeb: true)
    try await test.add("com.victim.blocker", TestHost.key("a"))
    for identifier in [victim, "com.victim.blocker"] { try await test.host.turnOn(identifier) }
    let evil = [
      try await test.add("com.evil", TestHost.key("b"), isWeb: true),
      // An identifier that begins alike is no kinship, nor is a group of the same name.
      try await test.add("com.victim.web.evil", groups: ["group.victim"], isWeb: true),
    ]
    for bundle in evil {
      for target in [victim, "com.victim.blocker", "COM.VICTIM.WEB", "com.victim.we", "", "../x"] {
        let answer = await call(function, target, from: bundle, in: test)
        let absent = ErrorReport.noExtensionFound("no extension \"\(target)\" is installed")
        #expect(answer == .failure(absent), "\(target)")
      }
      #expect(try await test.host.logText(of: bundle.identifier).contains("was refused"))
    }
    #expect(try await test.host.logText(of: "com.victim.blocker").contains("refused") == false)
  }

  @Test("It reaches its own developer's others, and the receiver is told who sent")
  func own() async throws {
    let test = try await TestHost()
    let key = try TestHost.key("a")
    try await test.add(victim, key, isWeb: true)
    try await test.host.turnOn(victim)
    let sibling = try await test.add("com.victim.blocker", key)
    #expect(
      await call(.stateOfExtension, victim, from: sibling, in: test) == .success(.bool(true))
    )
    #expect(await call(.dispatchMessage, victim, from: sibling, in: test) == .success(.null))
    let message = try await test.host.nextMessage(for: victim)
    #expect(message?.sender == "com.victim.blocker")
    #expect(message?.userInfo == ["sender": .string("com.trusted")])
    // An app is no extension, and cannot say that it is one.
    let app = await test.host.reply(
      to: HostCall(
        id: 1,
        function: .dispatchMessage,
        arguments: [
          "identifier": .string(victim), "name": .string("hello"),
          "sender": .string("com.victim.blocker"),
        ]
      )
    )
    #expect(app == .success(.null))
    #expect(try await test.host.nextMessage(for: victim)?.sender == nil)
  }

  @Test(
    "A key that was replaced does not reach what its successor signed; the successor reaches it"
  )
  func rotation() async throws {
    let test = try await TestHost()
    let old = try await test.add("com.dev.old", TestHost.key("a"))
    let new = try await test.add("com.dev.new", TestHost.key("b", replacing: ["a"]))
    #expect(
      await call(.stateOfExtension, "com.dev.old", from: new, in: test) == .success(.bool(false))
    )
    guard case .failure = await call(.stateOfExtension, "com.dev.new", from: old, in: test) else {
      Issue.record("it was reached")
      return
    }
  }

  @Test("Unsigned extensions reach each other where the user let them share a group")
  func unsigned() async throws {
    let test = try await TestHost()
    let group = "group.own"
    let first = try await test.add("com.own.app", groups: [group])
    let second = try await test.add(
      "com.own.notes",
      groups: [group],
      isWeb: true,
      consent: InstallConsent(sharesGroups: true)
    )
    let other = try await test.add("com.own.else", groups: ["group.else"])
    #expect(
      await call(.stateOfExtension, second.identifier, from: first, in: test)
        == .success(.bool(false))
    )
    for pair in [(other, first), (first, other)] {
      guard
        case .failure = await call(.stateOfExtension, pair.1.identifier, from: pair.0, in: test)
      else {
        Issue.record("it was reached")
        return
      }
    }
  }

  @Test("A process whose extension was replaced meanwhile does not reach what has taken its place")
  func replaced() async throws {
    let test = try await TestHost()
    let before = try await test.add("com.dev.web", isWeb: true)
    try await test.add("com.dev.web", TestHost.key("a"), isWeb: true)
    try await test.host.turnOn("com.dev.web")
    guard case .failure = await call(.dispatchMessage, "com.dev.web", from: before, in: test) else {
      Issue.record("it was reached")
      return
    }
  }

  @Test("Who was let in for one developer's extension does not reach another one in its place")
  func owners() async throws {
    let test = try await TestHost()
    let web = "com.dev.web"
    let before = try await test.add(web, isWeb: true)
    let owner = ExtensionOwner(signer: nil, installation: before.installation)
    #expect(before.refusal(of: owner) == nil)
    #expect(before.refusal(of: ExtensionOwner(signer: nil, installation: "other")) != nil)
    try await test.host.remove(web)
    let again = try await test.add(web, isWeb: true)
    #expect(again.refusal(of: owner) != nil)
    try await test.add(web, TestHost.key("a"), isWeb: true)
    try await test.host.turnOn(web)
    for owner in [owner, ExtensionOwner(signer: nil, installation: again.installation)] {
      let error = try await #require(throws: ErrorReport.self) {
        try await test.host.ask(.null, of: web, owner: owner)
      }
      #expect(HostError.Code(error) == .refused)
      await #expect(throws: ErrorReport.self) {
        try await test.host.nextMessage(for: web, owner: owner)
      }
    }
  }

  @Test("What is for commands is refused, also for the extension itself")
  func commands() async throws {
    let test = try await TestHost()
    let bundle = try await test.add("com.dev.web", isWeb: true)
    for name in [
      "listExtensions", "describeExtension", "installExtension", "removeExtension", "nextMessage",
      "logOfExtension", "grantNetwork", "forgetGroup", "describeGroup", "setGroupValue",
      "setGroupFile", "setContentBlocker", "turnOnExtension",
      "sendMessage", "format",
    ] {
      let answer = await call(HostCall.Function(name: name), "com.dev.web", from: bundle, in: test)
      guard case .failure(let error) = answer, error.description.contains("cannot call") else {
        Issue.record("\(name) was answered")
        continue
      }
    }
  }
}
