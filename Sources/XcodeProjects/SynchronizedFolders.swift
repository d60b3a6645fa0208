/// Reads membership from synchronized folders, as of Xcode 16.
///
/// A target that owns a folder has everything in it apart from the exceptions; for any other target
/// the exceptions are what it has.
struct SynchronizedFolders {
  private let objects: ProjectObjects
  private let paths: ReferencePaths
  private let files: ProjectFiles
  private let platforms: Platforms
  /// Files that the build reads itself, which therefore are not resources.
  private let settingsFiles: Set<String>
  private(set) var membership = Membership()

  init(_ project: XcodeProject, platforms: Platforms, settingsFiles: Set<String>) {
    objects = project.objects
    paths = project.paths
    files = project.files
    self.platforms = platforms
    self.settingsFiles = settingsFiles
  }

  /// A target's exceptions for one folder.
  private struct Exceptions {
    /// Paths below the folder; localized files without their `.lproj`.
    var paths: Set<String> = []
    var localized: Set<String> = []
    var filters: [String: [String]] = [:]
    /// Paths that a build phase copies, and their destinations; `nil` for one outside of the
    /// bundle.
    var copied: [String: String?] = [:]

    mutating func insert(_ path: String) {
      // Xcode 16 writes "/Localized: a/b.strings", its betas "/Localized/a/b.strings".
      for prefix in ["/Localized: ", "/Localized/"] where path.hasPrefix(prefix) {
        localized.insert(String(path.dropFirst(prefix.count)))
        return
      }
      paths.insert(path)
    }

    /// Whether they include a path, directly or by a folder.
    func name(_ path: String) -> Bool {
      if paths.contains(path) { return true }
      var parts = path.split(separator: "/")
      if let language = parts.lastIndex(where: { $0.hasSuffix(".lproj") }) {
        var plain = parts
        plain.remove(at: language)
        if localized.contains(plain.joined(separator: "/")) { return true }
      }
      while parts.count > 1 {
        parts.removeLast()
        if paths.contains(parts.joined(separator: "/")) { return true }
      }
      return false
    }
  }

  /// Reads all folders that a target owns or uses files of.
  mutating func read(_ target: ProjectObject) {
    let owned = Set(target.strings("fileSystemSynchronizedGroups"))
    for group in objects.all("PBXFileSystemSynchronizedRootGroup") {
      let isOwned = owned.contains(group.id)
      let exceptions = exceptions(of: group, for: target)
      if !isOwned, exceptions.paths.isEmpty, exceptions.localized.isEmpty, exceptions.copied.isEmpty
      {
        continue
      }
      read(group, isOwned: isOwned, exceptions)
    }
  }

  private func exceptions(of group: ProjectObject, for target: ProjectObject) -> Exceptions {
    var result = Exceptions()
    let phases = Set(target.strings("buildPhases"))
    for set in objects.list(group, "exceptions") {
      switch set.isa {
      case "PBXFileSystemSynchronizedBuildFileExceptionSet":
        guard set.string("target") == target.id else { continue }
        for path in set.strings("membershipExceptions") { result.insert(path) }
      case "PBXFileSystemSynchronizedGroupBuildPhaseMembershipExceptionSet":
        guard let phase = objects[set.string("buildPhase")], phases.contains(phase.id) else {
          continue
        }
        for path in set.strings("membershipExceptions") {
          result.copied[path] = .some(place(of: phase))
        }
      default: continue
      }
      for (path, filters) in set.dictionary("platformFiltersByRelativePath") {
        result.filters[path] = filters.strings
      }
    }
    return result
  }

  /// Returns the folder in the bundle that a phase copies to; `nil` for one outside of the bundle.
  private func place(of phase: ProjectObject) -> String? {
    switch phase.isa {
    case "PBXSourcesBuildPhase", "PBXResourcesBuildPhase": return ""
    case "PBXCopyFilesBuildPhase":
      let folder = phase.string("dstPath") ?? ""
      let spec = phase.string("dstSubfolderSpec") ?? phase.string("dstSubfolder") ?? ""
      guard ["7", "1", "Resources", "Wrapper"].contains(spec), !folder.contains("$"),
        !folder.split(separator: "/").contains("..")
      else { return nil }
      return folder.split(separator: "/").map { $0 + "/" }.joined()
    default: return nil
    }
  }

  private mutating func read(_ group: ProjectObject, isOwned: Bool, _ exceptions: Exceptions) {
    guard case .file(let folder) = paths.place(of: group) else {
      membership.findings.append(
        .notTaken("elsewhere", group.label, "the folder is in a place that is not here")
      )
      return
    }
    guard files.entry(folder) == .folder else {
      let isOutside = files.entry(folder) == .outside
      membership.findings.append(
        .notTaken(
          isOutside ? "outside" : "missing",
          files.shown(folder),
          isOutside ? "the folder is outside of \(files.root)" : "the folder is not there",
          isOutside ? "copy it into the repository" : nil
        )
      )
      return
    }
    let explicit = Set(group.strings("explicitFolders"))
    let types = group.dictionary("explicitFileTypes").compactMapValues(\.string)
    var found: Set<String> = []
    for path in paths(below: folder, explicit: explicit) {
      let isNamed = exceptions.name(path)
      if isNamed { found.insert(path) }
      let copied = exceptions.copied[path]
      guard isNamed != isOwned || copied != nil else { continue }
      guard platforms.take(exceptions.filters[path] ?? []) else { continue }
      add(
        ReferencePaths.joined(folder, path),
        isFolder: explicit.contains(path),
        type: types[path],
        copied: copied
      )
    }
    guard !isOwned else { return }
    for path in exceptions.paths.sorted() {
      let isThere = found.contains { $0 == path || $0.hasPrefix(path + "/") }
      // A hidden file such as .gitignore is listed by Xcode, and belongs to no bundle.
      let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") }
      guard !isThere, !isHidden else { continue }
      membership.findings.append(
        .notTaken(
          "missing",
          files.shown(ReferencePaths.joined(folder, path)),
          "the project names it, but it is not there"
        )
      )
    }
  }

  private mutating func add(_ path: String, isFolder: Bool, type: String?, copied: String??) {
    guard !settingsFiles.contains(path) else { return }
    let shown = files.shown(path)
    if case .some(.none) = copied {
      membership.findings.append(
        .notTaken("copy-phase", shown, "it is copied to a place that a bundle here does not have")
      )
      return
    }
    let prefix = (copied ?? "") ?? ""
    if isFolder {
      membership.resources.append(
        Membership.Resource(path: path, destination: prefix + ReferencePaths.lastComponent(path))
      )
      return
    }
    // Files of the build itself, which belong to no phase.
    let ending = ReferencePaths.fileExtension(path)
    guard !["entitlements", "xcconfig", "docc", "playground", "xcodeproj"].contains(ending) else {
      return
    }
    let isSwift = ending == "swift" && (type?.hasPrefix("sourcecode.swift") ?? true)
    membership.add(
      path,
      destination: prefix + Membership.destination(path),
      shown: shown,
      compiles: isSwift && copied == nil || isSwift && prefix.isEmpty
    )
  }

  /// Returns the paths of a folder's contents, in order; a folder that counts as one item is one
  /// path.
  private mutating func paths(below folder: String, explicit: Set<String>) -> [String] {
    var result: [String] = []
    var open = [(path: "", depth: 0)]
    var count = 0
    while let (below, depth) = open.popLast() {
      let here = below.isEmpty ? folder : "\(folder)/\(below)"
      guard let names = files.names(in: here) else {
        membership.findings.append(
          .notTaken("file", files.shown(here), "the folder cannot be read")
        )
        continue
      }
      for name in names where !name.hasPrefix(".") {
        count += 1
        let path = below.isEmpty ? name : "\(below)/\(name)"
        guard count <= ProjectFiles.Limits.entries, depth <= ProjectFiles.Limits.depth else {
          membership.findings.append(
            .notTaken(
              "too-large",
              files.shown(folder),
              "more than \(ProjectFiles.Limits.entries) files, or folders nested more than "
                + "\(ProjectFiles.Limits.depth) deep; the rest is left out"
            )
          )
          return result.sorted()
        }
        let isOne =
          explicit.contains(path) || FileKind.packages.contains(ReferencePaths.fileExtension(name))
        if !isOne, files.entry("\(folder)/\(path)") == .folder {
          open.append((path, depth + 1))
        } else {
          result.append(path)
        }
      }
    }
    return result.sorted()
  }
}
