public import Foundation
import Synchronization

/// A process that can access only what its profile names.
///
///     let process = try SandboxedProcess.start(
///       executable: bundle.appending(path: "Blocker"), arguments: [], environment: [:],
///       channel: channel, output: log, profile: profile, limits: ProcessLimits())
///     let status = await process.wait()
///
/// It has its own session and ends with this process. A thread of this process answers its filter's
/// notifications, watches its limits and reaps it.
public final class SandboxedProcess: Sendable {
  /// The process's number, valid until ``wait()`` has returned.
  public let processIdentifier: Int32
  /// Describes in one line which walls confine it, which do not, and why.
  public let walls: String
  let supervision: Supervision

  init(processIdentifier: Int32, walls: String, supervision: Supervision) {
    self.processIdentifier = processIdentifier
    self.walls = walls
    self.supervision = supervision
  }

  /// Starts a program; returns once it is executing.
  ///
  /// It gets only descriptors 0 to 3: `/dev/null`, `output` twice, and `channel`. The caller still
  /// has to close `output` and `channel`. Blocks for about a millisecond.
  ///
  /// - Parameters:
  ///   - executable: An ELF program within the bundle.
  ///   - arguments: The arguments, without the program's name.
  ///   - environment: The complete environment of the process.
  ///   - channel: Becomes descriptor 3; -1 for none. Not a datagram socket.
  ///   - output: Becomes descriptors 1 and 2. Not a datagram socket.
  ///   - profile: What it may access.
  ///   - limits: The resources that it may use.
  /// - Returns: The running process.
  /// - Throws: ``SandboxError``; then there is no process.
  public static func start(
    executable: URL,
    arguments: [String],
    environment: [String: String],
    channel: Int32,
    output: Int32,
    profile: SandboxProfile,
    limits: ProcessLimits = ProcessLimits()
  ) throws -> SandboxedProcess {
    try start(
      executable: executable,
      arguments: arguments,
      environment: environment,
      channel: channel,
      output: output,
      profile: profile,
      limits: limits,
      availability: Sandbox.available()
    )
  }

  package static func start(
    executable: URL,
    arguments: [String],
    environment: [String: String],
    channel: Int32,
    output: Int32,
    profile: SandboxProfile,
    limits: ProcessLimits,
    availability: SandboxAvailability
  ) throws -> SandboxedProcess {
    let plan = try LaunchPlan(
      executable: executable,
      arguments: arguments,
      environment: limits.variables.merging(environment) { $1 },
      channel: channel,
      output: output,
      profile: profile,
      limits: limits,
      availability: availability
    )
    return try Supervisor.start(plan)
  }

  /// Sends SIGTERM; does nothing if the process has ended.
  public func terminate() { supervision.signal(15) }

  /// Sends SIGKILL; does nothing if the process has ended.
  public func kill() { supervision.signal(9) }

  /// Waits until the process has ended; may be called any number of times.
  public func wait() async -> ProcessStatus { await supervision.wait() }

  /// The refusals so far, in the order of their first occurrence.
  ///
  /// At most ``refusalLimit`` distinct ones are kept. Complete once ``wait()`` has returned.
  public var refusals: [Refusal] { supervision.refusals }

  /// Seconds of processor time used, summed over all threads; 0 until ``wait()`` has returned.
  public var processorSeconds: Double { supervision.processorSeconds }

  /// How many distinct refusals are kept.
  public static let refusalLimit = 200
}
