internal import Dispatch

/// Runs a server's tasks one at a time, on no thread that tasks share.
///
/// Tests that wait for programs may hold all of those, and who asks the server would give up meanwhile.
public final class ServerExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "a test's server")

  /// Makes an executor without tasks.
  public init() {}

  /// Runs a job after those that came before it.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
