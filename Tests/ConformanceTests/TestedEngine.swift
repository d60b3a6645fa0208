import EngineComparison
import Testing

/// An engine under a name, for tests that run over all of them.
struct TestedEngine: CustomTestStringConvertible, Sendable {
  let engine: any Engine

  var testDescription: String { engine.name }

  /// The reference, and the product at each of its stages.
  static let all = [
    TestedEngine(engine: ReferenceEngine()),
    TestedEngine(engine: AutomataEngine(stateLimit: 0)),
    TestedEngine(engine: AutomataEngine(stateLimit: 500)),
    TestedEngine(engine: ByteCodeEngine()),
    TestedEngine(engine: ByteCodeEngine("byte code, saved", storage: .saved)),
  ]

  /// Those that judge selectors, which the reference is told about.
  static let judgingSelectors = all.filter { $0.engine.name != "reference" }
}
