import CaseGenerators
import ContentRules
import TestSupport
import Testing

/// A domain entry is judged by the very pattern that WebKit makes of it.
@Suite("Domain entries as patterns") struct DomainEntryTests {
  private func report(_ entry: String) -> RuleListReport {
    let text = entry.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return RuleListReader.read(
      #"[{"trigger":{"url-filter":".*","if-domain":["\#(text)"]},"action":{"type":"block"}}]"#
    )
  }

  @Test(
    "what WebKitGTK 2.50.6 says of a set that is left open",
    arguments: [
      ("a[r-k.de", false), ("x[b-.com", false), ("k[~?.-'>", false), ("[:-/&}[\\rb\"", false),
      ("a\\k<a>/~[r-kz-]&", false), ("a[b-c.de", true), ("[::1]", true), ("a[", true),
      ("a]", true), ("a|b", false), ("a(b", false), ("^a", false), ("a+", true), ("a b", true),
    ] as [(String, Bool)]
  )
  func openSet(_ entry: String, isAccepted: Bool) throws {
    let report = report(entry)
    #expect(report.isAccepted == isAccepted)
    guard !isAccepted else { return }
    let error = try #require(report.webKitError)
    #expect(error.webKitError == .jsonInvalidRegex)
    #expect(error.location.jsonPath == "[0].trigger.if-domain[0]")
  }

  @Test("the fault's place is in the entry, where the pattern went wrong")
  func place() throws {
    let text =
      #"[{"trigger":{"url-filter":".*","if-domain":["x.a[r-k.de"]},"action":{"type":"block"}}]"#
    let error = try #require(RuleListReader.read(text).webKitError)
    let range = error.location.byteRange
    let marked = String(decoding: Array(text.utf8)[range], as: UTF8.self)
    #expect(marked.contains("r-k"), "\(marked)")
  }

  @Test(
    "an entry with a port says which pages have that port in their URL",
    arguments: [
      ("d.com:8080", "domain-with-port", "this entry matches only pages on that port"),
      (
        "d.com:443", "suspicious-domain",
        "443 is the default port of https, which is never in a URL: the entry matches only"
          + " http pages on port 443"
      ),
      (
        "*d.com:80", "suspicious-domain",
        "80 is the default port of http, which is never in a URL: the entry matches only"
          + " https pages on port 80"
      ),
      ("d.com:080", "unmatchable-domain", "no page has this port"),
      ("d.com:65536", "unmatchable-domain", "no page has this port"),
      ("d.com:", "unmatchable-domain", "no page has this port"),
    ]
  )
  func ports(_ entry: String, code: String, message: String) {
    let found = report(entry).diagnostics
    #expect(found.map(\.code.rawValue) == [code])
    #expect(found.first?.message.hasPrefix(message) == true, "\(found)")
  }

  @Test(
    "a hint fits the key, and is not itself warned about",
    arguments: [
      ("if-domain", "~b.com", "for pages of other domains write the domain into unless-domain"),
      (
        "unless-domain", "~b.com", "leave '~' out: the rule is for pages of other domains as it is"
      ),
      ("if-domain", "*.", "leave it out"), ("if-domain", ".", "leave it out"),
      ("if-domain", "*..a", "leave it out"),
      ("if-domain", "*.a.com", "write *a.com, which is the domain and all its subdomains"),
    ]
  )
  func hints(_ key: String, _ entry: String, _ hint: String) {
    let text =
      #"[{"trigger":{"url-filter":"a","\#(key)":["\#(entry)"]},"action":{"type":"block"}}]"#
    #expect(RuleListReader.read(text).diagnostics.map(\.hint) == [hint])
  }

  @Test("an entry is accepted if and only if its pattern is")
  func random() {
    var random = RandomSource(seed: 1)
    let generator = OddDomainGenerator()
    var refused = 0
    for _ in 0..<1_500 {
      let entry = generator.entry(using: &random)
      let pattern = DomainPattern.pattern(forDomain: entry)
      let parsed = URLFilterParser.parse(pattern.span, isCaseSensitive: false)
      let isValid = if case .success = parsed { true } else { false }
      #expect(report(entry).isAccepted == isValid, "\(entry)")
      refused += isValid ? 0 : 1
    }
    #expect((300...1_200).contains(refused))
  }
}
