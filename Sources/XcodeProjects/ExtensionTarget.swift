public import ExtensionBundles
import DurableFiles
import Foundation

/// A target of a project that makes an app extension.
public struct ExtensionTarget: Equatable, Sendable {
  /// Whether the target can be imported.
  public enum Status: Equatable, Sendable {
    /// It can, with this extension point.
    case taken(ExtensionPoint)
    /// It cannot, for this reason.
    case refused(String)
  }

  /// The target's name.
  public let name: String
  /// The Apple systems that it is for, such as `iOS`; empty if the project does not say.
  public let platforms: String
  /// Whether it can be imported.
  public let status: Status
  /// Other targets that make the same extension for another of Apple's systems: of the same
  /// extension point, with the same Swift files, or with a name that differs only in the system.
  public internal(set) var variants: [String] = []

  let sources: [String]

  /// The extension point, if the target can be imported.
  public var point: ExtensionPoint? {
    if case .taken(let point) = status { point } else { nil }
  }
}

extension ExtensionTarget {
  /// Whether this is the same extension as another, for another of Apple's systems.
  fileprivate func isVariant(of other: ExtensionTarget) -> Bool {
    guard name != other.name, platforms != other.platforms, let point, point == other.point else {
      return false
    }
    return !sources.isEmpty && sources == other.sources
      || Self.withoutSystem(name) == Self.withoutSystem(other.name)
  }

  /// Returns the words of a name without those of systems, such as `(iOS)` in Xcode's templates.
  private static func withoutSystem(_ name: String) -> [Substring] {
    let systems: Set<String> = ["ios", "ipados", "mac", "macos", "visionos", "catalyst"]
    return name.split { !$0.isLetter && !$0.isNumber }
      .filter { !systems.contains($0.lowercased()) }
  }

  /// The place in the order of preference among variants: the one for macOS has the entitlements,
  /// and is the nearest to this system.
  var preference: Int {
    ["macOS", "iOS"].firstIndex { platforms.firstRange(of: $0) != nil } ?? 2
  }
}

extension XcodeProject {
  /// Lists the app extensions of a project, in its order.
  ///
  /// - Parameter configuration: The configuration to use; by default Release, as for targets that
  ///   lack the given one.
  /// - Returns: The targets, including those that cannot be imported.
  public func extensionTargets(configuration: String? = nil) -> [ExtensionTarget] {
    var targets = extensionObjects.map { object in
      let reader = TargetReader(self, object, configuration: configuration)
      return reader.summary()
    }
    for index in targets.indices {
      let target = targets[index]
      targets[index].variants = targets.filter { $0.isVariant(of: target) }.map(\.name)
    }
    return targets
  }

  /// The targets whose product is an extension of any kind.
  var extensionObjects: [ProjectObject] {
    objects.targets.filter { target in
      guard target.isa == "PBXNativeTarget", let type = target.string("productType") else {
        return false
      }
      return type.firstRange(of: "-extension") != nil
        || type.hasPrefix("com.apple.product-type.app-extension")
    }
  }
}

/// Reads one target.
struct TargetReader {
  let project: XcodeProject
  let target: ProjectObject
  let configuration: String

  init(_ project: XcodeProject, _ target: ProjectObject, configuration: String?) {
    self.project = project
    self.target = target
    let settings = TargetSettings(project)
    let isThere = configuration.map { settings.configurations(of: target).contains($0) } ?? false
    self.configuration =
      isThere ? configuration ?? "" : settings.defaultConfiguration(of: target)
  }

  /// Returns the target for a listing; an error becomes the reason why it cannot be imported.
  func summary() -> ExtensionTarget {
    let name = target.label
    do {
      let settings = try TargetSettings(project)
        .settings(of: target, configuration: configuration).settings
      let platforms = try Platforms(settings)
      let information = try InformationMerge(project, settings).merged()
      let status = Self.status(
        point: information.extensionPoint,
        type: target.string("productType") ?? ""
      )
      let sources = try membership(settings, platforms).sources.map(\.path)
      return ExtensionTarget(
        name: name,
        platforms: platforms.shown,
        status: status,
        sources: sources.sorted()
      )
    } catch let error as XcodeProjectError {
      return ExtensionTarget(
        name: name,
        platforms: "",
        status: .refused(error.message),
        sources: []
      )
    } catch {
      return ExtensionTarget(
        name: name,
        platforms: "",
        status: .refused(FileFailure.reason(of: error)),
        sources: []
      )
    }
  }

  static func status(point: String?, type: String) -> ExtensionTarget.Status {
    guard let point else {
      return .refused(
        type == "com.apple.product-type.extensionkit-extension"
          ? "it is an ExtensionKit extension, none of Safari's"
          : "neither its Info.plist nor its settings name an extension point"
      )
    }
    if let known = ExtensionPoint(rawValue: point) { return .taken(known) }
    return .refused("the extension point \(point) is not one of Safari's that are supported")
  }

  /// Returns the target's members, from build phases and synchronized folders.
  func membership(_ settings: BuildSettings, _ platforms: Platforms) throws -> Membership {
    var phases = BuildPhases(project, platforms: platforms)
    phases.read(target)
    var settingsFiles: Set<String> = []
    for name in ["INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS", "SWIFT_OBJC_BRIDGING_HEADER"] {
      guard let value = try settings.value(name), !value.isEmpty else { continue }
      settingsFiles.insert(ReferencePaths.joined(project.paths.root, value))
    }
    var folders = SynchronizedFolders(
      project,
      platforms: platforms,
      settingsFiles: settingsFiles
    )
    folders.read(target)
    var membership = phases.membership
    // Info.plist among the resources is a common mistake that Xcode warns about.
    membership.resources.removeAll { settingsFiles.contains($0.path) }
    membership.sources += folders.membership.sources
    membership.resources += folders.membership.resources
    membership.findings += folders.membership.findings
    return membership
  }
}
