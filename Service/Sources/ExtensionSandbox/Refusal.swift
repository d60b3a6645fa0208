/// Something that the sandbox refused, and how often.
public struct Refusal: Hashable, Sendable, CustomStringConvertible {
  /// What was tried.
  public enum Kind: String, Sendable, CaseIterable {
    /// A connection, or creating a socket for one.
    case network
    /// Listening for connections.
    case listening
    /// A socket of a kind that no entitlement grants: path-named, abstract, raw.
    case socket
    /// Another process or program.
    case process
    /// A signal to another process, or another influence on it.
    case signal
    /// Inspecting another process.
    case debugging
    /// A file outside the bundle, the container and the groups, or a change within the bundle.
    case file
    /// Mounting, namespaces, another root.
    case mount
    /// Memory, queues and semaphores shared by name.
    case sharedMemory = "shared memory"
    /// Another user, group or capability.
    case privilege
    /// Anything else in the kernel.
    case kernel
  }

  /// What was tried.
  public let kind: Kind
  /// The system call, such as `socket`.
  public let call: String
  /// Its informative arguments, such as `AF_INET, SOCK_STREAM` or a file's path.
  public let detail: String
  /// How often, since the process started.
  public var count: Int

  /// Makes a refusal.
  public init(kind: Kind, call: String, detail: String, count: Int = 1) {
    self.kind = kind
    self.call = call
    self.detail = detail
    self.count = count
  }

  /// Whether the C library does this in any program that looks up a user or a host, and copes
  /// without it.
  ///
  /// A program that does it on its own account looks the same, so it is still reported.
  public var isUsualLookUp: Bool {
    switch kind {
    // For the name service caching daemon.
    case .socket: call == "socket" && detail == "AF_UNIX, SOCK_STREAM"
    case .file: ["to read, /etc/passwd", "to read, /etc/group"].contains(detail)
    default: false
    }
  }

  /// A sentence for a log: what was refused, why, and the call.
  public var description: String {
    let reason =
      switch kind {
      case .network:
        "no outgoing-connections entitlement (com.apple.security.network.client)"
      case .listening:
        "no incoming-connections entitlement (com.apple.security.network.server)"
      case .socket: "only internet sockets can be granted"
      case .process: "an extension is one process"
      case .signal: "other processes cannot be reached"
      case .debugging: "other processes cannot be looked into"
      case .file: "outside the bundle, the container and the groups, or not to be changed"
      case .mount: "the file system cannot be rearranged"
      case .sharedMemory: "memory cannot be shared by name"
      case .privilege: "an extension keeps the user it runs as"
      case .kernel: "not among the system calls of an extension"
      }
    let times = count > 1 ? ", \(count) times" : ""
    let note =
      isUsualLookUp ? " (usually the C library's look-up of a user or host, which is harmless)" : ""
    return "\(kind.rawValue) refused: \(reason); \(call)(\(detail))\(times)\(note)"
  }
}
