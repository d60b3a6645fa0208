/// The `Package.swift` of an extension.
public struct SwiftPackageManifest: Sendable {
  /// A language mode of the compiler.
  public enum LanguageMode: String, CaseIterable, Sendable {
    case v4 = "4"
    case v4_2 = "4.2"
    case v5 = "5"
    case v6 = "6"
  }

  /// The extension's names.
  public var names: ExtensionNames
  /// The folder of the package with the modules that handlers import.
  public var modulesPath: String
  /// The language mode; 5 is that of Xcode's templates.
  public var languageMode = LanguageMode.v5
  /// The conditions for `#if`, which are identifiers.
  public var defines: [String] = []
  /// Upcoming features of the compiler that are on, by name.
  public var upcomingFeatures: [String] = []

  /// Creates a manifest with language mode 5 and no conditions.
  public init(names: ExtensionNames, modulesPath: String) {
    self.names = names
    self.modulesPath = modulesPath
  }

  /// The file's text.
  public var text: String {
    var settings = [".swiftLanguageMode(.\(languageMode))"]
    settings += defines.map { ".define(\(literal($0)))" }
    settings += upcomingFeatures.map { ".enableUpcomingFeature(\(literal($0)))" }
    let list = settings.count == 1 ? settings[0] : "\n\(lines(settings))\n      "
    return """
      // swift-tools-version: 6.0

      import PackageDescription

      let package = Package(
        name: \(literal(names.product)),
        dependencies: [.package(name: "AppleModules", path: \(literal(modulesPath)))],
        targets: [
          .executableTarget(
            name: \(literal(names.module)),
            dependencies: [.product(name: "AppleModules", package: "AppleModules")],
            \(languageMode == .v5 && settings.count == 1
            ? "// Handlers from Xcode's templates are written for this mode.\n      " : "")\
      swiftSettings: [\(list)]
          )
        ]
      )

      """
  }

  private func lines(_ settings: [String]) -> String {
    settings.map { "        \($0)," }.joined(separator: "\n")
  }

  private func literal(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}
