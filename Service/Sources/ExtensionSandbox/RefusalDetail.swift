import Glibc

extension Notification {
  /// Describes the informative arguments of a refused call, from a copy of its memory.
  func detail(of call: String) -> String {
    switch call {
    case "socket": socketDetail
    case "socketpair": socketDetail
    case "kill", "tkill", "rt_sigqueueinfo":
      "process \(integer(0)), signal \(integer(1))"
    case "tgkill", "rt_tgsigqueueinfo": "process \(integer(0)), signal \(integer(2))"
    case "clone", "fork", "vfork": "a new process"
    case "execve": string(at: arguments[0]) ?? ""
    case "execveat": string(at: arguments[1]) ?? ""
    case "ptrace", "process_vm_readv", "process_vm_writev", "pidfd_open":
      "process \(integer(call == "ptrace" ? 1 : 0))"
    case "prctl": "option \(integer(0))"
    case "fcntl": "command \(integer(1))"
    case "ioctl": "request 0x\(String(UInt32(truncatingIfNeeded: arguments[1]), radix: 16))"
    case "mknod", "truncate", "chown", "lchown", "chroot": string(at: arguments[0]) ?? ""
    case "mknodat", "fchownat", "mount": string(at: arguments[1]) ?? ""
    case "memfd_create", "mq_open": string(at: arguments[0]) ?? ""
    case "bind", "connect": addressFamily.map(Self.familyName) ?? ""
    default: ""
    }
  }

  /// The address family passed to `bind` or `connect`.
  var addressFamily: Int32? {
    let bytes = memory(at: arguments[1], count: 2)
    return bytes.count == 2 ? Int32(bytes.number(at: 0, as: UInt16.self)) : nil
  }

  private var socketDetail: String {
    let types: [Int32: String] = [
      1: "SOCK_STREAM", 2: "SOCK_DGRAM", 3: "SOCK_RAW", 5: "SOCK_SEQPACKET",
    ]
    let typeMask: Int32 = 0xF
    let type = integer(1) & typeMask
    return "\(Self.familyName(integer(0))), \(types[type] ?? "type \(type)")"
  }

  private static func familyName(_ family: Int32) -> String {
    let names: [Int32: String] = [
      1: "AF_UNIX", 2: "AF_INET", 10: "AF_INET6", 16: "AF_NETLINK", 17: "AF_PACKET",
      38: "AF_ALG", 40: "AF_VSOCK",
    ]
    return names[family] ?? "family \(family)"
  }
}
