// The system calls that the C library, Swift's runtime, Dispatch and Foundation need, by subject.
// None of them reaches outside the process by itself; access to files is left to Landlock.

extension SystemCallRules {
  static let memory = [
    "brk", "mmap", "munmap", "mremap", "mprotect", "madvise", "msync", "mincore", "mlock", "mlock2",
    "munlock", "mlockall", "munlockall", "membarrier", "pkey_alloc", "pkey_free", "pkey_mprotect",
    "mseal", "get_mempolicy", "set_mempolicy", "mbind", "arch_prctl",
  ]

  static let threads = [
    "futex", "futex_waitv", "futex_wake", "futex_wait", "futex_requeue", "set_robust_list",
    "get_robust_list", "set_tid_address", "gettid", "rseq", "exit", "exit_group", "sched_yield",
    "sched_getaffinity", "sched_getparam", "sched_getscheduler", "sched_getattr",
    "sched_get_priority_max", "sched_get_priority_min", "sched_rr_get_interval", "getcpu",
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigpending", "rt_sigtimedwait",
    "rt_sigsuspend", "sigaltstack", "restart_syscall", "pause", "set_thread_area",
    "get_thread_area",
  ]

  static let clocks = [
    "clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time",
    "times",
    "alarm", "getitimer", "setitimer", "timer_create", "timer_settime", "timer_gettime",
    "timer_getoverrun", "timer_delete", "timerfd_create", "timerfd_settime", "timerfd_gettime",
  ]

  static let descriptors = [
    "read", "write", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev", "preadv2",
    "pwritev2", "lseek", "close", "close_range", "dup", "dup2", "dup3", "pipe", "pipe2", "poll",
    "ppoll", "select", "pselect6", "epoll_create", "epoll_create1", "epoll_ctl", "epoll_wait",
    "epoll_pwait", "epoll_pwait2", "eventfd", "eventfd2", "signalfd", "signalfd4", "sendfile",
    "splice", "tee", "copy_file_range", "ftruncate", "fsync", "fdatasync", "sync_file_range",
    "fadvise64", "readahead", "flock", "getdents", "getdents64", "fstat",
    "fstatfs", "fgetxattr", "flistxattr", "cachestat", "fchdir",
  ]

  static let ownProcess = [
    "getpid", "getppid", "getpgid", "getpgrp", "getsid", "getuid", "geteuid", "getgid", "getegid",
    "getresuid", "getresgid", "getgroups", "getrlimit", "setrlimit", "getrusage", "getpriority",
    "ioprio_get", "capget", "umask", "uname", "sysinfo", "getrandom", "wait4", "waitid", "chdir",
    "getcwd",
  ]

  /// Queries about paths, which Landlock does not cover: names and sizes are visible.
  static let attributes = [
    "stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2", "readlink",
    "readlinkat",
    "statfs", "getxattr", "lgetxattr", "listxattr", "llistxattr", "getxattrat", "listxattrat",
  ]

  /// Changes of paths; Landlock refuses those outside the writable folders.
  static let paths = [
    "creat", "mkdir", "mkdirat", "rmdir", "unlink", "unlinkat", "rename", "renameat", "renameat2",
    "link", "linkat", "symlink", "symlinkat",
  ]

  /// Changes that Landlock does not cover: the parent makes them, within the writable folders.
  static let modes = ["chmod", "fchmod", "fchmodat", "fchmodat2", "utimensat"]

  /// Changes that no kernel mechanism can confine to a folder, and that nothing needs.
  ///
  /// They include preallocating disk space, which fills a disk before anybody notices; the C
  /// library falls back to writing.
  static let unsupported = [
    "fallocate",
    "setxattr", "lsetxattr", "fsetxattr", "setxattrat", "removexattr", "lremovexattr",
    "fremovexattr", "removexattrat", "file_setattr",
  ]

  /// Transferring data on existing sockets.
  static let transfer = [
    "sendto", "recvfrom", "sendmsg", "recvmsg", "sendmmsg", "recvmmsg", "shutdown", "getsockname",
    "getpeername", "getsockopt", "setsockopt",
  ]
}
