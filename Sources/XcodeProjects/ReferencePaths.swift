/// Resolves the paths of files in a project's groups.
struct ReferencePaths: Sendable {
  /// A place that a reference names.
  enum Place: Equatable, Sendable {
    /// An absolute path, without `.` and `..`.
    case file(String)
    /// Below a folder of Apple's tools or of the build, such as `SDKROOT`.
    case elsewhere(tree: String, path: String)
  }

  let objects: ProjectObjects
  private let sourceRoot: String
  private let parents: [String: String]
  /// Where each group is.
  private var groups: [String: Chain] = [:]

  /// The paths of groups up to one that says where it is, from there on.
  private struct Chain {
    /// What the path is below.
    var tree = "SOURCE_ROOT"
    var path = ""
    /// What systems take of a path, in bytes, and more.
    private static let longest = 4096

    /// What a reference is in this group.
    func appending(_ object: ProjectObject) -> Chain {
      let own = object.string("path") ?? ""
      let tree = object.string("sourceTree") ?? "<group>"
      guard tree == "<group>" else { return Chain(tree: tree, path: own) }
      // Most groups have no path of their own. No file has a path that is too long for the system.
      if own.isEmpty || path.utf8.count > Self.longest { return self }
      return Chain(tree: self.tree, path: path.isEmpty ? own : path + "/" + own)
    }
  }

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
    for parent in Set(parents.values).sorted() { addGroups(upTo: parent) }
  }

  /// Notes where a group is, and those above it.
  ///
  /// Each once: projects nest groups deeply. Of a cycle one group is taken to be in none.
  private mutating func addGroups(upTo group: String) {
    var path: [ProjectObject] = []
    var visited: Set<String> = []
    var current = objects[group]
    while let here = current, groups[here.id] == nil, visited.insert(here.id).inserted {
      path.append(here)
      current = objects[parents[here.id]]
    }
    var chain = current.flatMap { groups[$0.id] } ?? Chain()
    for group in path.reversed() {
      chain = chain.appending(group)
      groups[group.id] = chain
    }
  }

  /// The folder that `SOURCE_ROOT` means.
  var root: String { sourceRoot }

  /// Returns the place of a reference or group.
  func place(of object: ProjectObject) -> Place {
    let group = parents[object.id].flatMap { groups[$0] } ?? Chain()
    let chain = groups[object.id] ?? group.appending(object)
    return switch chain.tree {
    case "SOURCE_ROOT": .file(Self.joined(sourceRoot, chain.path))
    case "<absolute>": .file(Self.joined("/", chain.path))
    case let tree: .elsewhere(tree: tree, path: chain.path)
    }
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
