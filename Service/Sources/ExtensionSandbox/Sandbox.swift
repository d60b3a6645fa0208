import CSandbox
import Glibc

/// What this machine offers for sandboxing.
public enum Sandbox {
  /// Asks the kernel; nothing is changed.
  ///
  /// Costs a few system calls; for the first time some milliseconds more, in which a child tries
  /// whether it gets namespaces. A container or a filter around this process may hide what the kernel
  /// has: what counts is what this process may use.
  public static func available() -> SandboxAvailability {
    let createRuleSetVersion = 1
    let landlock = csandbox_call(SystemCall.landlockCreateRuleset, 0, 0, createRuleSetVersion, 0, 0)
    let filter = isAvailable(FilterVerdict.error(0)) && isAvailable(FilterVerdict.killProcess)
    // A range beyond every descriptor: nothing is closed.
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
  /// The version of Landlock's interface; 0 where there is none.
  public var landlockVersion: Int
  /// Whether system calls can be filtered, on a processor whose numbers are known.
  public var filter: Bool
  /// Whether the filter can ask this process (`SECCOMP_RET_USER_NOTIF`).
  ///
  /// Without it nothing is reported; permissions and times of files cannot be changed; a program of
  /// the bundle can take the place of the first one; and Dispatch cannot look at its threads, on
  /// which it insists.
  public var asking: Bool
  /// Whether all other descriptors can be closed at once (`close_range`).
  public var closesRanges: Bool

  /// Which namespaces a process can be put into; they are a second wall, and not needed.
  public var namespaces: NamespaceAvailability

  /// Makes an answer; ``Sandbox/available()`` asks the kernel.
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

  /// The oldest kernel that has all that is needed.
  public static let neededKernel = "5.13"

  /// What is needed and missing, each as a phrase; empty where a process can be started.
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

  /// One plain sentence or two: what there is, or what is missing and what to do.
  public var sentence: String {
    guard missing.isEmpty else {
      return "The kernel does not offer \(missing.joined(separator: ", nor ")). Linux"
        + " \(Self.neededKernel) or later has it; Landlock must be among the security modules that"
        + " are on (the kernel's parameter lsm=landlock,…), and a container around this process must"
        + " not hide it."
    }
    return "Landlock \(landlockVersion) and seccomp with user notification are there."
  }

  /// Which walls stand around a process and which do not, and why, in one line for people.
  public func walls(network: NetworkAccess) -> String {
    var walls: [String] = []
    if landlockVersion > 0 { walls.append("Landlock \(landlockVersion)") }
    if filter { walls.append(asking ? "a filter of system calls" : "a filter that tells nothing") }
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

/// Which namespaces a process can be put into.
public enum NamespaceAvailability: Equatable, Sendable {
  /// Users, mounts, processes, network, System V and POSIX communication, host name.
  case all
  /// All but that of processes, as `/proc` cannot be mounted again.
  case withoutProcesses(reason: String)
  /// No namespace.
  case none(reason: String)
}

/// The numbers of the system calls that this target makes itself.
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
