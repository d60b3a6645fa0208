public import BrowserPackages
internal import DurableFiles
public import Foundation
public import NativeMessaging

/// What root sets up, for all users of the machine.
///
/// The extension is copied to a folder that only root can write to, and is named there by the
/// policies of Chromium's family; Firefox ESR takes it from a folder of the system's.
public struct SystemSetup {
  /// The folder of all that is setup's own: package, signing key and record.
  public static let folder = "/var/lib/tickbird"

  let changes: SetupChanges
  let isRenewal: Bool
  let outcome: (SetupChanges.Outcome) -> Void

  /// Creates a setup.
  ///
  /// - Parameters:
  ///   - changes: What writes and records, in the system that is set up.
  ///   - isRenewal: Whether only what is there is renewed, and nothing that somebody has removed is put back.
  ///   - outcome: Called with what was done to each file.
  public init(
    changes: SetupChanges,
    isRenewal: Bool = false,
    outcome: @escaping (SetupChanges.Outcome) -> Void
  ) {
    self.changes = changes
    self.isRenewal = isRenewal
    self.outcome = outcome
  }

  /// The record's file, as its path in the system.
  public static let recordFile = URL(filePath: folder + "/setup.json")

  /// Whether something is set up for all users, as far as this process may know.
  public static func isDone(root: SystemRoot = .running) -> Bool {
    guard let place = try? root.real(recordFile.path) else { return false }
    let file = URL(filePath: place)
    if let record = try? SetupRecord.read(file) { return !record.isEmpty }
    // One that only root may read has something in it.
    return FileManager.default.fileExists(atPath: file.path)
      && !FileManager.default.isReadableFile(atPath: file.path)
  }

  /// Whether the folder of all that is setup's own is there.
  public static func hasFolder(root: SystemRoot = .running) -> Bool { root.has(folder) }

  /// The ids of packages that root has installed, which all users' programs take for Tickbird's own.
  ///
  /// Nothing if others than root could have written them.
  public static func extensionIDs(root: SystemRoot = .running) -> [String] {
    guard let file = try? root.real(idsFile),
      FileManager.default.fileExists(atPath: file),
      Trust(only: root.isRunning ? [0] : [0, geteuid()]).weakness(of: file) == nil
    else { return [] }
    return PackedExtensions(file: URL(filePath: file)).ids
  }

  /// Where a browser looks for the manifest that lets all users' browsers start the host.
  static func hostFile(_ browser: Browser) -> String {
    let folder =
      switch browser {
      // Brave is built from Chromium's sources, which name this folder.
      case .chromium, .brave: "/etc/chromium/native-messaging-hosts"
      case .chrome: "/etc/opt/chrome/native-messaging-hosts"
      case .edge: "/etc/opt/edge/native-messaging-hosts"
      case .firefox: "/usr/lib/mozilla/native-messaging-hosts"
      }
    return folder + "/\(BrowserIdentity.hostName).json"
  }

  /// Returns whether all users' browsers find a program by root's manifest.
  public static func hasHost(
    _ browser: Browser,
    program: URL,
    root: SystemRoot = .running
  ) -> Bool {
    guard
      let file = try? root.real(hostFile(browser)),
      case .manifest(let manifest) = HostManifest.read(
        URL(filePath: file),
        family: browser.family
      )
    else { return false }
    return manifest.path == program.path
  }

  /// Installs the extension in browsers.
  ///
  /// - Parameters:
  ///   - browsers: Those that take it from the system; others are passed over.
  ///   - folders: The built extensions.
  ///   - program: The program that the extension starts; nil if not all users may be given it.
  /// - Throws: ``SetupError`` or `PackingError`; what was written until then is recorded.
  public func install(
    _ browsers: [FoundBrowser],
    from folders: [ExtensionFolder],
    program: URL?
  ) throws {
    let reached = browsers.filter(\.takesSystemExtension).map(\.browser)
    let chromiums = reached.filter { $0.family == .chromium }
    var ids: [String] = [BrowserIdentity.chromiumID]
    // A package may be there for an administrator who has not written the policy yet.
    if let folder = folders.first(where: { $0.family == .chromium }),
      !chromiums.isEmpty || isRenewal && hasPackage
    {
      ids += try installChromium(folder, in: chromiums)
    } else {
      ids += Self.extensionIDs(root: changes.root)
    }
    if let folder = folders.first(where: { $0.family == .firefox }), reached.contains(.firefox) {
      let package = try FirefoxPackage(folder)
      let name = InstallationFiles.firefoxPackage(id: package.id)
      try write("\(Browser.firefoxExtensions)/\(name)", package.data)
    }
    guard let program else { return }
    // Of browsers that have one folder, both find the one manifest.
    var files: Set<String> = []
    for browser in Browser.allCases {
      let file = Self.hostFile(browser)
      guard reached.contains(browser) || isRenewal && isRecorded(file),
        files.insert(file).inserted
      else { continue }
      let manifest = HostManifest(
        name: BrowserIdentity.hostName,
        description: BrowserIdentity.hostDescription,
        path: program.path,
        callers: (browser.family == .chromium ? ids : [BrowserIdentity.geckoID])
          .map { browser.family.caller($0) }
      )
      try write(file, try manifest.data(family: browser.family))
    }
  }

  /// Removes everything that ``install(_:from:program:)`` has written.
  public func undo() throws {
    // An interrupted setup may have made a key, and not recorded which.
    try changes.adopt(keyFile)
    let others = policiesByHand()
    let strays = remains()
    var told = Set(others)
    for each in try changes.undo() {
      if case .left(let place, _) = each { told.insert(place) }
      outcome(each)
    }
    for each in others {
      outcome(
        .left(
          each,
          reason: "somebody has added the extension to it by hand; take that entry out so, too"
        )
      )
    }
    for each in strays where !told.contains(each) {
      outcome(.left(each, reason: Self.unrecorded))
    }
  }

  // MARK: Chromium

  var keyFile: String { Self.folder + "/browser-extension.pem" }
  static let idsFile = folder + "/extension-ids"
  static let packageFile = folder + "/" + InstallationFiles.chromiumPackage

  /// - Returns: The ids that the package has, or had where its key is gone.
  private func installChromium(
    _ folder: ExtensionFolder,
    in browsers: [Browser]
  ) throws -> [String] {
    // Another key would be another extension.
    guard try !passOver(keyFile, isNeeded: true) else {
      return Self.extensionIDs(root: changes.root)
    }
    let (key, isKept) = try signingKey()
    let package = try ChromiumPackage(folder, key: key)
    let own = URL(filePath: Self.folder, directoryHint: .isDirectory)
    // An update without its package would only fail.
    if try write(Self.packageFile, package.data) {
      try write(
        "\(Self.folder)/\(InstallationFiles.updates)",
        InstallationFiles.updates(package, in: own)
      )
    }
    try write(Self.idsFile, Data((package.id + "\n").utf8))
    // Two browsers may have one folder.
    for policies in Set(browsers.map(\.policyFolder)).sorted() {
      try installPolicy(package.id, isKnown: isKept, in: policies)
    }
    return [package.id]
  }

  /// The key, and whether it is kept: that of a trial where there is none yet is for nothing but the trial.
  private func signingKey() throws -> (key: PackingKey, isKept: Bool) {
    let place = try changes.checked(keyFile)
    if case .other(let reason) = SetupChanges.look(at: place) {
      // Reading through a link could lead out of an image.
      throw SetupError(.file, "\(place) cannot be used: \(reason)")
    }
    let file = URL(filePath: place)
    guard !changes.isTrial else {
      // Reading an existing key changes nothing.
      if DurableFile.isThere(place) {
        let key = try PackingKey(contentsOf: file)
        try recordLostKey(key, place)
        return (key, true)
      }
      outcome(.written(place))
      return (try PackingKey(), false)
    }
    try changes.prepareFolder(Self.folder)
    try changes.expect(keyFile)
    let (key, isNew) = try PackingKey.kept(in: file)
    try isNew ? changes.adopt(keyFile) : recordLostKey(key, place)
    if isNew { outcome(.written(place)) }
    return (key, true)
  }
}
