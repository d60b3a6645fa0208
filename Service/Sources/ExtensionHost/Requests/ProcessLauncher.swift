public import ExtensionSandbox
public import Foundation

/// How a process ended.
public enum ProcessExit: Equatable, Sendable {
  /// It exited with this status.
  case exited(Int32)
  /// A signal killed it.
  case signalled(Int32)
  /// It was killed for exceeding a limit.
  case exceeded(ProcessLimit)
}

/// The parameters of an extension's process.
public struct ProcessPlan: Sendable {
  /// The executable.
  public var executable: URL
  /// The complete environment.
  public var environment: [String: String]
  /// The bundle, which it may read.
  public var bundle: URL
  /// The folders it may write to.
  public var readWrite: [URL]
  /// The folders that contain the writable folders of all extensions.
  public var writableRoots: [URL]
  /// Whether it may make connections.
  public var network: Bool
  /// The resources that it may use.
  public var limits: ProcessLimits
  /// The open descriptor that becomes the channel.
  ///
  /// The launcher puts its number in the process into `TICKBIRD_EXTENSION_CHANNEL`.
  public var channel: Int32
  /// The open descriptor that becomes standard output and standard error.
  public var output: Int32
}

/// A process of an extension.
public protocol RunningExtension: Sendable {
  /// The system's process number.
  var processIdentifier: Int32 { get }
  /// Describes in one line which walls confine it, which do not, and why; nil if unknown.
  var walls: String? { get }
  /// What the sandbox refused, as sentences; complete once it has ended.
  var refusals: [String] { get }
  /// Seconds of processor time used; 0 until it has ended.
  var processorSeconds: Double { get }
  /// Sends SIGTERM.
  func terminate()
  /// Sends SIGKILL.
  func kill()
  /// Waits until it has ended; may be called once.
  func wait() async -> ProcessExit
}

extension RunningExtension {
  /// Unknown.
  public var walls: String? { nil }
}

/// Starts the processes of extensions.
public protocol ProcessLauncher: Sendable {
  /// Describes in one line which walls this machine offers for a process, which it does not, and
  /// why; nil if unknown.
  func walls(network: Bool) -> String?
  /// Starts a process.
  ///
  /// The caller keeps the descriptors.
  ///
  /// - Throws: ``HostError`` with code `.system` if the process cannot be started, or cannot be
  ///   confined as the plan requires.
  func start(_ plan: ProcessPlan) throws(HostError) -> any RunningExtension
}

extension ProcessLauncher {
  /// Unknown.
  public func walls(network: Bool) -> String? { nil }
}
