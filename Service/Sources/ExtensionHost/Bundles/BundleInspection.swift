internal import CLibrary
internal import DurableFiles
internal import ExtensionBundles
internal import Foundation

/// The limits of a bundle to be installed.
public struct BundleLimits: Equatable, Sendable {
  /// The limit on files and folders.
  public var entries: Int
  /// The limit on the bytes of all files.
  public var bytes: Int
  /// The limit on nested folders.
  public var depth: Int
  /// The timeout of the copy, for which other installations have to wait.
  public var time: Duration

  /// Creates limits; the defaults leave room for a statically linked executable and a large web
  /// extension.
  public init(
    entries: Int = 20_000,
    bytes: Int = 1 << 30,
    depth: Int = 32,
    time: Duration = .seconds(300)
  ) {
    self.entries = entries
    self.bytes = bytes
    self.depth = depth
    self.time = time
  }
}

extension InstalledBundle {
  /// Inspects a bundle in a folder of the store's own, so that nobody changes it meanwhile.
  ///
  /// - Throws: ``HostError`` with code `.badBundle`, or `.file` if the machine cannot read it now.
  init(at location: URL) throws(HostError) {
    let name = location.lastPathComponent
    let information: InformationPropertyList
    do {
      information = try InformationPropertyList(
        contentsOf: location.appending(path: "Info.plist")
      )
    } catch {
      let reason = (error as? BundleError)?.message ?? "\(error)"
      if (error as? BundleError)?.code == .unreadable { throw HostError(.file, reason) }
      throw HostError(.badBundle, "\(name) is not the bundle of an extension: \(reason)")
    }
    guard let identifier = information.bundleIdentifier,
      ExtensionNames.isBundleIdentifier(identifier)
    else {
      throw HostError(
        .badBundle,
        "the CFBundleIdentifier of \(name) cannot be used: "
          + ExtensionNames.refusal(ofBundleIdentifier: information.bundleIdentifier ?? "")
      )
    }
    guard let point = information.extensionPoint.flatMap(ExtensionPoint.init) else {
      let known = ExtensionPoint.allCases.map(\.rawValue).joined(separator: ", ")
      throw HostError(
        .badBundle,
        "\(name) has the NSExtensionPointIdentifier "
          + "\"\(information.extensionPoint ?? "")\"; known are \(known)"
      )
    }
    self.identifier = identifier
    extensionPoint = point
    func text(_ key: String) -> String? {
      guard let text = information.values[key] as? String, !text.isEmpty else { return nil }
      return String(text.prefix(200))
    }
    displayName =
      text("CFBundleDisplayName") ?? text("CFBundleName")
      ?? location.deletingPathExtension()
      .lastPathComponent
    version = BundleVersion(text("CFBundleShortVersionString") ?? text("CFBundleVersion") ?? "0")
    build = BundleVersion(text("CFBundleVersion") ?? "0")
    self.location = location
    executable = try Self.executable(information, in: location, point)
    let folder = location.appending(path: SafariExtensionFolder.folderName)
    olderFolder = executable == nil && point == .webExtension ? folder : nil
    let list = try Self.kind(location.appending(path: Self.listName))
    hasList = point == .contentBlocker || olderFolder != nil && list == S_IFREG
    let entitlements = location.appending(path: ExtensionProject.entitlementsName)
    self.entitlements =
      try Self.kind(entitlements) == nil ? nil : Entitlements(contentsOf: entitlements)
  }

  private static func executable(
    _ information: InformationPropertyList,
    in location: URL,
    _ point: ExtensionPoint
  ) throws(HostError) -> URL? {
    let name = location.lastPathComponent
    guard let given = information.values["CFBundleExecutable"] else {
      let folder = location.appending(path: SafariExtensionFolder.folderName)
      let information = try kind(folder.appending(path: "Info.plist"))
      if point == .webExtension, information == S_IFREG { return nil }
      guard point == .contentBlocker else {
        throw HostError(
          .badBundle,
          "\(name) has no CFBundleExecutable, which only a content blocker can do without"
        )
      }
      guard try kind(location.appending(path: Self.listName)) == S_IFREG else {
        throw HostError(
          .badBundle,
          "\(name) has neither a CFBundleExecutable nor a \(Self.listName)"
        )
      }
      return nil
    }
    guard let file = given as? String, !file.isEmpty, !file.contains("/"), file != ".",
      file != ".."
    else {
      throw HostError(.badBundle, "\(name) has the CFBundleExecutable \(given), which is no name")
    }
    let executable = location.appending(path: file)
    guard try kind(executable) == S_IFREG, try canBeRun(executable) else {
      throw HostError(
        .badBundle,
        "\(name) names the CFBundleExecutable \(file), but has no file of that name that can be run"
      )
    }
    return executable
  }

  /// The file that answers for a content blocker without an executable.
  static let listName = SafariExtensionFolder.listName

  /// Returns whether a file may be executed.
  ///
  /// - Throws: ``HostError`` with code `.file` if the machine does not say.
  private static func canBeRun(_ url: URL) throws(HostError) -> Bool {
    if unsafe access(url.path, X_OK) == 0 { return true }
    guard errno == EACCES else { throw HostError(FileFailure(url.path, "looked at", errno)) }
    return false
  }

  /// Returns the type of the file at a path; nil if there is none.
  ///
  /// - Throws: ``HostError`` with code `.file` if the machine does not say.
  private static func kind(_ url: URL) throws(HostError) -> mode_t? {
    var status = stat()
    if unsafe stat(url.path, &status) == 0 { return status.st_mode & S_IFMT }
    let failure = FileFailure(url.path, "looked at", errno)
    guard failure.isAboutFile else { throw HostError(failure) }
    return nil
  }
}
