import Foundation
import Glibc
import Testing

@testable import ExtensionSandbox

/// Programs that use more than they may, and hide it.
@Suite(.enabled(if: GreedyProgram.hasCompiler)) struct HiddenUseTests {
  private static let killedForMemory = ProcessStatus.signalled(
    SIGKILL,
    exceeded: .memory
  )

  @Test(arguments: [
    ["shared", "600"],
    // Main threads that have ended.
    ["leader", "600"], ["leader-late", "600"],
    // Mappings of which none is large, in three kinds of memory.
    ["small", "600"], ["zero", "600"], ["private", "600"],
    // A file without a name.
    ["file", "200"],
  ]) func memoryCannotBeHidden(_ arguments: [String]) async throws {
    let limits = ProcessLimits(memory: 96 << 20)
    let (status, lines) = try await GreedyProgram.run(arguments, limits: limits)
    #expect(status == Self.killedForMemory)
    #expect(!lines.contains("alive"))
  }

  /// Names that once were taken for the end of another field: letters that join the parenthesis
  /// behind them, line ends with fields of their own, bytes that are not UTF-8.
  @Test(arguments: [
    Array("evil".utf8) + [0xD8, 0x80], Array("a)".utf8) + [0xCC, 0x81], Array(") R 1 1 1".utf8),
    Array("\nVmRSS:\t1 kB".utf8), Array("x\nThreads:\t1\n".utf8), [0xFF, 0xFE, 0x29, 0xF0],
    Array("\r\nVmRSS: 1".utf8),
  ]) func namesHideNothing(_ name: [UInt8]) async throws {
    let digits = name.map { String(format: "%02x", $0) }.joined()
    let limits = ProcessLimits(memory: 96 << 20, threads: 24)
    let memory = try await GreedyProgram.run(["shared", "600", digits], limits: limits)
    #expect(memory.status == Self.killedForMemory)
    let threads = try await GreedyProgram.run(["storm", "40", digits], limits: limits)
    #expect(threads.status == .signalled(SIGKILL, exceeded: .threads))
  }

  @Test(arguments: ["storm", "leader-storm"])
  func threadsThatMakeThreadsEnd(_ what: String) async throws {
    let limits = ProcessLimits(threads: 32)
    let (status, _) = try await GreedyProgram.run([what, "1000"], limits: limits)
    #expect(status == .signalled(SIGKILL, exceeded: .threads))
  }

  @Test func asManyThreadsAsThereMayBe() async throws {
    // With stacks of the ordinary size, and the main thread among them.
    let limits = ProcessLimits(memory: 96 << 20, threads: 128)
    let (status, lines) = try await GreedyProgram.run(["some-threads", "127"], limits: limits)
    #expect(status == .exited(0))
    #expect(lines == ["alive"])
  }

  @Test func theKernelHoldsTheAddressSpaceNearTheLimitOfMemory() async throws {
    let limits = ProcessLimits(memory: 96 << 20, threads: 16)
    let most = (96 << 20) + limits.reservedAddressSpace
    let over = try await GreedyProgram.run(["reserve", "\(most >> 20)"], limits: limits)
    #expect(over.lines == ["refused"])
    let within = try await GreedyProgram.run(["reserve", "96"], limits: limits)
    #expect(within.lines == ["reserved"])
    // However large another limit is.
    let wider = ProcessLimits(memory: 96 << 20, addressSpace: 16 << 30, threads: 16)
    #expect(
      try await GreedyProgram.run(["reserve", "\(most >> 20)"], limits: wider).lines == ["refused"]
    )
  }

  /// What all processes of a user have together is not for one of them to use up.
  @Test func whatIsTheUsersIsLeftToOthers() async throws {
    let timers = try await GreedyProgram.run(["timers", "100000"], limits: ProcessLimits())
    let made = try #require(timers.lines.first.flatMap { Int($0) })
    #expect(made <= 1024 && made > 0)
    // The size of a pipe can be asked for, and not changed.
    let pipes = try await GreedyProgram.run(["pipes"], limits: ProcessLimits())
    #expect(pipes.lines == ["\(EPERM) 1"])
  }

  /// A user may have a right to real-time priority, as for sound; no extension inherits it.
  @Test func noPriorityIsInherited() async throws {
    let (nice, realTime): (UInt32, UInt32) = (13, 14)
    for resource in [nice, realTime] {
      var limit = rlimit(rlim_cur: 30, rlim_max: 30)
      // Only root can, and only then there is something to inherit.
      unsafe setrlimit(__rlimit_resource_t(resource), &limit)
    }
    let (_, lines) = try await GreedyProgram.run(["priority"], limits: ProcessLimits())
    #expect(lines == ["\(EPERM) \(EPERM) \(EACCES)"])
  }

  @Test func memoryHasNoFile() async throws {
    let (_, lines) = try await GreedyProgram.run(["memfd"], limits: ProcessLimits())
    #expect(lines == ["\(EPERM)"])
  }
}

/// Programs that fill the disk.
@Suite(.enabled(if: GreedyProgram.hasCompiler)) struct DiskLimitTests {
  private static let limits = ProcessLimits(
    disk: DiskLimits(bytes: 48 << 20, files: 500, reserve: 1 << 20)
  )

  @Test(arguments: [
    ("big", 400, ProcessLimit.diskSpace), ("sparse", 200, .diskSpace),
    ("allocated", 400, .diskSpace), ("unnamed", 400, .diskSpace),
    ("tiny", 3000, .files), ("wide", 3000, .files), ("symlinks", 3000, .files),
    ("links", 3000, .files), ("folders", 60, .folderDepth), ("folders", 3000, .folderDepth),
  ]) func whatIsTooMuchEndsTheProcess(
    _ what: String,
    _ number: Int,
    _ limit: ProcessLimit
  ) async throws {
    let (status, lines) = try await GreedyProgram.run([what, "\(number)"], limits: Self.limits)
    #expect(status == .signalled(SIGKILL, exceeded: limit))
    #expect(!lines.contains("alive"))
  }

  /// Room is taken by writing only: what comes at once would be there before anybody looks.
  @Test func noRoomIsTakenWithoutWriting() async throws {
    let (_, lines) = try await GreedyProgram.run(["allocation"], limits: Self.limits)
    // The C library's own way goes on.
    #expect(lines == ["\(EOPNOTSUPP) \(EOPNOTSUPP) \(EOPNOTSUPP) 0"])
  }

  @Test(arguments: [("big", 32), ("tiny", 400), ("links", 400), ("folders", 20), ("sparse", 2)])
  func whatIsWithinTheLimitsIsNotEnded(_ what: String, _ number: Int) async throws {
    // The name of a file is one more to count, its bytes are not.
    let (status, lines) = try await GreedyProgram.run([what, "\(number)"], limits: Self.limits)
    #expect(status == .exited(0))
    #expect(lines == ["alive"])
  }

  @Test(.enabled(if: geteuid() != 0)) func aFolderThatIsClosedToTheHostCountsAsTooMuch()
    async throws
  {
    let (status, _) = try await GreedyProgram.run(["closed"], limits: Self.limits)
    #expect(status == .signalled(SIGKILL, exceeded: .unreadableFolder))
  }

  @Test func aDiskIsNotFilledByWhatCannotBeCounted() async throws {
    // What is open nowhere and has no name is seen by what is left of the disk alone.
    let free = try #require(
      FreeSpace(at: FileManager.default.temporaryDirectory.path, limits: DiskLimits())
    )
    var disk = DiskLimits(reserve: free.bytes - (64 << 20))
    try #require(disk.reserve > 0)
    disk.reserveShare = 1
    let (status, _) = try await GreedyProgram.run(
      ["in-flight", "512"],
      limits: ProcessLimits(disk: disk)
    )
    #expect(status == .signalled(SIGKILL, exceeded: .diskReserve))
  }
}
