public import ExtensionBundles
public import Foundation

/// What an import will write, and what it will omit.
///
/// Making a plan writes nothing.
public struct ImportPlan: Sendable {
  /// A file of the new folder.
  public struct File: Equatable, Sendable {
    /// The source of its contents.
    public enum Contents: Equatable, Sendable {
      /// They are generated.
      case made(Data)
      /// They are copied from an absolute path.
      case copied(String)
    }

    /// Its path in the folder.
    public let path: String
    /// Its contents.
    public let contents: Contents
    /// The path in the repository of its source; `nil` if it has several.
    public let origin: String?
  }

  /// The target that is imported.
  public let target: ExtensionTarget
  /// The extension point.
  public let point: ExtensionPoint
  /// The configuration that is used.
  public let configuration: String
  /// The extension's names.
  public let names: ExtensionNames
  /// The files, ordered by their paths.
  public let files: [File]
  /// What is omitted or will not compile, and what was decided; deduplicated, gravest first.
  public let findings: [Finding]
  /// The folders of the project, which must not be replaced by the result.
  let projectFolder: String

  /// Whether everything was imported.
  public var isComplete: Bool { !findings.contains { $0.severity == .notTaken } }
}

extension XcodeProject {
  /// Plans an import.
  ///
  /// - Throws: ``XcodeProjectError`` if nothing that can be built would remain: code `.choice`,
  ///   `.settings`, `.target`, `.file` or `.syntax`.
  public func plan(_ request: ImportRequest) throws -> ImportPlan {
    let (target, object) = try choose(request)
    var builder = ImportPlanBuilder(self, target, object, request)
    return try builder.plan()
  }
}

/// Builds a plan.
struct ImportPlanBuilder {
  let project: XcodeProject
  let target: ExtensionTarget
  let object: ProjectObject
  let request: ImportRequest
  var files: [ImportPlan.File] = []
  var findings: [Finding] = []
  /// Paths in use, in lower case.
  var taken: Set<String> = []
  var bytes = 0
  var leftOut: [BuildExplanation.LeftOut] = []
  /// The controllers of pop-overs among the sources that are left out, with their files.
  var popovers: [(name: String, file: String)] = []

  init(
    _ project: XcodeProject,
    _ target: ExtensionTarget,
    _ object: ProjectObject,
    _ request: ImportRequest
  ) {
    self.project = project
    self.target = target
    self.object = object
    self.request = request
  }

  mutating func plan() throws -> ImportPlan {
    let reader = TargetReader(project, object, configuration: request.configuration)
    let (settings, settingFindings) = try TargetSettings(project)
      .settings(of: object, configuration: reader.configuration)
    findings += settingFindings
    if request.target == nil, !target.variants.isEmpty {
      let others = target.variants.map { "\"\($0)\"" }.joined(separator: " and ")
      findings.append(
        .note(
          "variant",
          "target \(target.name)",
          "it is taken, and not \(others), the same extension for another system",
          "choose another with --target"
        )
      )
    }
    var information = try InformationMerge(project, settings).merged()
    findings += information.findings
    guard let point = target.point else {
      throw XcodeProjectError(.target, "the target \(target.name) cannot be taken")
    }
    let membership = try reader.membership(settings, try Platforms(settings))
    findings += membership.findings
    let names = try names(settings, &information)
    let language = try LanguageSettings(
      settings,
      target: target.name,
      wanted: request.languageMode
    )
    if let header = try settings.value("SWIFT_OBJC_BRIDGING_HEADER"), !header.isEmpty {
      findings.append(
        .notTaken(
          "bridging-header",
          header,
          "a bridging header brings in Objective-C or C, which is not taken",
          "write in Swift what the sources use of it"
        )
      )
    }
    let targets = moduleTargets()
    let imported = addSources(
      membership.sources,
      into: "Sources/\(names.module)",
      check: SourceCheck(
        projectModules: projectModules(),
        ownModule: names.module,
        builtModules: Set(targets.keys),
        defines: Set(language.defines)
      ),
      principalClass: information.principalClass ?? point.principalClass
    )
    let modules = try addModules(imported, from: targets)
    addLibraries(membership.libraries, imported, built: Set(targets.keys))
    addPackages()
    addResources(membership.resources, names)
    if point == .webExtension { checkWebExtension() }
    if point == .appExtension {
      checkAppExtension(information)
      standInForPopovers(names)
    }
    let hasSources = files.contains { $0.path.hasPrefix("Sources/") }
    try checkHandler(hasSources: hasSources, point, names, &information)
    if hasSources {
      findings += language.findings
      addPackage(
        names,
        language,
        modules,
        dependencies(on: imported, from: targets)
      )
    }
    add("Info.plist", try Self.plist(information.values), origin: nil)
    try addEntitlements(settings, names)
    if !leftOut.isEmpty {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      add(BuildExplanation.recordName, try encoder.encode(leftOut), origin: nil)
    }
    return ImportPlan(
      target: target,
      point: point,
      configuration: reader.configuration,
      names: names,
      files: files.sorted { $0.path < $1.path },
      findings: ordered(),
      projectFolder: project.paths.root
    )
  }

  private func ordered() -> [Finding] {
    var seen: Set<Finding> = []
    let unique = findings.filter { seen.insert($0).inserted }
    return unique.filter { $0.severity == .notTaken } + unique.filter { $0.severity == .note }
  }

  mutating func add(_ path: String, _ data: Data, origin: String?) {
    files.append(ImportPlan.File(path: path, contents: .made(data), origin: origin))
  }

  static func plist(_ values: [String: Any]) throws -> Data {
    do {
      return try PropertyListFile.data(values)
    } catch {
      throw XcodeProjectError(.target, "the property lists of the target cannot be written again")
    }
  }

  /// Determines the names, and the keys of `Info.plist` that depend on them.
  private mutating func names(
    _ settings: BuildSettings,
    _ information: inout InformationMerge.Information
  ) throws -> ExtensionNames {
    var product = try settings.value("PRODUCT_NAME") ?? target.name
    let module = try settings.value("PRODUCT_MODULE_NAME") ?? ""
    if let name = information.values["CFBundleName"] as? String, !name.isEmpty {
      if (try? ExtensionNames(product: name)) != nil { product = name }
    }
    let fallback: ExtensionNames
    do {
      fallback = try ExtensionNames(product: product)
    } catch let error as BundleError {
      throw XcodeProjectError(.target, error.message)
    }
    let isPlain = module.utf8.allSatisfy { $0 < 0x80 }
    let names = isPlain ? try? ExtensionNames(product: product, module: module) : nil
    if names == nil {
      findings.append(
        .note(
          "module-name",
          "target \(target.name)",
          "the module's name \"\(module)\" becomes \(fallback.module)"
        )
      )
    }
    let result = names ?? fallback
    information.values["CFBundleName"] = result.product
    // The build adds these.
    information.values["CFBundleExecutable"] = nil
    information.values["CFBundlePackageType"] = nil
    for (key, value) in information.values where value as? String == "" {
      information.values[key] = nil
    }
    if var nsExtension = information.nsExtension {
      let key = "NSExtensionPrincipalClass"
      if let name = nsExtension[key] as? String, name.hasPrefix(module + ".") {
        nsExtension[key] = "$(PRODUCT_MODULE_NAME)" + name.dropFirst(module.count)
      }
      information.values["NSExtension"] = nsExtension
    }
    try checkIdentifier(settings, &information)
    return result
  }

  private mutating func checkIdentifier(
    _ settings: BuildSettings,
    _ information: inout InformationMerge.Information
  ) throws {
    let key = "CFBundleIdentifier"
    if information.values[key] == nil {
      information.values[key] = try settings.value("PRODUCT_BUNDLE_IDENTIFIER")
    }
    let identifier = information.values[key] as? String ?? ""
    guard !ExtensionNames.isBundleIdentifier(identifier) else { return }
    let name = SettingModifier.apply("rfc1034identifier", to: target.name) ?? "extension"
    let replacement = "com.example.\(name)"
    information.values[key] = replacement
    findings.append(
      .notTaken(
        "bundle-identifier",
        "target \(target.name)",
        "\"\(identifier)\" is not a bundle identifier; \(replacement) is used instead",
        "write the right one into Info.plist"
      )
    )
  }

  private mutating func addPackage(
    _ names: ExtensionNames,
    _ language: LanguageSettings,
    _ modules: [SwiftPackageManifest.Module],
    _ dependencies: SwiftPackageManifest.Dependencies
  ) {
    var manifest = SwiftPackageManifest(names: names, modulesPath: request.modulesPath)
    manifest.settings = language.settings
    manifest.modules = modules
    manifest.dependencies = dependencies
    add("Package.swift", Data(manifest.text.utf8), origin: nil)
    add(".gitignore", Data(".build/\nbuild/\nPackage.resolved\n".utf8), origin: nil)
  }

  private mutating func addEntitlements(
    _ settings: BuildSettings,
    _ names: ExtensionNames
  ) throws {
    guard let entitlements = try InformationMerge(project, settings).entitlements() else {
      findings.append(
        .note(
          "no-entitlements",
          "target \(target.name)",
          "it has no entitlements, as projects for iOS have none",
          "if the extension uses the network, the user is asked to allow it"
        )
      )
      return
    }
    findings += entitlements.findings
    guard !entitlements.values.isEmpty else { return }
    add("\(names.product).entitlements", try Self.plist(entitlements.values), origin: nil)
  }

  /// Checks that there is something to build, and writes the entry point for it.
  private mutating func checkHandler(
    hasSources: Bool,
    _ point: ExtensionPoint,
    _ names: ExtensionNames,
    _ information: inout InformationMerge.Information
  ) throws {
    guard hasSources else {
      guard point == .contentBlocker, taken.contains("resources/blockerlist.json") else {
        let reasons = ordered().filter { $0.severity == .notTaken }.map(\.line)
        throw XcodeProjectError(
          .target,
          "the target \(target.name) has no Swift that can be taken"
            + (reasons.isEmpty ? "" : ": " + reasons.joined(separator: ". "))
        )
      }
      findings.append(
        .note(
          "list-only",
          "target \(target.name)",
          "without Swift the result is a content blocker that is its blockerList.json alone"
        )
      )
      return
    }
    let key = "NSExtensionPrincipalClass"
    let written = information.nsExtension?[key] as? String
    let plain = written?.split(separator: ".").last.map(String.init) ?? ""
    let isOurs =
      written == plain || written == "$(PRODUCT_MODULE_NAME).\(plain)"
      || written == "\(names.module).\(plain)"
    guard isOurs, ExtensionNames.isIdentifier(plain) else {
      var nsExtension = information.nsExtension ?? [:]
      nsExtension[key] = "$(PRODUCT_MODULE_NAME).\(point.principalClass)"
      information.values["NSExtension"] = nsExtension
      findings.append(
        .notTaken(
          "principal-class",
          "target \(target.name)",
          "its principal class is \(written.map { "\"\($0)\"" } ?? "not named"), which is not a class of "
            + "\(names.module); \(point.principalClass) is used instead",
          "write the class that handles requests into Info.plist"
        )
      )
      return addEntryPoint(point.principalClass, names)
    }
    addEntryPoint(plain, names)
  }

  private mutating func addEntryPoint(_ principalClass: String, _ names: ExtensionNames) {
    add(
      "Sources/\(names.module)/\(EntryPoint.fileName)",
      Data(EntryPoint.source(principalClass: principalClass).utf8),
      origin: nil
    )
  }
}
