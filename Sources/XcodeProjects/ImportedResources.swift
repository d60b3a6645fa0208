import ExtensionBundles

extension ImportPlanBuilder {
  /// Adds resources at the paths that they have in Xcode's bundle.
  mutating func addResources(_ resources: [Membership.Resource], _ names: ExtensionNames) {
    var seen: Set<Membership.Resource> = []
    for resource in resources where seen.insert(resource).inserted {
      if project.files.entry(resource.path) == .folder {
        addFolder(resource, names)
      } else {
        addFile(resource.path, to: resource.destination, names)
      }
    }
  }

  private mutating func addFile(_ path: String, to destination: String, _ names: ExtensionNames) {
    guard isTakable(path, limit: ProjectFiles.Limits.resource) else { return }
    let shown = project.files.shown(path)
    let reserved = [
      "info.plist", ExtensionProject.entitlementsName.lowercased(), names.module.lowercased(),
    ]
    guard !reserved.contains(destination.lowercased()) else {
      findings.append(
        .notTaken(
          "reserved-name",
          shown,
          "it has the name of a part of the bundle itself",
          "rename it"
        )
      )
      return
    }
    let place = "Resources/\(destination)"
    guard taken.insert(place.lowercased()).inserted else {
      findings.append(
        .notTaken("same-name", shown, "another file is \(destination) in the bundle already")
      )
      return
    }
    files.append(ImportPlan.File(path: place, contents: .copied(path), origin: shown))
  }

  private mutating func addFolder(_ resource: Membership.Resource, _ own: ExtensionNames) {
    var open = [(path: resource.path, place: resource.destination, depth: 0)]
    var count = 0
    while let (path, place, depth) = open.popLast() {
      guard let names = project.files.names(in: path) else {
        findings.append(
          .notTaken("file", project.files.shown(path), "the folder cannot be read")
        )
        continue
      }
      for name in names {
        count += 1
        guard count <= ProjectFiles.Limits.entries, depth <= ProjectFiles.Limits.depth else {
          findings.append(
            .notTaken(
              "too-large",
              project.files.shown(resource.path),
              "more than \(ProjectFiles.Limits.entries) files, or folders nested more than "
                + "\(ProjectFiles.Limits.depth) deep; the rest is left out"
            )
          )
          return
        }
        if project.files.entry("\(path)/\(name)") == .folder {
          open.append(("\(path)/\(name)", "\(place)/\(name)", depth + 1))
        } else {
          addFile("\(path)/\(name)", to: "\(place)/\(name)", own)
        }
      }
    }
  }
}
