internal import DurableFiles
internal import ExtensionBundles
public import Foundation

/// The installed bundles of a user.
///
/// A bundle is copied and runs only from the copy. Each identifier has a folder:
///
///     IDENTIFIER/Versions.json         the current and the previous folder, and who signed each
///     IDENTIFIER/VERSION-ID/NAME.appex
///
/// The current bundle is replaced atomically, and the previous one is kept for going back. If the
/// process is killed at any time, the store has either the old or the new bundle;
/// ``removeLeftovers()`` removes unfinished copies. Only one process may change the store at a
/// time; any may read it. All calls block on file I/O.
///
///     let store = try BundleStore(directory: folder)
///     let bundle = try store.install(URL(filePath: "My Blocker.appex"))
public struct BundleStore: Sendable {
  /// The folder of the store.
  public let directory: URL
  /// The limits of a bundle.
  public let limits: BundleLimits
  let place: MarkedFolder

  static let recordName = "Versions.json"
  static let stagingPrefix = ".staging-"

  /// The folders of an identifier that are in use.
  struct Record: Codable {
    var current: String
    var previous: String?
    /// Who signed the current bundle; nil in records of an older version.
    var signer: Signer?
    var previousSigner: Signer?
    /// Created when nothing was installed under the identifier.
    var installation: String?
  }

  /// Opens a store, creating its folder if needed.
  ///
  /// - Throws: ``HostError`` with code `.file`.
  public init(directory: URL, limits: BundleLimits = BundleLimits()) throws(HostError) {
    self.directory = directory
    self.limits = limits
    place = Self.place(directory)
    // Where they are lost, what is asked of them says so.
    if !place.hasContents { _ = try root }
  }

  /// A folder of extensions, which need not be there.
  static func place(_ directory: URL) -> MarkedFolder {
    MarkedFolder(directory, contents: "extensions")
  }

  var root: Folder {
    get throws(HostError) { try place.opened() }
  }

  // MARK: Reading

  /// Returns the current bundle of an identifier; nil if none is installed.
  ///
  /// - Throws: ``HostError`` with code `.file`, or `.badBundle` if it is damaged.
  public func bundle(_ identifier: String) throws(HostError) -> InstalledBundle? {
    guard try has(identifier) else { return nil }
    let folder = try folderInUse(identifier)
    let record = try record(in: folder)
    var bundle = try bundle(in: folder, record.current)
    bundle.signer = record.signer
    bundle.installation = record.installation
    if let previous = record.previous {
      bundle.previousVersion = try? self.bundle(in: folder, previous).version
    }
    return bundle
  }

  /// Returns who signed the installed bundle; nil if none is installed, or an older version did not
  /// record it.
  ///
  /// - Throws: ``HostError`` with code `.file`, or `.badBundle` for a damaged record.
  func signer(of identifier: String) throws(HostError) -> Signer? {
    guard try has(identifier) else { return nil }
    return try record(in: folderInUse(identifier)).signer
  }

  /// Returns the identifiers of all installed bundles, sorted.
  ///
  /// - Throws: ``HostError`` with code `.file`, also if there were some and the folder is empty.
  public func identifiers() throws(HostError) -> [String] {
    try place.contents { () throws(HostError) in try namesOfBundles() }
  }

  func namesOfBundles() throws(HostError) -> [String] {
    let root = try root
    var names: [String] = []
    for name in try root.names() where ExtensionNames.isBundleIdentifier(name) {
      if try Self.isPlace(root.kind(of: name)) { names.append(name) }
    }
    return names
  }

  /// Whether something is an extension's, be it damaged: its folder, or a link in the place of that, which is not
  /// followed.
  private static func isPlace(_ kind: Folder.Kind?) -> Bool { kind == .folder || kind == .link }

  /// Returns the current bundles, sorted by identifier, without damaged ones.
  ///
  /// - Throws: ``HostError`` with code `.file`.
  public func bundles() throws(HostError) -> [InstalledBundle] {
    try identifiers().compactMap { try? bundle($0) }
  }

  /// Returns whether anything is installed under an identifier, even if it is damaged.
  ///
  /// - Throws: ``HostError`` with code `.file`.
  func has(_ identifier: String) throws(HostError) -> Bool {
    guard ExtensionNames.isBundleIdentifier(identifier) else { return false }
    if try Self.isPlace(root.kind(of: identifier)) { return true }
    // It may be among what is lost.
    _ = try identifiers()
    return false
  }

  // MARK: Changing

  /// Copies a bundle into the store, replacing the installed one of its identifier.
  ///
  /// The caller decides which version may replace which: `accept` is called before anything is
  /// replaced.
  ///
  /// - Parameters:
  ///   - bundle: The folder `NAME.appex`, which is not used afterwards.
  ///   - signer: Who signed it.
  ///   - accept: Receives the new and the installed bundle, and throws to reject the new one.
  /// - Returns: The installed bundle.
  /// - Throws: ``HostError`` with code `.badBundle` or `.file`, or the error of `accept`; then
  ///   nothing has changed.
  /// - Complexity: O(*n*) in the bundle's bytes.
  @discardableResult
  public func install(
    _ bundle: URL,
    signedBy signer: Signer = .unsigned,
    accept: (_ new: InstalledBundle, _ installed: InstalledBundle?) throws(HostError) -> Void = {
      _,
      _ throws(HostError) in
    }
  ) throws(HostError) -> InstalledBundle {
    let source = bundle.standardizedFileURL
    guard FileManager.default.fileExists(atPath: source.path) else {
      throw HostError(.file, "there is no bundle \(source.path)")
    }
    // A quick check before copying what may be a different kind of folder.
    guard FileManager.default.fileExists(atPath: source.appending(path: "Info.plist").path) else {
      throw HostError(
        .badBundle,
        "\(source.path) is not the bundle of an extension: it is not a folder with an Info.plist"
      )
    }
    // Nothing is put where others are lost.
    _ = try identifiers()
    let staging = Self.stagingPrefix + UUID().uuidString
    let stagingFolder = try root.makeFolder(staging)
    do throws(HostError) {
      // Laid out like the final folder, so that a first installation is a single rename.
      let versionFolder = try stagingFolder.makeFolder("version")
      let name = try copy(source, into: versionFolder)
      var new = try InstalledBundle(at: url(versionFolder).appending(path: name))
      new.signer = signer
      // Before anything of what is there is given up.
      if let kind = try root.kind(of: new.identifier), kind != .folder {
        throw HostError(.file, "\(try wrongPlace(new.identifier)), or remove it")
      }
      let installed = try unlessDamaged { () throws(HostError) in try self.bundle(new.identifier) }
      try accept(new, installed)
      try put(stagingFolder, staging, new)
      place.noteContents()
      guard let result = try self.bundle(new.identifier) else {
        throw HostError(.file, "\(new.identifier) is gone from \(directory.path)")
      }
      return result
    } catch {
      try? root.removeTree(staging)
      throw error
    }
  }

  /// Makes the previous version current again, and forgets the one that it replaces.
  ///
  /// - Parameters:
  ///   - identifier: The extension.
  ///   - accept: Receives the previous version, and who signed the current one; throws to reject.
  /// - Returns: The bundle that is current now.
  /// - Throws: ``HostError`` with code `.notInstalled` if there is none, `.file` or `.badBundle`,
  ///   or the error of `accept`; then nothing has changed.
  @discardableResult
  public func goBack(
    _ identifier: String,
    accept: (_ previous: InstalledBundle, _ current: Signer?) throws(HostError) -> Void = {
      _,
      _ throws(HostError) in
    }
  ) throws(HostError) -> InstalledBundle {
    let folder = try folder(identifier)
    let record = try record(in: folder)
    guard let previous = record.previous else {
      throw HostError(.notInstalled, "no earlier version of \(identifier) is kept")
    }
    var bundle = try bundle(in: folder, previous)
    bundle.signer = record.previousSigner
    try accept(bundle, record.signer)
    if let current = record.signer, let before = bundle.signer, current.continues(before) {
      // The developer has rotated the key since; the old one must not become valid again.
      bundle.signer = current
    }
    bundle.installation = record.installation
    try write(
      Record(current: previous, signer: bundle.signer, installation: record.installation),
      in: folder
    )
    try? folder.removeTree(record.current)
    return bundle
  }

  /// Removes all versions of a bundle; of a link in the place of its folder, the link alone.
  ///
  /// - Throws: ``HostError`` with code `.notInstalled` or `.file`.
  public func remove(_ identifier: String) throws(HostError) {
    guard try has(identifier) else { throw Self.notInstalled(identifier) }
    let root = try root
    try place.noteRemoval(of: identifier, among: namesOfBundles())
    let staging = Self.stagingPrefix + UUID().uuidString
    do throws(HostError) {
      try root.move(identifier, to: root, as: staging)
      try root.synchronize()
    } catch {
      // It may still be there.
      if try namesOfBundles().contains(identifier) { place.noteContents() }
      throw error
    }
    try root.removeTree(staging)
  }

  // MARK: Parts

  private func folder(_ identifier: String) throws(HostError) -> Folder {
    guard try has(identifier) else { throw Self.notInstalled(identifier) }
    return try folderInUse(identifier)
  }

  private static func notInstalled(_ identifier: String) -> HostError {
    HostError(.notInstalled, "no extension \"\(identifier)\" is installed")
  }

  /// Opens the folder of an extension that is installed.
  ///
  /// - Throws: ``HostError`` with code `.badBundle` if something else is in its place, or `.file`.
  func folderInUse(_ identifier: String) throws(HostError) -> Folder {
    let root = try root
    guard try root.kind(of: identifier) == .link else { return try root.folder(identifier) }
    throw HostError(
      .badBundle,
      "\(try wrongPlace(identifier)), or remove the extension and install it again"
    )
  }

  /// Why what has an extension's name cannot be used, and the first way out.
  private func wrongPlace(_ identifier: String) throws(HostError) -> String {
    let root = try root
    let what =
      try root.kind(of: identifier) == .link ? "a link, which is not followed" : "no folder"
    return "\(root.path(of: identifier)) is \(what); put the folder of the extension in its place"
  }

  private func copy(_ source: URL, into folder: Folder) throws(HostError) -> String {
    let given = source.lastPathComponent
    let name = given.hasSuffix(".appex") && given.count > 6 ? given : "Extension.appex"
    let target = try folder.makeFolder(name, mode: 0o755)
    var copy = BundleCopy(limits: limits)
    try copy.copy(Folder(path: source.path), into: target)
    try folder.synchronize()
    return name
  }

  /// Moves a checked bundle from its staging folder into place.
  private func put(
    _ stagingFolder: Folder,
    _ staging: String,
    _ new: InstalledBundle
  ) throws(HostError) {
    // The version in the name is for people; the rest makes the name unique.
    let version = new.version.description.filter { $0.isASCII && ($0.isNumber || $0 == ".") }
    let name = "\(version.prefix(40))-\(UUID().uuidString.prefix(8))"
    try stagingFolder.move("version", to: stagingFolder, as: name)
    switch try root.kind(of: new.identifier) {
    case .folder:
      let folder = try root.folder(new.identifier)
      // Installing again repairs a damaged record, and one that names a version that is not there.
      let old = try unlessDamaged { () throws(HostError) in try record(in: folder) }
      let isOldThere = try old.map { old throws(HostError) in
        try folder.kind(of: old.current) != nil
      }
      try stagingFolder.move(name, to: folder, as: name)
      try folder.synchronize()
      try write(
        Record(
          current: name,
          previous: isOldThere == true ? old?.current : nil,
          signer: new.signer,
          previousSigner: isOldThere == true ? old?.signer : nil,
          installation: old.map(\.installation) ?? UUID().uuidString
        ),
        in: folder
      )
      if let unused = old?.previous { try? folder.removeTree(unused) }
      try root.removeTree(staging)
    case nil:
      try write(
        Record(current: name, signer: new.signer, installation: UUID().uuidString),
        in: stagingFolder
      )
      try root.move(staging, to: root, as: new.identifier)
      try root.synchronize()
    default: throw HostError(.file, try wrongPlace(new.identifier))
    }
  }

  /// Returns the result, or nil if it is damaged; throws if it cannot be read now.
  func unlessDamaged<Value>(
    _ find: () throws(HostError) -> Value?
  ) throws(HostError) -> Value? {
    do throws(HostError) {
      return try find()
    } catch {
      guard error.code == .badBundle else { throw error }
      return nil
    }
  }

  func bundle(in folder: Folder, _ name: String) throws(HostError) -> InstalledBundle {
    guard try folder.kind(of: name) != nil else {
      throw HostError(
        .badBundle,
        "\(folder.path(of: Self.recordName)) names \(name), which is not there; install the extension again, "
          + "or remove it"
      )
    }
    let version = try folder.folder(name)
    guard let bundle = try version.names().first(where: { $0.hasSuffix(".appex") }) else {
      throw HostError(.badBundle, "\(version.path) has no bundle; install the extension again")
    }
    return try InstalledBundle(at: url(version).appending(path: bundle))
  }

  func record(in folder: Folder) throws(HostError) -> Record {
    guard let data = try folder.contents(Self.recordName, atMost: 1 << 16),
      let record = try? JSONDecoder().decode(Record.self, from: data),
      Self.isName(record.current), record.previous.map(Self.isName) ?? true
    else {
      throw HostError(
        .badBundle,
        "\(folder.path(of: Self.recordName)) is damaged; install the extension again"
      )
    }
    return record
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix(".") && !text.contains("/")
  }

  func write(_ record: Record, in folder: Folder) throws(HostError) {
    let data: Data
    do {
      data = try JSONEncoder().encode(record)
    } catch {
      throw HostError(.file, "\(folder.path(of: Self.recordName)) cannot be written: \(error)")
    }
    do throws(FileFailure) { try folder.replaceFile(Self.recordName, with: data) } catch {
      throw HostError(error)
    }
  }

  private func url(_ folder: Folder) -> URL {
    URL(filePath: folder.path, directoryHint: .isDirectory)
  }
}
