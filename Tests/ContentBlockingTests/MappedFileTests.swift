import ContentBlocking
import Foundation
import RuleMatching
import Testing

@Suite("Compiled files that are mapped")
struct MappedFileTests {
  @Test("A large file is checked on two threads as on one, also while others are")
  func onTwoThreads() async throws {
    // With fewer keys no other thread is begun.
    let json = listText(
      (0..<70_000).map {
        (#""url-filter":"^https?://([^/]+\\.)?host\#($0)\\.test[:/]""#, #""type":"block""#)
      }
    )
    let whole = try ContentRuleList.compile(json).file
    var damaged = whole
    // Far before the source, which opening does not read.
    damaged[100_000] ^= 1
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("tickbird-mapped-\(UUID().uuidString)", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let paths = ["whole", "damaged"].map { folder.appendingPathComponent($0).path }
    for (path, bytes) in zip(paths, [whole, damaged]) {
      try Data(bytes).write(to: URL(fileURLWithPath: path))
    }
    let fault = try #require(throws: ByteCodeError.self) {
      try CompiledRuleList(validating: damaged)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<3 {
        group.addTask { @concurrent in
          for _ in 0..<5 {
            let list = try CompiledRuleList(mapping: paths[0])
            #expect(list.info.ruleCount == 70_000)
            #expect(throws: fault) { try CompiledRuleList(mapping: paths[1]) }
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
