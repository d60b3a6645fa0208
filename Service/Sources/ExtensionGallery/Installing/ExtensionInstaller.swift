public import ExtensionBundles
public import Foundation
public import ServiceFolders

/// Installs extensions from packages, and keeps them up to date.
///
///     let installer = ExtensionInstaller(folders: ServiceFolders(), store: store)
///     try await installer.addGallery(address, key: fingerprint) { _ in true }
///     try await installer.install(.name("My Blocker")) { offer in await ask(offer) }
///     let results = try await installer.update { !$0.asksForMore }
///
/// Every call that changes something takes a lock shared by all processes, first finishes or rolls
/// back what a killed process left, and at each moment leaves a state from which the next call can
/// recover. The lock is not held during downloads and questions to the user; what was decided
/// before it was taken is checked again under it.
public struct ExtensionInstaller: Sendable {
  /// Where extensions are installed.
  public let store: any BundleInstalling
  /// The limits of packages.
  public let limits: PackageLimits
  /// Downloads packages and lists.
  public let downloader: Downloader
  let file: StateFile
  let now: @Sendable () -> Date

  /// Creates an installer.
  ///
  /// - Parameters:
  ///   - folders: The service's folders; the gallery's state is in `gallery` in the data folder.
  ///   - store: Where extensions are installed.
  ///   - limits: The limits of packages.
  ///   - downloader: Downloads packages and lists.
  ///   - now: The clock, which decides whether lists have expired.
  public init(
    folders: ServiceFolders,
    store: any BundleInstalling,
    limits: PackageLimits = PackageLimits(),
    downloader: Downloader = Downloader(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    file = StateFile(folders: folders)
    self.store = store
    self.limits = limits
    self.downloader = downloader
    self.now = now
  }

  /// Installs an extension, or a higher version of one.
  ///
  /// - Parameters:
  ///   - source: The package.
  ///   - again: Whether to accept a version whose first start failed before.
  ///   - confirm: Called after all checks and before the installation.
  /// - Returns: The result.
  /// - Throws: ``GalleryError``; what was installed is unchanged, or restored.
  public func install(
    _ source: PackageSource,
    again: Bool = false,
    confirm: (InstallOffer) async throws -> Bool
  ) async throws -> InstallOutcome {
    try await settle()
    return try await Workspace.with(file) { workspace in
      let package = workspace.appending(path: "package.tickbird")
      var found: FoundPackage?
      var called: String?
      switch source {
      case .file(let url), .url(let url):
        called = url.isFileURL ? url.path : url.absoluteString
        try await downloader.download(url, to: package, limit: limits.packageSize)
      case .name(let name, let gallery):
        let hit = try await find(name, in: gallery)
        try await download(hit, to: package)
        found = hit
      }
      return try await install(
        package,
        found,
        called: called,
        in: workspace,
        again: again,
        confirm: confirm
      )
    }
  }

  /// Forgets the key, versions and failures of an extension, so that a package of any developer can
  /// be installed.
  ///
  /// - Throws: ``GalleryError`` with code `.notFound`, or `.otherKey` while it is installed.
  public func forget(_ identifier: String) async throws {
    try await file.locked { state in
      try await settle(&state)
      guard state.identities[identifier] != nil else {
        throw GalleryError(.notFound, "Nothing is remembered of \"\(identifier)\"")
      }
      guard try await store.installedExtension(identifier) == nil else {
        throw GalleryError(.otherKey, "\(identifier) is installed; remove it first")
      }
      state.identities[identifier] = nil
      try file.write(state)
    }
  }

  /// Returns what is stored about each extension that was ever installed from a package.
  ///
  /// - Throws: ``GalleryError`` with code `.file`.
  public func identities() throws -> [String: KnownIdentity] {
    let state = try file.read()
    return state.identities.merging(state.trials.mapValues(\.identity)) { $1 }
  }

  /// Returns who signed a bundle, according to what is stored about its identifier.
  ///
  /// - Returns: The pinned key, if the bundle has the files of the package installed last, or of
  ///   the one before while the last one was never started; nil for any other bundle.
  /// - Throws: ``GalleryError`` with code `.file` if the state or the bundle cannot be read.
  /// - Complexity: O(*n*) in the bundle's bytes.
  public func signer(of identifier: String, bundle: URL) throws -> PinnedKey? {
    let state = try file.read()
    let known = [state.trials[identifier]?.identity, state.identities[identifier]]
      .compactMap { $0 }.filter { $0.contents != nil }
    guard !known.isEmpty,
      // A bundle that cannot be packaged did not come from a package.
      let found = try? PackageWriter(bundle: bundle, limits: limits).contentsDigest()
    else { return nil }
    return known.first { $0.contents == found }?.pin
  }

  /// Tries versions that have not been started yet, and finishes or rolls back what was left
  /// unfinished.
  ///
  /// Call it when the service starts, and when an extension is turned on.
  ///
  /// - Returns: The versions that failed and were rolled back.
  /// - Throws: ``GalleryError``, and the store's errors.
  @discardableResult
  public func settle() async throws -> [FailedStart] {
    try await settleAll().failed
  }

  func settleAll() async throws -> Settlement {
    try await file.locked { state in try await settle(&state) }
  }
}

/// The source of a package.
public enum PackageSource: Equatable, Sendable {
  /// A file.
  case file(URL)
  /// An address.
  case url(URL)
  /// An identifier or a display name; and the gallery's name or address, in case several have it.
  case name(String, gallery: String?)

  /// Parses what a person typed: an address, an existing file, or else a name.
  public init(_ text: String, gallery: String? = nil) {
    if text.contains("://"), let url = URL(string: text), url.scheme != nil {
      self = .url(url)
      return
    }
    let file = URL(fileURLWithPath: text)
    if gallery == nil, text.contains("/") || text.hasSuffix(".tickbird") || FileSystem.isFile(file)
    {
      self = .file(file)
      return
    }
    self = .name(text, gallery: gallery)
  }
}

/// A completely verified package that is about to be installed.
public struct InstallOffer: Equatable, Sendable {
  /// What is known about the signer.
  public enum Trust: Equatable, Sendable {
    /// Nothing: the key will be pinned now.
    case new
    /// It is the pinned key.
    case known
    /// The pinned key was rotated to it.
    case rotated(from: KeyFingerprint)
  }

  /// The package's manifest.
  public let manifest: PackageManifest
  /// Who signed.
  public let signer: KeyFingerprint
  /// What is known about the signer.
  public let trust: Trust
  /// The permissions that the extension requests.
  public let requests: BundleRequests
  /// The requests that the installed version does not have; empty for a first installation.
  public let additionalRequests: [String]
  /// The version that is installed.
  public let installedVersion: String?
  /// Whether the installed extension did not come from a package, so that its developer is unknown.
  public let replacesUnsigned: Bool
  /// The gallery it comes from.
  public let gallery: String?

  /// Whether an update requests more than the installed version.
  public var asksForMore: Bool { !additionalRequests.isEmpty }
}

/// The result of an installation.
public enum InstallOutcome: Equatable, Sendable {
  /// It is installed.
  case installed(PackageManifest, FirstStart)
  /// The same version with the same contents was already installed.
  case alreadyThere(PackageManifest)
  /// The user declined.
  case declined
}

/// A version that was rolled back.
public struct FailedStart: Equatable, Sendable {
  /// The extension's identifier.
  public let identifier: String
  /// The version that failed.
  public let version: BundleVersion
  /// What went wrong.
  public let reason: String
  /// The version now installed; nil if there was none before.
  public let previous: String?
  /// Whether it stays, turned off, since what it replaced is damaged.
  public let isKept: Bool

  /// The failure, in one sentence.
  public var sentence: String {
    let without =
      isKept ? "it is off now, and has the data of the damaged one" : "it was removed again"
    let now = previous.map { "version \($0) is back" } ?? without
    return "\(identifier) \(version) did not start (\(reason)); \(now)"
  }
}
