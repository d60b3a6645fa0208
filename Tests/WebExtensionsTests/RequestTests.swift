import Foundation
import Testing

@testable import WebExtensions

/// What a manifest requests of browsers.
struct RequestTests {
  private func requests(_ version: Int, _ members: String) throws -> WebExtensionRequests {
    try WebExtensionRequests(manifest: Array(SampleExtension.manifest(version, members).utf8))
  }

  @Test("permissions and pages are found wherever a manifest has them")
  func found() throws {
    let two = try requests(
      2,
      """
      "permissions": ["tabs", "*://b.example/*", "nativeMessaging"],
      "content_scripts": [{"matches": ["*://a.example/*", "*://b.example/*"], "js": ["a.js"]}]
      """
    )
    #expect(two.permissions == ["nativeMessaging", "tabs"])
    #expect(two.hosts == ["*://a.example/*", "*://b.example/*"])
    let three = try requests(
      3,
      """
      "host_permissions": ["<all_urls>"], "chrome_url_overrides": {"newtab": "a.html"},
      "externally_connectable": {"matches": ["https://c.example/*"]},
      "optional_host_permissions": ["https://d.example/*"]
      """
    )
    #expect(
      three.sentences == [
        "in browsers, to read and change all pages (<all_urls>)",
        "to replace the browser's newtab", "messages from the pages https://c.example/*",
      ]
    )
    #expect(try requests(3, "").sentences == [])
  }

  @Test("an optional permission that a browser has to have at once is a request")
  func optional() throws {
    let found = try requests(3, #""optional_permissions": ["cookies", "declarativeNetRequest"]"#)
    #expect(found.permissions == ["declarativeNetRequest"])
  }

  private static let changes = [
    (
      #""chrome_settings_overrides": {"homepage": "https://a.example/"}"#,
      "home page to https://a.example/"
    ),
    (
      #""chrome_settings_overrides": {"startup_pages": ["https://a.example/"]}"#,
      "to open https://a.example/ when the browser starts"
    ),
    (
      #""chrome_settings_overrides": {"search_provider": {"name": "A", "search_url": "https://a.example/?q={searchTerms}", "is_default": true}}"#,
      "search engine to A (https://a.example/?q={searchTerms})"
    ),
    (
      #""chrome_settings_overrides": {"search_provider": {"name": "A"}}"#, "add the search engine A"
    ),
    (#""devtools_page": "a.html""#, "developer tools"),
    (
      #""protocol_handlers": [{"protocol": "mailto", "name": "A", "uriTemplate": "https://a.example/%s"}]"#,
      "to open mailto links at https://a.example/%s"
    ),
  ]

  @Test("what takes over parts of the browser is told in words, and is new", arguments: changes)
  func taken(members: String, words: String) throws {
    let found = try requests(3, members)
    #expect(found.sentences.count == 1 && found.sentences[0].contains(words), "\(found)")
    #expect(try found.beyond(requests(3, "")) == found && found.beyond(found).sentences == [])
    // Another address, and another word, is new again.
    let other = try requests(3, members.replacing("a.example", with: "b.example"))
    #expect(other == found || other.beyond(found) == other)
  }

  @Test("requests are kept, and what an older version did not know is none")
  func kept() throws {
    let found = try requests(
      3,
      #""permissions": ["tabs"], "host_permissions": ["<all_urls>"], "devtools_page": "a.html""#
    )
    let read = try JSONDecoder().decode(
      WebExtensionRequests.self,
      from: JSONEncoder().encode(found)
    )
    #expect(read == found)
    let older = try JSONDecoder().decode(
      WebExtensionRequests.self,
      from: Data(#"{"permissions": ["tabs"]}"#.utf8)
    )
    #expect(older.permissions == ["tabs"] && older.changes.isEmpty && older.hosts.isEmpty)
  }

  @Test("what two request is found where one pattern has the pages of the other")
  func common() throws {
    let all = try requests(3, #""permissions": ["tabs"], "host_permissions": ["*://*/*"]"#)
    let one = try requests(
      3,
      #""host_permissions": ["https://a.example/*", "file:///*"], "permissions": ["tabs", "history"]"#
    )
    #expect(one.intersection(all) == all.intersection(one))
    #expect(one.intersection(all).hosts == ["https://a.example/*"])
    #expect(one.intersection(all).permissions == ["tabs"])
    #expect(one.beyond(all).hosts == ["file:///*"])
    #expect(one.union(all).hosts == ["*://*/*", "file:///*", "https://a.example/*"])
  }

  @Test("a version's additions are told, and what it gives up is none")
  func additions() throws {
    let one = try requests(3, #""host_permissions": ["https://a.example/*"]"#)
    let more = try requests(
      3,
      #""permissions": ["tabs"], "host_permissions": ["https://a.example/*", "https://b.example/*"]"#
    )
    #expect(more.beyond(one).hosts == ["https://b.example/*"])
    #expect(more.beyond(one).permissions == ["tabs"])
    #expect(one.beyond(more).sentences == [])
    #expect(one.beyond(nil) == one)
    // A narrower pattern says nothing new, a wider one does.
    let all = try requests(3, #""host_permissions": ["<all_urls>"]"#)
    #expect(one.beyond(all).sentences == [])
    #expect(all.beyond(one).hosts == ["<all_urls>"])
  }

  @Test("lists that nobody reads are cut short")
  func lengths() throws {
    let hosts = (0..<2_000).map {
      "\"https://\($0).example/\(String(repeating: "x", count: 150))*\""
    }
    let found = try requests(3, "\"host_permissions\": [\(hosts.joined(separator: ", "))]")
    let sentence = try #require(found.sentences.first)
    #expect(sentence.hasSuffix("and 1988 more"))
    #expect(sentence.count < 1_500)
  }
}
