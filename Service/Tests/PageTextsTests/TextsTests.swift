import Foundation
import PageTexts
import PageTextsTestSupport
import Testing

/// Texts, numbers and dates in every language.
struct TextsTests {
  private static let catalogue = TextCatalogue([
    .english: Array(
      #"""
      {"hello": {"message": "Hello, $1 & <$2>!"}, "price": {"message": "$$1 for $1$x"},
       "only": {"message": "Only here"},
       "rules_one": {"message": "$1 rule of $2"}, "rules_other": {"message": "$1 rules of $2"}}
      """#.utf8
    ),
    .arabic: Array(
      #"""
      {"hello": {"message": "مرحبًا، $1 و$2!"}, "rules_other": {"message": "$1 قاعدة من $2"},
       "rules_two": {"message": "قاعدتان من $2"}}
      """#.utf8
    ),
  ])

  private func texts(_ header: String, timeZone: String = "Europe/Berlin") -> Texts {
    Texts(
      Self.catalogue,
      for: AcceptedLanguages(header),
      timeZone: TimeZone(identifier: timeZone) ?? .gmt
    )
  }

  @Test func values() {
    let english = texts("en")
    #expect("\(english("hello", "A", "B"))" == "Hello, A & <B>!")
    let markup = english("hello", "<A>", 1234).markup
    #expect(markup == "Hello, <bdi>&lt;A&gt;</bdi> &amp; &lt;1,234&gt;!")
    #expect("\(english("price", "x"))" == "$1 for x$x")
    // What a text has no value for is left out, not shown as a sign.
    #expect("\(english("hello", "A"))" == "Hello, A & <>!")
    // A value is a value, whatever it looks like.
    #expect("\(english("hello", "$2", "{{x}}"))" == "Hello, $2 & <{{x}}>!")
    #expect(english("hello", "a\u{202E}b", "c").markup.contains("\u{202E}") == false)
  }

  @Test("a text that is missing is English; a key without any text is seen")
  func fallbacks() {
    #expect("\(texts("ar")("only"))" == "Only here")
    #expect("\(texts("ja")("hello", "a", "b"))" == "Hello, a & <b>!")
    #expect("\(texts("de")("no_such_key"))" == "no_such_key")
  }

  @Test func plurals() {
    #expect("\(texts("en-US").counted("rules", 1, "A"))" == "1 rule of A")
    #expect("\(texts("en-US").counted("rules", 1200, "A"))" == "1,200 rules of A")
    #expect("\(texts("ar-AE").counted("rules", 2, "A"))" == "قاعدتان من A")
    // A form that a language lacks is its general one.
    #expect("\(texts("ar-AE").counted("rules", 3, "A"))" == "3 قاعدة من A")
    #expect("\(texts("ar-EG").counted("rules", 1234, "A"))" == "١٬٢٣٤ قاعدة من A")
  }

  @Test func sentences() {
    let english = texts("en")
    let parts = [english("only"), Phrase.value(""), english("only")]
    #expect("\(english.sentences(parts))" == "Only here Only here")
    #expect("\(texts("ja").sentences(parts))" == "Only hereOnly here")
    #expect(Phrase.english("a < b").markup == #"<span lang="en" dir="ltr">a &lt; b</span>"#)
    #expect("\(texts("ar").list(["a", "b"]))" == "a وb")
  }

  @Test(
    arguments: [
      ("en-US", "Nov 24, 2026 at 3:20 PM", "November 24", "1,234,567", "1.5 MB"),
      ("en-GB", "24 Nov 2026 at 15:20", "24 November", "1,234,567", "1.5 MB"),
      ("de", "24. Nov. 2026, 15:20", "24. November", "1.234.567", "1,5 MB"),
      ("de-CH", "24. Nov. 2026, 15:20", "24. November", "1’234’567", "1.5 MB"),
      ("ja", "2026年11月24日 15:20", "11月24日", "1,234,567", "1.5 MB"),
      ("ar-EG", "٢٤ نوفمبر، ٢٠٢٦، ٣:٢٠ م", "٢٤ نوفمبر", "١٬٢٣٤٬٥٦٧", "١٫٥ م.ب"),
      ("ar-MA", "24 نونبر، 2026 15:20", "24 نونبر", "1.234.567", "1,5 م.ب"),
    ]
  )
  func locales(_ header: String, _ full: String, _ day: String, _ number: String, _ size: String) {
    let texts = texts(header)
    let date = Date(timeIntervalSince1970: 1_795_530_000)
    // ICU writes narrow and no-break spaces.
    func plain(_ text: String) -> String {
      text.replacing("\u{202F}", with: " ").replacing("\u{A0}", with: " ")
    }
    #expect(plain(texts.full(date)) == full)
    #expect("\(texts.short(date, now: date + 5 * 86_400))" == day)
    #expect(texts.number(1_234_567) == number)
    #expect(plain("\(texts.size(1_500_000))") == size)
  }

  @Test("a time is relative to now and in the reader's time zone")
  func times() {
    let now = Date(timeIntervalSince1970: 1_795_530_000)
    let german = texts("de")
    #expect("\(german.short(now - 30, now: now))" == "gerade eben")
    #expect("\(german.short(now - 600, now: now))" == "vor 10 Min.")
    #expect("\(german.short(now - 7200, now: now))" == "heute, 13:20")
    #expect("\(german.short(now - 86_400, now: now))" == "gestern, 15:20")
    // A clock that was set back.
    #expect("\(german.short(now + 600, now: now))" == "heute, 15:30")
    let tokyo = texts("de", timeZone: "Asia/Tokyo")
    #expect("\(tokyo.short(now - 7200, now: now))" == "heute, 21:20")
    #expect("\(tokyo.short(now - 90_000, now: now))" == "gestern, 22:20")
    #expect("\(german.short(now - 400 * 86_400, now: now))" == "20. Oktober 2025")
    #expect("\(texts("ja").short(now - 60, now: now))" == "1分前")
    #expect("\(texts("ar-AE").short(now - 180, now: now))" == "قبل 3 دقائق")
    #expect(german.time(now)["machine"] as? String == "2026-11-24T14:20:00Z")
  }

  @Test func sharedTexts() { #expect(TextFaults.all(of: .shared) == []) }

  @Test("the check finds what it is for")
  func faults() {
    let faults = TextFaults.all(of: Self.catalogue)
    #expect(faults.contains("ar lacks only"))
    #expect(faults.contains("ja lacks hello"))
    #expect(faults.contains("ar lacks rules_few"))
    let odd = TextCatalogue([
      .english: Array(#"{"a": {"message": "$1"}}"#.utf8),
      .german: Array(#"{"a": {"message": "$2"}, "b": {"message": "x"}}"#.utf8),
    ])
    #expect(TextFaults.all(of: odd).contains(#"de: a has ["$2"], and should have ["$1"]"#))
    #expect(TextFaults.all(of: odd).contains("de has no use for b"))
  }
}
