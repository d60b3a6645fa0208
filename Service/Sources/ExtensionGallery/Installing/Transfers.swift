/// Runs transfers concurrently, with a limit in total and a lower one for each source.
enum Transfers {
  /// The limit on concurrent transfers.
  private static let atOnce = 8
  /// The limit for one source, so that a slow one leaves room for the others.
  private static let perSource = 2

  /// One transfer.
  struct Job<Arrival: Sendable>: Sendable {
    /// The key that limits are counted by.
    let source: String
    /// Runs the transfer; an error cancels all others.
    let run: @Sendable () async throws -> Arrival
  }

  /// Starts jobs in order, as far as the limits allow, and passes on their results as they arrive.
  ///
  /// - Throws: The error of a job or of `receive`; then the other jobs are cancelled.
  static func sideBySide<Arrival: Sendable>(
    _ jobs: [Job<Arrival>],
    _ receive: (Arrival) async throws -> Void
  ) async throws {
    var waiting = jobs
    var running: [String: Int] = [:]
    try await withThrowingTaskGroup(of: (String, Arrival).self) { group in
      var count = 0
      func startMore() {
        while count < atOnce,
          let index = waiting.firstIndex(where: { running[$0.source, default: 0] < perSource })
        {
          let job = waiting.remove(at: index)
          running[job.source, default: 0] += 1
          count += 1
          group.addTask { (job.source, try await job.run()) }
        }
      }
      startMore()
      while let (source, arrival) = try await group.next() {
        running[source, default: 1] -= 1
        count -= 1
        startMore()
        try await receive(arrival)
      }
    }
  }
}
