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

  /// What a module depends on beside the modules that all extensions see.
  public struct Dependencies: Equatable, Sendable {
    /// The names of modules of the project.
    public var modules: [String]
    /// The names of further products of `AppleModules`, such as `SwiftUI`.
    public var products: [String]

    /// Creates dependencies.
    public init(modules: [String] = [], products: [String] = []) {
      self.modules = modules
      self.products = products
    }
  }

  /// A module of the project that the extension imports, with its sources in `Modules/NAME`.
  public struct Module: Equatable, Sendable {
    /// Its name.
    public var name: String
    /// What it depends on.
    public var dependencies: Dependencies
    /// What it is compiled with.
    public var settings: Settings

    /// Creates a module.
    public init(name: String, dependencies: Dependencies, settings: Settings) {
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
  /// What the extension's own module depends on.
  public var dependencies = Dependencies()

  /// Creates a manifest with language mode 5 and no conditions.
  public init(names: ExtensionNames, modulesPath: String) {
    self.names = names
    self.modulesPath = modulesPath
  }

  /// The file's text.
  public var text: String {
    let own = """
          .executableTarget(
            name: \(literal(names.module)),
            dependencies: \(list(dependencies)),
            // Not optimized, so that a crash tells its line, and because the optimizer breaks
            // `[provider] as? [NSItemProvider]` if the provider is nil.
            swiftSettings: [
      \(lines(entries(settings) + [Self.unoptimized]))
            ]
          )
      """
    let others = modules.map { module in
      """
          .target(
            name: \(literal(module.name)),
            dependencies: \(list(module.dependencies)),
            path: \(literal("\(Self.modulesFolder)/\(module.name)")),
            swiftSettings: [
      \(lines(entries(module.settings)))
            ]
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

  private func list(_ dependencies: Dependencies) -> String {
    let products = (["AppleModules"] + dependencies.products).map {
      ".product(name: \(literal($0)), package: \"AppleModules\")"
    }
    return "[\((products + dependencies.modules.map(literal)).joined(separator: ", "))]"
  }

  private static let unoptimized = ".unsafeFlags([\"-Onone\"], .when(configuration: .release))"

  private func entries(_ settings: Settings) -> [String] {
    [".swiftLanguageMode(.\(settings.languageMode))"]
      + settings.defines.map { ".define(\(literal($0)))" }
      + settings.upcomingFeatures.map { ".enableUpcomingFeature(\(literal($0)))" }
  }

  private func lines(_ settings: [String]) -> String {
    settings.map { "        \($0)," }.joined(separator: "\n")
  }

  private func literal(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}
