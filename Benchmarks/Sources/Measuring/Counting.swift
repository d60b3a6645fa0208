internal import CMeasuring

/// Exact counts, which do not depend on how busy the machine is.
public enum Counting {
  /// How often a function asks for memory on this thread.
  public static func allocations(of body: () throws -> Void) rethrows -> Int {
    let start = measuring_allocations()
    try body()
    return Int(measuring_allocations() - start)
  }

  /// Whether the process runs under callgrind.
  public static var countsInstructions: Bool { measuring_counts_instructions() != 0 }

  /// Lets callgrind count the instructions of a function and write them down under a name.
  ///
  /// Without callgrind the function just runs.
  public static func instructions(_ name: String, of body: () throws -> Void) rethrows {
    measuring_start_counting()
    defer { unsafe name.withCString { unsafe measuring_stop_counting($0) } }
    try body()
  }
}
