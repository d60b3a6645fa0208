/// Collects the build settings of a target from the project, the target and their files.
struct TargetSettings {
  /// Names whose conditional values are reported, because an import depends on them.
  private static let noted = [
    "CODE_SIGN_ENTITLEMENTS", "CURRENT_PROJECT_VERSION", "GENERATE_INFOPLIST_FILE",
    "INFOPLIST_FILE",
    "MARKETING_VERSION", "PRODUCT_BUNDLE_IDENTIFIER", "PRODUCT_MODULE_NAME", "PRODUCT_NAME",
    "SWIFT_ACTIVE_COMPILATION_CONDITIONS", "SWIFT_VERSION",
  ]

  private let objects: ProjectObjects
  private let paths: ReferencePaths
  private let files: ProjectFiles
  private let projectName: String

  init(_ project: XcodeProject) {
    objects = project.objects
    paths = project.paths
    files = project.files
    projectName = project.name
  }

  /// Returns the names of a target's configurations.
  func configurations(of target: ProjectObject) -> [String] {
    list(of: target).compactMap { $0.string("name") }
  }

  /// Returns the configuration to use if none was requested.
  func defaultConfiguration(of target: ProjectObject) -> String {
    let names = configurations(of: target)
    if names.contains("Release") { return "Release" }
    let named = objects[target.string("buildConfigurationList")]?
      .string("defaultConfigurationName")
    return named.flatMap { names.contains($0) ? $0 : nil } ?? names.first ?? "Release"
  }

  private func list(of object: ProjectObject) -> [ProjectObject] {
    objects[object.string("buildConfigurationList")]
      .map { objects.list($0, "buildConfigurations") } ?? []
  }

  /// Collects the settings.
  ///
  /// - Throws: ``XcodeProjectError`` with code `.settings`.
  func settings(
    of target: ProjectObject,
    configuration: String
  ) throws -> (settings: BuildSettings, findings: [Finding]) {
    var settings = BuildSettings(configuration: configuration)
    var findings: [Finding] = []
    settings.push(defaults(of: target, configuration: configuration))
    for owner in [objects.project, target] {
      let all = list(of: owner)
      let named = all.first { $0.string("name") == configuration }
      guard let found = named ?? (owner.id == target.id ? nil : all.first) else { continue }
      if let file = baseFile(of: found) {
        var reader = ConfigurationFile(files: files)
        try reader.read(file)
        settings.push(reader.assignments)
        findings += reader.findings
      }
      let origin = owner.id == target.id ? "target \(target.label)" : "project \(projectName)"
      // Sorted, so that messages come in a fixed order.
      let fields = found.dictionary("buildSettings").sorted { $0.key < $1.key }
      settings.push(
        fields.map { key, node in
          let value = node.string ?? node.strings.map(Self.quoted).joined(separator: " ")
          return BuildSettings.Assignment(key: key, value: value, origin: origin)
        }
      )
    }
    for assignment in settings.conditional {
      let name = assignment.key.prefix { $0 != "[" }
      guard Self.noted.contains(String(name)) || name.hasPrefix("INFOPLIST_KEY_") else { continue }
      findings.append(
        .note(
          "conditional-setting",
          assignment.origin,
          "\(assignment.key) = \(assignment.value) holds for some of Apple's systems only and is "
            + "ignored"
        )
      )
    }
    return (settings, findings)
  }

  private static func quoted(_ word: String) -> String {
    guard word.contains(where: \.isWhitespace) else { return word }
    return "\"\(word.replacing("\"", with: "\\\""))\""
  }

  private func baseFile(of configuration: ProjectObject) -> String? {
    if let reference = objects[configuration.string("baseConfigurationReference")] {
      if case .file(let path) = paths.place(of: reference) { return path }
    }
    // Xcode 16: a file in a synchronized folder.
    if let anchor = objects[configuration.string("baseConfigurationReferenceAnchor")],
      let relative = configuration.string("baseConfigurationReferenceRelativePath"),
      case .file(let folder) = paths.place(of: anchor)
    {
      return ReferencePaths.joined(folder, relative)
    }
    return nil
  }

  private func defaults(
    of target: ProjectObject,
    configuration: String
  ) -> [BuildSettings.Assignment] {
    let name = target.string("name") ?? target.id
    let values = [
      ("TARGET_NAME", name), ("TARGETNAME", name), ("PROJECT_NAME", projectName),
      ("PROJECT", projectName), ("SRCROOT", paths.root), ("SOURCE_ROOT", paths.root),
      ("PROJECT_DIR", paths.root), ("CONFIGURATION", configuration),
      ("PRODUCT_NAME", "$(TARGET_NAME)"),
      ("PRODUCT_MODULE_NAME", "$(PRODUCT_NAME:c99extidentifier)"),
      ("EXECUTABLE_NAME", "$(PRODUCT_MODULE_NAME)"), ("PRODUCT_BUNDLE_PACKAGE_TYPE", "XPC!"),
      ("WRAPPER_EXTENSION", "appex"), ("WRAPPER_NAME", "$(PRODUCT_NAME).appex"),
      ("FULL_PRODUCT_NAME", "$(PRODUCT_NAME).appex"),
      ("DEVELOPMENT_LANGUAGE", objects.project.string("developmentRegion") ?? "en"),
      ("PRODUCT_TYPE", target.string("productType") ?? ""),
      ("CFBundleIdentifier", "$(PRODUCT_BUNDLE_IDENTIFIER)"),
    ]
    return values.map {
      BuildSettings.Assignment(key: $0.0, value: $0.1, origin: "Xcode's defaults")
    }
  }
}
