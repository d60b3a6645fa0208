package import ExtensionSandbox
internal import Foundation

/// Starts the processes of extensions in the sandbox; fails if the machine has none.
public struct SandboxedLauncher: ProcessLauncher {
  /// Makes a launcher.
  public init() {}

  /// Describes the walls that the kernel offers.
  public func walls(network: Bool) -> String? {
    Sandbox.available().walls(network: network ? .client : .none)
  }

  /// Returns what a process may access.
  package static func profile(of plan: ProcessPlan) -> SandboxProfile {
    SandboxProfile(
      bundle: plan.bundle,
      readWrite: plan.readWrite,
      writableRoots: plan.writableRoots,
      network: plan.network ? .client : .none
    )
  }

  /// Starts a process that can access only what the plan names.
  ///
  /// - Throws: ``HostError`` with code `.badProgram` if the program is at fault, or `.system`.
  public func start(_ plan: ProcessPlan) throws(HostError) -> any RunningExtension {
    var environment = plan.environment
    // The sandbox gives the channel this number.
    environment["TICKBIRD_EXTENSION_CHANNEL"] = "3"
    do {
      return Confined(
        process: try SandboxedProcess.start(
          executable: plan.executable,
          arguments: [],
          environment: environment,
          channel: plan.channel,
          output: plan.output,
          profile: Self.profile(of: plan),
          limits: plan.limits
        )
      )
    } catch {
      let error = error as? SandboxError ?? SandboxError(.system, "\(error)")
      throw HostError(error.code == .executable ? .badProgram : .system, error.message)
    }
  }

  private struct Confined: RunningExtension {
    let process: SandboxedProcess

    var processIdentifier: Int32 { process.processIdentifier }
    var walls: String? { process.walls }
    var refusals: [String] { process.refusals.map(\.description) }
    var processorSeconds: Double { process.processorSeconds }
    func terminate() { process.terminate() }
    func kill() { process.kill() }

    func wait() async -> ProcessExit {
      switch await process.wait() {
      case .exited(let status): .exited(status)
      case .signalled(let signal, let limit):
        limit.map { .exceeded($0) } ?? .signalled(signal)
      case .unknown: .exited(-1)
      }
    }
  }
}
