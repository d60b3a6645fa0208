/// How much of the machine one process may use; nil is no limit.
///
/// Who holds which limit is in `Documentation/Sandbox.md`, and ``Sandbox/holders(of:)`` says it for
/// this machine.
public struct ProcessLimits: Equatable, Sendable {
  /// Bytes of memory that are in use at once.
  ///
  /// Held by the kernel where this process has a control group to itself. Elsewhere it is watched
  /// from outside every 50 ms, and the kernel limits the address space.
  public var memory: Int?
  /// Bytes of address space, reserved or used, with what a program needs without using it.
  ///
  /// Where there is a limit of memory, that and ``reservedAddressSpace`` is the most.
  public var addressSpace: Int?
  /// Seconds of processor time, of all threads together.
  public var processorSeconds: Int?
  /// Bytes of one file that is written.
  public var fileSize: Int?
  /// Open descriptors; at least 16.
  public var openFiles: Int?
  /// Threads; this process is asked about each new one, and a control group counts them too.
  public var threads: Int?
  /// What each of the writable folders may hold.
  public var disk: DiskLimits?

  /// Makes limits that are ample for an extension: 512 MiB of memory, 60 s, 256 MiB, 256, 128; and
  /// of the disk what ``DiskLimits`` says.
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

  /// The least number of descriptors with which a process starts.
  static let fewestOpenFiles = 16
  /// Timers and queued signals; the user's other processes have some, which count with them where
  /// there is no namespace of users.
  static let mostSignals: UInt64 = 1024
  /// What the C library gives each thread's stack; counted by `RLIMIT_DATA` and `RLIMIT_AS`.
  static let stackSize = 8 << 20
  /// What libraries take of the address space, and the C library's heaps of which little is used.
  static let librarySpace = 512 << 20

  /// Address space that a program reserves without using it: stacks, libraries, heaps.
  public var reservedAddressSpace: Int {
    let (stacks, overflow) = (threads ?? 1024).multipliedReportingOverflow(by: Self.stackSize)
    let (sum, tooLarge) = stacks.addingReportingOverflow(Self.librarySpace)
    return overflow || tooLarge ? .max : sum
  }

  /// The limit of the address space that holds: the own one, or that of memory and what is reserved.
  var effectiveAddressSpace: Int? {
    guard let memory else { return addressSpace }
    let (sum, overflow) = memory.addingReportingOverflow(reservedAddressSpace)
    return min(addressSpace ?? .max, overflow ? .max : sum)
  }

  /// Variables without which a sound program would not get by with these limits.
  ///
  /// The C library reserves 64 MiB for each heap, and makes up to eight for each processor.
  var variables: [String: String] {
    effectiveAddressSpace == nil ? [:] : ["MALLOC_ARENA_MAX": "2"]
  }
}

/// What one writable folder may hold, and what has to stay free on its disk.
public struct DiskLimits: Equatable, Sendable {
  /// Bytes of files: of each its size, or what it takes of the disk if that is more.
  public var bytes: Int
  /// Files, folders and links.
  public var files: Int
  /// Folders inside each other.
  public var depth: Int
  /// Bytes that stay free on the disk; of a small one less, see ``reserveShare``.
  public var reserve: Int
  /// What stays free is never more than the disk divided by this.
  var reserveShare = 8

  /// Makes limits: 1 GiB, 20,000 files, folders 32 deep, 64 MiB that stay free.
  public init(bytes: Int = 1 << 30, files: Int = 20_000, depth: Int = 32, reserve: Int = 64 << 20) {
    self.bytes = bytes
    self.files = files
    self.depth = depth
    self.reserve = reserve
  }
}

/// How a process ended.
public enum ProcessStatus: Hashable, Sendable {
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
  /// ``DiskLimits/bytes``
  case diskSpace = "disk space"
  /// ``DiskLimits/files``
  case files = "number of files"
  /// ``DiskLimits/depth``
  case folderDepth = "folders inside each other"
  /// ``DiskLimits/reserve``
  case diskReserve = "room on the disk"
  /// A folder that this process cannot look into, so that it cannot be counted.
  case unreadableFolder = "unreadable folder"
  /// The machine failed while its folders were counted, which it has no part in.
  case notCounted = "not counted"

  /// Why the process was ended, as a clause.
  public var reason: String {
    switch self {
    case .diskReserve: "the disk is nearly full"
    case .unreadableFolder: "one of its folders cannot be read, and so not be counted"
    case .notCounted:
      "its folders could not be counted: the disk failed, or memory or files ran out"
    default: "it exceeded its limit of \(rawValue)"
    }
  }

  /// Whether emptying the container helps.
  public var isAboutDisk: Bool {
    switch self {
    case .diskSpace, .files, .folderDepth, .diskReserve, .unreadableFolder: true
    case .memory, .processorTime, .fileSize, .threads, .notCounted: false
    }
  }
}
