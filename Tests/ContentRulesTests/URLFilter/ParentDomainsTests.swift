import ContentRules
import Testing

@Suite struct ParentDomainsTests {
  @Test(arguments: [
    ("test", []),
    ("", []),
    ("a.test", ["test"]),
    ("a.b.test", ["b.test", "test"]),
    ("a..test.", [".test.", "test.", ""]),
    (String(repeating: "x", count: 300) + ".test", ["test"]),
  ])
  func nearestFirst(host: String, domains: [String]) {
    #expect(Array(ParentDomains(of: host)) == domains)
  }

  @Test func emptyLabelsCount() {
    let domains = Array(ParentDomains(of: "a" + String(repeating: ".", count: 200)))
    #expect(domains == (0..<128).reversed().map { String(repeating: ".", count: $0) })
  }

  @Test(arguments: [127, 128, 129, 500, 500_000])
  func atMostTheLast128Labels(labels: Int) {
    let host = String(repeating: "a.", count: labels - 1) + "test"
    let domains = Array(ParentDomains(of: host))
    #expect(domains.count == min(labels - 1, 128))
    #expect(domains.last == "test")
    #expect(domains.first == String(host.suffix(domains[0].count)))
    #expect(domains.allSatisfy { !$0.hasPrefix(".") })
  }
}
