/// The form of a text that a number of things takes.
///
/// > Source: Unicode CLDR, Language Plural Rules, cardinal, for whole numbers.
public enum PluralCategory: String, CaseIterable, Sendable {
  case zero, one, two, few, many, other

  /// Returns the form for a number in a language; ``other`` in languages without a rule here.
  ///
  /// - Parameters:
  ///   - count: The number; its sign does not matter.
  ///   - language: The first subtag of the language's tag.
  public init(_ count: Int, in language: String) {
    let number = count.magnitude
    switch language {
    case "en", "de": self = number == 1 ? .one : .other
    case "ar": self = Self.arabic(number)
    default: self = .other
    }
  }

  /// The forms that a language has.
  public static func all(in language: String) -> Set<PluralCategory> {
    switch language {
    case "en", "de": [.one, .other]
    case "ar": Set(allCases)
    default: [.other]
    }
  }

  private static func arabic(_ number: UInt) -> PluralCategory {
    switch (number, number % 100) {
    case (0, _): .zero
    case (1, _): .one
    case (2, _): .two
    case (_, 3...10): .few
    case (_, 11...99): .many
    default: .other
    }
  }
}
