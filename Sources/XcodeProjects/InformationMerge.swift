import Foundation

/// Builds an extension's `Info.plist` and entitlements from files and build settings.
struct InformationMerge {
  private let project: XcodeProject
  private let settings: BuildSettings

  init(_ project: XcodeProject, _ settings: BuildSettings) {
    self.project = project
    self.settings = settings
  }

  /// An `Info.plist` with all variables expanded.
  struct Information {
    var values: [String: Any]
    var findings: [Finding] = []

    var extensionPoint: String? { nsExtension?["NSExtensionPointIdentifier"] as? String }

    /// The plain name of the class that handles requests, without its module.
    var principalClass: String? {
      let name = nsExtension?["NSExtensionPrincipalClass"] as? String
      return name?.split(separator: ".").last.map(String.init)
    }

    var nsExtension: [String: Any]? { values["NSExtension"] as? [String: Any] }
  }

  private static let largestFile = 16 << 20

  /// Returns the file, overlaid with what the settings generate.
  ///
  /// As in Xcode, a generated string replaces one of the file.
  ///
  /// - Throws: ``XcodeProjectError``.
  ///
  /// > Source: swift-build, `InfoPlistProcessorTaskAction`.
  func merged() throws -> Information {
    var values: [String: Any] = [:]
    var findings: [Finding] = []
    let isGenerated = try settings.isOn("GENERATE_INFOPLIST_FILE")
    if let file = try settings.value("INFOPLIST_FILE"), !file.isEmpty {
      let path = ReferencePaths.joined(project.paths.root, file)
      let bytes = try project.files.read(path, limit: Self.largestFile)
      let read = try PropertyLists.dictionary(bytes, name: project.files.shown(path))
      for (key, value) in read {
        values[key] = try expand(value, subject: project.files.shown(path), &findings, depth: 0)
      }
    } else if !isGenerated {
      throw XcodeProjectError(
        .target,
        "it has no Info.plist: INFOPLIST_FILE is not set and GENERATE_INFOPLIST_FILE is off"
      )
    }
    if isGenerated { try generate(into: &values, &findings) }
    return Information(values: values, findings: findings.sorted { $0.line < $1.line })
  }

  private func generate(into values: inout [String: Any], _ findings: inout [Finding]) throws {
    for (key, setting) in [
      ("CFBundleDevelopmentRegion", "DEVELOPMENT_LANGUAGE"),
      ("CFBundleIdentifier", "PRODUCT_BUNDLE_IDENTIFIER"), ("CFBundleName", "PRODUCT_NAME"),
      ("CFBundleShortVersionString", "MARKETING_VERSION"),
      ("CFBundleVersion", "CURRENT_PROJECT_VERSION"),
    ] {
      if let value = try settings.value(setting), !value.isEmpty { values[key] = value }
    }
    let prefix = "INFOPLIST_KEY_"
    var views: [String] = []
    for name in settings.names(withPrefix: prefix) {
      let key = String(name.dropFirst(prefix.count))
      guard let value = try settings.value(name), !value.isEmpty else { continue }
      if key.hasPrefix("UI") {
        views.append(name)
        continue
      }
      switch value {
      case "YES": values[key] = true
      case "NO": values[key] = false
      default: values[key] = value
      }
    }
    guard !views.isEmpty else { return }
    findings.append(
      .note(
        "view-settings",
        views.joined(separator: ", "),
        "settings of views are left out"
      )
    )
  }

  /// Returns the entitlements; `nil` if the target has none.
  ///
  /// - Throws: ``XcodeProjectError`` with code `.settings`; a file that cannot be read is a finding.
  func entitlements() throws -> (values: [String: Any], findings: [Finding])? {
    var values: [String: Any] = [:]
    var findings: [Finding] = []
    var isThere = false
    if let file = try settings.value("CODE_SIGN_ENTITLEMENTS"), !file.isEmpty {
      let path = ReferencePaths.joined(project.paths.root, file)
      let shown = project.files.shown(path)
      do {
        let bytes = try project.files.read(path, limit: Self.largestFile)
        for (key, value) in try PropertyLists.dictionary(bytes, name: shown) {
          values[key] = try expand(value, subject: shown, &findings, depth: 0)
        }
        isThere = true
      } catch let error as XcodeProjectError where error.code != .settings {
        findings.append(
          .notTaken(
            "entitlements",
            shown,
            error.reason(about: shown),
            "write the entitlements by hand; without them the extension has no network"
          )
        )
        return ([:], findings)
      }
    }
    // Xcode 26 stores as settings what used to be in the file.
    for (setting, key) in [
      ("ENABLE_APP_SANDBOX", "com.apple.security.app-sandbox"),
      ("ENABLE_OUTGOING_NETWORK_CONNECTIONS", "com.apple.security.network.client"),
      ("ENABLE_INCOMING_NETWORK_CONNECTIONS", "com.apple.security.network.server"),
    ] where try settings.isOn(setting) {
      values[key] = true
      isThere = true
    }
    try dropIncompleteGroups(from: &values, &findings)
    return isThere ? (values, findings.sorted { $0.line < $1.line }) : nil
  }

  /// Drops application groups that are the developer's prefix and nothing else.
  ///
  /// Xcode's editor of capabilities leaves such entries behind. No folder belongs to them, and an
  /// extension is not worse off without them.
  private func dropIncompleteGroups(
    from values: inout [String: Any],
    _ findings: inout [Finding]
  ) throws {
    let key = "com.apple.security.application-groups"
    guard let groups = values[key] as? [String] else { return }
    let complete = groups.filter { group in
      !group.isEmpty && !group.hasSuffix(".")
    }
    guard complete.count < groups.count else { return }
    values[key] = complete.isEmpty ? nil : complete
    findings.append(
      .note(
        "application-group",
        try settings.value("CODE_SIGN_ENTITLEMENTS") ?? "entitlements",
        "an application group that is only the developer's prefix has no folder, and is left out"
      )
    )
  }

  private func expand(
    _ value: Any,
    subject: String,
    _ findings: inout [Finding],
    depth: Int
  ) throws -> Any {
    guard depth < 64 else { return "" }
    if let text = value as? String {
      guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
      let (expanded, unknown) = try settings.expand(teamPrefixed(text))
      for name in unknown {
        findings.append(
          .note(
            "no-value",
            subject,
            "$(\(name)) has no value in the project and becomes empty, as in Xcode",
            "if the extension reads it, write the value into the result"
          )
        )
      }
      return expanded
    }
    if let array = value as? [Any] {
      return try array.map { try expand($0, subject: subject, &findings, depth: depth + 1) }
    }
    if let dictionary = value as? [String: Any] {
      return try dictionary.mapValues {
        try expand($0, subject: subject, &findings, depth: depth + 1)
      }
    }
    return value
  }

  /// Expands what Xcode takes from the signing certificate; a project has no more than the team.
  private func teamPrefixed(_ text: String) throws -> String {
    guard let team = try settings.value("DEVELOPMENT_TEAM"), !team.isEmpty else { return text }
    return text.replacing("$(AppIdentifierPrefix)", with: team + ".")
      .replacing("$(TeamIdentifierPrefix)", with: team + ".")
  }
}
