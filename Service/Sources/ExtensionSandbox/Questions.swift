import Glibc

/// Answers the filter's notifications about one process.
///
/// A call continues in three cases only: the first `execve`, which this program makes itself; new
/// threads, up to the limit, whose flags the filter has checked; and calls that the filter allows
/// anyway and reports only because they name files. Changes of permissions and times are made here,
/// on the file that was found; the status of the process's own threads is opened here; everything
/// else is refused.
struct Questions {
  let supervision: Supervision
  let network: NetworkAccess
  let files: ChildFiles
  let watch: LimitWatch
  private(set) var hasExecuted = false

  private let names = SystemCallNumbers.current.byNumber
  private static let opening: Set<String> = ["open", "openat"]
  private static let changing = Set(SystemCallRules.paths)
  private static let modes = Set(SystemCallRules.modes)

  init(
    supervision: Supervision,
    network: NetworkAccess,
    files: ChildFiles,
    watch: LimitWatch
  ) {
    self.supervision = supervision
    self.network = network
    self.files = files
    self.watch = watch
  }

  mutating func answer(_ question: Notification, listener: Int32) -> Notification.Answer {
    let call = names[question.number] ?? "call \(question.number)"
    if call == "execve", !hasExecuted {
      hasExecuted = true
      return .goOn
    }
    if call == "clone", question.holds(SystemCallRules.makesThread) { return countedThread() }
    if Self.opening.contains(call) { return opening(question, call, listener: listener) }
    if Self.changing.contains(call) {
      observeChange(question, call)
      return .goOn
    }
    if Self.modes.contains(call) {
      return .result(error: changeMode(question, call, listener: listener))
    }
    // The C library binds a netlink socket to list the machine's addresses, and copes without it.
    if !(call == "bind" && question.addressFamily == AF_NETLINK) {
      let isLocal = call == "socket" && question.integer(0) == AF_UNIX
      supervision.record(
        isLocal ? .socket : SystemCallRules.kind(of: call, network: network),
        call,
        question.detail(of: call)
      )
    }
    return .result(error: EPERM)
  }

  /// Lets a thread be created if the limit allows it; otherwise the whole process ends.
  private func countedThread() -> Notification.Answer {
    guard watch.mayMakeThread() else {
      supervision.signal(SIGKILL)
      return .result(error: EAGAIN)
    }
    return .goOn
  }

  private func opening(
    _ question: Notification,
    _ call: String,
    listener: Int32
  ) -> Notification.Answer {
    let at = call == "openat" ? 1 : 0
    guard let path = question.string(at: question.arguments[at]) else { return .goOn }
    if let status = files.statusOfThread(path) {
      defer { close(status) }
      guard let number = question.put(status, listener: listener) else {
        return .result(error: EMFILE)
      }
      return .descriptor(number)
    }
    observeOpening(question, call, path, at: at)
    return .goOn
  }

  private func observeOpening(
    _ question: Notification,
    _ call: String,
    _ path: String,
    at: Int
  ) {
    let flags = question.integer(at + 1)
    // Landlock does not check `O_PATH`.
    guard flags & pathOnly == 0 else { return }
    let writes = flags & (O_ACCMODE | O_TRUNC) != 0
    let creates = flags & O_CREAT != 0
    if !writes, !creates, files.isPlainlyReadable(path) { return }
    if let refused = files.refusedOpening(
      path,
      folder: at == 1 ? question.integer(0) : nil,
      of: question.thread,
      writes: writes,
      creates: creates
    ) {
      supervision.record(.file, call, (writes || creates ? "to write, " : "to read, ") + refused)
    }
  }

  private func observeChange(_ question: Notification, _ call: String) {
    // The arguments that are paths, and the descriptors that they are relative to.
    let paths: [(folder: Int?, path: Int)] =
      switch call {
      case "rename", "link": [(nil, 0), (nil, 1)]
      case "renameat", "renameat2", "linkat": [(0, 1), (2, 3)]
      case "symlink": [(nil, 1)]
      case "symlinkat": [(1, 2)]
      case "mkdirat", "unlinkat": [(0, 1)]
      default: [(nil, 0)]
      }
    for (folder, path) in paths {
      guard let path = question.string(at: question.arguments[path]),
        let refused = files.refusedChange(
          path,
          folder: folder.map(question.integer),
          of: question.thread
        )
      else { continue }
      supervision.record(.file, call, refused)
    }
  }

  /// Changes permissions or times within the writable folders.
  ///
  /// - Returns: 0 or an error number.
  private func changeMode(_ question: Notification, _ call: String, listener: Int32) -> Int32 {
    let flags = question.integer(3)
    let takesFlags = call == "fchmodat2" || call == "utimensat"
    let follow = !(takesFlags && flags & AT_SYMLINK_NOFOLLOW != 0)
    let found: Int32
    switch call {
    case "fchmod":
      found = files.find("", folder: question.integer(0), of: question.thread)
    case "chmod":
      guard let path = question.string(at: question.arguments[0]) else { return EFAULT }
      found = files.find(path, folder: nil, of: question.thread)
    default:
      let address = question.arguments[1]
      // utimensat without a path applies to the descriptor itself.
      guard let path = address == 0 ? "" : question.string(at: address) else { return EFAULT }
      found = files.find(path, folder: question.integer(0), of: question.thread, follow: follow)
    }
    guard found >= 0 else { return -found }
    defer { close(found) }
    // During the look-up the thread's number may have been reused.
    guard question.isWaiting(listener) else { return ESRCH }
    var status = stat()
    guard unsafe fstat(found, &status) == 0, let real = files.path(of: found) else { return EPERM }
    let kind = status.st_mode & S_IFMT
    guard files.writable.contains(where: { $0.covers(real) }), kind == S_IFREG || kind == S_IFDIR
    else {
      supervision.record(.file, call, real)
      return EPERM
    }
    let name = "/proc/self/fd/\(found)"
    let result: Int32
    if call == "utimensat" {
      guard let times = times(question) else { return EFAULT }
      result = unsafe times.withUnsafeBufferPointer { times in
        unsafe utimensat(AT_FDCWD, name, times.isEmpty ? nil : times.baseAddress, 0)
      }
    } else {
      let mode = mode_t(truncatingIfNeeded: question.arguments[call.hasPrefix("fchmodat") ? 2 : 1])
      result = unsafe chmod(name, mode & 0o777)
    }
    return result == 0 ? 0 : errno
  }

  /// Returns the two times of `utimensat`; empty for the current time, nil if they cannot be read.
  private func times(_ question: Notification) -> [timespec]? {
    guard question.arguments[2] != 0 else { return [] }
    let size = 32
    let bytes = question.memory(at: question.arguments[2], count: size)
    guard bytes.count == size else { return nil }
    return [0, 16].map {
      timespec(
        tv_sec: bytes.number(at: $0, as: Int.self),
        tv_nsec: bytes.number(at: $0 + 8, as: Int.self)
      )
    }
  }
}
