/// The resources that one process may use; nil means no limit.
///
/// `Documentation/Sandbox.md` says what enforces each limit, and ``Sandbox/holders(of:)`` does for
/// this machine.
public struct ProcessLimits: Equatable, Sendable {
  /// Bytes of memory in use.
  ///
  /// Enforced by the kernel if this process has a control group to itself. Otherwise it is checked
  /// from outside every 50 ms, and the kernel limits the address space.
  public var memory: Int?
  /// Bytes of address space, reserved or used.
  ///
  /// If memory is limited, the effective limit is at most ``memory`` plus ``reservedAddressSpace``.
  public var addressSpace: Int?
  /// Seconds of processor time, summed over all threads.
  public var processorSeconds: Int?
  /// Bytes of a single file that is written.
  public var fileSize: Int?
  /// Open descriptors; at least 16.
  public var openFiles: Int?
  /// Threads; this process approves each new one, and a control group limits them too.
  public var threads: Int?
  /// The limits of each writable folder.
  public var disk: DiskLimits?

  /// Creates limits that are ample for an extension: 512 MiB of memory, 60 s, 256 MiB, 256, 128;
  /// and the defaults of ``DiskLimits``.
  public init(
    memory: Int? = 512 << 20,
    addressSpace: Int? = nil,
    processorSeconds: Int? = 60,
    fileSize: Int? = 256 << 20,
    openFiles: Int? = 256,
    threads: Int? = 128,
    disk: DiskLimits? = DiskLimits()
  ) {
    self.memory = memory
    self.addressSpace = addressSpace
    self.processorSeconds = processorSeconds
    self.fileSize = fileSize
    self.openFiles = openFiles
    self.threads = threads
    self.disk = disk
  }

  /// The fewest descriptors with which a process can start.
  static let fewestOpenFiles = 16
  /// Timers and queued signals; without a user namespace those of the user's other processes count
  /// too.
  static let mostSignals: UInt64 = 1024
  /// The C library's stack size for each thread, which `RLIMIT_DATA` and `RLIMIT_AS` count.
  static let stackSize = 8 << 20
  /// Address space for libraries, and for the C library's sparsely used heaps.
  static let librarySpace = 512 << 20

  /// Address space that a program reserves without using it: stacks, libraries, heaps.
  public var reservedAddressSpace: Int {
    let (stacks, overflow) = (threads ?? 1024).multipliedReportingOverflow(by: Self.stackSize)
    let (sum, tooLarge) = stacks.addingReportingOverflow(Self.librarySpace)
    return overflow || tooLarge ? .max : sum
  }

  /// The address space limit in effect: the configured one, or that of memory plus what is
  /// reserved.
  var effectiveAddressSpace: Int? {
    guard let memory else { return addressSpace }
    let (sum, overflow) = memory.addingReportingOverflow(reservedAddressSpace)
    return min(addressSpace ?? .max, overflow ? .max : sum)
  }

  /// Variables that a legitimate program needs under these limits.
  ///
  /// The C library reserves 64 MiB for each heap, and creates up to eight for each processor.
  var variables: [String: String] {
    effectiveAddressSpace == nil ? [:] : ["MALLOC_ARENA_MAX": "2"]
  }
}

/// The limits of one writable folder, and the space that has to stay free on its disk.
public struct DiskLimits: Equatable, Sendable {
  /// Bytes of files: for each the larger of its size and its disk usage.
  public var bytes: Int
  /// Files, folders and links.
  public var files: Int
  /// Nesting of folders.
  public var depth: Int
  /// Bytes that have to stay free on the disk; less on a small disk, see ``reserveShare``.
  public var reserve: Int
  /// At most this fraction of the disk (one divided by it) has to stay free.
  var reserveShare = 8

  /// Creates limits: 1 GiB, 20,000 files, folders 32 deep, 64 MiB free.
  public init(bytes: Int = 1 << 30, files: Int = 20_000, depth: Int = 32, reserve: Int = 64 << 20) {
    self.bytes = bytes
    self.files = files
    self.depth = depth
    self.reserve = reserve
  }
}

/// How a process ended.
public enum ProcessStatus: Hashable, Sendable {
  /// It exited with this status.
  case exited(Int32)
  /// A signal killed it, because of a limit if one is named.
  case signalled(Int32, exceeded: ProcessLimit?)
  /// It ended, but somebody else has reaped it, so that the status is lost.
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
  /// ``DiskLimits/bytes``
  case diskSpace = "disk space"
  /// ``DiskLimits/files``
  case files = "number of files"
  /// ``DiskLimits/depth``
  case folderDepth = "folders inside each other"
  /// ``DiskLimits/reserve``
  case diskReserve = "room on the disk"
  /// A folder cannot be read, and therefore not counted.
  case unreadableFolder = "unreadable folder"
  /// Counting failed because of the machine, not the process.
  case notCounted = "not counted"

  /// Why the process was ended, as a clause.
  public var reason: String {
    switch self {
    case .diskReserve: "the disk is nearly full"
    case .unreadableFolder: "one of its folders cannot be read, and so cannot be counted"
    case .notCounted:
      "its folders could not be counted: the disk failed, or memory or files ran out"
    default: "it exceeded its limit of \(rawValue)"
    }
  }

  /// Whether emptying the container would help.
  public var isAboutDisk: Bool {
    switch self {
    case .diskSpace, .files, .folderDepth, .diskReserve, .unreadableFolder: true
    case .memory, .processorTime, .fileSize, .threads, .notCounted: false
    }
  }
}
