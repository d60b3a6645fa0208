public import Foundation

/// What one process may reach.
///
/// Everything else is refused: other files, other processes, sockets, the kernel's own interfaces.
public struct SandboxProfile: Sendable {
  /// The folder that is read and whose programs may be started.
  public var bundle: URL
  /// The folders that are read and written: the container, the application groups.
  ///
  /// The first is where the process starts. Nothing in them can be executed.
  public var readWrite: [URL]
  /// The folders that hold writable folders of all extensions, such as that of all containers.
  ///
  /// Nothing is granted that leads into one of them or lies around one, apart from ``readWrite``,
  /// which may be folders directly in one.
  public var writableRoots: [URL]
  /// Which connections may be made.
  public var network: NetworkAccess
  /// What happens where the kernel offers less than the sandbox needs.
  public var missingProtection: MissingProtection

  /// Makes a profile without network that is refused where protection is missing.
  public init(
    bundle: URL,
    readWrite: [URL],
    writableRoots: [URL] = [],
    network: NetworkAccess = .none,
    missingProtection: MissingProtection = .refuse
  ) {
    self.bundle = bundle
    self.readWrite = readWrite
    self.writableRoots = writableRoots
    self.network = network
    self.missingProtection = missingProtection
  }
}

/// Which connections a process may make.
public enum NetworkAccess: String, Sendable, CaseIterable {
  /// No socket at all, apart from pairs within the process.
  case none
  /// Outgoing connections (`com.apple.security.network.client`).
  case client
  /// Outgoing and incoming ones (`com.apple.security.network.server`).
  case clientAndServer
}

/// What happens where the kernel offers less than the sandbox needs.
public enum MissingProtection: Sendable {
  /// ``SandboxedProcess/start(executable:arguments:environment:channel:output:profile:limits:)``
  /// throws.
  case refuse
  /// The process runs with what there is: only for what the user said to trust.
  ///
  /// Where the filter cannot ask, Dispatch ends the process when it looks at its own threads.
  case runWithLess
}
