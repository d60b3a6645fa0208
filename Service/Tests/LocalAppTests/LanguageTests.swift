import ExtensionGallery
import Foundation
import ListSubscriptions
import PageNotes
import PageTexts
import PageTextsTestSupport
import SharedLinks
import Testing

@testable import LocalApp

/// The pages in each language.
struct LanguageTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/LocalApp").standardized

  // MARK: The texts

  @Test("each language has all keys, with the same placeholders")
  func completeness() throws {
    #expect(TextFaults.all(of: .localApp) == [])
    #expect(try TextFaults.duplicates(under: Self.sources) == [])
  }

  @Test("each text is used, and each that is used is there")
  func uses() throws {
    let uses = try TextFaults.uses(under: Self.sources)
    let all = TextFaults.stems(of: .localApp)
    #expect(uses.named.subtracting(all).sorted() == [])
    var mentioned = uses.mentioned.union(TextFaults.stems(of: .shared))
    mentioned.formUnion(Site.Section.allCases.map { "section_\($0.rawValue)" })
    mentioned.formUnion(NoteTarget.Kind.allCases.map { "kind_\($0.rawValue)" })
    mentioned.formUnion(NoteTarget.Kind.allCases.map { "kind_\($0.rawValue)_help" })
    mentioned.formUnion(NoteTarget.Kind.allCases.map { "scope_\($0.rawValue)" })
    mentioned.formUnion(Presentation.categories.map { "\($0)_category" })
    mentioned.formUnion(["error", "warning", "note"].map { "severity_\($0)" })
    mentioned.formUnion(["host", "method", "site", "closed"].map { "refusal_\($0)_title" })
    mentioned.formUnion(["host", "method", "site", "closed"].map { "refusal_\($0)_text" })
    // Each list of the catalogue has a purpose in each language.
    let purposes = ListCatalogue.entries.map { "purpose_" + $0.id.replacing("-", with: "_") }
    #expect(Set(purposes).subtracting(all).sorted() == [])
    mentioned.formUnion(purposes)
    #expect(all.subtracting(mentioned).sorted() == [])
  }

  @Test("the English purposes are those of the catalogue of lists")
  func purposes() {
    for entry in ListCatalogue.entries {
      let key = "purpose_" + entry.id.replacing("-", with: "_")
      #expect(TextCatalogue.localApp.source(key, in: .english) == entry.purpose)
    }
  }

  @Test("no template has words of its own, and no script says any")
  func literalWords() throws {
    // Names, and examples of what is typed.
    let names: Set = [
      "Tickbird", "– Tickbird", "JSON", "Markdown", "https://lists.example/ads.txt", "example.org",
      "example.com/news", "https://example.com/",
    ]
    for file in try TextFaults.files(under: Self.sources.appending(path: "Resources")) {
      switch file.pathExtension {
      case "mustache":
        let text = try String(contentsOf: file, encoding: .utf8)
        let words = TextFaults.literalWords(in: text).filter { !names.contains($0) }
        #expect(words == [], "\(file.lastPathComponent)")
      case "js":
        let text = try String(contentsOf: file, encoding: .utf8)
        let said = text.matches(of: /(?:textContent|"aria-label",) *=? *"([^"]+)"/)
        #expect(said.map { String($0.1) } == [], "\(file.lastPathComponent)")
      default: break
      }
    }
  }

  // MARK: The pages

  @Test(
    "every page is in the browser's language, and no word of another is left",
    arguments: PageLanguage.allCases
  )
  func pages(_ language: PageLanguage) async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let wanted = [("Accept-Language", "\(language.tag), fr;q=0.9, en;q=0.1")]
      for path in ["/extensions", "/lists", "/rules", "/stream", "/stream/sources", "/notes"] {
        try check(await visitor.get(path, wanted), language, path)
      }
      let paths = try await furnish(app, visitor)
      for path in paths { try check(await visitor.get(path, wanted), language, path) }
      let changes: [(String, [String: String])] = [
        ("/notes/new", ["address": "b.example", "kind": "site", "text": "x", "snooze": "5"]),
        ("/notes/new", ["address": "", "kind": "site", "text": "x", "snooze": "y"]),
        ("/extensions/extension/com.example.ads/off", [:]),
        ("/extensions/extension/com.example.ads/on", [:]),
        ("/extensions/extension/com.example.banners/on", [:]),
        ("/lists/update", [:]), ("/lists/list/ads/off", [:]), ("/lists/list/none/on", [:]),
        ("/lists/add", ["source": "nothing"]), ("/stream/refresh", [:]),
        ("/stream/mark-all", [:]), ("/stream/subscribe", ["address": "nothing here"]),
        ("/rules", ["rules": "[", "urls": "x"]), ("/rules", ["rules": ""]),
        ("/language", ["language": "tlh"]),
      ]
      for (path, form) in changes {
        var answer = try await visitor.post(path, form, Visitor.ownForm + wanted)
        if answer.status == 303, let place = answer.headers["location"] {
          answer = try await visitor.get(String(place.dropFirst(visitor.base.count)), wanted)
        }
        try check(answer, language, "\(path) \(form)")
      }
      var refused = [try await visitor.get("/none", wanted)]
      refused.append(try await visitor.get("/notes", wanted + [("Cookie", "")]))
      refused.append(try await visitor.get("/notes", wanted + [("Host", "evil.example")]))
      refused.append(try await visitor.post("/notes/new", [:], wanted + [("Origin", "null")]))
      for answer in refused {
        #expect(answer.status == 403 || answer.status == 404)
        try check(answer, language, "a refusal, \(answer.status)")
      }
    }
  }

  /// Lists, links and notes, and the pages that show them.
  private func furnish(_ app: ServedApp, _ visitor: Visitor) async throws -> [String] {
    let rule = #"[{"trigger": {"url-filter": "/ads/"}, "action": {"type": "block"}}]"#
    let ads = try await app.install("Ads", rule)
    let banners = try await app.install("Banners", rule.replacing("/ads/", with: "a|b"))
    for identifier in [ads, banners] {
      _ = try await visitor.submit("/extensions/extension/\(identifier)/on")
    }
    let file = app.folder.appending(path: "ads.txt")
    try Data("! Title: Ads\n||ads.example^\n##+js(a)\n".utf8).write(to: file)
    let updater = ListUpdater(
      store: SubscriptionStore(data: app.folder),
      preparation: .inProcess
    )
    _ = try await updater.add(ListUpdater.Request(.file(file.path)))
    try Data("<html>".utf8).write(to: file)
    app.web.on(
      "https://f.example/feed",
      """
      <rss version="2.0"><channel><title>F</title><item><title>T</title>\
      <link>https://f.example/1</link></item></channel></rss>
      """
    )
    _ = try await visitor.submit("/stream/subscribe", ["address": "https://f.example/feed"])
    let draft = try NoteDraft(target: NoteTarget(.path, address: "a.example/x"), text: "ЖЖЖ")
    let note = try app.notes.add(draft)
    _ = try app.notes.snooze(id: note.id, minutes: 30)
    for number in 0..<60 {
      let target = try NoteTarget(.site, address: "n\(number).example")
      _ = try app.notes.add(NoteDraft(target: target, text: "ЖЖЖ"))
    }
    let source = try #require(try app.links.sources().first)
    return [
      "/extensions", "/extensions/extension/\(ads)", "/extensions/extension/\(banners)", "/lists",
      "/rules?example=yes", "/rules?list=\(banners)", "/stream", "/stream?q=zzz",
      "/stream?unread=yes",
      "/stream/sources", "/stream/sources/\(source.id)/remove", "/notes", "/notes?page=2",
      "/notes?q=ЖЖЖ".replacing("Ж", with: "%D0%96"),
      "/notes?q=zzz", "/notes/new", "/notes/note/\(note.id)", "/notes/note/\(note.id)/delete",
      "/notes/note/none",
    ]
  }

  /// Checks the language of a page, and that it is the only one, but for what is marked as English.
  private func check(_ answer: Answer, _ language: PageLanguage, _ path: String) throws {
    let body = answer.body
    #expect(
      body.contains("<html lang=\"\(language.tag)\" dir=\"\(language.direction)\">"),
      "\(path)"
    )
    let words = Self.ownWords(body)
    // Found by bytes: hundreds of texts are sought on each of hundreds of pages.
    func occurs(_ text: String) -> Bool {
      unsafe words.withCString { words in unsafe strstr(words, text) != nil }
    }
    #expect(!words.utf8.contains(0), "\(path) has an end for strstr")
    for key in TextCatalogue.localApp.keys(.english) where key.contains("_") {
      #expect(!occurs(key), "\(path) shows the key \(key)")
    }
    #expect(!words.contains("[[") && !words.contains("{{") && !words.contains("$"), "\(path)")
    guard language != .english else { return }
    for phrase in Self.englishPhrases[language] ?? [] {
      #expect(!occurs(phrase), "\(path) in \(language.tag) says “\(phrase)”")
    }
  }

  /// What a page says, without what is in English or written by others.
  private static func ownWords(_ body: String) -> String {
    body.replacing(/<(code|pre|textarea|option|bdi)\b[\s\S]*?<\/\1>/, with: " ")
      .replacing(/<(span|p|li)\b[^>]*lang="en"[^>]*>[\s\S]*?<\/\1>/, with: " ")
      .replacing(/<button[^>]*name="language"[\s\S]*?<\/button>/, with: " ")
      .replacing("&#39;", with: "'").replacing("&quot;", with: "\"")
  }

  /// For each other language the parts of English texts that it does not have in the same text.
  ///
  /// Made once: each of hundreds of pages is searched for them.
  private static let englishPhrases = Dictionary(
    uniqueKeysWithValues: PageLanguage.allCases.map { ($0, englishPhrases(unlike: $0)) }
  )

  private static func englishPhrases(unlike language: PageLanguage) -> Set<String> {
    var phrases: Set<String> = []
    let own = TextCatalogue.localApp.keys(language)
      .compactMap { TextCatalogue.localApp.source($0, in: language) }.joined(separator: "\n")
    for key in TextCatalogue.localApp.keys(.english) {
      let text = TextCatalogue.localApp.source(key, in: .english) ?? ""
      for part in text.split(separator: /\$[1-9]|[.,;:]/) {
        let part = part.trimmingCharacters(in: .whitespaces)
        if part.count >= 9, part.contains(" "), !own.contains(part) { phrases.insert(part) }
      }
    }
    return phrases
  }

  // MARK: Escaping

  @Test("what others wrote is text in every language", arguments: PageLanguage.allCases)
  func markup(_ language: PageLanguage) async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let wanted = [("Accept-Language", language.tag)]
      let evil = "\"'><script>alert(1)</script>{{secret}}[[app_skip]]$1"
      let draft = try NoteDraft(target: NoteTarget(.site, address: "a.example"), text: evil)
      let note = try app.notes.add(draft)
      app.web.on(
        "https://f.example/feed",
        """
        <rss version="2.0"><channel><title><![CDATA[\(evil)]]></title><item>\
        <title><![CDATA[\(evil)]]></title><link>https://f.example/1</link></item></channel></rss>
        """.replacing("]]</title>", with: "]]]]></title>")
      )
      _ = try await visitor.submit("/stream/subscribe", ["address": "https://f.example/feed"])
      let query = Paging.encoded(evil)
      for path in [
        "/notes", "/notes?q=\(query)", "/notes/note/\(note.id)", "/stream", "/stream/sources",
        "/stream?q=\(query)", "/notes/note/\(note.id)/delete",
      ] {
        let answer = try await visitor.get(path, wanted)
        #expect(!answer.body.contains("<script>alert"), "\(path)")
        #expect(!answer.body.contains("\"'>"), "\(path)")
      }
      let notes = try await visitor.get("/notes", wanted).body
      #expect(notes.contains("&lt;script&gt;alert(1)&lt;/script&gt;{{secret}}[[app_skip]]$1"))
    }
  }

  // MARK: The choice

  @Test("a language that was chosen counts before the browser's, and is left again")
  func choice() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let form = ["language": "de", "place": "/notes?q=a"]
      let answer = try await visitor.post("/language", form)
      #expect(answer.status == 303 && answer.headers["location"] == "\(visitor.base)/notes?q=a")
      let cookie = try #require(answer.headers["set-cookie"])
      #expect(
        cookie == "tickbird-language=de; HttpOnly; SameSite=Strict; Path=/; Max-Age=31536000"
      )
      func page(_ cookie: String, _ header: String) async throws -> String {
        let fields = [("Cookie", "\(visitor.cookie); \(cookie)"), ("Accept-Language", header)]
        return try await visitor.get("/notes", fields).body
      }
      let german = try await page("tickbird-language=de", "ja")
      #expect(german.contains("<html lang=\"de\"") && german.contains("Sprache des Browsers"))
      let own = try await page("tickbird-language=", "ja")
      #expect(own.contains("<html lang=\"ja\"") && !own.contains("ブラウザの言語"))
      // Other servers of this host can set the cookie as well.
      for odd in ["tickbird-language=xx", "tickbird-language=\"><b>", "tickbird-language"] {
        #expect(try await page(odd, "ar").contains("<html lang=\"ar\" dir=\"rtl\">"), "\(odd)")
      }
      let left = try await visitor.post("/language", ["language": "", "place": "/rules"])
      #expect(left.headers["set-cookie"]?.hasSuffix("Max-Age=0") == true)
      #expect(try await visitor.post("/language", ["language": "xx"]).status == 422)
      let foreign = [("Origin", "http://evil.example"), ("Sec-Fetch-Site", "cross-site")]
      #expect(try await visitor.post("/language", form, foreign).status == 403)
    }
  }

  @Test(
    "a choice leads back to a page of the app alone",
    arguments: [
      "//evil.example", "https://evil.example/", "/../open", "/notesx", "/notes\r\nX: y", "/notes ",
      "", "notes", "/\\evil.example", "/notes/\u{E9}",
    ]
  )
  func places(_ place: String) async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let answer = try await visitor.post("/language", ["language": "ja", "place": place])
      #expect(answer.headers["location"] == "\(visitor.base)/extensions")
      #expect(answer.headers["x"] == nil)
    }
  }

  @Test("numbers are written as in the reader's region")
  func regions() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let rules = Array(repeating: "{}", count: 1).joined()
      let form = ["rules": "[\(rules)]", "part": "answer"]
      let arabic = [("Accept-Language", "ar-EG")]
      let answer = try await visitor.post("/rules", form, Visitor.ownForm + arabic)
      #expect(answer.body.contains("السطر ١"))
      let other = [("Accept-Language", "ar-MA")]
      let latin = try await visitor.post("/rules", form, Visitor.ownForm + other)
      #expect(latin.body.contains("السطر 1"))
    }
  }

  @Test("a hostile header leaves the page as it is")
  func hostileHeaders() async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      for header in [
        String(repeating: "de-", count: 1500), String(repeating: ",", count: 6000), "*;q=0",
        "\"><script>", "%00", "de;q=NaN",
      ] {
        let answer = try await visitor.get("/notes", [("Accept-Language", header)])
        #expect(answer.status == 200 && answer.body.contains("<html lang=\"en\" dir=\"ltr\">"))
        #expect(!answer.body.contains("<script>"))
      }
    }
  }
}
