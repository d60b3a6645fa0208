/// One object of a project's `objects`.
struct ProjectObject: Sendable {
  /// Its key in `objects`, 24 hexadecimal digits in projects that Xcode wrote.
  let id: String
  /// Its class, such as `PBXGroup`.
  let isa: String
  let fields: [String: PropertyListNode]

  func string(_ key: String) -> String? { fields[key]?.string }

  func strings(_ key: String) -> [String] { fields[key]?.array?.compactMap(\.string) ?? [] }

  func dictionary(_ key: String) -> [String: PropertyListNode] { fields[key]?.dictionary ?? [:] }

  /// Its name for people.
  var label: String { string("name") ?? string("path") ?? id }
}

/// The objects of a project and how they refer to each other.
///
/// Ignores dangling references and values of the wrong type, as Xcode does: merges leave such
/// projects behind.
struct ProjectObjects: Sendable {
  /// The objects by identifier.
  let all: [String: ProjectObject]
  /// The `PBXProject`.
  let project: ProjectObject

  /// Reads the objects of a parsed project file.
  ///
  /// - Throws: ``XcodeProjectError`` with code `.project`.
  init(_ root: PropertyListNode, name: String) throws {
    guard let fields = root.dictionary, let nodes = fields["objects"]?.dictionary else {
      throw XcodeProjectError(.project, "\(name) is no Xcode project: it has no objects")
    }
    var all: [String: ProjectObject] = [:]
    for (id, node) in nodes {
      guard let fields = node.dictionary, let isa = fields["isa"]?.string else { continue }
      all[id] = ProjectObject(id: id, isa: isa, fields: fields)
    }
    guard let id = fields["rootObject"]?.string, let project = all[id],
      project.isa == "PBXProject"
    else {
      throw XcodeProjectError(
        .project,
        "\(name) is no Xcode project: its rootObject is not a PBXProject"
      )
    }
    self.all = all
    self.project = project
  }

  subscript(id: String?) -> ProjectObject? { id.flatMap { all[$0] } }

  /// Returns the objects that a list refers to, in its order.
  func list(_ object: ProjectObject, _ key: String) -> [ProjectObject] {
    object.strings(key).compactMap { all[$0] }
  }

  /// Returns all objects of a class, in the order of their identifiers.
  func all(_ isa: String) -> [ProjectObject] {
    all.values.filter { $0.isa == isa }.sorted { $0.id < $1.id }
  }

  /// The targets, in the project's order.
  var targets: [ProjectObject] { list(project, "targets") }
}
