/// Reads membership from build phases, as before Xcode 16.
struct BuildPhases {
  private let objects: ProjectObjects
  private let paths: ReferencePaths
  private let files: ProjectFiles
  private let platforms: Platforms
  private(set) var membership = Membership()

  init(_ project: XcodeProject, platforms: Platforms) {
    objects = project.objects
    paths = project.paths
    files = project.files
    self.platforms = platforms
  }

  /// Reads all phases of a target.
  mutating func read(_ target: ProjectObject) {
    for phase in objects.list(target, "buildPhases") {
      switch phase.isa {
      case "PBXSourcesBuildPhase": eachFile(of: phase) { $0.addSource($1, settings: $2) }
      case "PBXResourcesBuildPhase":
        eachFile(of: phase) { phases, reference, _ in phases.addResource(reference, below: "") }
      case "PBXFrameworksBuildPhase":
        eachFile(of: phase) { phases, reference, _ in phases.addLibrary(reference) }
      case "PBXCopyFilesBuildPhase": readCopying(phase)
      case "PBXHeadersBuildPhase": continue
      case "PBXShellScriptBuildPhase":
        membership.findings.append(
          .notTaken(
            "script",
            "script phase \"\(phase.string("name") ?? "Run Script")\"",
            "scripts of a project are not run",
            "do by hand what it does, before tickbird extension build"
          )
        )
      default:
        guard !phase.strings("files").isEmpty else { continue }
        membership.findings.append(
          .notTaken("build-phase", "build phase \(phase.isa)", "this kind of phase is not known")
        )
      }
    }
    for dependency in objects.list(target, "dependencies") {
      guard let other = objects[dependency.string("target")], other.isa != "PBXNativeTarget" else {
        continue
      }
      membership.findings.append(
        .notTaken(
          "dependency",
          "target \(other.label)",
          "the extension depends on it for what its scripts make, and scripts are not run",
          "do by hand what it does, before tickbird extension build"
        )
      )
    }
    for rule in objects.list(target, "buildRules") {
      membership.findings.append(
        .notTaken(
          "build-rule",
          "build rule \"\(rule.string("name") ?? rule.string("filePatterns") ?? rule.id)\"",
          "build rules are not run"
        )
      )
    }
  }

  private mutating func eachFile(
    of phase: ProjectObject,
    _ body: (inout BuildPhases, ProjectObject, [String: PropertyListNode]) -> Void
  ) {
    for id in phase.strings("files") {
      guard let file = objects[id] else {
        membership.findings.append(
          .note(
            "dangling",
            "build phase \(phase.isa)",
            "it names \(id), which is not in the project"
          )
        )
        continue
      }
      let single = file.string("platformFilter").map { [$0] } ?? []
      guard platforms.take(file.strings("platformFilters") + single) else { continue }
      // A package's product; packages are reported from the target's own list.
      guard file.string("productRef") == nil else { continue }
      guard let reference = objects[file.string("fileRef")] else {
        membership.findings.append(
          .note("dangling", "build file \(id)", "its file reference is not in the project")
        )
        continue
      }
      body(&self, reference, file.dictionary("settings"))
    }
  }

  private mutating func addSource(
    _ reference: ProjectObject,
    settings: [String: PropertyListNode]
  ) {
    guard reference.isa == "PBXFileReference" else {
      let name = reference.label
      if case .untaken(let code, let reason, let advice) = FileKind(name) {
        membership.findings.append(.notTaken(code, name, reason, advice))
      } else {
        // A definition with translations, such as intents.
        membership.findings.append(
          .notTaken("source-kind", name, "a \(reference.isa) cannot be compiled here")
        )
      }
      return
    }
    guard let path = path(of: reference) else { return }
    if let flags = settings["COMPILER_FLAGS"]?.string, !flags.isEmpty {
      membership.findings.append(
        .note("compiler-flags", files.shown(path), "its own compiler flags \(flags) are left out")
      )
    }
    membership.add(path, destination: "", shown: files.shown(path), compiles: true)
  }

  private mutating func path(of reference: ProjectObject) -> String? {
    switch paths.place(of: reference) {
    case .file(let path): return path
    case .elsewhere(let tree, let path):
      membership.findings.append(
        .notTaken(
          "elsewhere",
          path,
          tree == "BUILT_PRODUCTS_DIR"
            ? "it is made by another target of the project"
            : "it is below \(tree), which is not here"
        )
      )
      return nil
    }
  }

  private mutating func addResource(_ reference: ProjectObject, below folder: String) {
    switch reference.isa {
    case "PBXVariantGroup":
      // One file in several languages.
      for child in objects.list(reference, "children") where child.isa == "PBXFileReference" {
        addResource(child, below: folder)
      }
    case "PBXFileReference":
      guard let path = path(of: reference) else { return }
      let prefix = folder.isEmpty ? "" : folder + "/"
      membership.add(
        path,
        destination: prefix + Membership.destination(path),
        shown: files.shown(path),
        compiles: false
      )
    default:
      let kind = FileKind(reference.label)
      if case .untaken(let code, let reason, let advice) = kind {
        membership.findings.append(.notTaken(code, reference.label, reason, advice))
      } else {
        membership.findings.append(
          .notTaken(
            "reference",
            reference.label,
            "it is a \(reference.isa), something that another project makes"
          )
        )
      }
    }
  }

  private mutating func addLibrary(_ reference: ProjectObject) {
    let name = ReferencePaths.lastComponent(reference.string("path") ?? reference.label)
    var origin = Membership.Library.Origin.other("another project")
    if reference.isa == "PBXFileReference" {
      switch paths.place(of: reference) {
      case .elsewhere(let tree, _) where tree == "SDKROOT" || tree == "DEVELOPER_DIR":
        origin = .system
      case .elsewhere("BUILT_PRODUCTS_DIR", _):
        origin = .other("another target of the project, or CocoaPods")
      case .elsewhere(let tree, _): origin = .other(tree)
      case .file(let path):
        // Projects from before 2010 and other tools write out the paths of system folders.
        let isSystem = path.hasPrefix("/System/Library/") || path.hasPrefix("/usr/lib/")
        origin = isSystem ? .system : .other(files.shown(path))
      }
    }
    membership.libraries.append(Membership.Library(name: name, origin: origin))
  }

  private mutating func readCopying(_ phase: ProjectObject) {
    let name = phase.string("name") ?? "Copy Files"
    let folder = phase.string("dstPath") ?? ""
    // Embeds frameworks, which are linked into the executable here or reported where they are
    // linked.
    guard phase.string("dstSubfolderSpec") != "10" else { return }
    switch phase.string("dstSubfolderSpec") ?? phase.string("dstSubfolder") ?? "" {
    case "7", "1", "Resources", "Wrapper":
      guard !folder.contains("$"), !folder.split(separator: "/").contains("..") else { fallthrough }
      let below = folder.split(separator: "/").joined(separator: "/")
      eachFile(of: phase) { phases, reference, _ in phases.addResource(reference, below: below) }
    default:
      let names = phase.strings("files").compactMap { objects[objects[$0]?.string("fileRef")] }
        .map { ReferencePaths.lastComponent($0.string("path") ?? $0.label) }
      guard !phase.strings("files").isEmpty else { return }
      membership.findings.append(
        .notTaken(
          "copy-phase",
          "copy phase \"\(name)\"",
          "it copies \(names.isEmpty ? "products" : names.joined(separator: ", ")) to a place that a "
            + "bundle here does not have"
        )
      )
    }
  }
}
