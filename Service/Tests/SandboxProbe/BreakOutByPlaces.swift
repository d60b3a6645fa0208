import Foundation
import Glibc

/// Places that every machine has, each of which tells something about it or its users.
func breakOutByPlaces(_ report: Report) {
  for path in [
    "/etc/group", "/usr/bin/env", "/dev/tty", "/dev/ptmx", "/dev/full", "/proc/cpuinfo",
    "/proc/version", "/proc/meminfo", "/proc/cmdline", "/proc/1/environ", "/proc/1/maps",
    "/proc/1/cmdline", "/proc/1/stat", "/proc/sys/kernel/random/boot_id", "/proc/kallsyms",
  ] {
    report.attempt("read \(path)", told: "openat", status: unsafe open(path, O_RDONLY))
  }
  for path in ["/tmp", "/usr", "/usr/bin", "/etc", "/sys", "/sys/class/net", "/var", "/proc/1/fd"] {
    report.attempt("list \(path)", told: "openat", status: unsafe open(path, O_DIRECTORY))
  }
  report.attempt(
    "list the folder of the container",
    told: "openat",
    status: unsafe open(variable("HOME") + "/..", O_DIRECTORY)
  )
  report.attempt(
    "list the folder of the bundle",
    told: "openat",
    status: unsafe open(Bundle.main.bundlePath + "/..", O_DIRECTORY)
  )
  // To open them harms nothing where it is allowed.
  for path in ["/etc/passwd", "/etc/ld.so.cache", "/proc/sys/kernel/hostname"] {
    report.attempt("write to \(path)", told: "openat", status: unsafe open(path, O_WRONLY))
  }
  report.attempt(
    "make a file beside the container",
    told: "openat",
    status: unsafe open(variable("HOME") + "/../probe", O_WRONLY | O_CREAT, 0o600)
  )
  report.attempt(
    "rename the container",
    status: unsafe rename(variable("HOME"), variable("HOME") + "-moved")
  )
  report.attempt(
    "remove the program",
    status: unsafe unlink(Bundle.main.executablePath ?? "")
  )
  report.attempt(
    "hard link of the program",
    status: unsafe link(Bundle.main.executablePath ?? "", variable("HOME") + "/program")
  )
}

/// A mere name of a folder (`O_PATH`) may be had; nothing may come of it.
func breakOutByDescriptorsOfFolders(_ report: Report) {
  let nameOnly: Int32 = 0o10000000
  let root = unsafe open("/", nameOnly | O_DIRECTORY)
  report.attempt(
    "read from a name of the root",
    told: "openat",
    status: unsafe openat(root, "etc/passwd", O_RDONLY)
  )
  report.attempt(
    "list by a name of the root",
    told: "openat",
    status: unsafe openat(root, ".", O_DIRECTORY)
  )
  if fchdir(root) == 0 {
    report.attempt(
      "read after changing to the root",
      told: "openat",
      status: unsafe open("etc/passwd", O_RDONLY)
    )
    report.attempt("list after changing to the root", status: unsafe open(".", O_DIRECTORY))
    _ = unsafe chdir(variable("HOME"))
  }
  close(root)
  let parent = unsafe open(variable("HOME") + "/..", nameOnly | O_DIRECTORY)
  report.attempt(
    "read from a name of the container's folder",
    status: unsafe openat(parent, "outside/secret", O_RDONLY)
  )
  if fchdir(parent) == 0 {
    report.attempt(
      "read after changing to the container's folder",
      status: unsafe open("outside/secret", O_RDONLY)
    )
    _ = unsafe chdir(variable("HOME"))
  }
  close(parent)
}

/// Calls that are let through for some arguments, with others.
func breakOutByArguments(_ report: Report) {
  let other = Int(variable("PROBE_PROCESS")) ?? 0
  let own = Int(getpid())
  func call(_ name: String, _ call: String, _ a: Int, _ b: Int = 0, _ c: Int = 0, _ d: Int = 0) {
    guard let number = Number[call] else { return }
    report.attempt(name, told: call, systemCall(number, a, b, c, d))
  }
  // The kernel looks at the low half of a number; the filter must, too.
  let high = 1 << 32
  call("a command with a high half", "ioctl", 0, high | 0x5412)
  call("an option with a high half", "prctl", high | 1, 0)
  call("a family with a high half", "socket", high | 1, 1)
  call("a process group", "kill", -other, 0)
  call("the first process", "kill", 1, 0)
  call("the first process's thread", "tkill", 1, 0)
  call("a thread of another in one's own name", "tgkill", other, own, 0)
  call("to be traced", "ptrace", 0)
  let (tracer, reaper, memory, filter) = (0x5961_6D61, 36, 35, 22)
  call("a tracer of one's choice", "prctl", tracer, -1)
  call("to inherit processes", "prctl", reaper, 1)
  call("another memory map", "prctl", memory, 1)
  // Not the strict mode: without a sandbox it would end this thread alone, and nobody waits for that.
  call("a filter by another way", "prctl", filter, 2, 0)
  call("flags of a file", "ioctl", 1, 0x4008_6602)
  call("a terminal of one's own", "ioctl", 0, 0x540E)
  call("word of changes in a folder", "fcntl", 0, 1026, 1)
  call("a lease", "fcntl", 0, 1024, 0)
  let (users, processes, mounts, network) =
    (0x1000_0000, 0x2000_0000, 0x0002_0000, 0x4000_0000)
  for (name, flag) in [
    ("users", users), ("processes", processes), ("mounts", mounts), ("network", network),
  ] {
    call("a namespace of \(name)", "unshare", flag)
    let child = systemCall(Number["clone"] ?? 0, flag | Int(SIGCHLD))
    if child == 0 { _exit(0) }
    report.attempt("a process in a namespace of \(name)", told: "clone", child)
  }
  call("another's namespaces", "setns", 0, 0)
  let datagramPair = 2
  call("a pair of packets", "socketpair", 1, 5)
  call("a pair of datagrams with flags", "socketpair", 1, datagramPair | 0o2000000)
  call("a pair over the network", "socketpair", 2, 1)
  for (name, family) in [("appletalk", 5), ("infrared", 23), ("bluetooth", 31), ("can", 29)] {
    call("\(name) socket", "socket", family, 3)
  }
  call("netlink to the kernel's audit", "socket", 16, 3, 9)
  call("netlink to devices", "socket", 16, 3, 15)
  call("ping socket", "socket", 2, 2, 1)
  var pair: [Int32] = [-1, -1]
  _ = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
  if variable("PROBE_NETWORK") != "server" {
    report.attempt("listen on a pair", told: "listen", status: listen(pair[0], 1))
    report.attempt("listen on the channel", told: "listen", status: listen(3, 1))
  }
  for descriptor in pair { close(descriptor) }
}
