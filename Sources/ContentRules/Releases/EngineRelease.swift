/// A state of WebKit's development, as the month in which a release was cut from it.
///
/// The engine's features have dates, not version numbers; releases of different ports that were
/// cut in the same month read rule lists alike.
///
///     options.target = .webKitGTK2_46
///     options.target = EngineRelease(year: 2025, month: 5)
///     options.target = EngineRelease(safari: SafariVersion(16, 4))
///
/// > Source: the rule language, section 11.
public struct EngineRelease: Comparable, Hashable, Sendable, CustomStringConvertible {
  /// The year of the state.
  public var year: Int
  /// The month of the state, 1 to 12; the state is that at the month's end.
  public var month: Int
  /// The name of the release, if it has one.
  public var name: String?
  /// The version of Safari that it is, if any; features of Safari are known by version.
  public var safari: SafariVersion?

  /// Creates the state at the end of a month.
  public init(year: Int, month: Int, name: String? = nil) {
    self.year = year
    self.month = month
    self.name = name
  }

  /// WebKitGTK 2.40, cut in February 2023.
  public static let webKitGTK2_40 = EngineRelease(year: 2023, month: 2, name: "WebKitGTK 2.40")
  /// WebKitGTK 2.46, cut in August 2024.
  public static let webKitGTK2_46 = EngineRelease(year: 2024, month: 8, name: "WebKitGTK 2.46")
  /// WebKitGTK 2.48, cut in February 2025.
  public static let webKitGTK2_48 = EngineRelease(year: 2025, month: 2, name: "WebKitGTK 2.48")
  /// WebKitGTK 2.50, cut in August 2025.
  public static let webKitGTK2_50 = EngineRelease(year: 2025, month: 8, name: "WebKitGTK 2.50")
  /// WebKitGTK 2.52, cut in February 2026; the newest whose features are known.
  public static let webKitGTK2_52 = EngineRelease(year: 2026, month: 2, name: "WebKitGTK 2.52")

  /// The releases that have a name here, oldest first.
  public static let named: [EngineRelease] = [
    .webKitGTK2_40, .webKitGTK2_46, .webKitGTK2_48, .webKitGTK2_50, .webKitGTK2_52,
  ]

  /// The name, or the month in words.
  public var description: String {
    name ?? "WebKit of \(Self.months[min(max(month, 1), 12) - 1]) \(year)"
  }

  /// Compares dates, ignoring names.
  public static func < (a: EngineRelease, b: EngineRelease) -> Bool {
    (a.year, a.month) < (b.year, b.month)
  }

  /// Whether two states are of the same month, ignoring names.
  public static func == (a: EngineRelease, b: EngineRelease) -> Bool {
    (a.year, a.month) == (b.year, b.month)
  }

  /// Feeds the month to a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(year)
    hasher.combine(month)
  }

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}
