import ContentRules
import TestSupport
import Testing
import WebURL

@testable import ContentBlocking

@Suite("Hostile input to effects")
struct EffectsRobustnessTests {
  @Test(
    "exponential filters end within the step bound",
    arguments: [
      "(a*)*b", "(a+)+b", "(a?)*(a?)*(a?)*(a?)*b", "((a*)*)*b", "(.*)*x$", "(a*?)*?b",
      "(a*)(a*)(a*)(a*)(a*)(a*)(a*)\\1b", "(.+)\\1\\1\\1b",
    ]
  )
  func exponential(_ filter: String) {
    // A long run of the same letter, in which all starting places are alike.
    let text = String(repeating: "a", count: 5_000)
    #expect(captures(filter, text, steps: 200_000) == nil)
  }

  @Test("the bound itself is kept")
  func bound() throws {
    let url = "http://h/" + String(repeating: "a", count: 200)
    #expect(try redirected(url, .regexSubstitution("x:\\1"), filter: "(a*)*b") == nil)
  }

  @Test("URLs of a million characters are matched")
  func longURL() throws {
    let tail = String(repeating: "a", count: 1_000_000)
    let substitution = Redirect.regexSubstitution("https://b.test/\\1")
    let result = try redirected("http://h/" + tail, substitution, filter: "^http://h/(.*)$")
    #expect(result?.utf8.count == 15 + tail.utf8.count)
    #expect(captures("zz", tail) == nil)
    #expect(captures("a$", tail)?.count == 1)
  }

  @Test("many groups, deep groups and long filters are read and run")
  func largeFilters() {
    let many = String(repeating: "(a)?", count: 50_000)
    #expect(captures(many, "aa")?.count == 50_001)
    #expect(captures("(?:" + many + ")*b", "aaab", steps: 100_000) == nil)
    let deep = String(repeating: "(", count: 100) + "a" + String(repeating: ")*", count: 100)
    #expect(captures(deep, "aaa")?.first == "aaa")
    let limit = URLFilterParser.maximumGroupDepth
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
    }
    #expect(captures(nested(limit), "a")?.count == limit + 1)
    let isRefused = JavaScriptPattern(nested(limit + 1)) == nil
    #expect(isRefused)
    let long = String(repeating: "a", count: 300_000)
    #expect(captures(long, long)?.count == 1)
    #expect(captures("(a)\\99999999999999999999", "a") == nil)
  }

  @Test("random filters are read like the rule language reads them, and end")
  func randomFilters() {
    let pieces = [
      "a", "b", ".", "(", ")", "(?:", "(?<n>", "[", "]", "[^", "-", "*", "+", "?", "{0,1}", "{1,}",
      "{", "}", ",", "^", "$", "\\", "\\1", "\\2", "\\0", "\\x4", "\\u004", "\\c", "|", "\\b", "ä",
    ]
    var generator = RandomSource(seed: 42)
    var accepted = 0
    for _ in 0..<20_000 {
      var filter = ""
      for _ in 0..<Int.random(in: 1...9, using: &generator) {
        filter += pieces.randomElement(using: &generator) ?? ""
      }
      let isAccepted: Bool
      switch URLFilterParser.parse(filter, isCaseSensitive: true) {
      case .success: isAccepted = true
      case .failure: isAccepted = false
      }
      #expect((JavaScriptPattern(filter) != nil) == isAccepted, "\(filter.debugDescription)")
      if isAccepted {
        accepted += 1
        _ = captures(filter, "aabba", steps: 5_000)
      }
    }
    #expect(accepted > 1_000)
  }

  @Test("random parts never break a URL")
  func randomTransforms() throws {
    let texts = [
      "", "a", "#", "?", "/", "//", "\\", ":", "@", "[", "]", "[::1]", "a:b", "%", "%zz", "ä", "\0",
      "\n", " ", "http", "file", "x", "a b", "..", "xn--a", "1.2.3.4", "999.1", "#?#", "&&=", "a=b",
    ]
    let urls = [
      "http://a.test/b?c=d#e", "file:///a", "x:y", "x://h", "mailto:m@n", "x:/.//a", "data:,x ?#",
      "http://u:p@h:81/?", "blob:http://a/b", "x://u:p@h:5?q",
    ]
    var generator = RandomSource(seed: 3)
    for _ in 0..<3_000 {
      func text() -> String? {
        Bool.random(using: &generator) ? texts.randomElement(using: &generator) : nil
      }
      var transform = URLTransform()
      transform.fragment = text().map { "#" + $0 }
      transform.host = text()
      transform.password = text()
      transform.path = text()
      transform.port = Bool.random(using: &generator) ? .remove : .set(443)
      transform.query = text().map { "?" + $0 }
      transform.scheme = text()
      transform.username = text()
      if Bool.random(using: &generator) {
        transform.queryTransform = QueryTransform(
          removeParameters: [text() ?? "c"],
          addOrReplaceParameters: [QueryKeyValue(key: text() ?? "k", value: text() ?? "v")]
        )
      }
      let url = try #require(WebURL(urls.randomElement(using: &generator) ?? "x:y"))
      let result = transform.apply(to: url)
      #expect(WebURL(result.serialized) == result, "\(url) with \(transform)")
    }
  }

  @Test("long query transforms take linear time")
  func longQuery() throws {
    let query = (0..<50_000).map { "k\($0)=v" }.joined(separator: "&")
    var transform = URLTransform()
    transform.queryTransform = QueryTransform(
      removeParameters: (0..<49_999).map { "k\($0)" },
      addOrReplaceParameters: (0..<1_000).map { QueryKeyValue(key: "n\($0)", value: "") }
    )
    let result = try redirected("http://h/?" + query, .transform(transform))
    #expect(result?.hasPrefix("http://h/?k49999=v&n0=&n1=") == true)
  }

  @Test("globs with many stars take linear time")
  func longGlob() throws {
    let path = String(repeating: "a", count: 200_000)
    let pattern = try URLMatchPattern("*://h/" + String(repeating: "a*", count: 2_000) + "b*b")
    #expect(try !pattern.matches(#require(WebURL("http://h/" + path))))
    let long = try URLMatchPattern("*://h/*" + String(repeating: "a", count: 100_000) + "b*")
    #expect(try !long.matches(#require(WebURL("http://h/" + path))))
  }
}
