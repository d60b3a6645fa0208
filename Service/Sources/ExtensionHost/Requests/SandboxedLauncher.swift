internal import ExtensionSandbox
internal import Foundation

/// Starts the processes of extensions in the sandbox, and none where the machine has none.
public struct SandboxedLauncher: ProcessLauncher {
  /// Makes a launcher.
  public init() {}

  /// Starts a process that can reach only what the plan names.
  public func start(_ plan: ProcessPlan) throws(HostError) -> any ExtensionProcess {
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
          profile: SandboxProfile(
            bundle: plan.bundle,
            readWrite: plan.readWrite,
            network: plan.network ? .client : .none
          ),
          limits: plan.limits
        )
      )
    } catch {
      throw HostError(.system, (error as? SandboxError)?.message ?? "\(error)")
    }
  }

  private struct Confined: ExtensionProcess {
    let process: SandboxedProcess

    var processIdentifier: Int32 { process.processIdentifier }
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
