internal import ContentBlocking
internal import ReferenceMatcher
internal import ResourceLoads
internal import RuleCompiler

/// Compares engines with the reference on generated cases.
///
/// Compares everything: whether lists are accepted, global sheets, actions in order with their
/// rules and fields, the fate of every rule that matched, and whether the sheet is attached.
public struct Differential: Sendable {
  /// The engines to compare for every seed.
  public var always: [any Engine]
  /// The engines that take turns.
  public var inTurn: [any Engine]

  /// Compares the given engines.
  public init(always: [any Engine], inTurn: [any Engine] = []) {
    self.always = always
    self.inTurn = inTurn
  }

  /// The engine as shipped for every seed; other programs, automata and saved lists in turn.
  public static var standard: Differential {
    var threads = CompilerLimits()
    threads.statesPerFilter = 3
    threads.statesPerList = 100
    var noTables = CompilerLimits()
    noTables.instructionsPerTable = 0
    var tables = CompilerLimits()
    tables.statesPerFilter = 4_096
    tables.statesPerList = 1_000_000
    tables.instructionsPerTable = 4_096
    return Differential(
      always: [ByteCodeEngine()],
      inTurn: [
        ByteCodeEngine("byte code with threads", limits: threads),
        ByteCodeEngine("byte code without tables", limits: noTables),
        ByteCodeEngine("byte code with large tables", limits: tables),
        AutomataEngine(stateLimit: 0), AutomataEngine(stateLimit: 200),
        ByteCodeEngine("byte code, saved", storage: .saved),
        ByteCodeEngine("byte code with threads", limits: threads),
      ]
    )
  }

  /// Compares the engines of a seed's turn on its case.
  ///
  /// - Returns: The number of loads tried, each a case of its own, and the first disagreement,
  ///   shrunk.
  public func run(seed: UInt64) -> (cases: Int, disagreement: Disagreement?) {
    let comparison = ComparisonCase(seed: seed)
    var engines = always
    if !inTurn.isEmpty { engines.append(inTurn[Int(seed / 32 % UInt64(inTurn.count))]) }
    for engine in engines {
      if let found = Self.disagreement(of: engine, on: comparison) {
        return (comparison.loads.count, Shrinker(engine: engine).shrink(found))
      }
    }
    return (comparison.loads.count, nil)
  }

  /// Returns the first load on which an engine and the reference disagree.
  public static func disagreement(
    of engine: any Engine,
    on comparison: ComparisonCase
  ) -> Disagreement? {
    func disagreement(_ loads: [ReferenceLoad], _ expected: String, _ found: String) -> Disagreement
    {
      var comparison = comparison
      comparison.loads = loads
      return Disagreement(
        engine: engine.name,
        comparison: comparison,
        expected: expected,
        found: found
      )
    }
    let reference: any LoadedLists
    do throws(EngineRefusal) {
      reference = try ReferenceEngine().load(comparison.texts)
    } catch {
      let found = comparison.texts.compactMap { engine.refusal(of: $0) }.first ?? "accepted"
      return found == error.name ? nil : disagreement([], error.name, found)
    }
    let tested: any LoadedLists
    do throws(EngineRefusal) {
      tested = try engine.load(comparison.texts)
    } catch {
      return disagreement([], "accepted", error.name)
    }
    guard reference.globalSelectors == tested.globalSelectors else {
      return disagreement([], "\(reference.globalSelectors)", "\(tested.globalSelectors)")
    }
    for (number, load) in comparison.loads.enumerated() {
      let expected = reference.evaluate(load)
      let found = tested.evaluate(load)
      guard expected == found else {
        return disagreement(
          Array(comparison.loads[...number]),
          JSONValue.array(expected.map(\.json)).text,
          JSONValue.array(found.map(\.json)).text
        )
      }
      // The product determines the party itself.
      var derived = load.resourceLoad
      derived?.loadTypeOverride = nil
      if let derived, (derived.loadType == .firstParty) != load.isFirstParty {
        return disagreement(
          [load],
          "first-party: \(load.isFirstParty)",
          "first-party: \(!load.isFirstParty)"
        )
      }
    }
    return nil
  }
}
