public import ExtensionBundles

/// What to import, and how.
public struct ImportRequest: Sendable {
  /// The target's name; `nil` for the only one that can be imported.
  public var target: String?
  /// The configuration's name; nil for Release, or the project's default without one.
  public var configuration: String?
  /// The folder of the package with the modules that handlers import.
  public var modulesPath: String
  /// The language mode, overriding the project's.
  public var languageMode: SwiftPackageManifest.LanguageMode?

  /// Creates a request.
  public init(
    target: String? = nil,
    configuration: String? = nil,
    modulesPath: String,
    languageMode: SwiftPackageManifest.LanguageMode? = nil
  ) {
    self.target = target
    self.configuration = configuration
    self.modulesPath = modulesPath
    self.languageMode = languageMode
  }
}

extension XcodeProject {
  /// Chooses the target to import.
  ///
  /// - Throws: ``XcodeProjectError`` with code `.choice` or `.target`.
  func choose(_ request: ImportRequest) throws -> (ExtensionTarget, ProjectObject) {
    let targets = extensionTargets(configuration: request.configuration)
    let objects = extensionObjects
    guard !targets.isEmpty else {
      throw XcodeProjectError(.choice, "\(name) has no target that makes an app extension")
    }
    try checkConfiguration(request, objects)
    let candidates = zip(targets, objects).filter { target, _ in
      request.target.map { $0 == target.name } ?? (target.point != nil)
    }
    if let wanted = request.target, candidates.isEmpty {
      let isOther = self.objects.targets.contains { $0.label == wanted }
      throw XcodeProjectError(
        .choice,
        isOther
          ? "the target \(wanted) makes no app extension" : "\(name) has no target \(wanted)"
      )
    }
    guard let choice = Self.only(candidates) else {
      let names = candidates.map { "\"\($0.0.name)\"" }.joined(separator: ", ")
      throw XcodeProjectError(
        .choice,
        candidates.isEmpty
          ? "\(name) has no extension that can be taken"
          : "\(name) has several extensions; choose one with --target: \(names)"
      )
    }
    if case .refused(let reason) = choice.0.status {
      throw XcodeProjectError(.target, "the target \(choice.0.name) cannot be taken: \(reason)")
    }
    return choice
  }

  /// Returns the only candidate, or of one extension's variants the preferred one.
  private static func only(
    _ candidates: [(ExtensionTarget, ProjectObject)]
  ) -> (ExtensionTarget, ProjectObject)? {
    let areVariants = candidates.allSatisfy { one, _ in
      candidates.allSatisfy { $0.0.name == one.name || one.variants.contains($0.0.name) }
    }
    guard areVariants else { return nil }
    return candidates.min { $0.0.preference < $1.0.preference }
  }

  private func checkConfiguration(_ request: ImportRequest, _ targets: [ProjectObject]) throws {
    guard let configuration = request.configuration else { return }
    let asked = targets.filter { request.target == nil || request.target == $0.label }
    let known = asked.map { TargetSettings(self).configurations(of: $0) }
    guard let first = known.first, !known.contains(where: { $0.contains(configuration) }) else {
      return
    }
    throw XcodeProjectError(
      .choice,
      "there is no configuration \(configuration); there are \(first.joined(separator: ", "))"
    )
  }
}

extension ExtensionTarget {
  /// A description in a few words.
  public var summary: String {
    let system = platforms.isEmpty ? "" : " for \(platforms)"
    let others = variants.map { "\"\($0)\"" }.joined(separator: " and ")
    switch status {
    case .taken(let point):
      return point.templateName + system
        + (variants.isEmpty ? "" : ", the same extension as \(others)")
    case .refused(let reason): return "cannot be taken: \(reason)"
    }
  }
}
