import TestSupport
import Testing

@testable import ContentRules

@Suite struct JSONTextTests {
  /// Spellings of characters, and what they stand for.
  private static let spellings = [
    ("a", "a"), ("/", "/"), (#"\""#, "\""), (#"\\"#, "\\"), (#"\u00e4"#, "ä"), ("ä", "ä"),
    (#"\u20ac"#, "€"), (#"\ud83d\ude00"#, "😀"), (#"\n"#, "\n"),
  ]

  @Test func placesOfDecodedBytesAreFoundInAnyOrder() {
    var random = RandomSource(seed: 3 &+ Effort.seed)
    for _ in 0..<500 * Effort.factor {
      var text = "xy"
      // The bytes of the JSON text that spell each decoded byte.
      var spelled: [Range<Int>] = []
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let (spelling, character) = Self.spellings.randomElement(using: &random) ?? ("a", "a")
        let range = text.utf8.count..<text.utf8.count + spelling.utf8.count
        for (offset, _) in character.utf8.enumerated() {
          // What is not escaped is spelled byte by byte.
          let isEscaped = spelling != character
          spelled.append(
            isEscaped ? range : range.lowerBound + offset..<range.lowerBound + offset + 1
          )
        }
        text += spelling
      }
      let contents = 2..<text.utf8.count
      let ranges = (0..<6).map { _ in
        let bounds = [0, 1].map { _ in Int.random(in: 0...spelled.count, using: &random) }
        return min(bounds[0], bounds[1])..<max(bounds[0], bounds[1])
      }
      let expected = ranges.map { range in
        guard let first = spelled[range].first, let last = spelled[range].last else {
          // Nothing, or the rest of the escape that it lies in.
          let start =
            range.lowerBound < spelled.count
            ? spelled[range.lowerBound].lowerBound : contents.upperBound
          let isInside =
            range.lowerBound > 0 && range.lowerBound < spelled.count
            && spelled[range.lowerBound - 1] == spelled[range.lowerBound]
          return start..<(isInside ? spelled[range.lowerBound].upperBound : start)
        }
        return first.lowerBound..<last.upperBound
      }
      let bytes = Array(text.utf8)
      #expect(
        JSONText.sourceRanges(of: ranges, in: bytes.span, contents) == expected,
        "\(text) \(ranges)"
      )
    }
  }
}
