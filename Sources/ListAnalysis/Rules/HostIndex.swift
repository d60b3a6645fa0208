/// Rules by the hosts that their patterns are about, to find those that a rule may meet.
struct HostIndex {
  private var byHost: [[UInt8]: [Int]] = [:]
  /// The same rules by each domain that their host is in.
  private var byParent: [[UInt8]: [Int]] = [:]
  /// Those that are about no host, or of which it is not known: they may meet any rule.
  private(set) var others: [Int] = []

  /// Adds a rule.
  ///
  /// - Parameters:
  ///   - place: Its place.
  ///   - host: The host, as ``RuleProofs/PatternTable/host(of:)`` tells it.
  mutating func add(_ place: Int, host: [UInt8]?) {
    guard let host else {
      others.append(place)
      return
    }
    byHost[host, default: []].append(place)
    for parent in Self.parents(of: host) { byParent[parent, default: []].append(place) }
  }

  /// All rules that are about a host.
  var ofHosts: [Int] { byHost.values.flatMap(\.self) }

  /// Returns the rules about hosts that a URL may be about together with a host: the host itself, those that it is
  /// in, and those within it.
  ///
  /// - Complexity: O(1) for each label of the host and each rule found.
  func places(meeting host: [UInt8]) -> [Int] {
    var found: [Int] = []
    for domain in [host] + Self.parents(of: host) { found += byHost[domain] ?? [] }
    return found + (byParent[host] ?? [])
  }

  /// Returns the domains that a host is in, without the host itself.
  private static func parents(of host: [UInt8]) -> [[UInt8]] {
    host.indices.filter { host[$0] == UInt8(ascii: ".") }.map { Array(host[($0 + 1)...]) }
  }
}
