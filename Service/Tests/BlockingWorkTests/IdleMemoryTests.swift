import Foundation
import HostTestSupport
import Testing

@testable import BlockingWork

/// What a process gives back while it waits.
@Suite(.timeLimit(.minutes(2)))
struct IdleMemoryTests {
  @Test("memory is given back once after each time of work")
  func onceAfterWork() {
    var watch = IdleWatch()
    let times: [Int64] = [500, 900, 901, 903, 1003, 1010, 1011]
    let isGivenBack = times.map { watch.hasBecomeIdle(after: $0) }
    #expect(isGivenBack == [false, false, true, false, false, true, false])
  }

  @Test("small pieces of work do not add up to a time of work")
  func smallPieces() {
    var watch = IdleWatch()
    let isGivenBack = (1...20).map { watch.hasBecomeIdle(after: $0 * (IdleWatch.work - 1)) }
    #expect(isGivenBack == [true] + Array(repeating: false, count: 19))
  }

  @Test("an idle process is looked at less often")
  func pauses() {
    var watch = IdleWatch()
    let atWork = watch.pause
    _ = watch.hasBecomeIdle(after: 0)
    #expect(watch.pause > atWork)
    _ = watch.hasBecomeIdle(after: IdleWatch.work)
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
