/// Resolves the paths of files in a project's groups.
struct ReferencePaths: Sendable {
  /// A place that a reference names.
  enum Place: Equatable, Sendable {
    /// An absolute path, without `.` and `..`.
    case file(String)
    /// Below a folder of Apple's tools or of the build, such as `SDKROOT`.
    case elsewhere(tree: String, path: String)
  }

  private let objects: ProjectObjects
  private let sourceRoot: String
  private let parents: [String: String]

  /// Creates a resolver; `folder` is the absolute path of the project's folder.
  init(_ objects: ProjectObjects, folder: String) {
    self.objects = objects
    sourceRoot = Self.joined(folder, objects.project.string("projectDirPath") ?? "")
    var parents: [String: String] = [:]
    for object in objects.all.values.sorted(by: { $0.id < $1.id }) {
      for child in object.strings("children") where parents[child] == nil {
        parents[child] = object.id
      }
    }
    self.parents = parents
  }

  /// The folder that `SOURCE_ROOT` means.
  var root: String { sourceRoot }

  /// Returns the place of a reference or group.
  func place(of object: ProjectObject) -> Place {
    // Stops at cycles of groups.
    var visited: Set<String> = []
    var parts: [String] = []
    var current: ProjectObject? = object
    while let here = current, visited.insert(here.id).inserted {
      // Most groups above have no path of their own.
      if let path = here.string("path"), !path.isEmpty { parts.append(path) }
      switch here.string("sourceTree") ?? "<group>" {
      case "<group>": current = objects[parents[here.id]]
      case "<absolute>": return .file(Self.joined("/", parts.reversed().joined(separator: "/")))
      case "SOURCE_ROOT": current = nil
      case let tree:
        return .elsewhere(tree: tree, path: parts.reversed().joined(separator: "/"))
      }
    }
    return .file(Self.joined(sourceRoot, parts.reversed().joined(separator: "/")))
  }

  /// Returns a path below a folder, or the path itself if it is absolute; resolves `.` and `..`
  /// textually.
  static func joined(_ folder: String, _ path: String) -> String {
    var parts: [Substring] = []
    for part in ((path.hasPrefix("/") ? "" : folder + "/") + path).split(separator: "/") {
      switch part {
      case ".": continue
      case "..": _ = parts.popLast()
      default: parts.append(part)
      }
    }
    return "/" + parts.joined(separator: "/")
  }

  /// Returns the last component of a path.
  static func lastComponent(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? ""
  }

  /// Returns a file's extension in lower case, without its dot; empty if there is none.
  static func fileExtension(_ path: String) -> String {
    let name = lastComponent(path)
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
    return name[name.index(after: dot)...].lowercased()
  }
}
