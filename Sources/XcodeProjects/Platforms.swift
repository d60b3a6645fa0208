/// The Apple systems that a target is for.
struct Platforms: Equatable, Sendable {
  /// The names in platform filters, such as `ios` and `macos`; empty if the target says nothing.
  let names: Set<String>

  /// Reads the settings that name a target's systems.
  ///
  /// As in Xcode, `SUPPORTED_PLATFORMS` decides, because a target for several systems has the SDK of
  /// only one of them; then `SDKROOT`. A target with neither is for the system of its deployment
  /// target, if there is only one.
  init(_ settings: BuildSettings) throws {
    let supported = BuildSettings.words(try settings.value("SUPPORTED_PLATFORMS") ?? "")
    let listed = Set(supported.compactMap { Self.name(ofSDK: $0) })
    if !listed.isEmpty {
      names = listed
    } else if let root = Self.name(ofSDK: try settings.value("SDKROOT") ?? "") {
      names = [root]
    } else {
      let deployed = Self.deploymentTargets.filter { settings.has($0.setting) }
      names = deployed.count == 1 ? Set(deployed.map(\.name)) : []
    }
  }

  private static let deploymentTargets = [
    (setting: "IPHONEOS_DEPLOYMENT_TARGET", name: "ios"),
    (setting: "MACOSX_DEPLOYMENT_TARGET", name: "macos"),
    (setting: "TVOS_DEPLOYMENT_TARGET", name: "tvos"),
    (setting: "WATCHOS_DEPLOYMENT_TARGET", name: "watchos"),
    (setting: "XROS_DEPLOYMENT_TARGET", name: "xros"),
  ]

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
  ///
  /// A target for several systems is taken as it is for macOS, if that is one of them.
  func take(_ filters: [String]) -> Bool {
    let taken = names.contains("macos") ? ["macos"] : names
    return filters.isEmpty || names.isEmpty || filters.contains { taken.contains($0.lowercased()) }
  }
}
