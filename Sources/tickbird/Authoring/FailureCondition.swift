internal import ArgumentParser
internal import CommandInput
internal import ContentBlocking
internal import ContentRules
internal import ListAnalysis
internal import ResourceLoads

/// A value of `--fail-on`: a kind of difference, and the loads for which it counts.
struct FailureCondition {
  private let change: LoadChange
  private let words: [Word]

  /// One of the words behind the colon.
  private enum Word {
    case party(LoadType)
    case type(ResourceType)

    init?(_ text: String) {
      switch text {
      case "first-party": self = .party(.firstParty)
      case "third-party": self = .party(.thirdParty)
      case "document": self = .type([.topDocument, .childDocument])
      default:
        guard let type = LoadWords.resourceType(text) else { return nil }
        self = .type(type)
      }
    }

    func holds(for load: ResourceLoad) -> Bool {
      switch self {
      case .party(let party): load.loadType == party
      case .type(let type): type.contains(load.resourceType)
      }
    }
  }

  private static let kinds: [LoadChange] = [.newlyBlocked, .newlyLoaded, .newlyHidden, .newlyShown]

  /// Reads a value.
  ///
  /// - Throws: `ValidationError` with the words that there are.
  init(argument: String) throws {
    let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let change = Self.kinds.first(where: { $0.rawValue == String(parts[0]) }) else {
      let kinds = Self.kinds.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("there is no “\(parts[0])”; it takes \(kinds)")
    }
    self.change = change
    guard parts.count > 1 else {
      words = []
      return
    }
    let texts = parts[1].split(separator: ",", omittingEmptySubsequences: false)
    words = try texts.map { text in
      guard let word = Word(String(text)) else {
        throw ValidationError(
          "“\(text)” is no kind of load; behind the colon it takes first-party, third-party, document, and "
            + "types such as image and script"
        )
      }
      return word
    }
  }

  /// Whether a load that differs in some ways meets the condition.
  func holds(for load: ResourceLoad, _ changes: [LoadChange]) -> Bool {
    changes.contains(change) && (words.isEmpty || words.contains { $0.holds(for: load) })
  }
}
