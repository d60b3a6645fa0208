internal import Foundation

/// Runs blocking work on a thread of its own, since tasks share only a few threads.
///
/// - Parameter work: The work. It is not interrupted if the task is cancelled.
/// - Returns: The result of the work.
/// - Throws: The error of the work.
public func blocking<Value: Sendable, Failure: Error>(
  _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
  let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
    let thread = Thread {
      let result: Result<Value, Failure>
      do throws(Failure) {
        result = .success(try work())
      } catch {
        result = .failure(error)
      }
      continuation.resume(returning: result)
    }
    // As large as the main thread's, since deeply nested lists and feeds are parsed here too.
    thread.stackSize = 8 << 20
    thread.start()
  }
  return try result.get()
}
