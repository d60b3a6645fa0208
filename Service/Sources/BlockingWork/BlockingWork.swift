internal import Foundation

/// Does work that blocks on a thread of its own, since the threads that tasks share are few.
///
/// - Parameter work: What is done. It is not interrupted when the task is cancelled.
/// - Returns: What the work returns.
/// - Throws: What the work throws.
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
    // As much as the main thread has: lists and feeds that are nested deeply are read here too.
    thread.stackSize = 8 << 20
    thread.start()
  }
  return try result.get()
}
