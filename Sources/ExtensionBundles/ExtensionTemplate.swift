public import Foundation

/// Writes a new extension, as Xcode's File > New > Target does.
public struct ExtensionTemplate: Sendable {
  /// The kind of extension.
  public var point: ExtensionPoint
  /// Its names.
  public var names: ExtensionNames
  /// Its bundle identifier.
  public var bundleIdentifier: String
  /// Whether it has Swift code; a content blocker need not.
  public var hasSources: Bool
  /// The folder of the package with the modules that handlers import.
  public var modulesPath: String

  /// Creates a template.
  ///
  /// - Throws: ``BundleError`` with code `.badName`.
  public init(
    point: ExtensionPoint,
    names: ExtensionNames,
    bundleIdentifier: String,
    hasSources: Bool = true,
    modulesPath: String
  ) throws {
    guard ExtensionNames.isBundleIdentifier(bundleIdentifier) else {
      throw BundleError(
        .badName,
        ExtensionNames.refusal(ofBundleIdentifier: bundleIdentifier)
      )
    }
    guard hasSources || point == .contentBlocker else {
      throw BundleError(.badName, "only a content blocker can do without Swift")
    }
    self.point = point
    self.names = names
    self.bundleIdentifier = bundleIdentifier
    self.hasSources = hasSources
    self.modulesPath = modulesPath
  }

  /// Returns the files by their paths in the package.
  public func files() throws -> [(path: String, contents: Data)] {
    var files: [(path: String, contents: Data)] = []
    func add(_ path: String, _ text: String) { files.append((path, Data(text.utf8))) }
    if hasSources {
      add("Package.swift", manifest)
      add(".gitignore", ".build/\nbuild/\nPackage.resolved\n")
      let sources = "Sources/\(names.module)"
      add("\(sources)/\(point.principalClass).swift", TemplateSources.handler(point))
      add(
        "\(sources)/\(EntryPoint.fileName)",
        EntryPoint.source(principalClass: point.principalClass)
      )
    }
    for (path, text) in TemplateSources.resources(point, name: names.product) {
      add("Resources/\(path)", text)
    }
    var nsExtension: [String: Any] = ["NSExtensionPointIdentifier": point.rawValue]
    if point == .appExtension {
      // As in Xcode's template, which names a placeholder.
      nsExtension["SFSafariContentScript"] = [["Script": "script.js"]]
      nsExtension["SFSafariToolbarItem"] = [
        "Action": "Command", "Identifier": "Button", "Image": "ToolbarItemIcon.pdf",
        "Label": "Your Button",
      ]
      nsExtension["SFSafariWebsiteAccess"] = ["Level": "All"]
    }
    if hasSources {
      nsExtension["NSExtensionPrincipalClass"] = "$(PRODUCT_MODULE_NAME).\(point.principalClass)"
    }
    files.append(
      (
        "Info.plist",
        try plist([
          "CFBundleIdentifier": bundleIdentifier, "CFBundleName": names.product,
          "CFBundleDisplayName": names.product, "CFBundleShortVersionString": "1.0",
          "CFBundleVersion": "1", "NSExtension": nsExtension,
        ])
      )
    )
    // As in Xcode: sandboxed, and without network access by default.
    files.append(
      (
        "\(names.product).entitlements",
        try plist(["com.apple.security.app-sandbox": true])
      )
    )
    return files
  }

  /// Writes the files into a new folder.
  ///
  /// - Throws: ``BundleError`` with code `.file`, also if the folder exists and is not empty.
  public func write(to folder: URL) throws {
    let existing = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    guard existing?.isEmpty ?? !Files.exists(folder) else {
      throw BundleError(.file, "\(folder.path) is in the way")
    }
    for (path, contents) in try files() {
      let url = folder.appendingPathComponent(path)
      try Files.makeFolder(url.deletingLastPathComponent())
      try Files.write(contents, to: url)
    }
  }

  private func plist(_ values: [String: Any]) throws -> Data {
    try PropertyListFile.data(values)
  }

  private var manifest: String {
    SwiftPackageManifest(names: names, modulesPath: modulesPath).text
  }
}
