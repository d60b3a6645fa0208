import Foundation
import HostTestSupport
import Testing

@testable import BlockingWork

/// What a process gives back while it waits.
@Suite(.timeLimit(.minutes(2)))
struct IdleMemoryTests {
  private func use(_ milliseconds: Int64, _ faults: Int64) -> ProcessUse {
    ProcessUse(milliseconds: milliseconds, faults: faults)
  }

  @Test("memory is given back once after each time of work")
  func onceAfterWork() {
    var watch = IdleWatch()
    #expect([use(500, 900), use(900, 950)].map { watch.hasMuchToReturn($0) } == [false, false])
    let isIdle = watch.hasMuchToReturn(use(901, 960))
    #expect(isIdle)
    watch.hasReturned(use(902, 970))
    let later = [use(905, 980), use(1005, 1200), use(1006, 1201)]
    #expect(later.map { watch.hasMuchToReturn($0) } == [false, false, true])
  }

  @Test("what little work maps is given back as well, once it is much")
  func smallPieces() {
    var watch = IdleWatch()
    _ = watch.hasMuchToReturn(use(1, IdleWatch.manyFaults))
    watch.hasReturned(use(2, IdleWatch.manyFaults))
    let isMuch = (1...4).map { count in
      watch.hasMuchToReturn(use(2 + count, IdleWatch.manyFaults + count * IdleWatch.manyFaults / 4))
    }
    #expect(isMuch == [false, false, false, true])
  }

  @Test("an idle process is looked at less often")
  func pauses() {
    var watch = IdleWatch()
    let atWork = watch.pause
    _ = watch.hasMuchToReturn(use(0, 0))
    #expect(watch.pause > atWork)
    _ = watch.hasMuchToReturn(use(IdleWatch.work, 0))
    #expect(watch.pause == atWork)
  }

  #if os(Linux)
  @Test("a service that waits unmaps most of its code, and answers as before")
  func service() async throws {
    let home = FileManager.default.temporaryDirectory.appending(
      path: "tickbird-\(UUID().uuidString)"
    )
    defer { try? FileManager.default.removeItem(at: home) }
    let program = HostProgram(home: home)
    let service = try program.process(["run"])
    try service.run()
    defer {
      service.terminate()
      service.waitUntilExit()
    }
    var most = 0
    while true {
      let mapped = try #require(try kibibytesOfFiles(mappedBy: service.processIdentifier))
      most = max(most, mapped)
      if mapped < most / 2 { break }
      try await Task.sleep(for: .milliseconds(50))
    }
    let answer = try await program.run("extensions", "list")
    #expect(answer.status == 0)
    #expect(answer.errors.contains("no extension is installed"))
    #expect(service.isRunning)
  }

  /// The part of files that is mapped into a process, as the kernel says it.
  private func kibibytesOfFiles(mappedBy process: Int32) throws -> Int? {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("RssFile:") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  }
  #endif
}
