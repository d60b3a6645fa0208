internal import ArgumentParser
internal import CommandInput
internal import ContentBlocking
internal import ContentRules
internal import ListAnalysis
internal import ResourceLoads

/// A value of `--fail-on`: a kind of difference, and the loads for which it counts.
struct FailureCondition: ExpressibleByArgument {
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

  /// Reads a value; `nil` if it has an unknown word, which ArgumentParser reports.
  init?(argument: String) {
    let parts = argument.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let change = Self.kinds.first(where: { $0.rawValue == String(parts[0]) }) else {
      return nil
    }
    self.change = change
    guard parts.count > 1 else {
      words = []
      return
    }
    let texts = parts[1].split(separator: ",", omittingEmptySubsequences: false)
    let words = texts.compactMap { Word(String($0)) }
    guard words.count == texts.count else { return nil }
    self.words = words
  }

  /// Whether a load that differs in some ways meets the condition.
  func holds(for load: ResourceLoad, _ changes: [LoadChange]) -> Bool {
    changes.contains(change) && (words.isEmpty || words.contains { $0.holds(for: load) })
  }
}
