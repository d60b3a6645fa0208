internal import CLibrary

/// The socket by which apps and commands reach the host.
///
/// It carries the same messages as an extension's channel: calls in one direction, replies in the
/// other, in the same frames.
public enum HostSocket {
  /// The environment variable that overrides the socket's path.
  public static let variable = "TICKBIRD_HOST_SOCKET"

  /// The socket's path for a user.
  ///
  /// - Parameters:
  ///   - environment: The environment: `TICKBIRD_HOST_SOCKET`, `TICKBIRD_HOME`, `XDG_RUNTIME_DIR`,
  ///     `XDG_DATA_HOME` and `HOME` are used; relative paths are ignored.
  ///   - home: The user's home folder, if the environment has none.
  /// - Returns: An absolute path.
  public static func path(environment: [String: String], home: String) -> String {
    func folder(_ variable: String) -> String? {
      guard let path = environment[variable], path.hasPrefix("/") else { return nil }
      return path.hasSuffix("/") ? String(path.dropLast()) : path
    }
    if let path = folder(variable) { return path }
    if let own = folder("TICKBIRD_HOME") { return own + "/run/host.sock" }
    if let runtime = folder("XDG_RUNTIME_DIR") { return runtime + "/tickbird/host.sock" }
    return (folder("XDG_DATA_HOME") ?? (folder("HOME") ?? home) + "/.local/share")
      + "/tickbird/run/host.sock"
  }

  /// Connects to a host.
  ///
  /// - Returns: The descriptor, which is the caller's, and which new programs do not inherit.
  /// - Throws: An ``ErrorReport`` of the runtime's domain with code ``RuntimeFault/noHost``.
  public static func connect(to path: String) throws(ErrorReport) -> Int32 {
    let descriptor = try open(path)
    let failure = unsafe withAddress(path) { address, length in
      unsafe CLibrary.connect(descriptor, address, length)
    }
    guard failure == 0 else {
      close(descriptor)
      throw ErrorReport(
        .noHost,
        "no host of extensions runs at \(path) (\(systemWords(for: failure))); start it with: "
          + "tickbird-host run"
      )
    }
    guard isOwn(descriptor) else {
      close(descriptor)
      throw ErrorReport(.noHost, "the host at \(path) is another user's")
    }
    return descriptor
  }

  /// Listens at a path, which must not exist.
  ///
  /// - Returns: The descriptor, which is the caller's.
  /// - Throws: An ``ErrorReport`` of the runtime's domain with code ``RuntimeFault/noHost``.
  public static func listen(at path: String) throws(ErrorReport) -> Int32 {
    let descriptor = try open(path)
    var failure = unsafe withAddress(path) { address, length in
      unsafe bind(descriptor, address, length)
    }
    if failure == 0, CLibrary.listen(descriptor, 64) != 0 { failure = errno }
    guard failure == 0 else {
      close(descriptor)
      throw ErrorReport(.noHost, "the host cannot listen at \(path): \(systemWords(for: failure))")
    }
    return descriptor
  }

  /// Whether the process at the other end of a connected socket belongs to the same user.
  public static func isOwn(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
    var user: uid_t = 0
    var group: gid_t = 0
    return unsafe getpeereid(descriptor, &user, &group) == 0 && user == geteuid()
    #else
    // struct ucred: process, user, group.
    var credentials: [UInt32] = [0, .max, .max]
    var length = socklen_t(12)
    return unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0
      && length == 12 && credentials[1] == geteuid()
    #endif
  }

  private static func open(_ path: String) throws(ErrorReport) -> Int32 {
    #if canImport(Glibc)
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #elseif canImport(Musl)
    let kind = SOCK_STREAM | SOCK_CLOEXEC
    #else
    let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else {
      throw ErrorReport(.noHost, "no socket can be made for \(path): \(systemWords(for: errno))")
    }
    return descriptor
  }

  /// Calls a function with a path as a socket address, and returns `errno`, or 0 for success.
  private static func withAddress(
    _ path: String,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    var short = path
    var folder: Int32 = -1
    defer { if folder >= 0 { close(folder) } }
    if path.utf8.count >= capacity, let slash = path.lastIndex(of: "/") {
      // A socket address has room for about 100 bytes, so a longer path goes through its folder's descriptor.
      folder = unsafe CLibrary.open(String(path[..<slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard folder >= 0 else { return errno }
      short = "/proc/self/fd/\(folder)" + path[slash...]
    }
    guard short.utf8.count < capacity, !short.utf8.contains(0) else { return ENAMETOOLONG }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      unsafe place.copyBytes(from: short.utf8)
    }
    let length = socklen_t(MemoryLayout<sockaddr_un>.size)
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, length) == 0 ? 0 : errno
      }
    }
  }
}
