internal import DurableFiles
public import Foundation
public import ServiceFolders

/// Writes, removes and checks the manifests by which a user's browsers find the host.
///
/// Installing merges, unless it is to be exact: extensions that the host's manifest already names stay.
/// A file of another program is overwritten only on request, after making a backup.
public struct HostInstallation: Sendable {
  private let places: BrowserPlaces
  private let program: URL
  private let name: String
  private let isMerging: Bool
  private let reserve: DiskReserve?

  /// Creates an installation.
  ///
  /// - Parameters:
  ///   - places: The browsers' folders.
  ///   - program: The absolute path of the host's program.
  ///   - name: The host's name for extensions.
  ///   - isMerging: Whether extensions that the manifest names already may go on starting the host.
  ///   - reserve: The room for removals on a full disk.
  public init(
    places: BrowserPlaces,
    program: URL,
    name: String = BrowserIdentity.hostName,
    isMerging: Bool = true,
    reserve: DiskReserve? = nil
  ) {
    self.reserve = reserve
    self.places = places
    self.program = program
    self.name = name
    self.isMerging = isMerging
  }

  /// What was done for a browser.
  public enum Outcome: Equatable, Sendable {
    /// The manifest was written.
    case written(URL)
    /// The manifest was up to date.
    case unchanged(URL)
    /// The manifest was removed.
    case removed(URL)
    /// The manifest stays for other extensions, without the removed ones.
    case kept(URL, callers: [String])
    /// There was no manifest.
    case absent(URL)
    /// The file belongs to another program, for the given reason, and was left alone.
    case refused(URL, reason: String)
    /// Another program's file was renamed, and the manifest written.
    case replaced(URL, backup: URL)
  }

  /// Writes the manifest for a browser.
  ///
  /// - Parameters:
  ///   - browser: The browser.
  ///   - extensions: The ids that may start the host; those of the other family are ignored.
  ///   - replacing: Whether to rename a file of another program.
  /// - Returns: What was done.
  /// - Throws: File system errors.
  public func install(
    _ browser: Browser,
    extensions: [String],
    replacing: Bool = false
  ) throws -> Outcome {
    let file = places.manifest(browser, host: name)
    let family = browser.family
    let callers = extensions.filter { family.isExtensionID($0) }.map { family.caller($0) }
    var manifest = HostManifest(
      name: name,
      description: BrowserIdentity.hostDescription,
      path: program.path,
      callers: []
    )
    var backup: URL?
    if !replacing, let reason = refusal(browser) { return .refused(file, reason: reason) }
    switch HostManifest.read(file, family: family) {
    case .absent: break
    case .manifest(let old) where isOwn(old):
      if isMerging { manifest.callers = old.callers }
      let isComplete =
        isMerging
        ? callers.allSatisfy({ old.callers.contains($0) }) : Set(old.callers) == Set(callers)
      if old.path == manifest.path, old.name == name, isComplete { return .unchanged(file) }
    case .manifest, .unusable: backup = try moveAside(file)
    }
    manifest.callers += callers.filter { !manifest.callers.contains($0) }
    try DurableFile.makeFolder(file.deletingLastPathComponent().path)
    try write(manifest, family, to: file)
    return backup.map { .replaced(file, backup: $0) } ?? .written(file)
  }

  /// Returns why the file at the manifest's place is another program's; nil if it is not, or if there
  /// is none.
  public func refusal(_ browser: Browser) -> String? {
    refusal(of: HostManifest.read(places.manifest(browser, host: name), family: browser.family))
  }

  private func refusal(of contents: HostManifest.Contents) -> String? {
    switch contents {
    case .absent: nil
    case .unusable(let reason): reason
    case .manifest(let found):
      isOwn(found) ? nil : "it starts another program, \(found.path)"
    }
  }

  /// Removes extensions from the manifest for a browser, and the manifest if none is left.
  ///
  /// - Parameters:
  ///   - browser: The browser.
  ///   - extensions: The ids to remove; `nil` removes all.
  /// - Returns: What was done.
  /// - Throws: File system errors.
  public func uninstall(_ browser: Browser, extensions: [String]?) throws -> Outcome {
    try uninstall(
      at: places.manifest(browser, host: name),
      browser.family,
      extensions: extensions
    )
  }

  /// Removes extensions from a manifest, and the manifest if none is left.
  ///
  /// - Parameters:
  ///   - file: The manifest, which may be at a place where browsers do not look any more.
  ///   - family: The family of its browser.
  ///   - extensions: The ids to remove; `nil` removes all.
  /// - Returns: What was done.
  /// - Throws: File system errors.
  public func uninstall(
    at file: URL,
    _ family: BrowserFamily,
    extensions: [String]?
  ) throws -> Outcome {
    let contents = HostManifest.read(file, family: family)
    if let reason = refusal(of: contents) { return .refused(file, reason: reason) }
    switch contents {
    case .absent, .unusable: return .absent(file)
    case .manifest(var manifest):
      if let extensions {
        let gone = Set(extensions.map { family.caller($0) })
        let left = manifest.callers.filter { !gone.contains($0) }
        if !left.isEmpty {
          guard left != manifest.callers else { return .kept(file, callers: left) }
          manifest.callers = left
          try takeAway { try write(manifest, family, to: file) }
          return .kept(file, callers: left)
        }
      }
      try takeAway { _ = try DurableFile.remove(file.path) }
      return .removed(file)
    }
  }

  private func takeAway(_ body: () throws -> Void) throws {
    guard let reserve else { return try body() }
    try reserve.takeAway(body)
  }

  /// Returns the state of a browser's manifest.
  public func status(_ browser: Browser, extensions: [String]) -> BrowserStatus {
    let file = places.manifest(browser, host: name)
    var status = BrowserStatus(
      browser: browser,
      isInstalled: places.has(browser),
      isConfined: places.isConfined(browser),
      manifest: file
    )
    let family = browser.family
    switch HostManifest.read(file, family: family) {
    case .absent: break
    case .unusable(let reason):
      status.isManifestThere = true
      status.problems.append("The manifest cannot be used: \(reason).")
    case .manifest(let manifest):
      status.isManifestThere = true
      status.program = manifest.path
      status.callers = manifest.callers
      if manifest.name != name {
        status.problems.append("The manifest names the host “\(manifest.name)”, not “\(name)”.")
      }
      if !FileManager.default.isExecutableFile(atPath: manifest.path) {
        status.problems.append("\(manifest.path) is not there, or is no program.")
      } else if manifest.path != program.path {
        status.problems.append("The manifest starts \(manifest.path), not \(program.path).")
      }
      for id in extensions.filter({ family.isExtensionID($0) })
      where !manifest.callers.contains(family.caller(id)) {
        status.problems.append("The extension \(id) may not start the host.")
      }
      for caller in manifest.callers where !isWellFormed(caller, family) {
        status.problems.append("“\(caller)” is no extension as \(browser.title) names them.")
      }
    }
    return status
  }

  /// The description identifies our own manifest, since the program may have been moved.
  ///
  /// Its name does not: another program may be called the same.
  private func isOwn(_ manifest: HostManifest) -> Bool {
    manifest.description == BrowserIdentity.hostDescription || manifest.path == program.path
  }

  private func isWellFormed(_ caller: String, _ family: BrowserFamily) -> Bool {
    switch family {
    case .chromium:
      let id = caller.dropFirst("chrome-extension://".count).dropLast()
      return caller == family.caller(String(id)) && family.isExtensionID(String(id))
    case .firefox: return family.isExtensionID(caller)
    }
  }

  private func write(_ manifest: HostManifest, _ family: BrowserFamily, to file: URL) throws {
    try DurableFile.replace(
      file.path,
      with: try manifest.data(family: family),
      permissions: .inherited
    )
  }

  /// Renames a file to an unused name.
  private func moveAside(_ file: URL) throws -> URL {
    for number in 1...1000 {
      let backup = file.appendingPathExtension("backup-\(number)")
      if (try? FileManager.default.attributesOfItem(atPath: backup.path)) == nil {
        try DurableFile.rename(file.path, to: backup.path)
        return backup
      }
    }
    throw CocoaError(.fileWriteFileExists, userInfo: [NSFilePathErrorKey: file.path])
  }
}

/// The state of a browser's manifest.
public struct BrowserStatus: Equatable, Sendable {
  /// Which browser.
  public let browser: Browser
  /// Whether the user has it.
  public var isInstalled: Bool
  /// Whether it is a snap or a Flatpak.
  public var isConfined: Bool
  /// The manifest's path.
  public var manifest: URL
  /// Whether the file exists.
  public var isManifestThere = false
  /// The program that the manifest starts.
  public var program: String?
  /// The extensions that may start it, as in the manifest.
  public var callers: [String] = []
  /// The problems, one sentence each.
  public var problems: [String] = []

  /// Whether the extension can start the host.
  public var isReady: Bool { isManifestThere && problems.isEmpty }
}
