import ArgumentParser
import EngineComparison
import Foundation
import Synchronization

/// Runs generated cases through the reference and the engines.
struct DifferentialCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "differential",
    abstract: "Compare the engines with the reference on generated lists and loads."
  )

  @Option(help: "How many loads to decide; each is a case.")
  var cases = 10_000_000
  @Option(help: "The seed of the first case; each seed makes a list or two and its loads.")
  var seed: UInt64 = 1
  @Option(help: "How many threads to use.")
  var jobs = ProcessInfo.processInfo.activeProcessorCount

  func run() throws {
    let start = ContinuousClock.now
    let progress = Mutex(Progress(nextSeed: seed))
    let cases = cases
    DispatchQueue.concurrentPerform(iterations: max(1, jobs)) { _ in
      let differential = Differential.standard
      while let seeds = progress.withLock({ $0.take(until: cases) }) {
        for seed in seeds {
          let (tried, disagreement) = differential.run(seed: seed)
          progress.withLock { $0.note(tried, disagreement, since: start) }
        }
      }
    }
    let result = progress.withLock(\.self)
    say(
      "\(result.cases) cases tried (seeds \(seed) to \(result.nextSeed - 1)), "
        + "\(result.disagreements) disagreements, \(ContinuousClock.now - start)"
    )
    if result.disagreements > 0 { throw ExitCode.failure }
  }
}

/// The progress of all threads.
private struct Progress {
  var nextSeed: UInt64
  var cases = 0
  var disagreements = 0
  private var lastReport = 0

  init(nextSeed: UInt64) { self.nextSeed = nextSeed }

  mutating func take(until limit: Int) -> Range<UInt64>? {
    guard cases < limit, disagreements < 20 else { return nil }
    defer { nextSeed += 32 }
    return nextSeed..<nextSeed + 32
  }

  mutating func note(
    _ tried: Int,
    _ disagreement: Disagreement?,
    since start: ContinuousClock.Instant
  ) {
    cases += tried
    if let disagreement {
      disagreements += 1
      say(disagreement.json)
    }
    if cases - lastReport >= 250_000 {
      lastReport = cases
      report("\(cases) cases, \(disagreements) disagreements, \(ContinuousClock.now - start)")
    }
  }
}
