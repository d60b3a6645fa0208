import ExtensionSandbox
import Foundation
import Glibc
import Testing

/// Prints what a start costs; `Scripts/measure-sandbox` runs it.
@Suite(.serialized) struct StartCost {
  @Test(.enabled(if: ProcessInfo.processInfo.environment["TICKBIRD_MEASURE"] != nil))
  func printsTheFigures() async throws {
    let workspace = try Workspace()
    let path = workspace.program.path(percentEncoded: false)
    var plain: [Duration] = []
    var sandboxed: [Duration] = []
    var untilStarted: [Duration] = []
    let clock = ContinuousClock()
    for _ in 0..<100 {
      plain.append(
        try clock.measure {
          _ = try ChildProcess([path], environment: workspace.environment).wait()
        }
      )
      let start = clock.now
      let run = try workspace.start([])
      untilStarted.append(clock.now - start)
      _ = await run.process.wait()
      sandboxed.append(clock.now - start)
      close(run.channel)
    }
    func median(_ values: [Duration]) -> String {
      values.sorted()[values.count / 2].formatted(
        .units(allowed: [.milliseconds], fractionalPart: .show(length: 1))
      )
    }
    print("without sandbox, start to end: \(median(plain))")
    print("with sandbox, start to end: \(median(sandboxed))")
    print("of these until the program runs: \(median(untilStarted))")
  }
}
