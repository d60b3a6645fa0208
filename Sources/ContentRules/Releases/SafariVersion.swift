/// A version of Safari, such as 16.4.
public struct SafariVersion: Comparable, Hashable, Sendable, CustomStringConvertible {
  /// The number before the point.
  public var major: Int
  /// The number after the point.
  public var minor: Int

  /// Creates a version from its numbers.
  public init(_ major: Int, _ minor: Int = 0) {
    self.major = major
    self.minor = minor
  }

  /// Parses a version such as `16` or `16.4`; ignores further numbers, which count bug fixes.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count),
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let major = Int(parts[0]), major < 1_000
    else { return nil }
    guard parts.count > 1 else {
      self.init(major)
      return
    }
    guard let minor = Int(parts[1]), minor < 1_000, parts.count < 3 || Int(parts[2]) != nil else {
      return nil
    }
    self.init(major, minor)
  }

  /// The numbers, without a minor number of 0.
  public var description: String { minor == 0 ? "\(major)" : "\(major).\(minor)" }

  /// Compares the numbers.
  public static func < (a: SafariVersion, b: SafariVersion) -> Bool {
    (a.major, a.minor) < (b.major, b.minor)
  }

  /// The version of iOS that has it, for versions with different numbers there.
  public var iOS: SafariVersion {
    Self.otherNumbersOnIOS.first { $0.safari == self }?.iOS ?? self
  }

  /// Creates the version in a version of iOS; updates of old systems do not bring a new Safari.
  public init(iOS version: SafariVersion) {
    guard let other = Self.otherNumbersOnIOS.first(where: { $0.iOS.major == version.major }) else {
      self = version
      return
    }
    self = version < other.iOS ? SafariVersion(version.major) : other.safari
  }

  private static let otherNumbersOnIOS: [(safari: SafariVersion, iOS: SafariVersion)] = [
    (SafariVersion(9, 1), SafariVersion(9, 3)), (SafariVersion(10, 1), SafariVersion(10, 3)),
    (SafariVersion(11, 1), SafariVersion(11, 3)), (SafariVersion(12, 1), SafariVersion(12, 2)),
    (SafariVersion(13, 1), SafariVersion(13, 4)), (SafariVersion(14, 1), SafariVersion(14, 5)),
  ]
}

extension EngineRelease {
  /// Creates the engine of a version of Safari; `nil` for versions before 9, which had no content
  /// blockers.
  ///
  /// - Parameters:
  ///   - version: The version; an unknown one counts as the one before it.
  ///   - name: The name; by default "Safari" and the version.
  public init?(safari version: SafariVersion, name: String? = nil) {
    guard let release = Self.safariReleases.last(where: { $0.version <= version }) else {
      return nil
    }
    self.init(year: release.year, month: release.month, name: name ?? "Safari \(version)")
    safari = version
  }

  /// The release dates of Safari's versions.
  ///
  /// > Source: MDN's browser-compat-data, `browsers/safari.json`, at a0a74f9 (August 2026).
  static let safariReleases: [(version: SafariVersion, year: Int, month: Int)] = [
    (SafariVersion(9), 2015, 9), (SafariVersion(9, 1), 2016, 3), (SafariVersion(10), 2016, 9),
    (SafariVersion(10, 1), 2017, 3), (SafariVersion(11), 2017, 9), (SafariVersion(11, 1), 2018, 4),
    (SafariVersion(12), 2018, 9), (SafariVersion(12, 1), 2019, 3), (SafariVersion(13), 2019, 9),
    (SafariVersion(13, 1), 2020, 3), (SafariVersion(14), 2020, 9), (SafariVersion(14, 1), 2021, 4),
    (SafariVersion(15), 2021, 9), (SafariVersion(15, 1), 2021, 10),
    (SafariVersion(15, 2), 2021, 12), (SafariVersion(15, 3), 2022, 1),
    (SafariVersion(15, 4), 2022, 3), (SafariVersion(15, 5), 2022, 5),
    (SafariVersion(15, 6), 2022, 7), (SafariVersion(16), 2022, 9), (SafariVersion(16, 1), 2022, 10),
    (SafariVersion(16, 2), 2022, 12), (SafariVersion(16, 3), 2023, 1),
    (SafariVersion(16, 4), 2023, 3), (SafariVersion(16, 5), 2023, 5),
    (SafariVersion(16, 6), 2023, 7), (SafariVersion(17), 2023, 9), (SafariVersion(17, 1), 2023, 10),
    (SafariVersion(17, 2), 2023, 12), (SafariVersion(17, 3), 2024, 1),
    (SafariVersion(17, 4), 2024, 3), (SafariVersion(17, 5), 2024, 5),
    (SafariVersion(17, 6), 2024, 7), (SafariVersion(18), 2024, 9), (SafariVersion(18, 1), 2024, 10),
    (SafariVersion(18, 2), 2024, 12), (SafariVersion(18, 3), 2025, 1),
    (SafariVersion(18, 4), 2025, 3), (SafariVersion(18, 5), 2025, 5),
    (SafariVersion(18, 6), 2025, 7), (SafariVersion(26), 2025, 9), (SafariVersion(26, 1), 2025, 11),
    (SafariVersion(26, 2), 2025, 12), (SafariVersion(26, 3), 2026, 2),
    (SafariVersion(26, 4), 2026, 3), (SafariVersion(26, 5), 2026, 5),
    (SafariVersion(26, 6), 2026, 7),
  ]
}
