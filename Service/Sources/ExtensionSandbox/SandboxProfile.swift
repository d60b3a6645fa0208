public import Foundation

/// What one process may access.
///
/// Everything else is refused: other files, other processes, sockets, the kernel's own interfaces.
public struct SandboxProfile: Sendable {
  /// The folder that may be read, and whose programs may be executed.
  public var bundle: URL
  /// The folders that may be read and written: the container and the application groups.
  ///
  /// The first is the working folder at the start. Nothing in them can be executed.
  public var readWrite: [URL]
  /// The folders that contain the writable folders of all extensions, such as the parent of all
  /// containers.
  ///
  /// A path that leads into one of them, or contains one, is not granted, except ``readWrite``:
  /// these may be direct children.
  public var writableRoots: [URL]
  /// The connections that may be made.
  public var network: NetworkAccess
  /// What to do if the kernel offers less than the sandbox requires; only tests choose.
  package var missingProtection = MissingProtection.refuse

  /// Creates a profile without network, which is refused if protection is missing.
  public init(
    bundle: URL,
    readWrite: [URL],
    writableRoots: [URL] = [],
    network: NetworkAccess = .none
  ) {
    self.bundle = bundle
    self.readWrite = readWrite
    self.writableRoots = writableRoots
    self.network = network
  }
}

/// The connections that a process may make.
public enum NetworkAccess: String, Sendable, CaseIterable {
  /// No sockets, apart from pairs within the process.
  case none
  /// Outgoing connections (`com.apple.security.network.client`).
  case client
  /// Outgoing and incoming connections (`com.apple.security.network.server`).
  case clientAndServer
}

/// What to do if the kernel offers less than the sandbox requires.
package enum MissingProtection: Sendable {
  /// ``SandboxedProcess/start(executable:arguments:environment:channel:output:profile:limits:)``
  /// throws.
  case refuse
  /// The process runs with the protection available.
  ///
  /// If the filter cannot ask, Dispatch aborts the process when it looks at its own threads.
  case runWithLess
}
