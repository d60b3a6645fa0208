internal import CFreedMemory

/// Runs work that takes many megabytes, and gives what it has freed back to the system.
///
/// Otherwise a process that lives as long as a browser keeps the memory of the largest list that it ever
/// read. It takes some milliseconds for 100 MB.
///
/// - Parameter body: The work. What it returns stays in memory.
/// - Returns: The result of the work.
/// - Throws: The error of the work.
public func freeingMemory<Value, Failure: Error>(
  _ body: () throws(Failure) -> Value
) throws(Failure) -> Value {
  tickbird_map_large_memory()
  defer { tickbird_return_freed_memory() }
  return try body()
}
