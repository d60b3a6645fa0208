import FilterLists
import Testing

@Suite("Filters are taken apart")
struct FilterParserTests {
  private func parse(_ text: String, _ dialect: FilterDialect = .abp) -> Filter {
    FilterParser.parse(Array(text.utf8), 0..<text.utf8.count, dialect: dialect)
  }

  private func network(_ text: String) throws -> (NetworkFilter, pattern: String) {
    guard case .network(let filter) = parse(text) else {
      throw Mismatch(text: text)
    }
    return (filter, FilterText.string(Array(text.utf8), filter.pattern))
  }

  struct Mismatch: Error { var text: String }

  @Test(
    "modifiers begin at the last $ that they can follow",
    arguments: [
      ("||a.test^$script,~third-party", "||a.test^", 2), ("/path$x", "/path", 1),
      ("/path$", "/path$", 0), (#"/a\d+$/"#, #"a\d+$"#, 0),
      (#"/a\d$/$script,domain=b.test"#, #"a\d$"#, 2), ("$popup,domain=a.test", "", 2),
      ("||a.test^$removeparam=/^x$/", "||a.test^", 1), ("/a$b$image", "/a$b", 1),
      ("@@||a.test^$document", "||a.test^", 1), (#"/ads\/$/"#, #"ads\/$"#, 0),
      (#"/a$/$script,header=b:/^W\/"c{3}"$/"#, "a$", 2),
      ("/a.js?b=$script,header=c:/d/", "/a.js?b=", 2),
      ("||a.test^$replace=/a$b,c/", "||a.test^", 2),
    ]
  )
  func modifiers(text: String, pattern: String, count: Int) throws {
    let filter = try network(text)
    #expect(filter.pattern == pattern)
    #expect(filter.0.modifiers.count == count)
    #expect(filter.0.isException == text.hasPrefix("@@"))
  }

  @Test(
    "AdGuard's modifiers in front end behind their expressions",
    arguments: [
      ("[$path=/a]a.test##.b", ["path=/a"], "a.test", ".b"),
      ("[$path=/a[0-9]/,domain=a.test]##.b", ["path=/a[0-9]/", "domain=a.test"], "", ".b"),
      ("[$domain=/a[bc]d/]##.b", ["domain=/a[bc]d/"], "", ".b"),
      ("[$domain=~/a[bc]d/]##.b", ["domain=~/a[bc]d/"], "", ".b"),
      (
        #"[$domain=x|/(=|a\/[,/\]]b{1,2})/, path=/c]a.test#@#.b"#,
        [#"domain=x|/(=|a\/[,/\]]b{1,2})/"#, "path=/c"], "a.test", ".b"
      ),
      (#"[$path=/a\]b]a.test##.b"#, [#"path=/a\]b"#], "a.test", ".b"),
      (#"[$path=/a]a.test##a[href="/b/"]"#, ["path=/a"], "a.test", #"a[href="/b/"]"#),
      ("[$path=/a]a.test#$#.b { x: url(c/", ["path=/a"], "a.test", ".b { x: url(c/"),
      ("[$path=/a/]##.b", ["path=/a/"], "", ".b"),
    ]
  )
  func prefixModifiers(
    line: String,
    modifiers: [String],
    domains: String,
    body: String
  ) throws {
    guard case .hiding(let filter) = parse(line, .adguard) else { throw Mismatch(text: line) }
    let text = Array(line.utf8)
    let range = try #require(filter.modifiers)
    #expect(PrefixModifiers.parts(in: text, range).map { FilterText.string(text, $0) } == modifiers)
    #expect(FilterText.string(text, filter.domains) == domains)
    #expect(FilterText.string(text, filter.body) == body)
  }

  @Test("names of modifiers are read in any spelling")
  func names() throws {
    let kinds = try network("/xyz$3p,~1p,xhr,doc,CSS,frame,queryprune,_,nonsense").0.modifiers
    #expect(
      kinds.map(\.kind) == [
        .thirdParty, .firstParty, .xmlhttprequest, .document, .stylesheet, .subdocument,
        .removeparam, .noop, .unknown,
      ]
    )
    #expect(
      kinds.map(\.isNegated) == [false, true, false, false, false, false, false, false, false]
    )
  }

  @Test(
    "marks of hiding filters",
    arguments: [
      ("##.ad", HidingFilter.Kind.elements, false), ("a.test,~b.test##.ad", .elements, false),
      ("a.test#@#.ad", .elements, true), ("a.test#?#.ad:has-text(x)", .extendedElements, false),
      ("a.test#@?#.ad", .extendedElements, true), ("a.test#$#.ad { color: red }", .style, false),
      ("a.test#%#x()", .script, false), ("a.test##+js(x)", .script, false),
      ("a.test##^script", .html, false), ("a.test$$script[x]", .html, false),
      ("a.*##.ad", .elements, false), ("#@# .ad", .elements, true), ("## .ad", .elements, false),
      ("## [a]", .elements, false), ("#?# div", .extendedElements, false),
    ]
  )
  func marks(text: String, kind: HidingFilter.Kind, isException: Bool) throws {
    guard case .hiding(let filter) = parse(text) else { throw Mismatch(text: text) }
    #expect(filter.kind == kind)
    #expect(filter.isException == isException)
  }

  @Test("a number sign in an address begins no hiding filter")
  func fragments() throws {
    #expect(try network("||a.test/x##.y").pattern == "||a.test/x##.y")
    #expect(try network("a.test/#x").pattern == "a.test/#x")
  }

  @Test(
    "comments",
    arguments: [
      "", "! x", "[Adblock Plus 2.0]", "# a comment", "#", "## a heading", "#########", "## ## x",
      "##  ",
    ]
  )
  func comments(text: String) throws {
    guard case .comment = parse(text) else { throw Mismatch(text: text) }
  }

  @Test(
    "lines of hosts files",
    arguments: [
      ("0.0.0.0 a.test b.test # why", ["a.test", "b.test"]), ("127.0.0.1\ta.test", ["a.test"]),
      (":: a.test", ["a.test"]), ("a.test", ["a.test"]), ("0.0.0.0 localhost", []),
    ]
  )
  func hosts(text: String, names: [String]) throws {
    switch parse(text, .hosts) {
    case .hosts(let ranges):
      #expect(ranges.map { FilterText.string(Array(text.utf8), $0) } == names)
    case .localNames: #expect(names.isEmpty)
    default: throw Mismatch(text: text)
    }
  }

  @Test("what is no line of a hosts file is faulty")
  func noHosts() throws {
    for text in ["||a.test^", "0.0.0.0", "a b", "1.2.3.4 a/b"] {
      guard case .faulty = parse(text, .hosts) else { throw Mismatch(text: text) }
    }
  }

  @Test("lists are recognised")
  func recognition() {
    func dialect(_ text: String) -> FilterDialect? { FilterDialect.recognize(Array(text.utf8)) }
    #expect(dialect("[Adblock Plus 2.0]\n||a.test^") == .abp)
    #expect(dialect("! x\na.test#%#f()") == .adguard)
    #expect(dialect("! x\na.test##+js(f)") == .ubo)
    #expect(dialect("# hosts\n0.0.0.0 a.test\n0.0.0.0 b.test") == .hosts)
    #expect(dialect("\u{FEFF}a.test\nb.test\n") == .hosts)
    #expect(dialect("||a.test^\n##.ad") == .abp)
    #expect(dialect("a.test##.ad\nb.test#@#.ad") == .abp)
    // Names of hosts among filters, as lists of malicious addresses have them.
    let names = (1...30).map { $0 % 3 == 0 ? "1.2.3.\($0)" : "bad\($0).test" }
    let paths = (1...40).map { "||files.test/\($0)^$all" }
    #expect(dialect((["! x"] + names + paths).joined(separator: "\n")) == .ubo)
    #expect(dialect((["! x"] + names.prefix(5) + paths).joined(separator: "\n")) == .abp)
    #expect(
      dialect((["! x", "/ad.gif", ".ad.test", "ad-"] + paths).joined(separator: "\n")) == .abp
    )
    #expect(dialect("") == .abp)
    #expect(dialect(#"[{"trigger":{}}]"#) == nil)
    #expect(dialect("{}") == nil)
  }
}
