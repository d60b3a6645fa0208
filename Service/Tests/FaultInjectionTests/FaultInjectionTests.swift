import BlockingWork
import Foundation
import TestSupport
import Testing

/// The package's programs are built beside its tests.
private let programs = (Bundle.main.executableURL ?? URL(filePath: "/proc/self/exe"))
  .resolvingSymlinksInPath().deletingLastPathComponent()

@Suite(
  "What is confirmed is on the disk, and no fault leaves half of anything",
  .enabled(if: FaultInjection.isAvailable, "a C compiler or Python is missing, or this is no Linux")
)
struct FaultInjectionTests {
  @Test(
    "A sample of faults at calls, and of moments at which power is lost",
    arguments: Effort.sample(
      of: [
        "install", "replace", "on", "off", "grant", "remove", "set-group", "update-package",
        "build-gallery", "new-key",
        "add-note", "browser-note", "synchronize", "synchronize-first", "receive", "replace-key",
        "take-key", "export-notes", "browser-install", "refresh", "add-list",
        "update-list",
      ],
      every: 3
    )
  )
  func faults(scenario: String) async throws {
    let outcome = try await blocking {
      try FaultInjection.run(scenario, sample: 1, programs: programs)
    }
    #expect(outcome.status == 0, "\(outcome.text)")
    #expect(outcome.text.contains("1 scenarios"), "\(outcome.text)")
  }

  @Test(
    "A disk that fails once is reported, and is held against no extension, device or decision",
    arguments: Effort.sample(
      of: [
        ("on", "States/list.blocker.json"), ("replace", "States/list.blocker.json"),
        ("update-package", "blockerList.json"), ("receive", "shared/tickbird-notes-"),
        ("replace-key", "shared"),
      ],
      every: 3
    )
  )
  func failingDisk(scenario: String, path: String) async throws {
    let outcome = try await blocking {
      try FaultInjection.run(scenario, path: path, programs: programs)
    }
    #expect(outcome.status == 0, "\(outcome.text)")
    #expect(!outcome.text.contains(" 0 points"), "\(outcome.text)")
  }
}

@Suite(
  "A disk that cannot be written",
  .enabled(
    if: FaultInjection.isAvailable,
    "a C compiler or Python is missing, or this is no Linux"
  ),
  .enabled(if: FaultInjection.canMount, "no file system can be mounted in a namespace here")
)
struct FullDiskTests {
  @Test(
    "Notes, links and extensions can be read, errors have words, an extension can be turned off",
    arguments: [
      "blocks", "inodes", "read-only", "closed", "blocks-log", "inodes-log", "read-only-log",
      "closed-log",
    ]
  )
  func unwritable(variant: String) async throws {
    let outcome = try await blocking {
      try FaultInjection.runFullDisk(variant, programs: programs)
    }
    #expect(outcome.status == 0, "\(outcome.text)")
  }
}
