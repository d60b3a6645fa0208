internal import DurableFiles
public import Foundation

/// An extension's `Info.plist`, with accessors for what matters here.
public struct InformationPropertyList {
  /// Everything in the file.
  public private(set) var values: [String: Any]

  /// Reads a file in XML or binary form.
  ///
  /// - Throws: ``BundleError`` with code `.file` or `.propertyList`.
  public init(contentsOf url: URL) throws {
    self.init(values: try PropertyListFile.dictionary(url).mapValues(\.foundation))
  }

  init(values: [String: Any]) {
    self.values = values
  }

  /// The extension point's identifier.
  public var extensionPoint: String? { nsExtension["NSExtensionPointIdentifier"] as? String }

  /// The principal class as written, variables included.
  public var principalClass: String? { nsExtension["NSExtensionPrincipalClass"] as? String }

  /// The bundle's identifier.
  public var bundleIdentifier: String? { values["CFBundleIdentifier"] as? String }

  private var nsExtension: [String: Any] { values["NSExtension"] as? [String: Any] ?? [:] }

  /// Returns the list with what the build knows: the executable, the package type, and variables.
  ///
  /// - Parameters:
  ///   - names: The extension's names.
  ///   - hasExecutable: Whether the bundle has code; if not, the list names neither an executable
  ///     nor a principal class.
  /// - Returns: The property list of the bundle.
  /// - Throws: ``BundleError`` with code `.propertyList` for a variable without value, or if the
  ///   identifier or the extension point is missing or unknown.
  public func completed(
    names: ExtensionNames,
    hasExecutable: Bool
  ) throws
    -> InformationPropertyList
  {
    var values = values
    if !hasExecutable {
      values["CFBundleExecutable"] = nil
      var nsExtension = nsExtension
      nsExtension["NSExtensionPrincipalClass"] = nil
      values["NSExtension"] = nsExtension
    } else {
      values["CFBundleExecutable"] = names.module
    }
    values["CFBundlePackageType"] = "XPC!"
    for (key, value) in [
      "CFBundleName": names.product, "CFBundleDisplayName": names.product,
      "CFBundleInfoDictionaryVersion": "6.0", "CFBundleShortVersionString": "1.0",
      "CFBundleVersion": "1", "CFBundleDevelopmentRegion": "en",
    ] where values[key] == nil {
      values[key] = value
    }
    var variables = [
      "PRODUCT_NAME": names.product, "PRODUCT_MODULE_NAME": names.module,
      "EXECUTABLE_NAME": names.module, "DEVELOPMENT_LANGUAGE": "en",
      "PRODUCT_BUNDLE_PACKAGE_TYPE": "XPC!", "TARGET_NAME": names.product,
    ]
    if let identifier = bundleIdentifier, identifier.firstRange(of: "$(") == nil {
      variables["PRODUCT_BUNDLE_IDENTIFIER"] = identifier
    }
    guard let resolved = try resolve(values, variables) as? [String: Any] else {
      throw BundleError(.propertyList, "Info.plist is not a dictionary")
    }
    let result = InformationPropertyList(values: resolved)
    guard let identifier = result.bundleIdentifier,
      ExtensionNames.isBundleIdentifier(identifier)
    else {
      throw BundleError(
        .propertyList,
        "Info.plist needs a CFBundleIdentifier of letters, digits, hyphens and dots"
      )
    }
    guard let point = result.extensionPoint, ExtensionPoint(rawValue: point) != nil else {
      let known = ExtensionPoint.allCases.map(\.rawValue).joined(separator: ", ")
      throw BundleError(
        .propertyList,
        "Info.plist has the NSExtensionPointIdentifier \(result.extensionPoint ?? "(none)"); "
          + "known are \(known)"
      )
    }
    return result
  }

  private func resolve(_ value: Any, _ variables: [String: String]) throws -> Any {
    if let text = value as? String { return try resolve(text: text, variables) }
    if let array = value as? [Any] { return try array.map { try resolve($0, variables) } }
    if let dictionary = value as? [String: Any] {
      return try dictionary.mapValues { try resolve($0, variables) }
    }
    return value
  }

  private func resolve(text: String, _ variables: [String: String]) throws -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "$(") {
      guard let end = rest[start.upperBound...].firstIndex(of: ")") else { break }
      // Modifiers, as in `$(NAME:modifier)`, change characters that the module's name does not have
      // any more.
      let name = rest[start.upperBound..<end].split(separator: ":").first.map(String.init) ?? ""
      guard let value = variables[name] else {
        throw BundleError(
          .propertyList,
          "Info.plist uses $(\(name)), which has no value here; write the value itself"
        )
      }
      result += rest[..<start.lowerBound] + value
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  /// Returns the class's name without its module.
  ///
  /// - Throws: ``BundleError`` with code `.propertyList` if there is none, or Swift code cannot
  ///   refer to it by name.
  public func principalClassName(module: String) throws -> String {
    guard let written = principalClass else {
      throw BundleError(.propertyList, "Info.plist has no NSExtensionPrincipalClass")
    }
    let resolved = try resolve(text: written, ["PRODUCT_MODULE_NAME": module])
    let parts = resolved.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let isOurs = parts.count == 1 || parts.count == 2 && parts[0] == module
    guard isOurs, let name = parts.last, ExtensionNames.isIdentifier(name) else {
      throw BundleError(
        .propertyList,
        "NSExtensionPrincipalClass is \(resolved); it must be a class of the module \(module)"
      )
    }
    return name
  }
}

/// Reads and writes files, with errors that name them.
enum Files {
  static func write(_ data: Data, to url: URL) throws {
    try attempt("\(url.path) cannot be written") { try data.write(to: url) }
  }

  static func makeFolder(_ url: URL) throws {
    try attempt("\(url.path) cannot be made") {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
  }

  static func attempt<Result>(_ failure: String, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as FileFailure {
      throw BundleError(.file, error.description)
    } catch {
      throw BundleError(.file, "\(failure): \(FileFailure.reason(of: error))")
    }
  }

  static func exists(_ url: URL) -> Bool {
    FileManager.default.fileExists(atPath: url.path)
  }
}
