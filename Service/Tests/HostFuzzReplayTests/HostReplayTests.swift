import Testing

import FuzzTargets
import HostFuzzBodies

/// Replays what the fuzzer `FuzzHost` found, and what it begins with.
@Suite struct HostReplayTests {
  static let program = "host"
  static let targets = HostFuzzing.targets

  @Test("What a fuzzer once found stays mended", arguments: KeptCase.all(of: program, targets))
  func keptCase(_ kept: KeptCase) throws { try kept.check() }

  @Test("Every folder of kept cases belongs to a target")
  func foldersAreTargets() throws {
    #expect(try KeptCase.strayFolders(of: Self.program, Self.targets) == [])
    #expect(Set(Self.targets.map(\.name)).count == Self.targets.count)
  }

  @Test("Seeds hold every property", arguments: targets)
  func seeds(_ target: FuzzTarget) throws {
    #expect(target.seeds.count >= 10)
    for seed in target.seeds { try target.check(seed) }
  }

  @Test("Damaged seeds hold every property", arguments: targets)
  func damagedSeeds(_ target: FuzzTarget) throws { try target.checkDamagedSeeds() }
}
