import ExtensionBundles
import Foundation

/// The modules of a project that its extension imports and that are built along: its framework and
/// library targets.
extension ImportPlanBuilder {
  private enum Limits {
    /// The number of modules; real extensions import a handful.
    static let modules = 64
  }

  /// Names that a module of a project cannot have, because the build has modules of these names.
  private static let reserved: Set<String> = [
    "AppKitCore", "AppleModules", "AppleSubmodules", "CLibrary", "CodedErrors", "ExtensionMessages",
    "ExtensionRuntime", "UIKitCore",
  ]

  /// Returns the targets of the project that make a module, by the module's name.
  func moduleTargets() -> [String: ProjectObject] {
    var result: [String: ProjectObject] = [:]
    for target in project.objects.targets where target.id != object.id {
      let type = target.string("productType") ?? ""
      let kinds = ["product-type.framework", "product-type.library"]
      guard kinds.contains(where: { type.firstRange(of: $0) != nil }) else {
        continue
      }
      let reader = TargetReader(project, target, configuration: request.configuration)
      let settings = try? TargetSettings(project)
        .settings(of: target, configuration: reader.configuration).settings
      guard let name = try? settings?.value("PRODUCT_MODULE_NAME"),
        ExtensionNames.isIdentifier(name), !Self.reserved.contains(name),
        SourceCheck.appleModules[name] == nil, SourceCheck.optionalModules[name] == nil,
        result[name] == nil
      else { continue }
      result[name] = target
    }
    return result
  }

  /// Adds the modules that sources import, and those that these import in turn.
  ///
  /// - Returns: The modules, ordered by their names.
  mutating func addModules(
    _ imported: Set<String>,
    from targets: [String: ProjectObject]
  ) throws -> [SwiftPackageManifest.Module] {
    var modules: [String: SwiftPackageManifest.Module] = [:]
    var open = imported.filter { targets[$0] != nil }.sorted()
    while let name = open.popLast() {
      guard modules[name] == nil, let target = targets[name] else { continue }
      guard modules.count < Limits.modules else {
        findings.append(
          .notTaken(
            "too-large",
            "target \(target.label)",
            "the extension imports more than \(Limits.modules) modules of its project"
          )
        )
        break
      }
      let module = try addModule(name, target, of: targets)
      modules[name] = module
      open += module.dependencies.modules
    }
    return modules.values.sorted { $0.name < $1.name }
  }

  /// Returns what a module that imports others depends on.
  func dependencies(
    on imported: Set<String>,
    from targets: [String: ProjectObject]
  ) -> SwiftPackageManifest.Dependencies {
    SwiftPackageManifest.Dependencies(
      modules: imported.filter { targets[$0] != nil }.sorted(),
      products: imported.filter { SourceCheck.optionalModules[$0] != nil }.sorted()
    )
  }

  private mutating func addModule(
    _ name: String,
    _ target: ProjectObject,
    of targets: [String: ProjectObject]
  ) throws -> SwiftPackageManifest.Module {
    let reader = TargetReader(project, target, configuration: request.configuration)
    let settings = try TargetSettings(project)
      .settings(of: target, configuration: reader.configuration).settings
    let language = try LanguageSettings(
      settings,
      target: target.label,
      wanted: request.languageMode
    )
    let membership = try reader.membership(settings, try Platforms(settings))
    // Views and what else a framework has for its app are of no use to a handler.
    let relevant: Set<String> = ["c", "missing", "objective-c", "outside", "script", "too-large"]
    findings += membership.findings.filter { relevant.contains($0.code) } + language.findings
    let folder = "\(SwiftPackageManifest.modulesFolder)/\(name)"
    let check = SourceCheck(
      projectModules: projectModules(),
      ownModule: name,
      builtModules: Set(targets.keys),
      defines: Set(language.defines)
    )
    let imported = addSources(
      membership.sources,
      into: folder,
      check: check
    )
    add("\(folder)/\(EntryPoint.importsFileName)", Data(EntryPoint.imports.utf8), origin: nil)
    addModuleResources(membership.resources)
    findings.append(
      .note("module", "target \(target.label)", "its module \(name) is built along")
    )
    return SwiftPackageManifest.Module(
      name: name,
      dependencies: dependencies(on: imported.subtracting([name]), from: targets),
      settings: language.settings
    )
  }

  /// Adds the resources of a framework to those of the extension, which is what `Bundle(for:)`
  /// returns for a class of a module that is linked into it.
  private mutating func addModuleResources(_ resources: [Membership.Resource]) {
    for resource in resources where ReferencePaths.fileExtension(resource.path) != "plist" {
      addResource(resource, reserved: [])
    }
  }
}
