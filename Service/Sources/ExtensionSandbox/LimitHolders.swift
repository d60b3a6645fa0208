/// A limit, and what enforces it on this machine.
public struct LimitHolder: Equatable, Sendable {
  /// What is limited.
  public var resource: String
  /// The limit with its unit.
  public var amount: String
  /// What enforces it, and how.
  public var holder: String

  /// Describes a limit.
  package init(resource: String, amount: String, holder: String) {
    self.resource = resource
    self.amount = amount
    self.holder = holder
  }
}

extension Sandbox {
  /// Returns what enforces each limit on this machine.
  ///
  /// The first call may move this process to a control group of its own, as starting a process
  /// does.
  public static func holders(of limits: ProcessLimits) -> [LimitHolder] {
    let shared = ControlGroups.shared
    return holders(of: limits, hasGroups: shared.groups != nil, reason: shared.reason)
  }

  static func holders(
    of limits: ProcessLimits,
    hasGroups: Bool,
    reason: String
  ) -> [LimitHolder] {
    var holders: [LimitHolder] = []
    func add(_ resource: String, _ amount: String?, _ holder: String) {
      guard let amount else { return }
      holders.append(LimitHolder(resource: resource, amount: amount, holder: holder))
    }
    let space = limits.effectiveAddressSpace.map(Self.bytes) ?? "any"
    add(
      "memory",
      limits.memory.map(Self.bytes),
      hasGroups
        ? "the kernel (control group), and the host every 50 ms"
        : "the host every 50 ms; the kernel holds the address space to \(space) (there is no control"
          + " group: \(reason))"
    )
    add(
      "threads",
      limits.threads.map(String.init),
      hasGroups
        ? "the kernel (control group), and the host at each new one"
        : "the host, which the kernel asks at each new one"
    )
    add("processes", "1", "the kernel (filter of system calls)")
    add(
      "processor time",
      limits.processorSeconds.map { "\($0) s for each request" },
      "the kernel (RLIMIT_CPU)"
    )
    add("size of a file", limits.fileSize.map(Self.bytes), "the kernel (RLIMIT_FSIZE)")
    add("open files", limits.openFiles.map(String.init), "the kernel (RLIMIT_NOFILE)")
    add(
      "disk",
      limits.disk.map { "\(bytes($0.bytes)), \($0.files) files" },
      "the host, which counts each container and group at a start and while a process runs"
    )
    return holders
  }

  private static func bytes(_ count: Int) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")]
    for (unit, name) in units where count >= unit {
      let tenths = count / (unit / 10)
      return tenths % 10 == 0 ? "\(tenths / 10) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
    }
    return "\(count) bytes"
  }
}
