import ExtensionMessages
import Foundation
import Testing

@testable import ExtensionHost

@Suite(
  "Processes of strangers",
  .enabled(
    if: TestHost.hasSandbox && ScriptedExtension.isPossible,
    "extensions run only where the kernel can confine them, and this one needs gcc"
  )
)
struct StrangerProcessTests {
  private let group = "group.com.bank.shared"

  /// Installs an extension that follows a script, runs it, and gives what it printed.
  private func run(
    _ identifier: String,
    _ signer: Signer,
    groups: [String] = [],
    network: Bool = false,
    _ script: [String],
    in test: TestHost
  ) async throws -> String {
    let bundle = try test.bundle(identifier, groups: groups)
    try ScriptedExtension.write(script, network: network, into: bundle)
    try await test.host.install(bundle, signedBy: signer)
    try await test.host.turnOn(identifier)
    await test.host.waitForProcesses()
    return try await test.host.logText(of: identifier)
  }

  @Test("What an extension says in the host's name is not taken for the host's word")
  func errors() async throws {
    let test = try await TestHost()
    for domain in [HostError.domain, ErrorReport.runtimeDomain, "com.evil"] {
      let bundle = try test.bundle("com.evil")
      try ScriptedExtension.write(["cancel \(domain) the host is away"], into: bundle)
      try await test.host.install(bundle)
      let error = await #expect(throws: ErrorReport.self) { try await test.host.turnOn("com.evil") }
      #expect(error?.domain == (domain == "com.evil" ? domain : "SFErrorDomain"))
      #expect(error?.description.contains("the host is away") == true)
      await test.host.waitForProcesses()
    }
  }

  @Test("What one developer's extension keeps in a group no other one's process reads")
  func groups() async throws {
    let test = try await TestHost()
    let bank = try TestHost.key("a")
    let put = try await run("com.bank.a", bank, groups: [group], ["put \(group) secret"], in: test)
    #expect(put.contains("put \(group) -> done"), "\(put)")
    let own = try await run("com.bank.b", bank, groups: [group], ["get \(group)"], in: test)
    #expect(own.contains("get \(group) -> secret"), "\(own)")
    let other = try await run("com.other", .unsigned, groups: [group], ["get \(group)"], in: test)
    #expect(other.contains("get \(group) -> nothing"), "\(other)")
    // Nor does one that names it no more, by the link that its container still has.
    let before = try await run(
      "com.own",
      .unsigned,
      groups: ["group.own"],
      ["put group.own x"],
      in: test
    )
    #expect(before.contains("done"))
    let after = try await run("com.own", .unsigned, ["get group.own"], in: test)
    #expect(after.contains("get group.own -> nothing"), "\(after)")
  }

  @Test(
    "A process is told of another developer's extension what it is told of one that is not there"
  )
  func calls() async throws {
    let test = try await TestHost()
    try await test.add("com.victim.web", TestHost.key("a"), isWeb: true)
    try await test.host.turnOn("com.victim.web")
    let functions = ReachTests.functions.map(\.name)
    let script = ["com.victim.web", "com.absent.web"].flatMap { target in
      functions.map { "call \($0) \(target)" }
    }
    let log = try await run("com.evil", TestHost.key("b"), script, in: test)
    let replies = log.split(separator: "\n").compactMap { line in
      line.contains("printed: call ") ? line.split(separator: " -> ").last.map(String.init) : nil
    }
    #expect(replies.count == 2 * functions.count, "\(log)")
    let (victim, absent) = (replies.prefix(functions.count), replies.suffix(functions.count))
    #expect(victim.map { $0.replacing("victim", with: "absent") } == Array(absent))
    // The developer's own process is let through, and its message says whose it is.
    let own = try await run(
      "com.victim.app",
      TestHost.key("a"),
      ["call dispatchMessage com.victim.web"],
      in: test
    )
    #expect(own.contains("call dispatchMessage"))
    let message = try await test.host.nextMessage(for: "com.victim.web")
    #expect(message?.sender == "com.victim.app")
    #expect(message?.userInfo == .string("forged"))
  }

  @Test("The socket of apps is out of every extension's reach", arguments: [false, true])
  func socket(network: Bool) async throws {
    let test = try await TestHost()
    let place = test.folder.url.appending(path: "run/host.sock")
    let server = try HostServer(test.host, socket: place)
    let running = Task { await server.run() }
    let log = try await run(
      "com.evil",
      TestHost.key("b"),
      network: network,
      ["connect \(place.path)"],
      in: test
    )
    #expect(log.contains("connect -> refused"), "\(log)")
    server.stop()
    await running.value
  }
}
