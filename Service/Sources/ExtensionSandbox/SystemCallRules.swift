/// What the filter does with one system call.
enum SystemCallRule: Equatable, Sendable {
  case allow
  /// Allow if all conditions of one of the lists hold, otherwise refuse.
  case allowIf([[ArgumentCondition]])
  /// Refuse with EPERM, and report.
  case refuse
  /// Act as if the kernel did not know it, so that libraries use the older call; no report.
  case absent
  /// Refuse with "not supported", which libraries attribute to the file system.
  case unsupported
  /// Ask the parent, which makes the change itself; see `Questions`. Refuse if it cannot be asked.
  case ask
  /// Ask the parent, which allows only the first. Allow if it cannot be asked.
  case execute
  /// Allow, after asking the parent, so that it can report files.
  case observe
  /// Like `observe` if all conditions of one of the lists hold; otherwise refuse without a report,
  /// since the parent would continue the call.
  case open([[ArgumentCondition]])
  /// Like `observe` if all conditions of one of the lists hold; otherwise refuse. `Supervisor`
  /// counts.
  case count([[ArgumentCondition]])
}

/// A test of the low 32 bits of an argument, which are all that the kernel reads of an `int`.
struct ArgumentCondition: Equatable, Sendable {
  var index: Int
  var mask: UInt32 = .max
  var values: [UInt32]
  /// Whether the process's own number matches too.
  var orOwnProcess = false
}

/// The rules for a sandboxed process: what is allowed is listed, all other calls are refused.
struct SystemCallRules: Sendable {
  var byName: [String: SystemCallRule] = [:]

  init(network: NetworkAccess) {
    set(.allow, Self.memory + Self.threads + Self.clocks + Self.descriptors + Self.ownProcess)
    set(.allow, Self.attributes)
    set(.observe, Self.paths)
    set(.unsupported, Self.unsupported)
    set(.absent, ["clone3", "openat2", "map_shadow_stack"])
    set(.execute, ["execve"])
    set(.ask, Self.modes)
    setOpening()
    setProcess()
    setNetwork(network)
  }

  /// Returns the kind to report.
  ///
  /// The calls listed here would be refused anyway; listing them names their kind.
  static func kind(of call: String, network: NetworkAccess) -> Refusal.Kind {
    switch call {
    case "socket", "connect": network == .none ? .network : .socket
    case "socketpair": .socket
    case "bind", "listen", "accept", "accept4": .listening
    case "clone", "fork", "vfork", "execve", "execveat", "setsid", "setpgid": .process
    case "kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", "pidfd_send_signal",
      "fcntl", "setpriority", "ioprio_set", "sched_setaffinity", "sched_setparam",
      "sched_setscheduler", "sched_setattr", "prlimit64":
      .signal
    case "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease",
      "kcmp", "pidfd_open", "pidfd_getfd", "move_pages", "migrate_pages":
      .debugging
    case "mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "open_tree", "move_mount",
      "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "open_tree_attr", "swapon",
      "swapoff":
      .mount
    case "shmget", "shmat", "shmctl", "shmdt", "semget", "semop", "semctl", "semtimedop", "msgget",
      "msgsnd", "msgrcv", "msgctl", "mq_open", "mq_unlink", "mq_notify", "mq_timedsend",
      "mq_timedreceive", "mq_getsetattr", "memfd_create", "memfd_secret":
      .sharedMemory
    case "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups",
      "setfsuid", "setfsgid", "capset", "prctl":
      .privilege
    case "open", "openat", "creat", "mknod", "mknodat", "chown", "fchown", "lchown", "fchownat",
      "inotify_init", "inotify_init1", "inotify_add_watch", "fanotify_init", "open_by_handle_at",
      "name_to_handle_at", "utime", "utimes", "futimesat", "truncate":
      .file
    default:
      SystemCallRules.modes.contains(call) || SystemCallRules.paths.contains(call)
        ? .file : .kernel
    }
  }

  private mutating func set(_ rule: SystemCallRule, _ names: [String]) {
    for name in names { byName[name] = rule }
  }

  /// Before version 3, Landlock lets `O_TRUNC` without write access truncate a read-only file.
  private mutating func setOpening() {
    func writesIfItTruncates(_ index: Int) -> SystemCallRule {
      let accessModeAndTruncate: UInt32 = 0o1003
      let conditions = [
        [ArgumentCondition(index: index, mask: 0o1000, values: [0])],
        [ArgumentCondition(index: index, mask: accessModeAndTruncate, values: [0o1001, 0o1002])],
      ]
      return .open(conditions)
    }
    byName["open"] = writesIfItTruncates(1)
    byName["openat"] = writesIfItTruncates(2)
  }

  /// Tests `clone`'s flags for creating a thread.
  static let makesThread: ArgumentCondition = {
    // CLONE_VM and CLONE_THREAD, and none of CLONE_NEW…, CLONE_PTRACE, CLONE_UNTRACED.
    let thread: UInt32 = 0x0001_0100
    let namespaces: UInt32 = 0x7E02_0000 | 0x0000_0080
    let tracing: UInt32 = 0x0080_2000
    return ArgumentCondition(index: 0, mask: thread | namespaces | tracing, values: [thread])
  }()

  private mutating func setProcess() {
    byName["clone"] = .count([[Self.makesThread]])
    // 0 means its own process group, which is alone in its session.
    byName["kill"] = .allowIf([[ArgumentCondition(index: 0, values: [0], orOwnProcess: true)]])
    for call in ["tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"] {
      byName[call] = .allowIf([[ArgumentCondition(index: 0, values: [], orOwnProcess: true)]])
    }
    for call in [
      "prlimit64", "sched_setaffinity", "sched_setparam", "sched_setscheduler", "sched_setattr",
    ] {
      byName[call] = .allowIf([[ArgumentCondition(index: 0, values: [0], orOwnProcess: true)]])
    }
    // PRIO_PROCESS and IOPRIO_WHO_PROCESS, for the caller itself.
    byName["setpriority"] = .allowIf([
      [ArgumentCondition(index: 0, values: [0]), ArgumentCondition(index: 1, values: [0])]
    ])
    byName["ioprio_set"] = .allowIf([
      [ArgumentCondition(index: 0, values: [1]), ArgumentCondition(index: 1, values: [0])]
    ])
    // Allowed: dumpable (get), name, no-new-privileges, timer slack, transparent huge pages, names
    // of memory. In particular not PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_PTRACER,
    // PR_SET_SECCOMP.
    byName["prctl"] = .allowIf([
      [
        ArgumentCondition(
          index: 0,
          values: [3, 15, 16, 21, 23, 29, 30, 38, 39, 41, 42, 0x5356_4D41]
        )
      ]
    ])
    // Allowed: duplicate, flags, all locks, pipe size (get), seals (get). Not F_SETOWN, F_SETSIG,
    // F_SETLEASE, F_NOTIFY; nor F_SETPIPE_SZ, with which one process could use up the user's total
    // of pipe memory.
    byName["fcntl"] = .allowIf([
      [
        ArgumentCondition(
          index: 1,
          values: [0, 1, 2, 3, 4, 5, 6, 7, 9, 11, 36, 37, 38, 1030, 1032, 1034]
        )
      ]
    ])
    // Allowed: TCGETS, TIOCOUTQ, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX, and queries
    // about network interfaces. Not TIOCSTI, which types into a terminal.
    byName["ioctl"] = .allowIf([
      [
        ArgumentCondition(
          index: 1,
          values: [0x5401, 0x5411, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451]
            + [0x8910, 0x8912, 0x8913, 0x8915, 0x8921, 0x8927, 0x8933]
        )
      ]
    ])
  }

  private mutating func setNetwork(_ network: NetworkAccess) {
    set(.allow, Self.transfer)
    let type: UInt32 = 0xF
    let stream: UInt32 = 1
    let datagram: UInt32 = 2
    // A pair of datagram sockets could be connected to any path-named socket.
    byName["socketpair"] = .allowIf([
      [
        ArgumentCondition(index: 0, values: [1]),
        ArgumentCondition(index: 1, mask: type, values: [stream]),
      ]
    ])
    guard network != .none else { return }
    byName["socket"] = .allowIf([
      // AF_INET and AF_INET6 with TCP and UDP. Others, such as MPTCP, would escape Landlock's
      // rules.
      [
        ArgumentCondition(index: 0, values: [2, 10]),
        ArgumentCondition(index: 1, mask: type, values: [stream, datagram]),
        ArgumentCondition(index: 2, values: [0, 6, 17]),
      ],
      // AF_NETLINK with NETLINK_ROUTE, to list this machine's addresses.
      [ArgumentCondition(index: 0, values: [16]), ArgumentCondition(index: 2, values: [0])],
    ])
    set(.allow, ["connect"])
    if network == .clientAndServer {
      set(.allow, ["bind", "listen", "accept", "accept4"])
    }
  }
}
