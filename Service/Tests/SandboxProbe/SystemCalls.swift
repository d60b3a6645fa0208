import Foundation
import Glibc

/// `syscall` itself, which takes a variable number of arguments and so is not imported.
private typealias SystemCallFunction =
  @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int

private let systemCallFunction: SystemCallFunction? = unsafe dlsym(nil, "syscall").map {
  unsafe unsafeBitCast($0, to: SystemCallFunction.self)
}

/// Makes a system call by its number and answers its result, or -errno.
func systemCall(
  _ number: Int,
  _ a: Int = 0,
  _ b: Int = 0,
  _ c: Int = 0,
  _ d: Int = 0,
  _ e: Int = 0
) -> Int {
  guard let systemCallFunction else { return Int(Int32.min) }
  let result = systemCallFunction(number, a, b, c, d, e, 0)
  return result == -1 ? -Int(errno) : result
}

/// Calls with the address of a string.
func systemCall(_ number: Int, path: String, _ b: Int = 0, _ c: Int = 0, _ d: Int = 0) -> Int {
  unsafe path.withCString { systemCall(number, Int(bitPattern: $0), b, c, d) }
}

/// The numbers of the calls that the attempts make themselves, on this processor.
enum Number {
  #if arch(x86_64)
  static let numbers: [String: Int] = [
    "clone": 56, "fork": 57, "vfork": 58, "execve": 59, "kill": 62, "tkill": 200, "tgkill": 234,
    "rt_sigqueueinfo": 129, "truncate": 76, "mknod": 133, "ptrace": 101, "mount": 165,
    "umount2": 166, "pivot_root": 155, "chroot": 161, "unshare": 272, "setns": 308, "bpf": 321,
    "keyctl": 250, "add_key": 248, "request_key": 249, "perf_event_open": 298,
    "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "userfaultfd": 323,
    "init_module": 175, "kexec_load": 246, "swapon": 167, "personality": 135, "acct": 163,
    "quotactl": 179, "syslog": 103, "open_by_handle_at": 304, "fanotify_init": 300,
    "inotify_init1": 294, "seccomp": 317, "prctl": 157, "shmget": 29, "semget": 64, "msgget": 68,
    "mq_open": 240, "memfd_create": 319, "setuid": 105, "setgid": 106, "setresuid": 117,
    "setgroups": 116, "capset": 126, "setsid": 112, "execveat": 322, "ioctl": 16, "fcntl": 72,
    "sethostname": 170, "settimeofday": 164, "reboot": 169, "migrate_pages": 256,
    "sched_setscheduler": 144, "setpriority": 141, "socket": 41, "socketpair": 53, "getpid": 39,
    "name_to_handle_at": 303, "chown": 92, "lookup_dcookie": 212, "clock_settime": 227,
    "setxattr": 188, "iopl": 172, "ioperm": 173, "modify_ldt": 154,
  ]
  #else
  static let numbers: [String: Int] = [
    "clone": 220, "execve": 221, "kill": 129, "tkill": 130, "tgkill": 131,
    "rt_sigqueueinfo": 138, "truncate": 45, "ptrace": 117, "mount": 40, "umount2": 39,
    "pivot_root": 41, "chroot": 51, "unshare": 97, "setns": 268, "bpf": 280, "keyctl": 219,
    "add_key": 217, "request_key": 218, "perf_event_open": 241, "process_vm_readv": 270,
    "process_vm_writev": 271, "kcmp": 272, "userfaultfd": 282, "init_module": 105,
    "kexec_load": 104, "swapon": 224, "personality": 92, "acct": 89, "quotactl": 60,
    "syslog": 116, "open_by_handle_at": 265, "fanotify_init": 262, "inotify_init1": 26,
    "seccomp": 277, "prctl": 167, "shmget": 194, "semget": 190, "msgget": 186, "mq_open": 180,
    "memfd_create": 279, "setuid": 146, "setgid": 144, "setresuid": 147, "setgroups": 159,
    "capset": 91, "setsid": 157, "execveat": 281, "ioctl": 29, "fcntl": 25, "sethostname": 161,
    "settimeofday": 170, "reboot": 142, "migrate_pages": 238, "sched_setscheduler": 119,
    "setpriority": 140, "socket": 198, "socketpair": 199, "getpid": 172,
    "name_to_handle_at": 264, "setxattr": 5, "lookup_dcookie": 18, "clock_settime": 112,
  ]
  #endif
  /// These are the same everywhere.
  static let newer: [String: Int] = [
    "pidfd_send_signal": 424, "io_uring_setup": 425, "open_tree": 428, "fsopen": 430,
    "pidfd_open": 434, "clone3": 435, "pidfd_getfd": 438, "mount_setattr": 442,
    "landlock_create_ruleset": 444, "memfd_secret": 447, "process_mrelease": 448,
  ]

  static subscript(_ name: String) -> Int? { numbers[name] ?? newer[name] }
}

/// Writes a line at once, so that nothing is lost when the process is ended.
func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = unsafe write(1, bytes, bytes.count)
}
