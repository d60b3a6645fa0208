/// The `Package.swift` of an extension.
public struct SwiftPackageManifest: Sendable {
  /// A language mode of the compiler.
  public enum LanguageMode: String, CaseIterable, Sendable {
    case v4 = "4"
    case v4_2 = "4.2"
    case v5 = "5"
    case v6 = "6"
  }

  /// What a module is compiled with.
  public struct Settings: Equatable, Sendable {
    /// The language mode; 5 is that of Xcode's templates.
    public var languageMode = LanguageMode.v5
    /// The conditions for `#if`, which are identifiers.
    public var defines: [String] = []
    /// Upcoming features of the compiler that are on, by name.
    public var upcomingFeatures: [String] = []

    /// Creates settings of language mode 5 and no conditions.
    public init() {}
  }

  /// A module of the project that the extension imports, with its sources in `Modules/NAME`.
  public struct Module: Equatable, Sendable {
    /// Its name.
    public var name: String
    /// The names of the other modules that it imports.
    public var dependencies: [String]
    /// What it is compiled with.
    public var settings: Settings

    /// Creates a module.
    public init(name: String, dependencies: [String], settings: Settings) {
      self.name = name
      self.dependencies = dependencies
      self.settings = settings
    }
  }

  /// The folder with a folder for each of the modules.
  public static let modulesFolder = "Modules"

  /// The extension's names.
  public var names: ExtensionNames
  /// The folder of the package with the modules that handlers import.
  public var modulesPath: String
  /// What the extension's own module is compiled with.
  public var settings = Settings()
  /// The modules that are built along.
  public var modules: [Module] = []
  /// The names of those that the extension's own module imports.
  public var dependencies: [String] = []

  /// Creates a manifest with language mode 5 and no conditions.
  public init(names: ExtensionNames, modulesPath: String) {
    self.names = names
    self.modulesPath = modulesPath
  }

  /// The file's text.
  public var text: String {
    let comment = "// Handlers from Xcode's templates are written for this mode.\n      "
    let own = """
          .executableTarget(
            name: \(literal(names.module)),
            dependencies: \(list(dependencies)),
            \(settings == Settings() ? comment : "")swiftSettings: [\(list(settings))]
          )
      """
    let others = modules.map { module in
      """
          .target(
            name: \(literal(module.name)),
            dependencies: \(list(module.dependencies)),
            path: \(literal("\(Self.modulesFolder)/\(module.name)")),
            swiftSettings: [\(list(module.settings))]
          )
      """
    }
    return """
      // swift-tools-version: 6.0

      import PackageDescription

      let package = Package(
        name: \(literal(names.product)),
        dependencies: [.package(name: "AppleModules", path: \(literal(modulesPath)))],
        targets: [
      \(([own] + others).joined(separator: ",\n"))
        ]
      )

      """
  }

  private func list(_ modules: [String]) -> String {
    let own = ".product(name: \"AppleModules\", package: \"AppleModules\")"
    return "[\(([own] + modules.map(literal)).joined(separator: ", "))]"
  }

  private func list(_ settings: Settings) -> String {
    var entries = [".swiftLanguageMode(.\(settings.languageMode))"]
    entries += settings.defines.map { ".define(\(literal($0)))" }
    entries += settings.upcomingFeatures.map { ".enableUpcomingFeature(\(literal($0)))" }
    return entries.count == 1 ? entries[0] : "\n\(lines(entries))\n      "
  }

  private func lines(_ settings: [String]) -> String {
    settings.map { "        \($0)," }.joined(separator: "\n")
  }

  private func literal(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}
