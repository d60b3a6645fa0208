internal import FilterLists

/// Where a text of uBlock Origin has to begin or end with a word of the URL.
///
/// uBlock Origin looks a filter up by one word of its text, of letters, digits and `%`. Where that word
/// begins or ends the text, so it does in the URL:
///
///     /ad          /ad?x, but not /add
///     ad/banner    /ad/banners, but not /bad/banner
///
/// Of a word it compares 7 characters, so that a longer one may go on in the URL. Words beside `*` are not
/// looked up.
///
/// > Source: uBlock Origin 1.67, `extractTokenFromPattern`, and its answers.
struct WordEdges {
  /// Whether nothing of a word may stand in front of the text.
  private(set) var begins = false
  /// Whether nothing of a word may stand behind it.
  private(set) var ends = false

  /// What every text of other blockers has.
  static let none = WordEdges()

  /// How many characters of a word are compared.
  private static let wordLength = 7

  /// Words of so many URLs that another one is looked up if there is one.
  ///
  /// > Deviation: uBlock Origin counted some hundred; these are in most URLs of any crawl.
  private static let commonWords: Set<String> = [
    "https", "http", "www", "com", "net", "org", "co", "uk", "de", "fr", "ru", "js", "css", "html",
    "php", "json", "png", "jpg", "gif", "svg", "image", "images", "img", "icon", "icons", "logo",
    "static", "assets", "cdn", "content", "media", "fonts", "min", "api", "en", "v1", "v2", "v3",
    "files", "web", "wp", "public", "scripts", "styles", "themes", "plugins", "uploads", "google",
    "facebook", "twitter",
  ]

  private init() {}

  /// Finds the edges of a pattern that is no regular expression and not the name of a host alone.
  init(_ text: [UInt8], _ pattern: Range<Int>) {
    var rest = pattern
    while FilterText.starts(text, rest, "|") { rest = rest.lowerBound + 1..<rest.upperBound }
    let isAnchored = rest.lowerBound > pattern.lowerBound
    let endsThere = FilterText.ends(text, rest, "|")
    if endsThere { rest = rest.lowerBound..<rest.upperBound - 1 }
    // What other letters become in URLs has words of its own.
    guard text[rest].allSatisfy({ $0 < 0x80 }), let word = Self.word(text, rest) else { return }
    begins = word.lowerBound == rest.lowerBound && !isAnchored && !AddressFault.mayBegin(text[rest])
    ends = word.upperBound == rest.upperBound && !endsThere && word.count < Self.wordLength
  }

  /// Returns the word by which a text is looked up; `nil` if there is none, or if that is not known.
  private static func word(_ text: [UInt8], _ range: Range<Int>) -> Range<Int>? {
    let star = UInt8(ascii: "*")
    var (short, common): ([Range<Int>], [Range<Int>]) = ([], [])
    var index = range.lowerBound
    while index < range.upperBound {
      let start = index
      while index < range.upperBound, isWordPart(text[index]) { index += 1 }
      guard index > start else {
        index += 1
        continue
      }
      let word = start..<index
      if start > range.lowerBound, text[start - 1] == star { continue }
      if word.count < wordLength, index < range.upperBound, text[index] == star { continue }
      if word.count == 1 {
        short.append(word)
      } else if commonWords.contains(FilterText.string(text, word).lowercased()) {
        common.append(word)
      } else {
        return word
      }
    }
    return short.first ?? (common.count == 1 ? common[0] : nil)
  }

  private static func isWordPart(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "%")
  }
}
