import Foundation
import TestSupport
import Testing

@Suite(
  "Compiled lists are on the disk when the command has ended",
  .enabled(if: FaultInjection.isAvailable, "a C compiler or Python is missing, or this is no Linux")
)
struct CompileFaultTests {
  @Test(
    "A fault at every call, and power lost at every moment",
    arguments: ["compile", "compile-new"]
  )
  func faults(scenario: String) throws {
    let programs = (Bundle.main.executableURL ?? URL(filePath: "/proc/self/exe"))
      .resolvingSymlinksInPath().deletingLastPathComponent()
    let outcome = try FaultInjection.run(scenario, sample: 0, programs: programs)
    #expect(outcome.status == 0, "\(outcome.text)")
  }
}
