/// A `CFBundleVersion`: whole numbers with dots between them.
///
/// Missing parts count as 0, so `1` and `1.0` are the same version. Numbers may be of any length;
/// leading zeros do not matter.
///
/// > Source: Apple's Information Property List Key Reference, `CFBundleVersion`.
/// > Deviation: up to sixteen parts, where Apple's systems look at three; suffixes such as `1.0b2`
/// > are refused, since their order is not the one that people mean.
public struct BundleVersion: Sendable, CustomStringConvertible {
  /// The text as it was written.
  public let description: String
  /// The parts' digits without leading zeros, up to the last that is not 0.
  private let parts: [String]

  /// Reads a version; nil where the text is not one.
  public init?(_ text: String) {
    guard (1...64).contains(text.utf8.count) else { return nil }
    var parts: [String] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard !part.isEmpty, part.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
      parts.append(String(part.drop { $0 == "0" }))
    }
    guard parts.count <= 16 else { return nil }
    while parts.last == "" { parts.removeLast() }
    description = text
    self.parts = parts
  }
}

extension BundleVersion: Comparable {
  /// Whether two texts mean the same version.
  public static func == (one: BundleVersion, other: BundleVersion) -> Bool {
    one.parts == other.parts
  }

  /// Compares number by number.
  public static func < (one: BundleVersion, other: BundleVersion) -> Bool {
    for index in 0..<max(one.parts.count, other.parts.count) {
      let left = index < one.parts.count ? one.parts[index] : ""
      let right = index < other.parts.count ? other.parts[index] : ""
      guard left != right else { continue }
      // Without leading zeros the longer number is the higher one.
      return left.utf8.count == right.utf8.count
        ? left < right : left.utf8.count < right.utf8.count
    }
    return false
  }
}

extension BundleVersion: Hashable {
  /// Hashes the numbers.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(parts)
  }
}

extension BundleVersion: Codable {
  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let version = BundleVersion(text) else {
      throw DecodingError.dataCorruptedError(
        in: container,
        debugDescription: "\(text) is not a version"
      )
    }
    self = version
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}
