import Foundation
import Glibc

func breakOutBySockets(_ report: Report) {
  let internetToo = variable("PROBE_NETWORK").isEmpty
  let stream = Int32(SOCK_STREAM.rawValue)
  let datagram = Int32(SOCK_DGRAM.rawValue)
  let raw = Int32(SOCK_RAW.rawValue)
  var kinds: [(String, Int32, Int32)] = [
    ("path-named", AF_UNIX, stream), ("path-named datagram", AF_UNIX, datagram),
    ("packet", AF_PACKET, datagram), ("kernel cipher", 38, 5), ("virtual machine", 40, stream),
    ("raw", AF_INET, raw),
  ]
  if internetToo {
    kinds += [
      ("TCP", AF_INET, stream), ("TCP over IPv6", AF_INET6, stream), ("UDP", AF_INET, datagram),
      ("netlink", AF_NETLINK, raw),
    ]
  }
  for (name, family, type) in kinds {
    report.attempt("\(name) socket", told: "socket", status: socket(family, type, 0))
  }
  report.attempt("multipath TCP socket", told: "socket", status: socket(AF_INET, stream, 262))
  // A pair of datagram sockets could be sent on to any path-named one.
  var pair: [Int32] = [-1, -1]
  report.attempt(
    "datagram pair",
    told: "socketpair",
    status: unsafe socketpair(AF_UNIX, datagram, 0, &pair)
  )
  report.attempt("submission ring", told: "io_uring_setup", systemCall(425, 1, 0))
  // The channel is a pair; it must not become another connection.
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let path = Array(variable("PROBE_SOCKET").utf8)
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
    unsafe room.copyBytes(from: path.prefix(room.count - 1))
  }
  let size = socklen_t(MemoryLayout<sockaddr_un>.size)
  unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
      let connected = unsafe connect(3, pointer, size)
      report.attempt("reconnect the channel", connected == 0 ? 0 : -Int(EPERM))
      let sent = unsafe sendto(3, "x", 1, 0, pointer, size)
      report.attempt("send elsewhere by the channel", sent > 0 ? 0 : -Int(EPERM))
    }
  }
}

func breakOutByProcesses(_ report: Report) {
  let other = Int(variable("PROBE_PROCESS")) ?? 0
  let own = Int(getpid())
  let childSignal = Int(SIGCHLD)
  for name in ["fork", "vfork"] {
    guard name == "fork", let number = Number[name] else { continue }
    let child = systemCall(number)
    if child == 0 { _exit(0) }
    report.attempt(name, told: name, child)
  }
  let child = systemCall(Number["clone"] ?? 0, childSignal)
  if child == 0 { _exit(0) }
  report.attempt("clone", told: "clone", child)
  // CLONE_VM, CLONE_SIGHAND, CLONE_THREAD; with CLONE_NEWNS, CLONE_FS makes it fail where allowed.
  report.attempt(
    "a thread in another namespace",
    told: "clone",
    systemCall(Number["clone"] ?? 0, 0x0001_0B00 | 0x0002_0000)
  )
  report.attempt("clone3", systemCall(435))

  let process = Process()
  process.executableURL = URL(filePath: "/bin/true")
  do {
    try process.run()
    process.waitUntilExit()
    report.attempt("Foundation's Process", told: "clone", 0)
  } catch {
    report.attempt("Foundation's Process", told: "clone", -Int(EPERM))
  }
  // The arguments are nowhere: where execve is allowed it fails otherwise.
  for path in ["/bin/sh", Bundle.main.executablePath ?? ""] {
    let result = systemCall(Number["execve"] ?? 0, path: path, 1)
    report.attempt("execute \(path)", told: "execve", result)
  }
  report.attempt(call: "execveat", -1)

  report.attempt("signal another process", told: "kill", systemCall(Number["kill"] ?? 0, other, 0))
  report.attempt(
    "signal the host",
    told: "kill",
    // A host outside of the process namespace has no number in it.
    systemCall(Number["kill"] ?? 0, getppid() == 0 ? other : Int(getppid()), 0)
  )
  report.attempt("signal everybody", told: "kill", systemCall(Number["kill"] ?? 0, -1, 0))
  report.attempt("tkill", told: "tkill", systemCall(Number["tkill"] ?? 0, other, 0))
  report.attempt("tgkill", told: "tgkill", systemCall(Number["tgkill"] ?? 0, other, other, 0))
  report.attempt(call: "rt_sigqueueinfo", other, 0)
  report.attempt(call: "pidfd_open", other)
  report.attempt(call: "pidfd_send_signal", -1, 0)
  report.attempt(call: "pidfd_getfd", -1, 0)
  let (setOwner, setSignal) = (8, 10)
  report.attempt(
    "signals by a descriptor",
    told: "fcntl",
    systemCall(Number["fcntl"] ?? 0, 3, setOwner, other)
  )
  report.attempt(
    "another signal of it",
    told: "fcntl",
    systemCall(Number["fcntl"] ?? 0, 3, setSignal, 9)
  )
  let (parentDeath, dumpable, filter) = (1, 4, 22)
  report.attempt(
    "outlive the host",
    told: "prctl",
    systemCall(Number["prctl"] ?? 0, parentDeath, 0)
  )
  report.attempt("hide from the host", told: "prctl", systemCall(Number["prctl"] ?? 0, dumpable, 0))
  report.attempt("a filter of its own", told: "prctl", systemCall(Number["prctl"] ?? 0, filter, 2))
  report.attempt(call: "setsid")
  report.attempt(call: "sched_setscheduler", other)
  report.attempt(call: "setpriority", 0, other, 19)
  report.attempt(call: "migrate_pages", other)

  let attach = 16
  report.attempt("ptrace", told: "ptrace", systemCall(Number["ptrace"] ?? 0, attach, other))
  report.attempt(call: "process_vm_readv", other)
  report.attempt(call: "process_vm_writev", other)
  report.attempt(call: "process_mrelease", -1)
  report.attempt(call: "kcmp", own, other)
  report.attempt(call: "perf_event_open")
}

func breakOutOfKernel(_ report: Report) {
  let none = 1 << 30
  for call in [
    "mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "open_tree", "fsopen",
    "mount_setattr", "bpf", "keyctl", "add_key", "request_key", "userfaultfd", "init_module",
    "kexec_load", "swapon", "personality", "acct", "quotactl", "open_by_handle_at",
    "name_to_handle_at", "fanotify_init", "seccomp", "landlock_create_ruleset", "settimeofday",
    "clock_settime", "reboot", "sethostname", "syslog", "modify_ldt",
  ] {
    report.attempt(call: call, none, none, none, none)
  }
  for call in ["shmget", "semget", "msgget"] { report.attempt(call: call, 0x7469_636B, 0, 0) }
  for call in ["mq_open", "memfd_create", "memfd_secret"] { report.attempt(call: call, 0, none) }
  for call in ["setuid", "setgid", "setresuid", "setgroups", "capset"] {
    report.attempt(call: call, none, none, none)
  }
  report.attempt(call: "iopl", 3)
  report.attempt(call: "ioperm", 0, 1, 1)
  let typeAhead = 0x5412
  report.attempt(
    "type into a terminal",
    told: "ioctl",
    systemCall(Number["ioctl"] ?? 0, 0, typeAhead)
  )
  report.attempt("a call that no kernel has", systemCall(9999))
  #if arch(x86_64)
  let x32 = 0x4000_0000
  report.attempt("the x32 table", systemCall(x32 | (Number["getpid"] ?? 0)))
  #endif
  var limit = rlimit()
  unsafe getrlimit(__rlimit_resource_t(7), &limit)
  limit.rlim_max += 1
  report.attempt("raise a limit", status: unsafe setrlimit(__rlimit_resource_t(7), &limit))
}

/// To be asked before anything else has opened a file.
func breakOutByDescriptors(_ report: Report) {
  let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
  // 4 is the listing's own.
  let inherited = Set(open).subtracting(["0", "1", "2", "3", "4"])
  report.attempt("inherited descriptors", open.isEmpty ? 0 : inherited.isEmpty ? -Int(EPERM) : 0)
}
