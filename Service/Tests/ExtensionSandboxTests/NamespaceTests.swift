import Foundation
import Glibc
import Testing

@testable import ExtensionSandbox

@Suite struct NamespaceTests {
  private static let names = ["user", "mnt", "pid", "net", "ipc", "uts"]

  private func namespace(_ name: String, of process: String) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/ns/\(name)")
  }

  private static var hasAll: Bool { Sandbox.available().namespaces == .all }

  @Test(.enabled(if: hasAll), arguments: NetworkAccess.allCases)
  func aProcessHasItsOwn(_ network: NetworkAccess) async throws {
    let workspace = try Workspace()
    let run = try workspace.start(["mind"], profile: workspace.profile(network))
    defer { close(run.channel) }
    let process = "\(run.process.processIdentifier)"
    while !run.text.contains("waiting"), kill(run.process.processIdentifier, 0) == 0 {
      try await Task.sleep(for: .milliseconds(5))
    }
    for name in Self.names {
      let isOwn = try namespace(name, of: process) != namespace(name, of: "self")
      #expect(isOwn == (name != "net" || network == .none), "\(name)")
    }
    let own = try namespace("pid", of: process)
    let members = try FileManager.default.contentsOfDirectory(atPath: "/proc")
      .filter { Int32($0) != nil && (try? namespace("pid", of: $0)) == own }
    #expect(members.contains(process))
    // The namespace's first process keeps nothing of the host's memory, and of its files but the one
    // that is the host's process.
    // Nobody but root may look into that one at all.
    #expect(members.count == (geteuid() == 0 ? 2 : 1))
    for holder in members where holder != process {
      var size = Int.max
      // It gives its memory back when it is alone with it, which may take a moment.
      for _ in 0..<200 where size > 256 {
        let text = try String(contentsOfFile: "/proc/\(holder)/statm", encoding: .utf8)
        size = text.split(separator: " ").first.flatMap { Int($0) } ?? .max
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect(size <= 256, "\(size) pages")
      let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(holder)/fd")
      #expect(files == ["1"])
      let kept = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(holder)/fd/1")
      #expect(kept == "anon_inode:[pidfd]")
    }
    #expect(run.text.contains("process 2 parent 0 user \(geteuid()) group \(getegid())"))
    #expect(run.text.contains("code refused"))
    var status = stat()
    let file = workspace.container.appending(path: "mine").path(percentEncoded: false)
    #expect(unsafe stat(file, &status) == 0 && status.st_uid == geteuid())
    #expect(status.st_gid == getegid())
    run.process.terminate()
    #expect(await run.process.wait() == .signalled(SIGTERM, exceeded: nil))
    for member in members {
      for _ in 0..<200 where (try? namespace("pid", of: member)) == own {
        try await Task.sleep(for: .milliseconds(5))
      }
      #expect((try? namespace("pid", of: member)) != own, "\(member) is left")
    }
    #expect(run.process.walls.contains("namespaces of its own"))
    #expect(run.process.walls.contains("host's network") == (network != .none))
  }

  /// Where a mount or process namespace cannot be had: the rest stands, and it is said.
  @Test func withoutThemTheFirstWallStandsAlone() async throws {
    for namespaces: NamespaceAvailability in [
      .none(reason: "as this test says"), .withoutProcesses(reason: "as this test says"),
    ] {
      var availability = Sandbox.available()
      if case .none = availability.namespaces, namespaces != .none(reason: "as this test says") {
        continue
      }
      availability.namespaces = namespaces
      let workspace = try Workspace()
      let (status, run) = try await workspace.run(["work"], availability: availability)
      #expect(status == .exited(0))
      #expect(run.lines == ["done"])
      #expect(run.process.walls.contains("as this test says"))
      #expect(run.process.walls.contains("Landlock"))
      let second = try Workspace()
      let attempts = try await second.run(
        ["break-out"],
        adding: ["PROBE_PROCESS": "\(getpid())"],
        availability: availability
      )
      #expect(attempts.run.lines.last == "done")
      for attempt in attempts.run.attempts {
        #expect(availability.refuses(attempt), "\(attempt)")
      }
    }
  }

  /// The kernel really denies them: in a user namespace that may have none within it.
  @Test(.enabled(if: Denied.canBeTried)) func whatTheKernelDeniesIsSaid() throws {
    let output = try Denied.runTests(
      matching: "startWhereNamespacesAreDenied",
      "max_user_namespaces"
    )
    #expect(output.status == 0, "\(output.text)")
    #expect(output.text.contains("no namespaces ("), "\(output.text)")
  }

  /// A filter around the host, such as a service's, may end a process without an error: before it
  /// is in its namespaces, within them, or where only `/proc` is at stake.
  @Test(
    .enabled(if: hasAll && GreedyProgram.hasCompiler),
    arguments: ["unshare", "pivot_root", "umount2", "fsopen"]
  ) func whoeverIsEndedForTryingIsNotTakenForDone(_ call: String) throws {
    let number = try #require(SystemCallNumbers.current.byName[call])
    let output = try Denied.runTests(
      matching: "startWhereNamespacesAreDenied",
      call == "fsopen" ? "not for processes" : "no namespaces",
      by: [GreedyProgram.filtered.get().path, "kill", "\(number)"]
    )
    #expect(output.status == 0, "\(output.text)")
    #expect(output.text.contains("said: "), "\(output.text)")
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["SANDBOX_TEST_DENIED"] != nil))
  func startWhereNamespacesAreDenied() async throws {
    let expected = try #require(ProcessInfo.processInfo.environment["SANDBOX_TEST_DENIED"])
    switch Sandbox.available().namespaces {
    case .all: Issue.record("\(Sandbox.available())")
    case .none(let reason), .withoutProcesses(let reason): #expect(!reason.isEmpty)
    }
    let (status, run) = try await Workspace().run(["hello"])
    #expect(status == .exited(0))
    #expect(run.lines == ["hello"])
    #expect(run.process.walls.contains(expected), "\(run.process.walls)")
    print("said: \(run.process.walls)")
  }
}

/// Runs these tests again where the kernel denies namespaces.
private enum Denied {
  private static let command = [
    "/usr/bin/unshare", "--user", "--map-root-user", "/bin/sh", "-c",
    "echo 0 > /proc/sys/user/max_user_namespaces && exec \"$@\"", "sh",
  ]

  static let canBeTried: Bool =
    (try? ChildProcess(command + ["/bin/true"]))?.wait().status == 0

  static func runTests(
    matching filter: String,
    _ expected: String,
    by command: [String] = Self.command
  ) throws -> (status: Int32, text: String) {
    let tests = [
      CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter", filter,
    ]
    return try ChildProcess(command + tests, environment: ["SANDBOX_TEST_DENIED": expected]).wait()
  }
}
