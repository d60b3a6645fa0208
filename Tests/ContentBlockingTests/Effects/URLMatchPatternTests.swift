import ContentBlocking
import TestSupport
import Testing
import WebURL

@Suite("Permission patterns")
struct URLMatchPatternTests {
  static let cases: [(String, String, Bool)] = [
    ("*://*/*", "http://a.test/", true),
    ("*://*/*", "https://a.test:81/b?c#d", true),
    ("*://*/*", "ws://a.test/", false),
    ("*://*/*", "file:///a", false),
    ("*://*/*", "x://a/b", false),
    ("<all_urls>", "http://a.test/x", true),
    ("<all_urls>", "https://a.test/", true),
    ("<all_urls>", "x://a.test/", false),
    ("https://*/*", "http://a.test/", false),
    ("HTTPS://A.Test/*", "https://a.test/", true),
    ("x://*/*", "x://H/b", true),
    ("x://h/*", "x://H/b", true),
    ("wss://*/*", "wss://a.test/", true),
    ("*://a.test/*", "http://a.test/", true),
    ("*://a.test/*", "http://b.a.test/", false),
    ("*://*.a.test/*", "http://a.test/", true),
    ("*://*.a.test/*", "http://c.b.a.test/", true),
    ("*://*.a.test/*", "http://ba.test/", false),
    ("*://*.a.test/*", "http://a.test.evil.test/", false),
    ("*://*.a.test/*", "http://test/", false),
    ("*://a.test/*", "http://user:pw@a.test:8080/", true),
    ("*://[::1]/*", "http://[::1]:81/", true),
    ("*://[::1]/*", "http://[::2]/", false),
    ("*://a.test/", "http://a.test/", true),
    ("*://a.test/", "http://a.test/?q", true),
    ("*://a.test/", "http://a.test/b", false),
    ("*://a.test/b", "http://a.test/B", false),
    ("*://a.test/b*", "http://a.test/b", true),
    ("*://a.test/b*", "http://a.test/b/c", true),
    ("*://a.test/*b", "http://a.test/bab", true),
    ("*://a.test/*b", "http://a.test/ba", false),
    ("*://a.test/*/b/*", "http://a.test/x/b/y", true),
    ("*://a.test/*/b/*", "http://a.test/b/y", false),
    ("*://a.test/*ab*ab*", "http://a.test/xaby", false),
    ("*://a.test/*ab*ab*", "http://a.test/abab", true),
    ("*://a.test/*aab*c", "http://a.test/aaabxc", true),
    ("*://a.test/*abab*abc", "http://a.test/ababcabc", true),
    ("*://a.test/a*a", "http://a.test/a", false),
    ("*://a.test/a***a", "http://a.test/aa", true),
    ("*://a.test/?q=*", "http://a.test/?q=1", false),
    ("*://a.test/*q=1", "http://a.test/?q=1", false),
    ("file:///*", "file:///etc/motd", true),
    ("file://localhost/*", "file:///etc/motd", true),
    ("file://*/*", "file:///etc/motd", true),
    ("file://h/*", "file:///etc/motd", false),
    ("file:///*", "file://h/etc/motd", false),
  ]

  @Test("a pattern matches the URLs it describes", arguments: cases)
  func matches(_ text: String, _ url: String, _ expected: Bool) throws {
    let pattern = try URLMatchPattern(text)
    #expect(pattern.matches(try #require(WebURL(url))) == expected)
    #expect(pattern.description == text)
  }

  static let faults: [(String, URLMatchPatternError.Code, Range<Int>)] = [
    ("", .missingScheme, 0..<0),
    ("a.test/*", .missingScheme, 0..<0),
    ("://a.test/*", .missingScheme, 0..<0),
    ("http:/a/*", .missingScheme, 0..<0),
    ("h ttp://a/*", .invalidScheme, 1..<2),
    ("1x://a/*", .invalidScheme, 0..<1),
    ("**://a/*", .invalidScheme, 0..<1),
    ("http*://a/*", .invalidScheme, 4..<5),
    ("http://", .missingPath, 7..<7),
    ("http://a", .missingPath, 8..<8),
    ("http:///*", .missingHost, 7..<7),
    ("http://*./*", .missingHost, 7..<9),
    ("http://a.*/*", .invalidHost, 9..<10),
    ("http://*a/*", .invalidHost, 7..<8),
    ("http://*.*.a/*", .invalidHost, 9..<10),
    ("http://u@a/*", .invalidHost, 8..<9),
    ("http://a:81/*", .invalidHost, 8..<9),
    ("http://a:*/*", .invalidHost, 8..<9),
    ("http://[::1/*", .invalidHost, 7..<11),
    ("http://[::1]:81/*", .invalidHost, 12..<13),
    ("http://ä.test/*", .invalidHost, 7..<8),
    ("http://a b/*", .invalidHost, 8..<9),
    ("http://a?/*", .invalidHost, 8..<9),
    ("<all_urls> ", .missingScheme, 0..<0),
  ]

  @Test("a fault is named with its place and a hint", arguments: faults)
  func fault(_ text: String, _ code: URLMatchPatternError.Code, _ range: Range<Int>) {
    let error = #expect(throws: URLMatchPatternError.self) { try URLMatchPattern(text) }
    #expect(error?.code == code)
    #expect(error?.range == range)
    #expect(error?.hint.isEmpty == false)
  }

  @Test("the message of a fault reads as a sentence")
  func message() {
    let error = #expect(throws: URLMatchPatternError.self) { try URLMatchPattern("http://a:81/*") }
    #expect(
      error?.description == """
        the host holds a character that it cannot have in a pattern at bytes 8..<9; \
        leave the port out; every port matches
        """
    )
  }

  @Test("paths are matched as a naive matcher does it")
  func naive() throws {
    func matches(_ glob: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
      guard let first = glob.first else { return text.isEmpty }
      if first == UInt8(ascii: "*") {
        return matches(glob.dropFirst(), text)
          || !text.isEmpty && matches(glob, text.dropFirst())
      }
      return text.first == first && matches(glob.dropFirst(), text.dropFirst())
    }
    var generator = RandomSource(seed: 7)
    var matched = 0
    for _ in 0..<4_000 {
      let globLength = Int.random(in: 0...7, using: &generator)
      let glob = String((0..<globLength).map { _ in "ab*".randomElement(using: &generator) ?? "a" })
      let length = Int.random(in: 0...9, using: &generator)
      let path = String((0..<length).map { _ in "ab".randomElement(using: &generator) ?? "a" })
      let expected = matches(Array(glob.utf8)[...], Array(path.utf8)[...])
      let url = try #require(WebURL("http://h/" + path))
      #expect(try URLMatchPattern("*://h/" + glob).matches(url) == expected, "\(glob) on \(path)")
      if expected { matched += 1 }
    }
    #expect(matched > 200)
  }
}
