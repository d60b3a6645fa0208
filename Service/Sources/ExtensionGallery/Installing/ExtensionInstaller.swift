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
/// Every call that changes something waits for the lock between processes, first finishes or takes
/// back what a process that was ended left, and leaves at each moment a state from which the next
/// call goes on. The lock is held neither while something is fetched nor while the user is asked;
/// what was decided on then has to hold still when the lock is there.
public struct ExtensionInstaller: Sendable {
  /// Where extensions are installed.
  public let store: any BundleInstalling
  /// How much a package may hold.
  public let limits: PackageLimits
  /// What brings packages and lists.
  public let downloader: Downloader
  let file: StateFile
  let now: @Sendable () -> Date

  /// Takes what it works with.
  ///
  /// - Parameters:
  ///   - folders: The gallery's state is in a folder `gallery` of the data folder.
  ///   - store: Where extensions are installed.
  ///   - limits: How much a package may hold.
  ///   - downloader: What brings packages and lists.
  ///   - now: The clock, which decides on lists' expiry.
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
  ///   - source: Where the package is.
  ///   - again: Whether a version is taken whose first start failed before.
  ///   - confirm: Asked once everything is checked and before anything is installed.
  /// - Returns: The outcome.
  /// - Throws: ``GalleryError``; what was installed is untouched, or is back.
  public func install(
    _ source: PackageSource,
    again: Bool = false,
    confirm: (InstallOffer) async throws -> Bool
  ) async throws -> InstallOutcome {
    try await settle()
    return try await Workspace.with(file) { workspace in
      let package = workspace.appending(path: "package.tickbird")
      var found: FoundPackage?
      switch source {
      case .file(let url), .url(let url):
        try await downloader.download(url, to: package, limit: limits.packageSize)
      case .name(let name, let gallery):
        let hit = try await find(name, in: gallery)
        try await download(hit, to: package)
        found = hit
      }
      return try await install(package, found, in: workspace, again: again, confirm: confirm)
    }
  }

  /// Forgets the key, the versions and the failures of an extension, so that it can be installed
  /// from anybody.
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

  /// What is remembered of each extension that was ever installed from a package.
  ///
  /// - Throws: ``GalleryError`` with code `.file`.
  public func identities() throws -> [String: KnownIdentity] {
    let state = try file.read()
    return state.identities.merging(state.trials.mapValues(\.identity)) { $1 }
  }

  /// Who signed a bundle, going by what is remembered of its identifier.
  ///
  /// - Returns: The pinned key, if the bundle has the files of the package that was installed last, or
  ///   of the one before that while the last one was never started; nil for any other bundle.
  /// - Throws: ``GalleryError`` with code `.file` for a state or a bundle that cannot be read.
  /// - Complexity: Linear in the bundle's bytes.
  public func signer(of identifier: String, bundle: URL) throws -> PinnedKey? {
    let state = try file.read()
    let known = [state.trials[identifier]?.identity, state.identities[identifier]]
      .compactMap { $0 }.filter { $0.contents != nil }
    guard !known.isEmpty,
      // What cannot be packaged never was a package.
      let found = try? PackageWriter(bundle: bundle, limits: limits).contentsDigest()
    else { return nil }
    return known.first { $0.contents == found }?.pin
  }

  /// Tries versions that have not been started yet, and finishes or takes back what was left
  /// unfinished; to be called when the service starts and when an extension was turned on.
  ///
  /// - Returns: The versions that failed and were put back.
  /// - Throws: ``GalleryError``, and what the store throws.
  @discardableResult
  public func settle() async throws -> [FailedStart] {
    try await settleAll().failed
  }

  func settleAll() async throws -> Settlement {
    try await file.locked { state in try await settle(&state) }
  }
}

/// Where a package is.
public enum PackageSource: Equatable, Sendable {
  /// A file.
  case file(URL)
  /// An address.
  case url(URL)
  /// An identifier, or a name that is shown; and the gallery's name or address, where several have
  /// it.
  case name(String, gallery: String?)

  /// Understands what a person wrote: an address, a file that is there, or else a name.
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

/// What is about to be installed, checked to its last byte.
public struct InstallOffer: Equatable, Sendable {
  /// What is known of who signed.
  public enum Trust: Equatable, Sendable {
    /// Nothing: the key is pinned now.
    case new
    /// It is the key that was pinned.
    case known
    /// The pinned key was rotated to it.
    case rotated(from: KeyFingerprint)
  }

  /// What the package says of itself.
  public let manifest: PackageManifest
  /// Who signed.
  public let signer: KeyFingerprint
  /// What is known of who signed.
  public let trust: Trust
  /// What the extension asks for.
  public let requests: BundleRequests
  /// What it asks for beyond the installed version; empty on a first installation.
  public let additionalRequests: [String]
  /// The version that is installed.
  public let installedVersion: String?
  /// Whether what is installed did not come from a package, so that nobody knows who made it.
  public let replacesUnsigned: Bool
  /// The gallery it comes from.
  public let gallery: String?

  /// Whether an update wants more than the version before.
  public var asksForMore: Bool { !additionalRequests.isEmpty }
}

/// The outcome of an installation.
public enum InstallOutcome: Equatable, Sendable {
  /// It is installed.
  case installed(PackageManifest, FirstStart)
  /// The same version with the same contents was installed already.
  case alreadyThere(PackageManifest)
  /// The answer was no.
  case declined
}

/// A version that was put back.
public struct FailedStart: Equatable, Sendable {
  /// The extension's identifier.
  public let identifier: String
  /// The version that failed.
  public let version: BundleVersion
  /// What went wrong.
  public let reason: String
  /// The version that is installed now; nil where there was none before.
  public let previous: String?

  /// The failure in one sentence.
  public var sentence: String {
    let now = previous.map { "version \($0) is back" } ?? "it was removed again"
    return "\(identifier) \(version) did not start (\(reason)); \(now)"
  }
}
