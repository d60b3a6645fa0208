/// Recognises what resolvers of names and proxies read: domains to block, in forms that no blocker of browsers has.
///
/// Read as filters, such lines would be patterns that no URL contains.
enum ResolverFormat {
  case unbound, bind, responsePolicyZone, dnsmasq, proxyRules

  private static let lineLimit = 400
  private static let byteLimit = 1 << 16

  /// Returns the form of most of the first lines of a text; `nil` if there is none.
  ///
  /// - Parameters:
  ///   - text: The bytes.
  ///   - start: Where the text begins.
  /// - Returns: The form.
  /// - Complexity: O(1), for a bounded part of the text is looked at.
  static func recognize(_ text: Span<UInt8>, from start: Int) -> ResolverFormat? {
    var counts: [(format: ResolverFormat, count: Int)] = []
    var entries = 0
    var position = start
    let end = min(text.count, start + byteLimit)
    while position < end, entries < lineLimit {
      var lineEnd = position
      while lineEnd < end, text[lineEnd] != 0x0A, text[lineEnd] != 0x0D { lineEnd += 1 }
      defer { position = lineEnd + 1 }
      let line = JSONText.string(text.extracting(position..<min(lineEnd, position + 300)))
      let words = line.split { $0 == " " || $0 == "\t" }
      guard let first = words.first, !["#", "!", ";", "//"].contains(where: first.hasPrefix) else {
        continue
      }
      entries += 1
      guard let format = form(of: words, first) else { continue }
      if let index = counts.firstIndex(where: { $0.format == format }) {
        counts[index].count += 1
      } else {
        counts.append((format, 1))
      }
    }
    return counts.first { 2 * $0.count > entries }?.format
  }

  /// The form that a line has, by its words.
  private static func form(of words: [Substring], _ first: Substring) -> ResolverFormat? {
    if ["local-zone:", "local-data:", "local-data-ptr:"].contains(first)
      || words.count == 1 && first == "server:"
    {
      return .unbound
    }
    if ["address=/", "server=/", "local=/"].contains(where: first.hasPrefix) { return .dnsmasq }
    if first == "zone", words.count > 1, words[1].hasPrefix("\"") { return .bind }
    if first == "$TTL" || first == "$ORIGIN"
      || words.dropFirst().prefix(3).contains(where: { $0 == "CNAME" || $0 == "SOA" })
    {
      return .responsePolicyZone
    }
    return isProxyRule(words, first) ? .proxyRules : nil
  }

  /// Whether a line is a rule of Clash or Surge, or an entry of such a list in YAML.
  private static func isProxyRule(_ words: [Substring], _ first: Substring) -> Bool {
    if words.count == 1, first == "payload:" { return true }
    let isEntry = first == "-" && words.count > 1
    let rule = (isEntry ? words[1] : first).drop { $0 == "'" || $0 == "\"" }
    if isEntry, rule.hasPrefix("+.") { return true }
    guard let comma = rule.firstIndex(of: ",") else { return false }
    return ruleTypes.contains(rule[..<comma].uppercased())
  }

  private static let ruleTypes: Set<String> = [
    "DOMAIN", "DOMAIN-SUFFIX", "DOMAIN-KEYWORD", "DOMAIN-WILDCARD", "DOMAIN-REGEX", "DOMAIN-SET",
    "IP-CIDR",
    "IP-CIDR6", "HOST", "HOST-SUFFIX", "HOST-KEYWORD",
  ]

  /// What it is, to follow `this is`.
  var name: String {
    switch self {
    case .unbound: "a configuration of the resolver Unbound"
    case .bind: "a configuration of the name server BIND"
    case .responsePolicyZone: "a response policy zone (RPZ) of name servers"
    case .dnsmasq: "a configuration of the resolver dnsmasq"
    case .proxyRules: "a rule set of Clash or Surge"
    }
  }
}
