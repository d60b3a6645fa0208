internal import TestSupport

/// The hosts and words that the rules and loads of a case share.
struct Names {
  let hosts: [String]
  let words: [String]

  private static let domains = ["a.com", "b.com", "ab.org", "ads.net", "x-b.org"]
  /// Hosts whose suffix and party are not as simple as those of `a.com`: last labels that the
  /// Public Suffix List lacks, single labels, longer suffixes, punycode, addresses.
  private static let oddDomains = [
    "a.test", "b.test", "x.lan", "nas.local", "ads.home", "intranet", "localhost", "ads.localhost",
    "github.io", "a.github.io", "co.uk", "a.co.uk", "x.co.uk", "a.xn--p1ai", "xn--mnchen-3ya.de",
    "10.0.0.9", "[::1]", "a_b.test",
  ]
  private static let subdomains = ["www.", "a.", "ads.", "b.a."]

  init(_ options: CaseOptions, _ random: inout RandomSource) {
    if options.hasManyNames {
      // Few stems and many endings, so that names are prefixes and suffixes of each other.
      let stems = ["ad", "ads", "track", "banner", "aa", "b-a"]
      var hosts: [String] = []
      var words: [String] = []
      for _ in 0..<max(200, options.ruleCount.upperBound) {
        func tail() -> String {
          (0..<random.number(in: 0...3)).map { _ in random.pick(["a", "b", "x", "1"]) }.joined()
        }
        let stem = random.pick(stems)
        hosts.append(
          random.pick(["", "", "x", "www."]) + stem + tail() + random.pick([".com", ".org"])
        )
        words.append(stem + tail() + random.pick(["", "/", "-", ".js", "_ad", "X", "ner"]))
      }
      self.hosts = hosts
      self.words = words
    } else {
      hosts = (0..<4).map { _ in
        let subdomain = random.chance(40) ? random.pick(Self.subdomains) : ""
        guard random.chance(25) else { return subdomain + random.pick(Self.domains) }
        let domain = random.pick(Self.oddDomains)
        return isAddress(domain) ? domain : subdomain + domain
      }
      let overlapping = ["aaaaaaa", "aaaaaaaaaab", "abababab", "aabaabaab"]
      words =
        ["a", "ab", "ads", "ba", "x1", "AdB", "banner", "b/a", "a.b", "a-b"]
        + (options.hasOverlappingTexts ? overlapping : [])
    }
  }
}

/// Whether a host is an IP address, which has no subdomains.
func isAddress(_ host: some StringProtocol) -> Bool {
  host.hasPrefix("[") || host.split(separator: ".").last.map { Int($0) != nil } == true
}
