import Foundation
import TestSupport
import Testing

@Suite("tickbird audit, as text")
struct AuditTextTests {
  /// What is shortened keeps the word that says what it is.
  @Test(arguments: [
    (#","load-type":["third-party"]"#, ["if    load-type third-party\n", "and   unless-domain "]),
    ("", ["if    unless-domain "]),
  ])
  func conditionsKeepTheirWords(others: String, lines: [String]) throws {
    let scratch = try Scratch()
    let domains = (0..<9).map { #""a-long-name-of-a-site-\#($0).example""# }.joined(separator: ",")
    try scratch.file(
      "list.json",
      #"[{"trigger":{"url-filter":"/x","unless-domain":[\#(domains)]\#(others)},"#
        + #""action":{"type":"block"}}]"#
    )
    try scratch.file(
      "log.tsv",
      "url\ttop_url\tresource_type\nhttps://a.test/x\thttps://b.test/\timage\n"
    )
    let result = try Command.run(["audit", "--list", "list.json", "log.tsv"], in: scratch.folder)
    for line in lines { #expect(result.output.contains(line), "\(result.output)") }
    #expect(result.output.contains("and 5 more\n"), "\(result.output)")
  }

  @Test("with a map, rules that never matched are named by their filters")
  func filtersOfUnmatchedRules() throws {
    let scratch = try Scratch()
    try scratch.file("list.txt", "||a.test^\n||b.test^$image\n")
    let convert = ["convert", "list.txt", "-o", "list.json", "--map", "map.json"]
    #expect(try Command.run(convert, in: scratch.folder).status == 0)
    try scratch.file(
      "log.tsv",
      "url\ttop_url\tresource_type\nhttps://a.test/x\thttps://b.test/\timage\n"
    )
    let result = try Command.run(
      ["audit", "--list", "list.json", "--map", "map.json", "--unmatched", "log.tsv"],
      in: scratch.folder
    )
    #expect(result.output.contains("; list.txt:2  ||b.test^$image\n"), "\(result.output)")
  }
}
