import ExtensionSandbox
import Foundation
import Glibc
import Testing

@Suite struct LimitTests {
  @Test func memoryIsLimited() async throws {
    let limits = ProcessLimits(memory: 128 << 20)
    let (status, _) = try await Workspace().run(["use", "memory"], limits: limits)
    #expect(status == .signalled(SIGKILL, exceeded: .memory))
  }

  @Test func theKernelLimitsWhatCanBeAskedFor() async throws {
    // Too little for the limit by watching to matter: the allocation itself fails.
    let limits = ProcessLimits(memory: nil, addressSpace: 512 << 20)
    let (status, _) = try await Workspace().run(["use", "memory"], limits: limits)
    guard case .signalled = status else {
      Issue.record("\(status)")
      return
    }
  }

  @Test func processorTimeIsLimited() async throws {
    let limits = ProcessLimits(processorSeconds: 1)
    let (status, _) = try await Workspace().run(["use", "processor"], limits: limits)
    #expect(status == .signalled(SIGXCPU, exceeded: .processorTime))
  }

  @Test func filesAreLimited() async throws {
    let workspace = try Workspace()
    let limits = ProcessLimits(fileSize: 3 << 20)
    let (status, _) = try await workspace.run(["use", "file"], limits: limits)
    #expect(status == .signalled(SIGXFSZ, exceeded: .fileSize))
    let big = try Data(contentsOf: workspace.container.appending(path: "big"))
    #expect(big.count == 3 << 20)
  }

  @Test func threadsAreLimited() async throws {
    let limits = ProcessLimits(threads: 16)
    let (status, _) = try await Workspace().run(["use", "threads"], limits: limits)
    #expect(status == .signalled(SIGKILL, exceeded: .threads))
  }

  @Test func refusalsDoNotPileUp() async throws {
    let (status, run) = try await Workspace().run(["use", "refusals"])
    #expect(status == .exited(0))
    #expect(run.lines == ["done"])
    #expect(run.process.refusals.count == SandboxedProcess.refusalLimit)
  }

  @Test(arguments: [
    ProcessLimits(memory: 0), ProcessLimits(threads: -1), ProcessLimits(openFiles: 3),
  ])
  func limitsThatCannotBeAreRefused(_ limits: ProcessLimits) throws {
    let error = #expect(throws: SandboxError.self) { try Workspace().start(["0"], limits: limits) }
    #expect(error?.code == .argument)
  }
}
