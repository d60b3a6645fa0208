extension ProcessLimits {
  /// The kernel's resource limits: number, soft limit, hard limit.
  ///
  /// Some are fixed: no core files and message queues, no raised priority, and few timers, since
  /// timers count against the user's total.
  ///
  /// `RLIMIT_NPROC` is not set: it counts all processes of the user together.
  ///
  /// > Source: the kernel's `asm-generic/resource.h`.
  var resourceLimits: [(resource: Int32, soft: UInt64, hard: UInt64)] {
    let (processorTime, fileSize, data, core, openFiles, addressSpace, queues) =
      (Int32(0), Int32(1), Int32(2), Int32(4), Int32(7), Int32(9), Int32(12))
    let (signals, nice, realTime) = (Int32(11), Int32(13), Int32(14))
    var result: [(Int32, UInt64, UInt64)] = [
      (core, 0, 0), (queues, 0, 0), (nice, 0, 0), (realTime, 0, 0),
      (signals, Self.mostSignals, Self.mostSignals),
    ]
    func add(_ resource: Int32, _ value: Int?, grace: Int = 0) {
      guard let value else { return }
      let (hard, overflow) = value.addingReportingOverflow(grace)
      result.append((resource, UInt64(value), UInt64(overflow ? value : hard)))
    }
    // SIGKILL follows SIGXCPU a second later.
    add(processorTime, processorSeconds, grace: 1)
    add(fileSize, self.fileSize)
    if let memory {
      let (stacks, tooMany) = (threads ?? 1024).multipliedReportingOverflow(by: Self.stackSize)
      let (sum, overflow) = memory.addingReportingOverflow(tooMany ? 0 : stacks)
      add(data, overflow ? memory : sum)
    }
    add(openFiles, self.openFiles)
    add(addressSpace, effectiveAddressSpace)
    return result.map { (resource: $0.0, soft: $0.1, hard: $0.2) }
  }
}
