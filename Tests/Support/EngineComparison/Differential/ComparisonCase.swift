internal import CaseGenerators
public import ReferenceMatcher
internal import TestSupport
internal import WebURL

/// Lists and loads on which engines are compared.
public struct ComparisonCase: Sendable {
  /// The seed that reproduces the case.
  public var seed: UInt64
  /// The rules of each list.
  public var lists: [[JSONValue]]
  /// The text of each list, in one of its many spellings.
  public var texts: [[UInt8]]
  /// The loads, tried one after the other.
  public var loads: [ReferenceLoad]

  /// Creates a case from rules in a plain spelling.
  public init(seed: UInt64, lists: [[JSONValue]], loads: [ReferenceLoad]) {
    self.seed = seed
    self.lists = lists
    texts = lists.map { Array(JSONValue.array($0).text.utf8) }
    self.loads = loads
  }

  /// Generates the case of a seed: mostly one small list of any kind of rules, sometimes one that
  /// hides or ignores a lot, is large, hard for automata, full of texts that overlap themselves or of
  /// those that nearly every URL has, sometimes two lists.
  public init(seed: UInt64) {
    var options: CaseOptions =
      switch seed % 32 {
      case 0..<4: .ignoring
      case 4..<8: .hiding
      case 8..<12: .hostile
      case 12: .large(ruleCount: 60)
      case 13..<15: .overlapping
      case 15..<17: .common
      default: .init()
      }
    options.loadCount = max(options.loadCount, 32)
    let generator = CaseGenerator(options: options) { Self.isPlainURL($0) }
    let made = generator.makeCase(seed: seed)
    var lists = [made.rules]
    if seed % 32 >= 29 { lists.append(generator.makeCase(seed: seed &+ 1 << 60).rules) }
    self.init(seed: seed, lists: lists, loads: made.loads)
    if seed % 4 == 3 {
      var random = RandomSource(seed: seed)
      texts = lists.map {
        Array(RuleListSpeller().text(for: .array($0), using: &random).utf8)
      }
    }
  }
}

extension ComparisonCase {
  /// Whether a parser leaves a URL unchanged and the generator knows its public suffix, so that it
  /// can determine the party.
  static func isPlainURL(_ text: String) -> Bool {
    guard let url = WebURL(text), url.serialized == text else { return false }
    let page = url.scheme == "blob" ? WebURL(url.path) ?? url : url
    let host = Array(page.utf8[page.hostRange])
    guard let range = PublicSuffixList.publicSuffix(ofHost: host.span) else { return true }
    let suffix = String(decoding: host[range], as: UTF8.self)
    return !suffix.contains(".") || longSuffixes.contains(suffix)
  }
}

/// A load on which an engine and the reference disagree.
public struct Disagreement: Sendable {
  /// The engine.
  public var engine: String
  /// The case, possibly shrunk; the last load is the one in question.
  public var comparison: ComparisonCase
  /// The reference's answer.
  public var expected: String
  /// The engine's answer.
  public var found: String

  /// The case as JSON text.
  public var json: String {
    JSONValue.object([
      "engine": .string(engine), "seed": .string(String(comparison.seed)),
      "lists": .array(comparison.lists.map { .array($0) }),
      "loads": .array(comparison.loads.map(\.json)),
    ]).text + "\n  reference: \(expected)\n  \(engine): \(found)"
  }
}
