/// A bundle's version: whole numbers with dots between them, and perhaps a stage before the release.
///
///     BundleVersion("1.9.3") < BundleVersion("1.10")
///     BundleVersion("2.0d9") < BundleVersion("2.0a1")
///     BundleVersion("2.0b3") < BundleVersion("2.0")
///     BundleVersion("01.2") == BundleVersion("1.2.0")
///
/// Every text is a version, for an installed bundle says what it likes. Missing numbers are 0, leading
/// zeros do not matter, and numbers may be of any length. A `d`, `a` or `b` right after the numbers
/// puts the version before its release, in this order, counted by the number that follows. Whatever
/// else follows is not compared, and a text that does not begin with a number is version 0.
///
/// What may be written into a package is narrower; that is a rule of the gallery's.
///
/// > Source: `CFBundleVersion` in Apple's Information Property List documentation, for numbers; the
/// > stages are those of Core Foundation's `CFBundleGetVersionNumber`.
/// > Deviation: Apple's systems read three numbers and ignore the others; here all of them count.
public struct BundleVersion: Sendable, CustomStringConvertible {
  /// The text it was made from.
  public let description: String
  private let numbers: [WholeNumber]
  private let stage: Stage
  private let stageNumber: WholeNumber

  /// Reads a version.
  public init(_ text: String) {
    description = text
    var rest = text.utf8[...]
    var numbers: [WholeNumber] = []
    while let number = WholeNumber(consuming: &rest) {
      numbers.append(number)
      guard rest.first == UInt8(ascii: ".") else { break }
      rest.removeFirst()
    }
    // After a dot no number was found: `2.b3` has no stage.
    let isStage = !numbers.isEmpty && text.utf8[..<rest.startIndex].last != UInt8(ascii: ".")
    while numbers.last == .zero { numbers.removeLast() }
    self.numbers = numbers
    stage = isStage ? Stage(consuming: &rest) : .release
    stageNumber = stage == .release ? .zero : WholeNumber(consuming: &rest) ?? .zero
  }
}

extension BundleVersion: Comparable {
  /// Whether two texts mean the same version.
  public static func == (one: BundleVersion, other: BundleVersion) -> Bool {
    one.numbers == other.numbers && one.stage == other.stage
      && one.stageNumber == other.stageNumber
  }

  /// Compares the numbers one by one, then the stages, then the stages' numbers.
  public static func < (one: BundleVersion, other: BundleVersion) -> Bool {
    guard one.numbers == other.numbers else {
      return one.numbers.lexicographicallyPrecedes(other.numbers)
    }
    return (one.stage, one.stageNumber) < (other.stage, other.stageNumber)
  }
}

extension BundleVersion: Hashable {
  /// Hashes what is compared.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(numbers)
    hasher.combine(stage)
    hasher.combine(stageNumber)
  }
}

extension BundleVersion: Codable {
  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension BundleVersion {
  /// A number of any length: its digits without leading zeros.
  private struct WholeNumber: Hashable, Comparable {
    static let zero = WholeNumber(digits: "")
    private let digits: String

    private init(digits: String) {
      self.digits = digits
    }

    /// Takes the digits at the beginning of a text; nil where there are none.
    init?(consuming text: inout Substring.UTF8View) {
      let digits = text.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard !digits.isEmpty else { return nil }
      text.removeFirst(digits.count)
      self.init(digits: String(Substring(digits.drop { $0 == UInt8(ascii: "0") })))
    }

    static func < (one: WholeNumber, other: WholeNumber) -> Bool {
      // Without leading zeros the longer number is the higher one.
      (one.digits.utf8.count, one.digits) < (other.digits.utf8.count, other.digits)
    }
  }

  /// How far a version was from its release.
  private enum Stage: Int, Comparable {
    case development, alpha, beta, release

    /// Takes the stage's letter from the beginning of a text; whatever else is there is a release's.
    init(consuming text: inout Substring.UTF8View) {
      switch text.first {
      case UInt8(ascii: "d"): self = .development
      case UInt8(ascii: "a"): self = .alpha
      case UInt8(ascii: "b"): self = .beta
      default:
        self = .release
        return
      }
      text.removeFirst()
    }

    static func < (one: Stage, other: Stage) -> Bool { one.rawValue < other.rawValue }
  }
}
