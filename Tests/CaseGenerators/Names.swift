internal import TestSupport

/// The hosts and words that rules and loads of one case have in common.
struct Names {
  let hosts: [String]
  let words: [String]

  private static let domains = ["a.com", "b.com", "ab.org", "ads.net", "x-b.org"]
  private static let subdomains = ["www.", "a.", "ads.", "b.a."]

  init(_ options: CaseOptions, _ random: inout RandomSource) {
    if options.hasManyNames {
      // Few stems and many tails, so that names are beginnings and endings of each other.
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
        (random.chance(40) ? random.pick(Self.subdomains) : "") + random.pick(Self.domains)
      }
      words = ["a", "ab", "ads", "ba", "x1", "AdB", "banner", "b/a", "a.b", "a-b"]
    }
  }
}
