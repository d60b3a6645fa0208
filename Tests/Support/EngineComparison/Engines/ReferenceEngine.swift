internal import ContentRules
internal import ReferenceMatcher
internal import WebURL

/// The reference matcher as an engine.
///
/// The product tells it which selectors are valid and which texts are URLs, because the
/// specification leaves both to other standards.
public struct ReferenceEngine: Engine {
  /// The engine's name in messages.
  public let name = "reference"

  /// Creates the engine.
  public init() {}

  /// Reads and prepares lists.
  ///
  /// - Parameter lists: The JSON text of each list, in UTF-8.
  /// - Returns: The prepared lists.
  /// - Throws: ``EngineRefusal`` with WebKit's name for the error.
  public func load(_ lists: [[UInt8]]) throws(EngineRefusal) -> any LoadedLists {
    do {
      let read = try lists.map { text in
        try ReferenceRuleList(
          jsonText: text,
          schemeOfURL: { WebURL($0)?.scheme },
          isSelectorValid: { SelectorList.firstFault(in: $0) == nil }
        )
      }
      return LoadedReference(read)
    } catch let refusal as ReferenceRefusal {
      throw EngineRefusal(name: refusal.name)
    } catch {
      throw EngineRefusal(name: "\(error)")
    }
  }
}

private final class LoadedReference: LoadedLists {
  let lists: [ReferenceRuleList]

  init(_ lists: [ReferenceRuleList]) { self.lists = lists }

  var globalSelectors: [String?] {
    lists.map { list in
      list.globalHidingSelectors.isEmpty ? nil : list.globalHidingSelectors.joined(separator: ",")
    }
  }

  func evaluate(_ load: ReferenceLoad) -> [ListOutcome] {
    lists.map { ListOutcome($0.evaluate(load)) }
  }

  func rules(matching text: String) -> Set<Int> {
    let load = ReferenceLoad(
      url: text,
      topURL: "",
      resourceType: "other",
      isFirstParty: true
    )
    return Set(lists[0].evaluate(load).matched.map(\.rule))
  }
}

extension ListOutcome {
  /// Takes over what the reference says.
  init(_ result: ReferenceResult) {
    self.init(
      actions: result.actions.map {
        Action(type: $0.action.type, fields: $0.action.fields, rules: $0.rules)
      },
      fates: [:],
      attachesGlobalSheet: !result.ignoredPreviousRules
    )
    for matched in result.matched where !matched.isIdentifierReport {
      switch matched.outcome {
      case .applied: fates[matched.rule] = .applied
      case .merged(let rule): fates[matched.rule] = .merged(into: rule)
      case .cancelled(let rule): fates[matched.rule] = .cancelled(by: rule)
      case .swallowed(let rule): fates[matched.rule] = .swallowed(by: rule)
      case .inGlobalSheet: break
      }
    }
  }
}
