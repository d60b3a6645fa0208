import CSandbox
import Glibc

/// The status of the process's own threads, which libdispatch reads by a path that cannot be granted.
///
/// It looks at `/proc/THREAD/stat` to know whether its workers are busy, and traps where it cannot.
/// The folder of a thread that is to come has no grant, and one of all of `/proc` would show other
/// processes; so the file is opened here and handed over.
enum ThreadStatus {
  /// The thread whose status a path names, if it is one of the process's own.
  static func thread(_ path: String, of process: Int32) -> Int32? {
    guard path.hasPrefix("/proc/"), path.hasSuffix("/stat") else { return nil }
    let name = path.dropFirst("/proc/".count).dropLast("/stat".count)
    guard name.allSatisfy({ ("0"..."9").contains($0) }), let thread = Int32(name),
      unsafe access("/proc/\(process)/task/\(thread)", F_OK) == 0
    else { return nil }
    return thread
  }

  /// Opens the status and makes it the answer to a question.
  ///
  /// - Returns: false if that failed; the question then still waits for its answer.
  static func give(
    _ thread: Int32,
    of process: Int32,
    to question: Notification,
    listener: Int32
  ) -> Bool {
    let file = unsafe open("/proc/\(process)/task/\(thread)/stat", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    // struct seccomp_notif_addfd: id, flags and source, number and its flags. The flag makes the
    // new descriptor the call's result.
    let addFlagSend: UInt64 = 2
    let request: [UInt64] = [
      question.identifier, addFlagSend | UInt64(file) << 32, UInt64(O_CLOEXEC) << 32,
    ]
    return unsafe request.withUnsafeBytes { bytes in
      csandbox_call(
        SystemCall.ioctl,
        Int(listener),
        Int(bitPattern: csandbox_notification_add_descriptor),
        Int(bitPattern: bytes.baseAddress),
        0,
        0
      ) >= 0
    }
  }
}
