public import Foundation
import Synchronization

/// A process that can reach only what its profile names.
///
///     let process = try SandboxedProcess.start(
///       executable: bundle.appending(path: "Blocker"), arguments: [], environment: [:],
///       channel: channel, output: log, profile: profile, limits: ProcessLimits())
///     let status = await process.wait()
///
/// It has a session of its own and ends with this process. Each has a thread of this process, which
/// answers the filter's questions, watches the limits and waits; no zombie is left.
public final class SandboxedProcess: Sendable {
  /// The process's number, its own until ``wait()`` has answered.
  public let processIdentifier: Int32
  /// Which walls stand around it and which do not, and why, in one line for people.
  public let walls: String
  let supervision: Supervision

  init(processIdentifier: Int32, walls: String, supervision: Supervision) {
    self.processIdentifier = processIdentifier
    self.walls = walls
    self.supervision = supervision
  }

  /// Starts a program; returns once the kernel runs it.
  ///
  /// Descriptors 0 to 3 are all that it gets: nothing to read, `output` twice, and `channel`. Both
  /// stay open here, and are the caller's to close. Blocks for about a millisecond.
  ///
  /// - Parameters:
  ///   - executable: An ELF program within the bundle.
  ///   - arguments: Without the program's name, which goes before them.
  ///   - environment: All variables that the process gets.
  ///   - channel: What becomes descriptor 3, or -1 for none. Not a datagram socket.
  ///   - output: What becomes descriptors 1 and 2. Not a datagram socket.
  ///   - profile: What it may reach.
  ///   - limits: How much it may use.
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

  /// Asks the process to end (SIGTERM); nothing happens when it has ended.
  public func terminate() { supervision.signal(15) }

  /// Ends the process (SIGKILL); nothing happens when it has ended.
  public func kill() { supervision.signal(9) }

  /// Waits until the process has ended; any number may wait, at any time.
  public func wait() async -> ProcessStatus { await supervision.wait() }

  /// What the sandbox refused until now, in the order of first refusals.
  ///
  /// At most ``refusalLimit`` different ones are kept. Complete once ``wait()`` has answered.
  public var refusals: [Refusal] { supervision.refusals }

  /// Seconds of processor time that it took, of all threads together; 0 until ``wait()`` has
  /// answered.
  public var processorSeconds: Double { supervision.processorSeconds }

  /// How many different refusals are kept.
  public static let refusalLimit = 200
}
