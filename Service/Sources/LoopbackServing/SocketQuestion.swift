internal import CLibrary
internal import Synchronization

/// Asks the kernel about one TCP socket of this machine (`sock_diag`), in constant time however
/// many sockets there are.
enum SocketQuestion {
  /// The kernel's answer.
  enum Answer: Equatable {
    /// A process of this user has the socket open.
    case user(UInt32)
    /// There is no such socket, or no process has it open any more.
    case nobody
    /// The kernel does not support such queries.
    case unavailable
  }

  /// One end of a connection.
  struct End {
    /// The four bytes of the address, in network order.
    var address: [UInt8]
    var port: UInt16
  }

  /// Until it has answered once, a kernel without support cannot be told from one without the
  /// socket.
  private static let wasAnswered = Mutex(false)

  /// Asks who owns a socket.
  ///
  /// - Parameters:
  ///   - own: The socket's local address.
  ///   - other: The socket's remote address.
  /// - Returns: The kernel's answer.
  static func user(own: End, other: End) -> Answer {
    let descriptor = socket(Int32(AF_NETLINK), Int32(SOCK_RAW.rawValue) | closeOnExecution, 4)
    guard descriptor >= 0 else { return .unavailable }
    defer { close(descriptor) }
    let question = message(own, other)
    guard unsafe send(descriptor, question, question.count, 0) == question.count else {
      return .unavailable
    }
    // Netlink is synchronous: the answer is there when `send` returns.
    var answer = [UInt8](repeating: 0, count: 512)
    let count = unsafe recv(descriptor, &answer, answer.count, Int32(MSG_DONTWAIT))
    guard count >= 16 else { return .unavailable }
    let kind = UInt16(answer[4]) | UInt16(answer[5]) << 8
    guard kind == Self.byFamily, count >= Self.inode + 4 else {
      return wasAnswered.withLock { $0 } ? .nobody : .unavailable
    }
    wasAnswered.withLock { $0 = true }
    return number(answer, Self.inode) == 0 ? .nobody : .user(number(answer, Self.user))
  }

  /// `SOCK_DIAG_BY_FAMILY`.
  private static let byFamily: UInt16 = 20
  /// The offset of the user in `inet_diag_msg` after its 16-byte header; the inode's number
  /// follows.
  private static let user = 16 + 64
  private static let inode = 16 + 68
  private static var closeOnExecution: Int32 { 0o2_000_000 }

  /// Encodes `nlmsghdr` and `inet_diag_req_v2`.
  private static func message(_ own: End, _ other: End) -> [UInt8] {
    var bytes: [UInt8] = []
    func add(_ number: UInt32) { unsafe withUnsafeBytes(of: number) { unsafe bytes += $0 } }
    func add(_ address: [UInt8]) {
      bytes += address.prefix(4)
      bytes += [UInt8](repeating: 0, count: 16 - min(4, address.count))
    }
    add(72)
    // The message type, and the flag that marks a request.
    add(UInt32(byFamily) | 1 << 16)
    add(1)
    add(0)
    // TCP over IPv4, in any state.
    bytes += [UInt8(AF_INET), UInt8(IPPROTO_TCP), 0, 0]
    add(UInt32.max)
    for port in [own.port, other.port] { bytes += [UInt8(port >> 8), UInt8(port & 0xFF)] }
    add(own.address)
    add(other.address)
    // Any interface, and any cookie.
    add(0)
    add(UInt32.max)
    add(UInt32.max)
    return bytes
  }

  private static func number(_ bytes: [UInt8], _ place: Int) -> UInt32 {
    unsafe bytes.withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: place, as: UInt32.self) }
  }
}
