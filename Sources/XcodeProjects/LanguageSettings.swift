import ExtensionBundles

/// The language mode and compiler flags of a target.
struct LanguageSettings {
  private(set) var settings = SwiftPackageManifest.Settings()
  private(set) var findings: [Finding] = []

  /// The conditions for `#if`.
  var defines: [String] { settings.defines }

  /// Features that change what compiles, by the end of `SWIFT_UPCOMING_FEATURE_…`.
  private static let features = [
    ("BARE_SLASH_REGEX_LITERALS", "BareSlashRegexLiterals"),
    ("CONCISE_MAGIC_FILE", "ConciseMagicFile"),
    ("DISABLE_OUTWARD_ACTOR_ISOLATION", "DisableOutwardActorInference"),
    ("FORWARD_TRAILING_CLOSURES", "ForwardTrailingClosures"),
    ("IMPLICIT_OPEN_EXISTENTIALS", "ImplicitOpenExistentials"),
    ("INFER_SENDABLE_FROM_CAPTURES", "InferSendableFromCaptures"),
    ("REGION_BASED_ISOLATION", "RegionBasedIsolation"),
  ]

  /// Reads the settings.
  ///
  /// - Throws: ``XcodeProjectError`` with code `.target` for a language mode that the compiler
  ///   rejects.
  init(
    _ settings: BuildSettings,
    target: String,
    wanted: SwiftPackageManifest.LanguageMode?
  ) throws {
    let version = try settings.value("SWIFT_VERSION") ?? ""
    if let wanted {
      self.settings.languageMode = wanted
    } else if version.isEmpty {
      findings.append(
        .note(
          "swift-version",
          "target \(target)",
          "SWIFT_VERSION is not set; the sources are compiled as Swift 5",
          "if they are older, import again with --swift-version 4"
        )
      )
    } else {
      self.settings.languageMode = try Self.mode(version, target: target)
      if version.split(separator: ".").first == "3" {
        findings.append(
          .note(
            "swift-version",
            "target \(target)",
            "it is written in Swift \(version), which the compiler no longer has a mode for; it is "
              + "compiled as Swift 4",
            "if it does not compile, convert it with Xcode 10"
          )
        )
      }
    }
    try readConditions(settings, target: target)
    if self.settings.languageMode != .v6 {
      for (name, feature) in Self.features
      where try settings.isOn("SWIFT_UPCOMING_FEATURE_" + name) {
        self.settings.upcomingFeatures.append(feature)
      }
    }
    if try settings.value("SWIFT_DEFAULT_ACTOR_ISOLATION") == "MainActor" {
      findings.append(
        .note(
          "actor-isolation",
          "target \(target)",
          "SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor is left out, since requests come on a thread of "
            + "their own"
        )
      )
    }
  }

  private static func mode(
    _ version: String,
    target: String
  ) throws -> SwiftPackageManifest.LanguageMode {
    let parts = version.split(separator: ".").map { Int($0) }
    switch (parts.first ?? nil, parts.dropFirst().first ?? nil) {
    case (3, _): return .v4
    case (4, .some(2...)): return .v4_2
    case (4, _): return .v4
    case (5, _): return .v5
    case (6, _): return .v6
    default:
      throw XcodeProjectError(
        .target,
        "the target \(target) is written in Swift \(version); the compiler takes the modes "
          + "4, 4.2, 5 and 6. Convert it with Xcode 8, or try --swift-version 4"
      )
    }
  }

  private mutating func readConditions(_ settings: BuildSettings, target: String) throws {
    var left: [String] = []
    let conditions = try settings.value("SWIFT_ACTIVE_COMPILATION_CONDITIONS") ?? ""
    var names = BuildSettings.words(conditions)
    var flags = BuildSettings.words(try settings.value("OTHER_SWIFT_FLAGS") ?? "")[...]
    while let flag = flags.popFirst() {
      if flag == "-D", let name = flags.popFirst() {
        names.append(name)
      } else if flag.hasPrefix("-D"), flag.count > 2 {
        names.append(String(flag.dropFirst(2)))
      } else {
        left.append(flag)
      }
    }
    for name in names where !defines.contains(name) {
      if ExtensionNames.isIdentifier(name) {
        self.settings.defines.append(name)
      } else {
        left.append(name)
      }
    }
    guard !left.isEmpty else { return }
    findings.append(
      .note(
        "compiler-flags",
        "target \(target)",
        "the compiler flags \(left.joined(separator: " ")) are left out",
        "add to Package.swift what the sources need"
      )
    )
  }
}
