/// The Apple systems that a target is for.
struct Platforms: Equatable, Sendable {
  /// The names in platform filters, such as `ios` and `macos`; empty if the target says nothing.
  let names: Set<String>

  /// Reads `SDKROOT` and `SUPPORTED_PLATFORMS`.
  init(_ settings: BuildSettings) throws {
    let root = try settings.value("SDKROOT") ?? ""
    let known = Self.name(ofSDK: root)
    if let known {
      names = [known]
    } else {
      let supported = BuildSettings.words(try settings.value("SUPPORTED_PLATFORMS") ?? "")
      names = Set(supported.compactMap { Self.name(ofSDK: $0) })
    }
  }

  private static func name(ofSDK sdk: String) -> String? {
    let names = [
      ("macosx", "macos"), ("iphone", "ios"), ("appletv", "tvos"), ("watch", "watchos"),
      ("xr", "xros"),
    ]
    return names.first { sdk.hasPrefix($0.0) }?.1
  }

  /// The names as people write them, in a fixed order.
  var shown: String {
    [
      ("ios", "iOS"), ("macos", "macOS"), ("tvos", "tvOS"), ("watchos", "watchOS"),
      ("xros", "visionOS"),
    ]
    .filter { names.contains($0.0) }.map(\.1).joined(separator: " and ")
  }

  /// Whether something with these filters belongs to the target.
  func take(_ filters: [String]) -> Bool {
    filters.isEmpty || names.isEmpty || filters.contains { names.contains($0.lowercased()) }
  }
}
