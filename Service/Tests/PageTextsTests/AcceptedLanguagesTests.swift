import Foundation
import PageTexts
import Testing

/// What browsers, and those who pretend to be one, say about languages.
struct AcceptedLanguagesTests {
  @Test(
    arguments: [
      ("de", "de", "de"), ("de-AT,de;q=0.9,en;q=0.8", "de", "de-AT"),
      ("fr, ja;q=0.5, en;q=0.9", "en", "en"), ("en;q=0.2,ar-EG;q=0.7", "ar", "ar-EG"),
      ("DE-de", "de", "de-DE"), ("ja-Jpan-JP", "ja", "ja-jpan-JP"),
      ("de-1996", "de", "de"), ("ar-u-nu-latn", "ar", "ar"), ("fr", "en", "en"), ("", "en", "en"),
      ("*", "en", "en"), ("*, de;q=0.5", "de", "de"), ("de;q=0, ja;q=0.1", "ja", "ja"),
      ("de-CH, de;q=0, ja", "ja", "ja"), ("de;q=1.000,ja;q=0.999", "de", "de"),
      ("ja;q=0.5,de;q=0.5", "ja", "ja"), (" de ; q=0.3 ,\tja\t;\tQ=0.4", "ja", "ja"),
      // Malformed ranges and weights leave the others as they are.
      ("de;q=2,ja", "ja", "ja"), ("de;q=0.1234,ja", "ja", "ja"), ("de;q=,ja", "ja", "ja"),
      ("de;q=1.001,ja", "ja", "ja"), ("de;level=1,ja", "ja", "ja"), ("d_e,ja", "ja", "ja"),
      ("-de,ja", "ja", "ja"), ("de-,ja", "ja", "ja"), ("12,ja", "ja", "ja"),
      ("de;q=0.5;x=1,ja", "ja", "ja"), ("de;q=-1,ja", "ja", "ja"),
      ("../../etc/passwd, <script>, ja", "ja", "ja"), ("д, \u{0}, ja", "ja", "ja"),
    ]
  )
  func matching(_ header: String, _ language: String, _ locale: String) {
    let match = AcceptedLanguages(header).match()
    #expect(match.language.tag == language)
    #expect(match.locale == locale)
  }

  @Test func absentHeader() {
    #expect(AcceptedLanguages(nil).match().language == .english)
  }

  @Test("what a reader chose counts before the browser's languages, whose region stays")
  func choice() {
    #expect(AcceptedLanguages("ja").match(chosen: .german).language == .german)
    #expect(AcceptedLanguages("ja, de-CH").match(chosen: .german).locale == "de-CH")
    #expect(AcceptedLanguages("ja").match(chosen: .german).locale == "de")
    #expect(AcceptedLanguages("de;q=0").match(chosen: .german).language == .german)
  }

  @Test("of a header of any length the first ranges are read", .timeLimit(.minutes(1)))
  func hostileLengths() {
    let many = String(repeating: "xx;q=0.5,", count: 1_000_000)
    let long = String(repeating: "de-", count: 1_000_000)
    let marks = String(repeating: ",;=", count: 1_000_000)
    for header in [many, long, marks] {
      let accepted = AcceptedLanguages(header)
      #expect(accepted.ranges.count <= 32)
      #expect(accepted.match().language == .english)
    }
    // What is wanted most is among the first.
    #expect(AcceptedLanguages("de," + many).match().language == .german)
  }
}

struct PluralCategoryTests {
  @Test(
    arguments: [
      ("en", 0, "other"), ("en", 1, "one"), ("en", -1, "one"), ("en", 2, "other"),
      ("de", 1, "one"), ("de", 21, "other"), ("ja", 1, "other"), ("ja", 0, "other"),
      ("ar", 0, "zero"), ("ar", 1, "one"), ("ar", 2, "two"), ("ar", 3, "few"), ("ar", 10, "few"),
      ("ar", 11, "many"), ("ar", 99, "many"), ("ar", 100, "other"), ("ar", 102, "other"),
      ("ar", 103, "few"), ("ar", 110, "few"), ("ar", 111, "many"), ("ar", 1_000_000, "other"),
      ("tlh", 1, "other"), ("", 1, "other"), ("ar", Int.min, "few"),
    ]
  )
  func categories(_ language: String, _ count: Int, _ category: String) {
    #expect(PluralCategory(count, in: language).rawValue == category)
    #expect(PluralCategory.all(in: language).contains(PluralCategory(count, in: language)))
  }
}
