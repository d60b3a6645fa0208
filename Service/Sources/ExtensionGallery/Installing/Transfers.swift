/// Transfers that run side by side, few at a time and fewer from one source.
enum Transfers {
  /// How many run at once.
  private static let atOnce = 8
  /// How many of one source run at once, so that a slow one leaves room for the others.
  private static let perSource = 2

  /// One transfer.
  struct Job<Arrival: Sendable>: Sendable {
    /// Who is asked.
    let source: String
    /// Fetches; what it throws ends all others.
    let run: @Sendable () async throws -> Arrival
  }

  /// Runs jobs in their order as far as their sources allow, and hands over what they bring as it
  /// arrives.
  ///
  /// - Throws: What a job or `receive` throws; the other jobs are cancelled then.
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
