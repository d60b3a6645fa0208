import Foundation
import ServiceFolders
import Testing

@Suite("Locks between processes")
struct FileLockTests {
  private func withFile(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-lock-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.appending(path: "lock"))
  }

  @Test("A lock is held by one, who is named to the others")
  func held() async throws {
    try await withFile { file in
      let first = try FileLock(file, holder: "the first")
      let name = "the first (process \(ProcessInfo.processInfo.processIdentifier))"
      #expect(throws: FileLock.Failure.held(by: name)) {
        try FileLock(file, holder: "the second")
      }
      let wait = Duration.milliseconds(50)
      await #expect(throws: FileLock.Failure.held(by: name)) {
        try await FileLock.waiting(for: file, patience: wait)
      }
      withExtendedLifetime(first) {}
    }
  }

  @Test("It is free when its holder lets go, and one without a name bears none")
  func released() async throws {
    try await withFile { file in
      do { _ = try FileLock(file, holder: "a long name of the first") }
      let second = try FileLock(file)
      #expect(throws: FileLock.Failure.held(by: nil)) { try FileLock(file) }
      withExtendedLifetime(second) {}
    }
  }

  #if os(Linux)
  @Test("It is free at once, also while a program is started that has the holder's files open")
  func startingProgram() async throws {
    try await withFile { file in
      var first: FileLock? = try FileLock(file)
      let path = file.resolvingSymlinksInPath().path
      let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      let number = try #require(
        files.first {
          (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))
            == path
        }
      )
      // What a child has between its fork and its exec, which closes all that is not for it.
      let copy = dup(try #require(Int32(number)))
      try #require(copy >= 0)
      defer { close(copy) }
      #expect(throws: FileLock.Failure.held(by: nil)) { try FileLock(file) }
      withExtendedLifetime(first) {}
      first = nil
      let second = try FileLock(file)
      #expect(throws: FileLock.Failure.held(by: nil)) { try FileLock(file) }
      withExtendedLifetime(second) {}
    }
  }
  #endif

  @Test("Those who wait get it when it is free, one at a time")
  func waiting() async throws {
    try await withFile { file in
      let counter = file.appendingPathExtension("count")
      try Data("0".utf8).write(to: counter)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<20 {
          group.addTask { @concurrent in
            let lock = try await FileLock.waiting(for: file, patience: .seconds(600))
            let count = Int(try String(contentsOf: counter, encoding: .utf8)) ?? -1
            try Data("\(count + 1)".utf8).write(to: counter)
            withExtendedLifetime(lock) {}
          }
        }
        try await group.waitForAll()
      }
      #expect(try String(contentsOf: counter, encoding: .utf8) == "20")
    }
  }

  @Test("A task that is cancelled waits no longer")
  func cancelled() async throws {
    try await withFile { file in
      let lock = try FileLock(file)
      let task = Task { _ = try await FileLock.waiting(for: file, patience: .seconds(600)) }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      withExtendedLifetime(lock) {}
    }
  }

  @Test("A link and a folder are no locks, and the sentence names them")
  func unusable() async throws {
    try await withFile { file in
      try FileManager.default.createSymbolicLink(
        at: file,
        withDestinationURL: file.appendingPathExtension("target")
      )
      for place in [file, file.deletingLastPathComponent(), file.appending(path: "missing")] {
        let failure = #expect(throws: FileLock.Failure.self) { try FileLock(place) }
        guard case .unusable(let sentence) = failure else {
          Issue.record("\(place.path): \(String(describing: failure))")
          continue
        }
        #expect(sentence.hasPrefix("\(place.path) cannot be opened: "))
      }
      #expect(!FileManager.default.fileExists(atPath: file.path + ".target"))
    }
  }
}
