import ExtensionBundles

extension ImportPlanBuilder {
  /// Adds resources at the paths that they have in Xcode's bundle.
  mutating func addResources(_ resources: [Membership.Resource], _ names: ExtensionNames) {
    var seen: Set<Membership.Resource> = []
    let reserved: Set = [
      "info.plist", ExtensionProject.entitlementsName.lowercased(), names.module.lowercased(),
    ]
    for resource in resources where seen.insert(resource).inserted {
      addResource(resource, reserved: reserved)
    }
  }

  /// Adds a file or folder; `reserved` are the names of parts of the bundle itself, in lower case.
  mutating func addResource(_ resource: Membership.Resource, reserved: Set<String>) {
    if project.files.entry(resource.path) == .folder {
      addFolder(resource, reserved)
    } else {
      addFile(resource.path, to: resource.destination, reserved)
    }
  }

  private mutating func addFile(_ path: String, to destination: String, _ reserved: Set<String>) {
    guard isTakable(path, limit: ProjectFiles.Limits.resource) else { return }
    let shown = project.files.shown(path)
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

  private mutating func addFolder(_ resource: Membership.Resource, _ reserved: Set<String>) {
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
          addFile("\(path)/\(name)", to: "\(place)/\(name)", reserved)
        }
      }
    }
  }
}
