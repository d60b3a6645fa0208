import CSandbox
import Glibc

/// The helper processes of a process namespace.
///
/// All are children of the thread that created the first one.
struct NamespaceProcesses {
  /// The program's number in this process's namespace, and a descriptor for it.
  let program: Int32
  let programDescriptor: Int32
  /// Its number within the namespace.
  let ownNumber: Int32
  /// Creates the others, and exits once the program runs.
  private var starter: Int32
  /// The namespace's first process; when it ends, all others do.
  private var holder: Int32

  /// - Parameters:
  ///   - report: What the child reports about them.
  ///   - starter: A descriptor for the child; takes ownership.
  /// - Throws: ``SandboxError`` if no descriptors can be opened for them; they have ended then.
  init(_ report: csandbox_report, starter: Int32) throws {
    self.starter = starter
    // Only this process reaps them, so their numbers are still theirs.
    holder = Self.open(report.holder)
    program = report.program
    programDescriptor = Self.open(report.program)
    ownNumber = report.own_number
    guard holder >= 0, programDescriptor >= 0 else {
      let reason = describeError(-Int(min(holder, programDescriptor)))
      Self.end(&holder)
      if programDescriptor >= 0 {
        var program = programDescriptor
        Self.end(&program)
      }
      Self.end(&self.starter)
      throw SandboxError(.system, "A new process cannot be watched: \(reason)")
    }
  }

  private static func open(_ process: Int32) -> Int32 {
    Int32(truncatingIfNeeded: csandbox_call(SystemCall.pidfdOpen, Int(process), 0, 0, 0, 0))
  }

  /// Waits for the starter, which exits when the program runs.
  mutating func programRuns() { Self.reap(&starter) }

  /// Ends the namespace, after the program has ended.
  mutating func end() {
    Self.end(&starter)
    Self.end(&holder)
  }

  /// Kills a child and waits for it.
  static func end(_ descriptor: inout Int32) {
    guard descriptor >= 0 else { return }
    _ = csandbox_call(SystemCall.pidfdSendSignal, Int(descriptor), Int(SIGKILL), 0, 0, 0)
    reap(&descriptor)
  }

  /// Waits for a child to exit; returns whether its status was 0.
  static func endedWell(_ descriptor: inout Int32) -> Bool { reap(&descriptor) }

  @discardableResult
  private static func reap(_ descriptor: inout Int32) -> Bool {
    guard descriptor >= 0 else { return false }
    let (byDescriptor, exited, allChildren) = (3, 4, 0x4000_0000)
    // A siginfo_t.
    var information = [UInt8](repeating: 0, count: 128)
    var result = 0
    repeat {
      result = unsafe information.withUnsafeMutableBytes { information in
        csandbox_call(
          SystemCall.waitid,
          byDescriptor,
          Int(descriptor),
          Int(bitPattern: information.baseAddress),
          exited | allChildren,
          0
        )
      }
    } while result == -Int(EINTR)
    close(descriptor)
    descriptor = -1
    let exitedByItself: Int32 = 1
    let (code, status) = (
      information.number(at: 8, as: Int32.self), information.number(at: 24, as: Int32.self)
    )
    return result == 0 && code == exitedByItself && status == 0
  }
}
