import CSandbox
import Glibc

/// What this machine offers for sandboxing.
public enum Sandbox {
  /// Queries the kernel, without changing anything.
  ///
  /// Costs a few system calls, and some milliseconds the first time, when a child tries whether it
  /// gets namespaces. The answer is about what this process may use: a container or filter around
  /// it may hide what the kernel offers.
  public static func available() -> SandboxAvailability {
    let createRuleSetVersion = 1
    let landlock = csandbox_call(SystemCall.landlockCreateRuleset, 0, 0, createRuleSetVersion, 0, 0)
    let filter = isAvailable(FilterVerdict.error(0)) && isAvailable(FilterVerdict.killProcess)
    // A range beyond every descriptor, so that nothing is closed.
    let closes = csandbox_call(SystemCall.closeRange, Int(UInt32.max), Int(UInt32.max), 0, 0, 0)
    return SandboxAvailability(
      landlockVersion: max(0, landlock),
      filter: filter && Processor.current != nil,
      asking: filter && isAvailable(FilterVerdict.ask),
      closesRanges: closes == 0,
      namespaces: NamespaceRehearsal.result
    )
  }

  private static func isAvailable(_ action: UInt32) -> Bool {
    let getActionAvailable = 2
    return unsafe withUnsafePointer(to: action) { pointer in
      csandbox_call(
        SystemCall.seccomp,
        getActionAvailable,
        0,
        Int(bitPattern: pointer),
        0,
        0
      ) == 0
    }
  }
}

/// What a machine offers for sandboxing.
public struct SandboxAvailability: Equatable, Sendable {
  /// The version of Landlock's interface; 0 if it is missing.
  public var landlockVersion: Int
  /// Whether system calls can be filtered, on a processor whose call numbers are known.
  public var filter: Bool
  /// Whether the filter can ask this process (`SECCOMP_RET_USER_NOTIF`).
  ///
  /// Without this, refusals are not reported; permissions and times of files cannot be changed; a
  /// program of the bundle can replace the first one; and Dispatch aborts, since it cannot read the
  /// status of its threads.
  public var asking: Bool
  /// Whether all other descriptors can be closed at once (`close_range`).
  public var closesRanges: Bool

  /// The namespaces that a process can be put into: a second wall, which is optional.
  public var namespaces: NamespaceAvailability

  /// Creates a description; ``Sandbox/available()`` queries the kernel.
  public init(
    landlockVersion: Int,
    filter: Bool,
    asking: Bool,
    closesRanges: Bool,
    namespaces: NamespaceAvailability = .none(reason: "none were asked for")
  ) {
    self.landlockVersion = landlockVersion
    self.filter = filter
    self.asking = asking
    self.closesRanges = closesRanges
    self.namespaces = namespaces
  }

  /// The oldest kernel that has everything required.
  public static let neededKernel = "5.13"

  /// The missing requirements, each as a phrase; empty if a process can be started.
  public var missing: [String] {
    var missing: [String] = []
    if landlockVersion < 1 { missing.append("Landlock, which keeps a process to its folders") }
    if !filter {
      missing.append("seccomp filters, which keep it from the network and other processes")
    }
    if !asking {
      missing.append("seccomp's user notification, which reports refusals")
    }
    if !closesRanges { missing.append("close_range, which closes the descriptors of this process") }
    return missing
  }

  /// One or two sentences: what is available, or what is missing and what to do.
  public var sentence: String {
    guard missing.isEmpty else {
      return "The kernel does not offer \(missing.joined(separator: ", nor ")). Linux"
        + " \(Self.neededKernel) or later has it; Landlock must be among the security modules that"
        + " are on (the kernel's parameter lsm=landlock,…), and a container around this process must"
        + " not hide it."
    }
    return "Landlock \(landlockVersion) and seccomp with user notification are there."
  }

  /// Describes in one line which walls confine a process, which do not, and why.
  public func walls(network: NetworkAccess) -> String {
    var walls: [String] = []
    if landlockVersion > 0 { walls.append("Landlock \(landlockVersion)") }
    if filter { walls.append(asking ? "a filter of system calls" : "a filter without reports") }
    let own = "namespaces of its own for users, files, shared memory and the host's name"
    let connections = network == .none ? ", network" : ""
    switch namespaces {
    case .all:
      walls.append(own + ", processes" + connections)
    case .withoutProcesses(let reason):
      walls.append("\(own)\(connections), but not for processes (\(reason))")
    case .none(let reason):
      walls.append("no namespaces (\(reason)), so that the others stand alone")
    }
    if network != .none { walls.append("the host's network, which it may use") }
    if !missing.isEmpty { walls.append("without \(missing.joined(separator: ", without "))") }
    return walls.joined(separator: "; ")
  }
}

/// The namespaces that a process can be put into.
public enum NamespaceAvailability: Equatable, Sendable {
  /// Users, mounts, processes, network, System V and POSIX communication, host name.
  case all
  /// All except the process namespace, because `/proc` cannot be mounted again.
  case withoutProcesses(reason: String)
  /// No namespace.
  case none(reason: String)
}

/// The numbers of the system calls that this module makes itself.
enum SystemCall {
  // Calls from 424 on have the same number on every processor.
  static let pidfdSendSignal = 424
  static let pidfdOpen = 434
  static let closeRange = 436
  static let landlockCreateRuleset = 444
  static let openat2 = 437
  static let landlockAddRule = 445

  static let seccomp = number("seccomp")
  static let ioctl = number("ioctl")
  static let getxattr = number("getxattr")
  static let waitid = number("waitid")
  static let processVMReadv = number("process_vm_readv")

  private static func number(_ name: String) -> Int {
    Int(SystemCallNumbers.current.byName[name] ?? .max)
  }
}
