internal import ContentRules
internal import ResourceLoads

/// The kinds of loads that a rule's flags select, apart from the party.
struct LoadKinds {
  /// Loads that one browser rule covers.
  struct Group {
    var types: ResourceType
    var methods: [String] = []
  }

  var groups: [Group] = []
  var differences: [Difference] = []
  /// Why the flags cannot be expressed; then there are no groups.
  var fault: Difference?

  private static let documents: ResourceType = [.topDocument, .childDocument]
  /// Types that the browser does not distinguish from others.
  static let untold: ResourceType = [.popup, .svgDocument]

  /// Reads a trigger's flags.
  ///
  /// - Parameters:
  ///   - flags: The flags.
  ///   - narrowed: The types to which they are narrowed.
  init(_ flags: TriggerFlags, among narrowed: ResourceType) {
    var types = flags.resourceTypes.isEmpty ? ResourceType.all : flags.resourceTypes
    if !flags.resourceTypes.isEmpty, !types.isDisjoint(with: Self.untold) {
      guard !types.isSubset(of: Self.untold) else {
        fault = .typesUnknown
        return
      }
      differences.append(.otherTypesOnly)
    }
    types.subtract(Self.untold)
    types.formIntersection(narrowed)
    switch flags.loadContexts {
    case .topFrame:
      types.remove(.childDocument)
      if !types.subtracting(.topDocument).isEmpty { differences.append(.allFrames) }
    case .childFrame:
      types.remove(.topDocument)
      if !types.subtracting(.childDocument).isEmpty {
        guard types.contains(.childDocument) else {
          fault = .subresourcesOfFrames
          return
        }
        differences.append(.documentsOnly)
        types = .childDocument
      }
    default: break
    }
    guard let method = flags.requestMethod else {
      if !types.isEmpty { groups = [Group(types: types)] }
      return
    }
    let documents = types.intersection(Self.documents)
    if !documents.isEmpty, method != .trace {
      groups.append(Group(types: documents, methods: ["\(method)"]))
    }
    let others = types.subtracting(Self.documents)
    guard !others.isEmpty else { return }
    if method == .get {
      groups.append(Group(types: others))
      differences.append(.pageMethodIsGet)
    } else if groups.isEmpty {
      fault = .pageMethod
    } else {
      differences.append(.documentsOnly)
    }
  }
}

extension DeclarativeBrowser {
  /// Returns the browser's names of types, for URLs with the given schemes.
  func names(of types: ResourceType, schemes: (sockets: Bool, others: Bool)) -> [String] {
    self.types.filter { type in
      guard type.name == "websocket" ? schemes.sockets : schemes.others else { return false }
      return types.contains(type.type)
    }.map(\.name)
  }
}
