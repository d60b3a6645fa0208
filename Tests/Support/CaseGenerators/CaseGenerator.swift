public import ReferenceMatcher
internal import TestSupport

/// A generated rule list, with loads to evaluate by it.
public struct GeneratedCase: Sendable {
  /// The seed that reproduces this case, with the same options.
  public var seed: UInt64
  /// The rules, each an object.
  ///
  /// All are accepted, though some may be skipped.
  public var rules: [JSONValue]
  /// The loads.
  ///
  /// Their URLs are serialised.
  public var loads: [ReferenceLoad]

  /// The list as JSON text.
  public var jsonText: String { "[" + rules.map(\.text).joined(separator: ",\n") + "]" }

  /// Returns whether a generated selector is valid.
  public static func isSelectorValid(_ selector: String) -> Bool { !selector.isEmpty }
}

/// Generates cases for comparing engines, the same ones for a seed on every machine.
///
///     let generator = CaseGenerator()
///     for seed in 0..<1_000 {
///       let made = generator.makeCase(seed: UInt64(seed))
///       // Evaluate `made.loads` with two engines that read `made.jsonText`.
///     }
public struct CaseGenerator: Sendable {
  /// The options.
  public var options: CaseOptions
  /// Returns whether a URL parser leaves a text unchanged.
  ///
  /// Other texts are replaced.
  public var isURL: @Sendable (String) -> Bool
  /// Returns whether a load of the first URL is first-party on a page with the second.
  public var isFirstParty: @Sendable (_ url: String, _ topURL: String) -> Bool

  /// Makes a generator.
  ///
  /// - Parameters:
  ///   - options: What kind of cases are made.
  ///   - isURL: Says whether a URL parser would leave a text as it is.
  ///   - isFirstParty: Says whether a load is first-party.
  public init(
    options: CaseOptions = .init(),
    isURL: @escaping @Sendable (String) -> Bool = { _ in true },
    isFirstParty: @escaping @Sendable (String, String) -> Bool = sharesDomain
  ) {
    self.options = options
    self.isURL = isURL
    self.isFirstParty = isFirstParty
  }

  /// Generates the case of a seed.
  public func makeCase(seed: UInt64) -> GeneratedCase {
    var random = RandomSource(seed: seed)
    let names = Names(options, &random)
    var ruleGenerator = RuleGenerator(names: names, options: options)
    var rules = (0..<random.number(in: options.ruleCount)).map { _ in
      ruleGenerator.rule(&random)
    }
    // WebKit refuses a list with only skipped rules.
    let skipped = JSONValue.string("")
    if rules.allSatisfy({ $0.object?["action"]?.object?["selector"] == skipped }) {
      rules.append(
        .object([
          "trigger": .object(["url-filter": .string("a")]),
          "action": .object(["type": .string("block")]),
        ])
      )
    }
    let loads = LoadGenerator(
      rules: rules,
      urls: URLGenerator(names: names, isURL: isURL),
      isFirstParty: isFirstParty
    )
    return GeneratedCase(
      seed: seed,
      rules: rules,
      loads: (0..<options.loadCount).map { _ in loads.load(&random) }
    )
  }
}

/// The generated public suffixes with more than one label; all other generated ones have one.
public let longSuffixes: Set = ["github.io", "co.uk"]

/// Returns whether the host of a URL belongs to the domain of a page.
///
/// Has its own small part of the Public Suffix List, so that it cannot share a mistake with the
/// engine.
public func sharesDomain(_ url: String, _ topURL: String) -> Bool {
  let topHost = host(topURL.hasPrefix("blob:") ? String(topURL.dropFirst(5)) : topURL)
  let host = host(url)
  let domain = domain(topHost)
  return host == domain || (!domain.isEmpty && host.hasSuffix("." + domain))
}

/// The registrable domain of a host, or the host itself.
private func domain(_ host: String) -> String {
  guard !isAddress(host) else { return host }
  let labels = host.split(separator: ".", omittingEmptySubsequences: false)
  // The list does not apply to a host with a final dot; the empty last label does not count.
  if labels.last?.isEmpty == true { return labels.suffix(3).joined(separator: ".") }
  let isLong = longSuffixes.contains(labels.suffix(2).joined(separator: "."))
  return labels.count <= (isLong ? 2 : 1)
    ? host : labels.suffix(isLong ? 3 : 2).joined(separator: ".")
}

/// The host of a serialised URL, empty if it has none.
private func host(_ url: String) -> String {
  guard let colon = url.firstIndex(of: ":") else { return "" }
  let rest = url[url.index(after: colon)...]
  guard rest.hasPrefix("//") else { return "" }
  let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
  let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
  if host.hasPrefix("[") { return String(host.prefix { $0 != "]" }) + "]" }
  return String(host.prefix { $0 != ":" })
}
