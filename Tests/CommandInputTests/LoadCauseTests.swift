import CommandInput
import Testing

@Suite struct LoadCauseTests {
  /// A document, a script in it, what the script asks for, where that leads, and a load beside them.
  private static let causes: [[LoadCause]] = [
    [], [LoadCause(.document, 0)], [LoadCause(.initiator, 1), LoadCause(.document, 0)],
    [LoadCause(.redirect, 2)], [LoadCause(.document, 0)],
  ]

  private func prevented(blocked: Set<Int>) -> [LoadPrevention?] {
    var loads = PreventedLoads()
    return Self.causes.enumerated().map { loads.add($1, isBlocked: blocked.contains($0)) }
  }

  @Test func nothingIsPreventedWhereNothingIsBlocked() {
    #expect(prevented(blocked: []) == [nil, nil, nil, nil, nil])
  }

  @Test func whatABlockedScriptAsksForDoesNotHappenNorWhatFollows() {
    #expect(
      prevented(blocked: [1]) == [
        nil, nil, LoadPrevention(cause: LoadCause(.initiator, 1), blockedEntry: 1),
        LoadPrevention(cause: LoadCause(.redirect, 2), blockedEntry: 1), nil,
      ]
    )
  }

  @Test func nothingHappensInABlockedDocument() {
    let found = prevented(blocked: [0, 3])
    #expect(found.map { $0?.blockedEntry } == [nil, 0, 0, 0, 0])
    #expect(found[1]?.cause == LoadCause(.document, 0))
  }

  @Test func causesThatAreNotBeforeTheLoadAreNone() {
    var loads = PreventedLoads()
    let causes = [LoadCause(.initiator, 0), LoadCause(.document, 7), LoadCause(.redirect, -1)]
    #expect(loads.add(causes, isBlocked: true) == nil)
  }
}
