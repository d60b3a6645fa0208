import Foundation
import HTTPTypes
import HostTestSupport
import Hummingbird
import Synchronization
import Testing

/// The built command with a resolver that says what a stranger wants: an `/etc/hosts` of the test's own,
/// in a mount namespace of the command's own.
struct ResolvedHostTests {
  private static let hosts = """
    127.0.0.1 localhost feed.example internal.example router
    8.8.8.8 mixed.example
    127.0.0.1 mixed.example

    """

  private static let feed = """
    <rss><channel><title>Secret</title>
    <item><guid>1</guid><title>x</title><link>http://a.test/</link></item></channel></rss>
    """

  /// Runs the command where the hosts are those of a file; nil where the kernel does not allow it.
  private func run(
    _ home: URL,
    _ hosts: URL,
    _ arguments: String...
  ) async throws
    -> HostProgram.Outcome?
  {
    let program = HostProgram(home: home)
    let built = try program.process([]).executableURL?.path ?? ""
    let wrapper = HostProgram(home: home, file: URL(filePath: "/usr/bin/env"))
    let user = getuid() == 0 ? [] : ["-r"]
    let outcome = try await Task.detached {
      try wrapper.run(
        ["unshare"] + user + [
          "-m", "sh", "-c", "mount --bind \"$0\" /etc/hosts || exit 99; exec \"$@\"", hosts.path,
          built,
        ] + arguments
      )
    }.value
    let isAllowed = outcome.status != 99 && !outcome.errors.contains("unshare:")
    if !isAllowed { print("Mounts are not allowed here; names that lead inside are not tried.") }
    return isAllowed ? outcome : nil
  }

  @Test("a feed leads to nothing inside, by whatever name, but to the host that was typed")
  func names() async throws {
    let folder = try TestFolder()
    let hosts = folder.url.appending(path: "hosts")
    try Data(Self.hosts.utf8).write(to: hosts)
    let reached = Mutex<[String]>([])
    try await TestServer.serve { request in
      let path = request.uri.path
      let port = request.head.authority?.split(separator: ":").last.map(String.init) ?? ""
      guard path.hasPrefix("/to/") else {
        reached.withLock { $0.append(path) }
        return TestServer.text(Self.feed)
      }
      let host = path.dropFirst("/to/".count).replacing("_", with: ":")
      return Response(status: .found, headers: [.location: "http://\(host):\(port)/inside"])
    } _: { base in
      let home = folder.url.appending(path: "home")
      let port = try #require(URL(string: base)?.port)
      for target in [
        "internal.example", "router", "internal.example.", "localhost", "localhost.",
        "foo.localhost.", "127.0.0.1", "127.1", "2130706433", "mixed.example", "[__ffff_127.0.0.1]",
        "[64_ff9b__7f00_1]", "nowhere.invalid",
      ] {
        let address = "http://feed.example:\(port)/to/\(target)"
        guard let outcome = try await run(home, hosts, "links", "add", address) else { return }
        #expect(outcome.status == 1, "\(target)")
        #expect(reached.withLock { $0.isEmpty }, "\(target)")
      }
      // One who imports a list has typed nothing.
      let list = folder.url.appending(path: "feeds.opml")
      let address = "http://internal.example:\(port)/feed"
      try Data("<opml><body><outline xmlUrl=\"\(address)\"/></body></opml>".utf8).write(to: list)
      _ = try await run(home, hosts, "links", "import", list.path)
      let refused = try await run(home, hosts, "links", "refresh", "--force")
      #expect(refused?.status == 1)
      #expect(refused?.output.contains("public internet") == true)
      #expect(reached.withLock { $0.isEmpty })
      // Who types it means it, now and with each refresh, also with several names of one machine.
      _ = try await run(home, hosts, "links", "remove", "1")
      let typed = try await run(home, hosts, "links", "add", address)
      #expect(typed?.status == 0, "\(typed?.errors ?? "")")
      #expect(try await run(home, hosts, "links", "refresh", "--force")?.status == 0)
      #expect(reached.withLock { $0.count { $0 == "/feed" } } == 2)
    }
  }
}
