/// A bundle's version: numbers between dots, compared as numbers.
///
///     BundleVersion("1.10") > BundleVersion("1.9.3")
///
/// Missing numbers count as 0. What follows the numbers, as in `2.0b3`, does not count.
public struct BundleVersion: Comparable, Hashable, Sendable, CustomStringConvertible {
  /// The text it was made from.
  public let description: String
  private let numbers: [UInt64]

  /// Reads a version; every text is one, if only version 0.
  public init(_ text: String) {
    description = text
    var numbers: [UInt64] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false).prefix(16) {
      let digits = part.prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty else { break }
      numbers.append(UInt64(digits) ?? .max)
      guard digits.count == part.count else { break }
    }
    while numbers.last == 0 { numbers.removeLast() }
    self.numbers = numbers
  }

  /// Compares number by number.
  public static func < (a: BundleVersion, b: BundleVersion) -> Bool {
    a.numbers.lexicographicallyPrecedes(b.numbers)
  }

  /// Versions are equal if their numbers are: `1.0` and `1`.
  public static func == (a: BundleVersion, b: BundleVersion) -> Bool { a.numbers == b.numbers }

  /// Hashes the numbers.
  public func hash(into hasher: inout Hasher) { hasher.combine(numbers) }
}
