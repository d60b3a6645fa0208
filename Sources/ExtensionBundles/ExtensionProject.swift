internal import DurableFiles
public import Foundation

/// A folder that an extension is built from.
///
///     Info.plist            the extension point, the principal class, the identifier
///     NAME.entitlements     optional
///     Resources/            optional; goes into the bundle as it is
///     Package.swift         absent from a content blocker that is a list alone
///     Sources/MODULE/       the handler, and the generated entry point
public struct ExtensionProject {
  /// The folder.
  public let folder: URL
  /// The names, from `CFBundleName` or the folder's name.
  public let names: ExtensionNames
  /// Whether there is Swift to build.
  public let hasSources: Bool
  private let information: InformationPropertyList

  /// Reads a folder.
  ///
  /// - Throws: ``BundleError``.
  public init(folder: URL) throws {
    self.folder = folder
    let file = folder.appendingPathComponent("Info.plist")
    guard Files.exists(file) else {
      throw BundleError(
        .file,
        "\(folder.path) has no Info.plist; tickbird extension new makes an extension"
      )
    }
    information = try InformationPropertyList(contentsOf: file)
    hasSources = Files.exists(folder.appendingPathComponent("Package.swift"))
    let named = information.values["CFBundleName"] as? String
    let product =
      named.flatMap { $0.firstRange(of: "$(") == nil ? $0 : nil }
      ?? folder.standardizedFileURL.lastPathComponent
    var names = try ExtensionNames(product: product)
    if hasSources {
      names = try ExtensionNames(product: product, module: Self.module(in: folder))
    }
    self.names = names
    if !hasSources {
      let list = folder.appendingPathComponent("Resources/blockerList.json")
      guard information.extensionPoint == ExtensionPoint.contentBlocker.rawValue,
        Files.exists(list)
      else {
        throw BundleError(
          .file,
          "\(folder.path) has no Package.swift, which only a content blocker with "
            + "Resources/blockerList.json can do without"
        )
      }
    }
  }

  private static func module(in folder: URL) throws -> String {
    let sources = folder.appendingPathComponent("Sources")
    let entries = (try? FileManager.default.contentsOfDirectory(atPath: sources.path)) ?? []
    let modules = entries.filter { !$0.hasPrefix(".") }
    guard modules.count == 1, let module = modules.first, ExtensionNames.isIdentifier(module) else {
      throw BundleError(
        .file,
        "\(sources.path) must have one folder, named as the Swift module of the extension"
      )
    }
    return module
  }

  /// The sources that the import of this extension left out; empty if that is not known.
  public var leftOut: [BuildExplanation.LeftOut] {
    let file = folder.appendingPathComponent(BuildExplanation.recordName)
    guard let data = try? Data(contentsOf: file) else { return [] }
    return (try? JSONDecoder().decode([BuildExplanation.LeftOut].self, from: data)) ?? []
  }

  /// Writes the entry point for the principal class, unless it is there already.
  ///
  /// - Throws: ``BundleError``.
  public func writeEntryPoint() throws {
    let name = try information.principalClassName(module: names.module)
    let file = folder.appendingPathComponent("Sources/\(names.module)/\(EntryPoint.fileName)")
    let source = Data(EntryPoint.source(principalClass: name).utf8)
    // Rewriting it would change its date and cause recompiling.
    guard (try? Data(contentsOf: file)) != source else { return }
    try Files.write(source, to: file)
  }

  /// Assembles the bundle, replacing an existing one.
  ///
  /// - Parameters:
  ///   - executable: The built executable; `nil` if there are no sources.
  ///   - output: The folder for `NAME.appex`.
  /// - Returns: The bundle.
  /// - Throws: ``BundleError``; an existing bundle is then unchanged.
  public func assemble(executable: URL?, into output: URL) throws -> URL {
    let information = try information.completed(names: names, hasExecutable: executable != nil)
    let bundle = output.appendingPathComponent("\(names.product).appex")
    let new = output.appendingPathComponent(".\(names.product).appex.\(UUID().uuidString)")
    try Files.makeFolder(new)
    defer { try? FileManager.default.removeItem(at: new) }
    let resources = folder.appendingPathComponent("Resources")
    if Files.exists(resources) { try copy(resources, into: new) }
    try PropertyListFile.write(
      information.values,
      to: new.appendingPathComponent("Info.plist")
    )
    if let entitlements = try entitlements() {
      try PropertyListFile.write(
        entitlements,
        to: new.appendingPathComponent(Self.entitlementsName)
      )
    }
    if let executable {
      let target = new.appendingPathComponent(names.module)
      try Files.attempt("\(executable.path) cannot be copied") {
        try FileManager.default.copyItem(at: executable, to: target)
      }
    }
    try Files.attempt("\(bundle.path) cannot be replaced") {
      try DurableFolder.replace(bundle.path, with: new.path)
    }
    return bundle
  }

  /// The name of the file in a bundle that has its entitlements, which Apple's tools keep in the
  /// signature instead.
  public static let entitlementsName = "Entitlements.plist"

  private func entitlements() throws -> [String: Any]? {
    let names = try Files.attempt("\(folder.path) cannot be read") {
      try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }
    let files = names.filter { $0.hasSuffix(".entitlements") }
    guard let name = files.first else { return nil }
    guard files.count == 1 else {
      throw BundleError(
        .file,
        "\(folder.path) has several entitlements: \(files.sorted().joined(separator: ", "))"
      )
    }
    let list = try PropertyListFile.dictionary(folder.appendingPathComponent(name))
    return list.mapValues(\.foundation)
  }

  private func copy(_ resources: URL, into bundle: URL) throws {
    let reserved = ["info.plist", Self.entitlementsName.lowercased(), names.module.lowercased()]
    let paths = try Files.attempt("\(resources.path) cannot be read") {
      try FileManager.default.subpathsOfDirectory(atPath: resources.path)
    }
    for path in paths.sorted() {
      let source = resources.appendingPathComponent(path)
      let attributes = try Files.attempt("\(source.path) cannot be read") {
        try FileManager.default.attributesOfItem(atPath: source.path)
      }
      guard !reserved.contains(path.lowercased()) else {
        throw BundleError(.file, "\(source.path) has the name of a part of the bundle itself")
      }
      let target = bundle.appendingPathComponent(path)
      switch attributes[.type] as? FileAttributeType {
      case .typeDirectory: try Files.makeFolder(target)
      case .typeRegular:
        try Files.attempt("\(source.path) cannot be copied") {
          try FileManager.default.copyItem(at: source, to: target)
        }
      default:
        // A link's target is missing in the sandbox and on other machines.
        throw BundleError(.file, "\(source.path) is neither a file nor a folder")
      }
    }
  }
}
