internal import ContentBlocking
internal import ContentRules
internal import Foundation
internal import ReferenceMatcher
internal import ResourceLoads
public import RuleCompiler
internal import RuleMatching

/// The product as users have it: lists compiled, loads decided and explained.
public struct ByteCodeEngine: Engine {
  /// Where compiled lists are kept until they are used.
  public enum Storage: Sendable {
    /// In memory, directly from the compiler.
    case memory
    /// Saved by a ``RuleListStore`` in a temporary folder, looked up again and mapped.
    case saved
  }

  /// The engine's name in messages.
  public let name: String
  /// The limits on what compiling may cost; other limits lead to other programs.
  public var limits: CompilerLimits
  /// Where compiled lists are kept.
  public var storage: Storage

  /// Creates the engine.
  public init(
    _ name: String = "byte code",
    limits: CompilerLimits = CompilerLimits(),
    storage: Storage = .memory
  ) {
    self.name = name
    self.limits = limits
    self.storage = storage
  }

  /// Reads and prepares lists.
  ///
  /// - Parameter lists: The JSON text of each list, in UTF-8.
  /// - Returns: The prepared lists.
  /// - Throws: ``EngineRefusal`` with WebKit's name for the error.
  public func load(_ lists: [[UInt8]]) throws(EngineRefusal) -> any LoadedLists {
    switch storage {
    case .memory:
      var compiled: [ContentRuleList] = []
      for (number, text) in lists.enumerated() {
        do throws(RuleListError) {
          compiled.append(
            try ContentRuleList(
              identifier: String(number),
              encodedContentRuleList: text,
              limits: limits
            )
          )
        } catch {
          throw EngineRefusal(error)
        }
      }
      return LoadedByteCode(compiled)
    case .saved:
      let folder = FileManager.default.temporaryDirectory
        .appending(path: "tickbird-engines-\(UUID().uuidString)")
      // Mapped lists outlive their files.
      defer { try? FileManager.default.removeItem(at: folder) }
      do throws(RuleListStoreError) {
        let store = try RuleListStore(directory: folder, limits: limits)
        for (number, text) in lists.enumerated() {
          try store.compileContentRuleList(
            forIdentifier: String(number),
            encodedContentRuleList: text
          )
        }
        let again = try RuleListStore(directory: folder)
        var found: [ContentRuleList] = []
        for number in lists.indices {
          found.append(try again.lookUpContentRuleList(forIdentifier: String(number)))
        }
        return LoadedByteCode(found)
      } catch {
        throw EngineRefusal(
          name: error.report?.webKitError?.webKitError?.rawValue ?? error.message
        )
      }
    }
  }
}

extension EngineRefusal {
  fileprivate init(_ error: RuleListError) {
    if case .refused(let report) = error, let name = report.webKitError?.webKitError?.rawValue {
      self.init(name: name)
    } else {
      self.init(name: error.message)
    }
  }
}

private final class LoadedByteCode: LoadedLists {
  private var blocker: ContentBlocker
  private let sources: [ListSource]
  let globalSelectors: [String?]

  init(_ lists: [ContentRuleList]) {
    blocker = ContentBlocker(lists: lists)
    sources = lists.map { ListSource($0.source) }
    globalSelectors = lists.map(\.globalSelectors)
  }

  /// Returns the other rule that stands for the action of a rule.
  private func leader(of match: Explanation.Match, _ decision: LoadDecision) -> Int? {
    let action = decision.actions.first {
      $0.list == match.list && $0.rules.contains(match.rule)
    }
    return action.flatMap { $0.rules[0] == match.rule ? nil : $0.rules[0] }
  }

  func evaluate(_ load: ReferenceLoad) -> [ListOutcome] {
    guard let load = load.resourceLoad else { return [] }
    let quick = blocker.outcome(for: load)
    let explanation = blocker.explanation(for: load, sources: sources)
    let decision = explanation.decision
    var outcomes = decision.lists.map {
      ListOutcome(actions: [], fates: [:], attachesGlobalSheet: $0.attachesGlobalSheet)
    }
    for applied in decision.actions {
      let (type, fields) =
        switch applied.effect {
        case .action(let action): action.spelled
        case .reportIdentifier(let identifier): ("report-identifier", identifier.spelled)
        }
      outcomes[applied.list].actions.append(
        ListOutcome.Action(type: type, fields: fields, rules: applied.rules)
      )
    }
    for match in explanation.matches {
      outcomes[match.list].fates[match.rule] =
        switch match.fate {
        case .applied: .applied
        case .inert, .tooLate:
          // What an action does to the load is not the list's outcome, but which rule stands for it is.
          leader(of: match, decision).map { .merged(into: $0) } ?? .applied
        case .merged(let rule): .merged(into: rule)
        case .cancelled(let rule): .cancelled(by: rule)
        case .swallowed(let rule): .swallowed(by: rule)
        }
    }
    // Redundant answers must agree; a contradiction becomes an answer that no other engine gives.
    let types = Set(decision.actions.map(\.kind))
    if quick.isBlocked != types.contains(.block) || decision.isBlocked != quick.isBlocked
      || quick.blocksCookies != types.contains(.blockCookies)
      || decision.blocksCookies != quick.blocksCookies
      || quick.makesHTTPS != types.contains(.makeHTTPS)
      || decision.hiddenSelectors
        != outcomes.flatMap(\.actions).compactMap({ $0.fields["selector"]?.string })
      || decision.notifications
        != outcomes.flatMap(\.actions).compactMap({ $0.fields["notification"]?.string })
    {
      let action = ListOutcome.Action(
        type: "contradiction",
        fields: ["outcome": .string("\(quick)"), "decision": .string("\(decision)")],
        rules: []
      )
      outcomes[0].actions.append(action)
    }
    return outcomes
  }

  func rules(matching text: String) -> Set<Int> {
    let list = blocker.lists[0].compiled
    var scratch = MatchScratch()
    scratch.prepare(for: list)
    var page = PageState()
    let none: [UInt8] = []
    list.update(&page, topURL: none.span, frameURL: none.span, &scratch)
    scratch.assign(Array(text.utf8).span)
    _ = list.decide(LoadProperties(resourceType: .other, loadType: .firstParty), page, &scratch)
    return Set(list.matchedEntries(page, scratch).map { Int($0.rule) })
  }
}
