import DurableFiles
import ExtensionBundles
import Foundation

extension ImportPlanBuilder {
  /// Adds Swift sources to a module's folder, and reports what in them will not compile.
  ///
  /// A file that imports or uses what is not there cannot be compiled, so it is left out: often these
  /// are views, which no handler needs. The extension's own class stays, to be edited.
  ///
  /// - Parameters:
  ///   - sources: The sources.
  ///   - folder: The folder of the module in the result.
  ///   - check: What the sources are checked by.
  ///   - principalClass: The class that handles requests; `nil` in the modules that an extension
  ///     imports.
  /// - Returns: The modules that the added sources import.
  mutating func addSources(
    _ sources: [Membership.Source],
    into folder: String,
    check: SourceCheck,
    principalClass: String? = nil
  ) -> Set<String> {
    var modules: Set<String> = []
    var seen: Set<String> = []
    for source in sources where seen.insert(source.path).inserted {
      let shown = project.files.shown(source.path)
      let name = ReferencePaths.lastComponent(source.path)
      guard isTakable(source.path, limit: ProjectFiles.Limits.source) else { continue }
      if ["main.swift", EntryPoint.fileName, EntryPoint.importsFileName].contains(name) {
        findings.append(
          .notTaken(
            "entry-point",
            shown,
            "the extension's entry point is \(EntryPoint.fileName)",
            "move what the handler needs into another file"
          )
        )
        continue
      }
      let destination = "\(folder)/\(name)"
      guard taken.insert(destination.lowercased()).inserted else {
        findings.append(
          .notTaken(
            "same-name",
            shown,
            "the target has another source of this name, which a Swift module cannot have",
            "rename one of them"
          )
        )
        continue
      }
      do {
        let bytes = try project.files.read(source.path, limit: ProjectFiles.Limits.source)
        let result = check.check(bytes, shown: shown)
        // Each finding is an error of the compiler's.
        let obstacle = result.findings.first
        if principalClass == nil, let obstacle {
          findings.append(
            .note("left-out", obstacle.subject, "\(obstacle.reason); left out of its module")
          )
          leaveOut(bytes, shown, obstacle)
          continue
        }
        findings += result.findings
        if let obstacle, let principalClass, !SourceCheck.declares(principalClass, in: bytes) {
          leaveOut(bytes, shown, obstacle)
          popovers += SourceCheck.subclasses(of: Self.popoverController, in: bytes)
            .map { ($0, shown) }
          findings.append(
            .notTaken(
              "left-out",
              shown,
              "it cannot be compiled, see above, and is left out",
              "if the handler needs it, copy it to \(destination) and edit it there"
            )
          )
          continue
        }
        if !result.otherNames.isEmpty {
          leftOut.append(
            BuildExplanation.LeftOut(
              file: shown,
              reason: "between #if and #endif",
              names: result.otherNames,
              isPart: true
            )
          )
        }
        modules.formUnion(result.modules)
        files.append(
          ImportPlan.File(path: destination, contents: .copied(source.path), origin: shown)
        )
      } catch let error as XcodeProjectError {
        findings.append(.notTaken("file", shown, error.reason(about: shown)))
      } catch {
        findings.append(.notTaken("file", shown, FileFailure.reason(of: error)))
      }
    }
    return modules
  }

  /// Records what a source that is left out would have declared, to explain a build that misses it.
  private mutating func leaveOut(_ bytes: [UInt8], _ shown: String, _ obstacle: Finding) {
    leftOut.append(
      BuildExplanation.LeftOut(
        file: shown,
        reason: "\(obstacle.subject): \(obstacle.reason)",
        names: SourceCheck.declarations(in: bytes)
      )
    )
  }

  /// Whether a file can be read; reports why if it cannot.
  mutating func isTakable(_ path: String, limit: Int) -> Bool {
    let shown = project.files.shown(path)
    switch project.files.entry(path) {
    case .file(let size):
      bytes += size
      guard size <= limit, bytes <= ProjectFiles.Limits.total else {
        findings.append(
          .notTaken(
            "too-large",
            shown,
            size <= limit
              ? "all files together have more than \(ProjectFiles.Limits.total >> 30) GiB"
              : "it has \(size) bytes, more than the \(limit) that are taken"
          )
        )
        return false
      }
      return true
    case .missing:
      findings.append(
        .notTaken("missing", shown, "the project names it, but it is not there\(similar(path))")
      )
    case .outside:
      findings.append(
        .notTaken(
          "outside",
          shown,
          "it is outside of \(project.files.root), or a link that leads there",
          "copy it into the repository"
        )
      )
    case .folder: findings.append(.notTaken("folder", shown, "it is a folder, not a file"))
    case .unusual(let reason): findings.append(.notTaken("link", shown, "it \(reason)"))
    }
    return false
  }

  /// Returns a hint about a file whose name differs only in case, which is the same file on a Mac.
  private func similar(_ path: String) -> String {
    let folder = ReferencePaths.joined(path, "..")
    guard project.files.entry(folder) == .folder else { return "" }
    let name = ReferencePaths.lastComponent(path)
    let found = project.files.names(in: folder)?.first { $0.lowercased() == name.lowercased() }
    return found.map { "; there is \($0), whose letters differ in case" } ?? ""
  }

  /// Returns the modules of the project itself and its packages, with where they come from.
  func projectModules() -> [String: String] {
    var result: [String: String] = [:]
    for product in project.objects.all("XCSwiftPackageProductDependency") {
      guard let name = product.string("productName") else { continue }
      result[name] = "a product of a package" + packageName(of: product)
    }
    for target in project.objects.targets where target.id != object.id {
      let module = SettingModifier.apply("c99extidentifier", to: target.label) ?? target.label
      result[module] = "the target \(target.label) of this project"
    }
    return result
  }

  private func packageName(of product: ProjectObject) -> String {
    let package = project.objects[product.string("package")]
    let place = package?.string("repositoryURL") ?? package?.string("relativePath")
    return place.map { " (\($0))" } ?? ""
  }

  /// Reports the packages that the target depends on.
  mutating func addPackages() {
    for product in project.objects.list(object, "packageProductDependencies") {
      findings.append(
        .notTaken(
          "package",
          "package product \(product.string("productName") ?? product.id)",
          "package dependencies are not taken\(packageName(of: product))",
          "if it builds on Linux, add it to Package.swift by hand"
        )
      )
    }
  }

  /// Reports the frameworks and libraries that are omitted.
  ///
  /// Ignores Apple's frameworks that no source imports: old templates link some needlessly.
  mutating func addLibraries(
    _ libraries: [Membership.Library],
    _ modules: Set<String>,
    built: Set<String>
  ) {
    for library in libraries {
      let module = library.name.split(separator: ".").first.map(String.init) ?? library.name
      // Built along if it is imported, and otherwise not needed.
      guard !built.contains(SettingModifier.apply("c99extidentifier", to: module) ?? module) else {
        continue
      }
      switch library.origin {
      case .system:
        let isHere = SourceCheck.appleModules[module] != nil || module == "Foundation"
        // An import of it has been reported with its line.
        guard !isHere, !modules.contains(module) else { continue }
        findings.append(
          .note("framework", library.name, "it is linked, but no source imports it: left out")
        )
      case .other(let place):
        findings.append(
          .notTaken(
            "framework",
            library.name,
            "frameworks and libraries for Apple's systems are not taken (from \(place))",
            "add their sources to Sources"
          )
        )
      }
    }
  }
}
