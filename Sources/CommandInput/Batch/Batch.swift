internal import CLibrary
internal import Dispatch
internal import Foundation

/// Processes the jobs that an input is split into, with state of its own.
///
/// Each worker lives on one thread and gets some of the jobs, in their order.
package protocol BatchWorker: SendableMetatype {
  associatedtype Job: Sendable
  associatedtype Output: Sendable
  associatedtype Summary: Sendable

  /// Processes a job.
  mutating func work(on job: Job) -> Output

  /// Returns the worker's summary after the last job.
  mutating func finish() -> Summary
}

/// Produces the jobs, in their order.
package protocol BatchSource: SendableMetatype {
  associatedtype Job: Sendable

  /// Returns the next job, possibly after waiting; `nil` at the end.
  mutating func next() throws(InputError) -> Job?
}

/// Processes an input on several threads, with the results in the input's order.
///
///     reader ─► jobs ─► worker 0 ─► results by number ─► sink, in order
///                    └► worker 1 ─┘
///
/// A fixed number of jobs is in flight at most, so memory does not grow with the input. Results do
/// not depend on the number of threads.
package enum Batch {
  /// The result of a run.
  package struct Ending<Summary: Sendable>: Sendable {
    /// The summary of each worker.
    package var summaries: [Summary]
    /// The error, if the input could not be read to its end.
    package var fault: InputError?
    /// The most jobs in flight at any time.
    package var peak: Int
  }

  /// The number of threads to use: one for each core that the process may use.
  package static var coreCount: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }

  /// Returns the most jobs in flight for a number of workers.
  package static func bound(workers: Int) -> Int { 2 * workers + 2 }

  /// Runs workers over all jobs of a source.
  ///
  /// - Parameters:
  ///   - workers: The number of workers, at least one.
  ///   - source: The jobs; called on a thread of its own.
  ///   - makeWorker: Creates a worker, on the worker's thread.
  ///   - sink: Receives each result in the order of the jobs, on the caller's thread.
  /// - Returns: The workers' summaries; if the source failed, those of the jobs before.
  /// - Throws: Whatever the sink throws; the threads then stop at their next step.
  package static func run<Source: BatchSource, Worker: BatchWorker>(
    workers: Int,
    source: sending Source,
    makeWorker: @escaping @Sendable () -> Worker,
    sink: (Worker.Output) throws -> Void
  ) throws -> Ending<Worker.Summary> where Source.Job == Worker.Job {
    let workers = max(1, workers)
    let exchange = Exchange<Source.Job, Worker.Output, Worker.Summary>(
      workers: workers,
      bound: bound(workers: workers)
    )
    let handover = Handover(source)
    do {
      try start { exchange.read(handover) }
      for _ in 0..<workers {
        try start { exchange.work(makeWorker()) }
      }
      return try exchange.collect(sink)
    } catch {
      exchange.cancel()
      throw error
    }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) throws(InputError) {
    let status = startThread(stackSize: 4 << 20, body)
    guard status == 0 else {
      throw InputError("no thread can be started: \(systemWords(for: status)); end some programs")
    }
  }
}

/// A value protected by a lock.
private final class Locked<Value>: @unchecked Sendable {
  private let lock = Monitor()
  private var value: Value

  init(_ value: sending Value) { self.value = value }

  func withLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
    lock.withLock { body(&value) }
  }
}

/// A value that is moved from one thread to another.
private final class Handover<Value>: Sendable {
  private let value: Locked<Value?>

  init(_ value: consuming sending Value) { self.value = Locked(value) }

  func take() -> sending Value? {
    value.withLock { slot in
      let taken = slot
      slot = nil
      return taken
    }
  }
}

/// The state that the threads of a run share.
private final class Exchange<Job: Sendable, Output: Sendable, Summary: Sendable>: Sendable {
  private struct State {
    /// The jobs that no worker has taken yet, by number.
    var jobs: [Int: Job] = [:]
    var nextJob = 0
    var readCount = 0
    var isEnded = false
    var isCancelled = false
    var fault: InputError?
    var results: [Int: Output] = [:]
    var takenCount = 0
    var summaries: [Summary] = []
    var peak = 0
  }

  private let state = Locked(State())
  private let workers: Int
  // Starts at 0 and is raised afterwards: a semaphore released below its initial value traps.
  private let room = DispatchSemaphore(value: 0)
  private let work = DispatchSemaphore(value: 0)
  private let news = DispatchSemaphore(value: 0)

  init(workers: Int, bound: Int) {
    self.workers = workers
    for _ in 0..<bound { room.signal() }
  }

  /// Runs on the reader's thread.
  func read<Source: BatchSource>(_ handover: Handover<Source>) where Source.Job == Job {
    guard var source = handover.take() else { return }
    var fault: InputError?
    do throws(InputError) {
      while true {
        room.wait()
        if state.withLock({ $0.isCancelled }) { break }
        guard let job = try source.next() else { break }
        state.withLock { state in
          state.jobs[state.readCount] = job
          state.readCount += 1
          state.peak = max(state.peak, state.readCount - state.takenCount)
        }
        work.signal()
      }
    } catch {
      fault = error
    }
    state.withLock { state in
      state.isEnded = true
      state.fault = fault
    }
    for _ in 0..<workers { work.signal() }
    news.signal()
  }

  /// Runs on a worker's thread.
  func work<Worker: BatchWorker>(_ worker: consuming Worker)
  where Worker.Job == Job, Worker.Output == Output, Worker.Summary == Summary {
    var worker = worker
    while true {
      work.wait()
      let next: (number: Int, job: Job)? = state.withLock { state in
        guard !state.isCancelled, let job = state.jobs.removeValue(forKey: state.nextJob) else {
          return nil
        }
        state.nextJob += 1
        return (state.nextJob - 1, job)
      }
      guard let next else { break }
      let output = worker.work(on: next.job)
      state.withLock { $0.results[next.number] = output }
      news.signal()
    }
    let summary = worker.finish()
    state.withLock { $0.summaries.append(summary) }
    news.signal()
  }

  /// Runs on the caller's thread.
  func collect(_ sink: (Output) throws -> Void) throws -> Batch.Ending<Summary> {
    while true {
      news.wait()
      while let output = state.withLock({ $0.results.removeValue(forKey: $0.takenCount) }) {
        try sink(output)
        state.withLock { $0.takenCount += 1 }
        room.signal()
      }
      let ending: Batch.Ending<Summary>? = state.withLock { state in
        guard state.isEnded, state.takenCount == state.readCount,
          state.summaries.count == workers
        else { return nil }
        return .init(summaries: state.summaries, fault: state.fault, peak: state.peak)
      }
      if let ending { return ending }
    }
  }

  /// Tells all threads to stop.
  func cancel() {
    state.withLock { $0.isCancelled = true }
    room.signal()
    for _ in 0..<workers { work.signal() }
  }
}
