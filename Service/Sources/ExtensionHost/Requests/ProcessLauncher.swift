public import ExtensionSandbox
public import Foundation

/// How a process ended.
public enum ProcessExit: Equatable, Sendable {
  /// It ended by itself, with this status.
  case exited(Int32)
  /// A signal ended it.
  case signalled(Int32)
  /// It was ended because it used more than a limit allows.
  case exceeded(ProcessLimit)
}

/// What the process of an extension is started with.
public struct ProcessPlan: Sendable {
  /// The executable.
  public var executable: URL
  /// All of its environment.
  public var environment: [String: String]
  /// The bundle, which it may read.
  public var bundle: URL
  /// The folders it may write to.
  public var readWrite: [URL]
  /// The folders that hold the writable folders of all extensions.
  public var writableRoots: [URL]
  /// Whether it may open connections.
  public var network: Bool
  /// How much of the machine it may use.
  public var limits: ProcessLimits
  /// The open descriptor that becomes the channel.
  ///
  /// The launcher says its number in the process in the environment's `TICKBIRD_EXTENSION_CHANNEL`.
  public var channel: Int32
  /// The open descriptor that becomes standard output and standard error.
  public var output: Int32
}

/// A process of an extension.
public protocol RunningExtension: Sendable {
  /// The system's number of it.
  var processIdentifier: Int32 { get }
  /// Which walls stand around it and which do not, and why, in one line; nil where nobody knows.
  var walls: String? { get }
  /// What it tried and was not let do, as sentences; complete once it has ended.
  var refusals: [String] { get }
  /// Seconds of processor time that it took; 0 until it has ended.
  var processorSeconds: Double { get }
  /// Asks it to end, by SIGTERM.
  func terminate()
  /// Ends it, by SIGKILL.
  func kill()
  /// Waits until it has ended; may be called once.
  func wait() async -> ProcessExit
}

extension RunningExtension {
  /// Nobody knows.
  public var walls: String? { nil }
}

/// Starts the processes of extensions.
public protocol ProcessLauncher: Sendable {
  /// Which walls stand around a process on this machine and which do not, and why, in one line; nil
  /// where nobody knows.
  func walls(network: Bool) -> String?
  /// Starts a process.
  ///
  /// The descriptors stay the caller's.
  ///
  /// - Throws: ``HostError`` with code `.system` where the process cannot be started, or cannot be
  ///   confined as the plan says.
  func start(_ plan: ProcessPlan) throws(HostError) -> any RunningExtension
}

extension ProcessLauncher {
  /// Nobody knows.
  public func walls(network: Bool) -> String? { nil }
}
