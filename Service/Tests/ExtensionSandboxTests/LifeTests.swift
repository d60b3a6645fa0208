import Foundation
import Glibc
import Testing

@testable import ExtensionSandbox

@Suite struct LifeTests {
  @Test(arguments: [0, 1, 77]) func theStatusIsTold(_ code: Int) async throws {
    let (status, _) = try await Workspace().run(["use", "\(code)"])
    #expect(status == .exited(Int32(code)))
  }

  @Test func aTrapIsTold() async throws {
    let (status, run) = try await Workspace().run(["use", "trap"])
    guard case .signalled(_, exceeded: nil) = status else {
      Issue.record("\(status)")
      return
    }
    #expect(run.text.contains("as asked"))
  }

  @Test func itEndsWhenAsked() async throws {
    let workspace = try Workspace()
    let asked = try workspace.start(["use", "nothing"])
    asked.process.terminate()
    #expect(await asked.process.wait() == .signalled(SIGTERM, exceeded: nil))
    let ended = try workspace.start(["use", "nothing"])
    try await ended.untilItPrints()
    #expect(getpgid(ended.process.processIdentifier) == ended.process.processIdentifier)
    #expect(getsid(ended.process.processIdentifier) == ended.process.processIdentifier)
    ended.process.kill()
    #expect(await ended.process.wait() == .signalled(SIGKILL, exceeded: nil))
    // Later calls reach nobody.
    ended.process.terminate()
    ended.process.kill()
    #expect(await ended.process.wait() == .signalled(SIGKILL, exceeded: nil))
    // Nobody is left to be waited for.
    #expect(kill(ended.process.processIdentifier, 0) == -1)
    for run in [asked, ended] { close(run.channel) }
  }

  @Test func manyRunAtOnce() async throws {
    let workspace = try Workspace()
    let statuses = try await withThrowingTaskGroup(
      of: (number: Int, status: ProcessStatus).self
    ) { group in
      for number in 0..<24 {
        group.addTask { (number, try await workspace.run(["use", "\(number)"]).status) }
      }
      var statuses: [Int: ProcessStatus] = [:]
      for try await result in group { statuses[result.number] = result.status }
      return statuses
    }
    for number in 0..<24 { #expect(statuses[number] == .exited(Int32(number))) }
  }

  @Test func theChannelEndsWithIt() async throws {
    let (_, run) = try await Workspace().run(["work"])
    #expect(run.lines == ["done"])
    let workspace = try Workspace()
    let other = try workspace.start(["work"])
    var bytes = [UInt8](repeating: 0, count: 64)
    _ = await other.process.wait()
    #expect(unsafe recv(other.channel, &bytes, bytes.count, 0) == 7)
    // No copy of the other end is left, here or in a process that started meanwhile.
    #expect(unsafe recv(other.channel, &bytes, bytes.count, 0) == 0)
    close(other.channel)
  }

  @Test func itEndsWithItsParent() async throws {
    try await endWithParent()
  }

  /// A parent that dies before its death's signal is asked for: here, because asking does nothing.
  @Test(.enabled(if: Sandbox.available().namespaces == .all && GreedyProgram.hasCompiler))
  func itEndsWithAParentThatDiedTooEarly() async throws {
    let call = try #require(SystemCallNumbers.current.byName["prctl"])
    let deathSignal = 1
    let filtered = try GreedyProgram.filtered.get().path
    try await endWithParent(by: [filtered, "skip", "\(call)", "\(deathSignal)"])
  }

  private func endWithParent(by command: [String] = []) async throws {
    // The parent is these tests once more: it starts a process, prints its number and is killed.
    let parent = try ChildProcess(
      command + [
        CommandLine.arguments[0], "--testing-library", "swift-testing", "--filter", "startAndStay",
      ],
      environment: ["SANDBOX_TEST_STAYS": "yes"]
    )
    var number: Int32?
    while number == nil, isRunning(parent.processIdentifier) {
      number = parent.text.firstMatch(of: /child ([0-9]+) is there/).flatMap { Int32($0.1) }
      try await Task.sleep(for: .milliseconds(5))
    }
    let child = try #require(number, "\(parent.text)")
    #expect(kill(child, 0) == 0)
    let all = try children(of: parent.processIdentifier)
    // With a namespace there is its first process, too.
    #expect(all.contains(child) && all.count == (Sandbox.available().namespaces == .all ? 2 : 1))
    parent.end()
    // They are another's to reap; until then they are there, but dead.
    for process in all {
      while isRunning(process) { try await Task.sleep(for: .milliseconds(5)) }
    }
  }

  /// The processes that a process has started.
  private func children(of parent: Int32) throws -> Set<Int32> {
    let all = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
    return Set(
      all.filter {
        let status = try? String(contentsOfFile: "/proc/\($0)/status", encoding: .utf8)
        return status?.contains("\nPPid:\t\(parent)\n") ?? false
      }
    )
  }

  private func isRunning(_ process: Int32) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return false }
    return !text[end...].hasPrefix(") Z") && !text[end...].hasPrefix(") X")
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["SANDBOX_TEST_STAYS"] != nil))
  func startAndStay() async throws {
    let run = try Workspace().start(["use", "nothing"])
    try await run.untilItPrints()
    print("child \(run.process.processIdentifier) is there")
    fflush(nil)
    _ = await run.process.wait()
  }
}
