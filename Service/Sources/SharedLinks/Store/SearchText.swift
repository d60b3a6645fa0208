import Foundation
internal import GRDB

/// Text as the index of items has it.
///
/// SQLite's tokenizer takes a run of letters for one word. Japanese, Chinese, Thai and their
/// neighbours write sentences without spaces, so that a word in the middle of one would not be
/// found; each of their letters is a word of its own, and a search for several finds them in their
/// order.
enum SearchText {
  /// The SQL function that the schema calls; every connection that writes needs it.
  static let function = DatabaseFunction("searchText", argumentCount: 1, pure: true) { values in
    String.fromDatabaseValue(values[0]).map(indexed)
  }

  /// Returns a text with spaces around each letter of a script that is written without them.
  static func indexed(_ text: String) -> String {
    // The scripts begin at U+0E00, and their first byte at E0.
    guard text.utf8.contains(where: { $0 >= 0xE0 }) else { return text }
    var result = String.UnicodeScalarView()
    // Letters of half width are those of full width, and marks belong to their letter: the first mapping
    // leaves the marks of half width apart.
    let composed =
      text.precomposedStringWithCompatibilityMapping.precomposedStringWithCanonicalMapping
    for scalar in composed.unicodeScalars {
      let isWord = isWordItself(scalar)
      if isWord { result.append(" ") }
      result.append(scalar)
      if isWord { result.append(" ") }
    }
    return String(result)
  }

  /// Returns FTS5's pattern for what all of some words begin; nil if nothing can match.
  static func pattern(for words: String) -> String? {
    let parts = words.split(whereSeparator: \.isWhitespace).compactMap { word in
      let spaced = indexed(String(word))
      guard spaced.unicodeScalars.contains(where: isWordItself) else {
        return FTS5Pattern(matchingAllPrefixesIn: spaced)?.rawPattern
      }
      return "\"\(spaced.filter { $0 != "\"" && $0 != "\0" })\" *"
    }
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  private static func isWordItself(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x0E00: false
    case 0x0E00..<0x0F00, 0x1000..<0x10A0, 0x1780..<0x1800,  // Thai, Lao; Burmese; Khmer
      0x3040..<0x3130, 0x31A0..<0x3200:  // Kana, Bopomofo
      // Marks separate words for SQLite, and would leave a phrase without any.
      scalar.properties.isAlphabetic && scalar.properties.canonicalCombiningClass == .notReordered
        && scalar.properties.generalCategory != .nonspacingMark
        && scalar.properties.generalCategory != .spacingMark
    default: scalar.properties.isIdeographic || scalar.value == 0x3005
    }
  }
}
