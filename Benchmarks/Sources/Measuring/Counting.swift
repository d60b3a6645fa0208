internal import CMeasuring

/// Exact counts, which do not depend on the machine's load.
public enum Counting {
  /// Returns the number of allocations by a function on this thread.
  public static func allocations(of body: () throws -> Void) rethrows -> Int {
    let start = measuring_allocations()
    try body()
    return Int(measuring_allocations() - start)
  }

  /// Whether the process runs under callgrind.
  public static var countsInstructions: Bool { measuring_counts_instructions() != 0 }

  /// Counts the instructions of a function by callgrind, under a name.
  ///
  /// Without callgrind, just runs the function.
  public static func instructions(_ name: String, of body: () throws -> Void) rethrows {
    measuring_start_counting()
    defer { unsafe name.withCString { unsafe measuring_stop_counting($0) } }
    try body()
  }
}
