import ExtensionSandbox
import Foundation
import Glibc
import Testing

@Suite struct BreakOutTests {
  /// A process of the same user that is none of the probe's business.
  private func withVictim<Result>(_ body: (Int32) async throws -> Result) async throws -> Result {
    let victim = try ChildProcess(["/bin/sleep", "1000"])
    defer { victim.end() }
    return try await body(victim.processIdentifier)
  }

  /// With the second wall, where the kernel has it, and by the first alone.
  @Test(arguments: NetworkAccess.allCases, [true, false]) func everyAttemptIsRefusedAndTold(
    _ network: NetworkAccess,
    _ namespaces: Bool
  ) async throws {
    let workspace = try Workspace()
    var availability = Sandbox.available()
    if !namespaces { availability.namespaces = .none(reason: "for this test") }
    let outsideBefore = try workspace.state(of: workspace.outside)
    let bundleBefore = try workspace.state(of: workspace.bundle)
    let socket = try DatagramReceiver(
      at: workspace.outside.deletingLastPathComponent().appending(path: "socket")
    )
    let (status, run) = try await withVictim { victim in
      let result = try await workspace.run(
        ["break-out"],
        profile: workspace.profile(network),
        adding: [
          "PROBE_PROCESS": "\(victim)", "PROBE_SOCKET": socket.path,
          "PROBE_NETWORK": network == .none
            ? "" : network == .clientAndServer ? "server" : "client",
        ],
        availability: availability
      )
      #expect(kill(victim, 0) == 0)
      return result
    }
    #expect(status == .exited(0))
    #expect(run.lines.last == "done")
    #expect(run.attempts.count > 200)
    let told = Set(run.process.refusals.map(\.call))
    for attempt in run.attempts {
      #expect(availability.refuses(attempt), "\(attempt)")
      #expect(attempt[1] == "-" || told.contains(String(attempt[1])), "not told: \(attempt)")
    }
    #expect(socket.received == nil)
    #expect(try workspace.state(of: workspace.outside) == outsideBefore)
    #expect(try workspace.state(of: workspace.bundle) == bundleBefore)
    let paths = run.process.refusals.filter { $0.kind == .file }.map(\.detail)
    let secret = workspace.outside.appending(path: "secret").path(percentEncoded: false)
    #expect(paths.contains("to read, \(secret)"))
    #expect(paths.contains("to write, \(secret)"))
  }

  @Test func withoutSandboxTheAttemptsSucceed() async throws {
    let workspace = try Workspace()
    let text = try await withVictim { victim in
      try ChildProcess(
        [workspace.program.path(percentEncoded: false), "break-out"],
        environment: workspace.environment.merging(["PROBE_PROCESS": "\(victim)"]) { $1 }
      ).wait().text
    }
    #expect(text.contains("\ndone\n"))
    let refused = Set(
      text.split(separator: "\n").filter { $0.hasSuffix("refused") }
        .compactMap { $0.split(separator: "\t").first.map(String.init) }
    )
    // What any user may do everywhere; the rest depends on the machine and the user.
    for name in [
      "read outside", "list outside", "write outside", "make a file outside",
      "make a folder outside", "remove outside", "write to the bundle", "read the users",
      "list the root folder", "read through a link", "hard link to outside", "rename to outside",
      "list processes", "read another process's cmdline", "watch files", "chmod of the bundle",
      "fchmod of the bundle", "times outside", "path-named socket", "TCP socket", "datagram pair",
      "clone", "Foundation's Process", "signal another process", "signal the host", "tkill",
      "outlive the host", "shmget", "memfd_create", "execute /bin/sh",
    ] {
      #expect(!refused.contains(name), "\(name) is refused without a sandbox")
    }
  }

  /// The kernel grants a user less than root, and other ways are open to a user.
  @Test(.enabled(if: geteuid() == 0 && OrdinaryUser.canRunTests))
  func theSameHoldsForAnOrdinaryUser() throws {
    let output = try OrdinaryUser.runTests(
      matching: "everyAttemptIsRefusedAndTold|allWorks|PreparedStartTests|aProcessHasItsOwn"
    )
    #expect(output.status == 0, "\(output.text)")
    #expect(output.text.contains("everyAttemptIsRefusedAndTold"))
  }
}

extension SandboxAvailability {
  /// Whether an attempt came to nothing: by a refusal, or in a root that does not have what it names.
  func refuses(_ attempt: [Substring]) -> Bool {
    if case .none = namespaces { return attempt[2] == "refused" }
    return attempt[2] == "refused" || attempt[2] == "absent"
  }
}

/// A path-named datagram socket that says whether anything arrived.
final class DatagramReceiver: Sendable {
  let path: String
  private let descriptor: Int32

  init(at url: URL) throws {
    path = url.path(percentEncoded: false)
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    try #require(bytes.count < 108)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor, $0, size)
      }
    }
    try #require(result == 0)
  }

  deinit { close(descriptor) }

  var received: [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return count >= 0 ? Array(bytes.prefix(count)) : nil
  }
}

/// Runs these tests again as somebody who is not root.
enum OrdinaryUser {
  private static let program = CommandLine.arguments[0]
  private static let command = [
    "/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--",
  ]

  /// Whether there is `setpriv`, and the user can reach the built tests.
  static let canRunTests: Bool = {
    let test = ["/usr/bin/test", "-x", program, "-a", "-r", program]
    return (try? ChildProcess(command + test))?.wait().status == 0
  }()

  static func runTests(matching filter: String) throws -> (status: Int32, text: String) {
    let tests = [program, "--testing-library", "swift-testing", "--filter", filter]
    return try ChildProcess(command + tests).wait()
  }
}
