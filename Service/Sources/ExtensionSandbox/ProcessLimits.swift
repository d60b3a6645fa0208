/// How much of the machine one process may use; nil is no limit.
public struct ProcessLimits: Equatable, Sendable {
  /// Bytes of memory that are in use at once.
  ///
  /// Watched from outside every 50 ms; the kernel itself limits what can be asked for to this and
  /// the stacks of ``threads``.
  public var memory: Int?
  /// Bytes of address space, reserved or used (`RLIMIT_AS`).
  ///
  /// The C library reserves 64 MiB for each of the first threads and 8 MiB for each stack.
  public var addressSpace: Int?
  /// Seconds of processor time, of all threads together.
  public var processorSeconds: Int?
  /// Bytes of one file that is written.
  public var fileSize: Int?
  /// Open descriptors; at least 16.
  public var openFiles: Int?
  /// Threads, watched from outside: the kernel's own limit counts all processes of the user.
  public var threads: Int?

  /// Makes limits that are ample for an extension: 512 MiB of memory, 60 s, 256 MiB, 256, 128.
  public init(
    memory: Int? = 512 << 20,
    addressSpace: Int? = 16 << 30,
    processorSeconds: Int? = 60,
    fileSize: Int? = 256 << 20,
    openFiles: Int? = 256,
    threads: Int? = 128
  ) {
    self.memory = memory
    self.addressSpace = addressSpace
    self.processorSeconds = processorSeconds
    self.fileSize = fileSize
    self.openFiles = openFiles
    self.threads = threads
  }

  /// The least number of descriptors with which a process starts.
  static let fewestOpenFiles = 16
  /// What the C library gives each thread's stack; counted by `RLIMIT_DATA`.
  static let stackSize = 8 << 20
}

/// How a process ended.
public enum ExitStatus: Hashable, Sendable {
  /// It ended by itself, with this status.
  case exited(Int32)
  /// A signal ended it, because of a limit where one is named.
  case signalled(Int32, exceeded: ProcessLimit?)
  /// It ended and nothing is known: somebody else has waited for it.
  case unknown
}

/// A limit that a process exceeded.
public enum ProcessLimit: String, Sendable {
  /// ``ProcessLimits/memory``
  case memory
  /// ``ProcessLimits/processorSeconds``
  case processorTime = "processor time"
  /// ``ProcessLimits/fileSize``
  case fileSize = "file size"
  /// ``ProcessLimits/threads``
  case threads
}
