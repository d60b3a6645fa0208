import Foundation
import Testing

import FuzzBodies
import TestSupport

/// Replays what the fuzzers of the `Fuzz` package found, and what they begin with.
@Suite struct ReplayTests {
  private static let failCases = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fuzz/FailCases")

  struct KeptCase: CustomTestStringConvertible {
    var target: FuzzTarget
    var file: URL
    var testDescription: String { target.rawValue + "/" + file.lastPathComponent }
  }

  private static let keptCases: [KeptCase] = FuzzTarget.allCases.flatMap { target in
    let folder = failCases.appendingPathComponent(target.rawValue)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().map {
      KeptCase(target: target, file: folder.appendingPathComponent($0))
    }
  }

  @Test("What a fuzzer once found stays mended", arguments: keptCases)
  func keptCase(_ kept: KeptCase) throws {
    try kept.target.check(Array(Data(contentsOf: kept.file)))
  }

  @Test("Every folder of kept cases belongs to a target")
  func foldersAreTargets() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.failCases.path)
    let names = Set(FuzzTarget.allCases.map(\.rawValue))
    #expect(Set(folders).subtracting(names) == [])
    #expect(!Self.keptCases.isEmpty)
  }

  @Test("Seeds hold every property", arguments: FuzzTarget.allCases)
  func seeds(_ target: FuzzTarget) throws {
    #expect(target.seeds.count >= 10)
    for seed in target.seeds { try target.check(seed) }
  }

  @Test("Damaged seeds hold every property", arguments: FuzzTarget.allCases)
  func damagedSeeds(_ target: FuzzTarget) throws {
    var random = RandomSource(seed: 11)
    let seeds = target.seeds
    for _ in 0..<400 {
      var input = seeds.randomElement(using: &random) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        guard !input.isEmpty else { break }
        let place = Int.random(in: input.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: input[place] = UInt8.random(in: 0...255, using: &random)
        case 1: input.remove(at: place)
        default: input.insert(UInt8.random(in: 0x20...0x7E, using: &random), at: place)
        }
      }
      do {
        try target.check(input)
      } catch {
        Issue.record("\(error), with the input \(input)")
        return
      }
    }
  }
}
