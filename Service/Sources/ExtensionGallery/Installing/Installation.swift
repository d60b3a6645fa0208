internal import ExtensionBundles
internal import Foundation
internal import WebExtensions

/// What a package has to be, as far as that is known before.
struct Expected {
  /// The extension.
  var identifier: String?
  /// The SHA-256 of the package.
  var digest: Data?
}

/// A package found in a list.
struct FoundPackage: Sendable {
  let entry: UpdateList.Entry
  let gallery: KnownGallery
  let rotations: [KeyRotation]
}

extension ExtensionInstaller {
  func download(_ found: FoundPackage, to file: URL) async throws {
    guard found.entry.size <= limits.packageSize else {
      throw GalleryError(
        .tooLarge,
        "\(found.entry.path) has \(found.entry.size) bytes; at most \(limits.packageSize) are taken"
      )
    }
    try await downloader.download(
      found.gallery.location(of: found.entry),
      to: file,
      limit: found.entry.size
    )
  }

  /// Verifies a downloaded package, asks the user, and installs it.
  ///
  /// What was decided and shown to the user is decided again under the lock.
  func install(
    _ file: URL,
    _ found: FoundPackage?,
    called name: String? = nil,
    in workspace: URL,
    expecting expected: Expected = Expected(),
    again: Bool,
    confirm: (InstallOffer) async throws -> Bool
  ) async throws -> InstallOutcome {
    let package = try PackageReader(file, limits: limits, called: name)
    try found?.entry.check(package)
    let manifest = package.manifest
    if let identifier = expected.identifier, identifier != manifest.identifier {
      throw GalleryError(
        .notTheListed,
        "The update of \(identifier) is a package of \(manifest.identifier)"
      )
    }
    if let digest = expected.digest, try package.digest() != digest {
      throw GalleryError(
        .changedContents,
        "\(file.path) is not what was fetched any more; fetch it again"
      )
    }
    let judged = try await judge(package, found, again: again)
    if judged.isThere {
      try package.verify()
      try await self.file.locked { state in
        try found?.checkUnchanged(state)
        let judged = try await judge(package, found, again: again, state)
        guard judged.isThere else { throw Self.changed(manifest) }
        try follow(found, manifest.identifier, judged.pin, &state)
      }
      return .alreadyThere(manifest)
    }
    let bundle = try package.unpack(into: workspace)
    let digest = try package.digest()
    let offer = try InstallOffer(package, judged, bundle, found)
    guard try await confirm(offer) else { return .declined }
    return try await self.file.locked { state in
      try await settle(&state)
      try found?.checkUnchanged(state)
      let judged = try await judge(package, found, again: again, state)
      guard !judged.isThere, try InstallOffer(package, judged, bundle, found) == offer else {
        throw Self.changed(manifest)
      }
      var identity = judged.known ?? KnownIdentity(pin: judged.pin)
      identity.pin = judged.pin
      identity.highest = manifest.version
      identity.contents = manifest.contentsDigest
      identity.asked = offer.requests.web ?? .nothing
      // Installing a file by hand does not change where updates come from.
      if let found { identity.gallery = found.gallery.url }
      try check(bundle, of: manifest)
      let before = state
      var trial = Trial(
        version: manifest.version,
        contents: manifest.contentsDigest,
        package: digest,
        identity: identity,
        previous: try await previous(manifest.identifier, judged.installed, &state)
      )
      if judged.installed == nil {
        trial.replacesDamaged = try await store.unreadable()[manifest.identifier] != nil
      }
      state.trials[manifest.identifier] = trial
      try self.file.write(state)
      do {
        try await store.install(bundle, signedBy: judged.pin)
      } catch {
        if await isUntouched(by: trial, manifest.identifier) {
          // The installed bundle is unchanged, so what is stored about it must be too.
          state = before
          try self.file.write(state)
        }
        throw error
      }
      trial.isInstalled = true
      state.trials[manifest.identifier] = trial
      try self.file.write(state)
      if let failed = try await settle(manifest.identifier, &state) {
        throw GalleryError(.firstStart, failed.sentence)
      }
      let isWaiting = state.trials[manifest.identifier] != nil
      return .installed(manifest, isWaiting ? .waiting : .succeeded)
    }
  }

  /// Checks that what was unpacked is what the package has: it may have waited long for an answer.
  ///
  /// - Throws: ``GalleryError`` with code `.changedContents`.
  private func check(_ bundle: URL, of manifest: PackageManifest) throws {
    let found = try? PackageWriter(bundle: bundle, limits: limits).contentsDigest()
    guard found == manifest.contentsDigest else {
      throw GalleryError(
        .changedContents,
        "\(bundle.path) was changed while the question was open, and is not what was shown; nothing was "
          + "installed. Install \(manifest.identifier) again"
      )
    }
  }

  /// Decides before the question, without waiting for others unless they may be what it fails of.
  private func judge(
    _ package: PackageReader,
    _ found: FoundPackage?,
    again: Bool
  ) async throws -> Judgement {
    do {
      return try await judge(package, found, again: again, self.file.read())
    } catch is GalleryError {
      // Another process may have installed between the reading of the state and that of the store.
      return try await self.file.locked { state in
        try await judge(package, found, again: again, state)
      }
    }
  }

  /// Decides whether a package may replace what is installed.
  private func judge(
    _ package: PackageReader,
    _ found: FoundPackage?,
    again: Bool,
    _ state: GalleryState
  ) async throws -> Judgement {
    let manifest = package.manifest
    if let twin = state.twin(of: manifest.identifier) {
      throw GalleryError(
        .otherKey,
        "\(manifest.identifier) differs from \(twin), which is known, in letters' case alone; it is "
          + "not taken beside it"
      )
    }
    let known = state.identity(manifest.identifier)
    let pin = try pin(manifest, known, found, package.signer)
    let installed = try await store.installedExtension(manifest.identifier)
    return Judgement(
      known: known,
      pin: pin,
      installed: installed,
      isThere: try isThere(manifest, known, installed, again: again)
    )
  }

  /// Returns whether a version that could not be installed is certainly not in place; it may have
  /// failed afterwards.
  ///
  /// If that is unknown, the next settling finds out.
  private func isUntouched(by trial: Trial, _ identifier: String) async -> Bool {
    do {
      let installed = try await store.installedExtension(identifier)
      return installed?.isVersion(trial.version, signedBy: trial.identity.pin.key) != true
    } catch {
      return false
    }
  }

  private static func changed(_ manifest: PackageManifest) -> GalleryError {
    GalleryError(
      .changed,
      "\(manifest.name) (\(manifest.identifier)) was installed or updated by another process "
        + "meanwhile; try again"
    )
  }

  /// Returns the key that has to sign later versions, if this one is acceptable.
  ///
  /// - Throws: ``GalleryError`` with code `.otherKey`, with both fingerprints and the way out.
  private func pin(
    _ manifest: PackageManifest,
    _ known: KnownIdentity?,
    _ found: FoundPackage?,
    _ signer: PublicKey
  ) throws -> PinnedKey {
    guard let known else { return PinnedKey(signer) }
    do {
      return try known.pin.following(
        (found?.rotations ?? []) + manifest.rotations,
        to: signer,
        for: "\(manifest.name) (\(manifest.identifier))"
      )
    } catch let error as GalleryError where error.code == .otherKey {
      throw GalleryError(
        .otherKey,
        error.message + ". To begin again with another developer's, which gets none of the data: "
          + "tickbird extensions remove \(manifest.identifier), then tickbird gallery forget "
          + manifest.identifier
      )
    }
  }

  /// Returns the version to restore on failure.
  ///
  /// A version that has itself never been started is first rolled back to the one before it.
  private func previous(
    _ identifier: String,
    _ installed: InstalledExtension?,
    _ state: inout GalleryState
  ) async throws -> String? {
    guard let trial = state.trials[identifier], let installed,
      installed.isVersion(trial.version, signedBy: trial.identity.pin.key)
    else {
      return installed?.version
    }
    guard let previous = trial.previous else {
      // Nothing else is installed, so what is stored about it has to stay.
      state.identities[identifier] = trial.identity
      return installed.version
    }
    try await store.goBack(identifier)
    return previous
  }

  /// Returns whether the same version is already installed.
  ///
  /// - Throws: ``GalleryError`` if the package must not replace what is installed.
  private func isThere(
    _ manifest: PackageManifest,
    _ known: KnownIdentity?,
    _ installed: InstalledExtension?,
    again: Bool
  ) throws -> Bool {
    let name = "\(manifest.name) (\(manifest.identifier))"
    let highest = [installed?.comparable, known?.highest].compactMap(\.self).max()
    if let highest {
      guard manifest.version >= highest else {
        throw GalleryError(
          .lowerVersion,
          "\(name): the package has version \(manifest.version), but \(highest) "
            + "\(installed?.comparable == nil ? "was installed before" : "is installed"); versions "
            + "never fall"
        )
      }
      if manifest.version == highest {
        guard known?.contents == manifest.contentsDigest else {
          throw GalleryError(
            .sameVersion,
            "\(name): version \(manifest.version) is known with other contents; its developer has "
              + "to raise CFBundleVersion"
          )
        }
        if installed?.comparable == highest { return true }
      }
    }
    let failure = known?.failed.last { $0.contents == manifest.contentsDigest }
    if let failure, !again {
      throw GalleryError(
        .failedBefore,
        "\(name): version \(manifest.version) was tried and put back, since it did not start "
          + "(\(failure.reason)); to try once more give --again"
      )
    }
    return false
  }

  /// Stores a gallery, or a rotation, that came with a version already installed.
  private func follow(
    _ found: FoundPackage?,
    _ identifier: String,
    _ pin: PinnedKey,
    _ state: inout GalleryState
  ) throws {
    guard var identity = state.identities[identifier], state.trials[identifier] == nil else {
      return
    }
    identity.pin = pin
    if let found { identity.gallery = found.gallery.url }
    guard identity != state.identities[identifier] else { return }
    state.identities[identifier] = identity
    try file.write(state)
  }
}

/// The decision about a package, given a state.
private struct Judgement {
  let known: KnownIdentity?
  let pin: PinnedKey
  let installed: InstalledExtension?
  /// Whether the same version is already installed.
  let isThere: Bool
}

extension FoundPackage {
  /// Rejects a package whose gallery has changed since it was chosen.
  ///
  /// - Throws: ``GalleryError`` with code `.changed`.
  fileprivate func checkUnchanged(_ state: GalleryState) throws {
    guard let now = state.galleries.first(where: { $0.url == gallery.url }) else {
      throw GalleryError(.changed, "The gallery \(gallery.name) was removed meanwhile")
    }
    guard now == gallery else {
      throw GalleryError(
        .changed,
        "The gallery \(gallery.name) has a new list since \(entry.name) was chosen; try again"
      )
    }
  }
}

extension InstallOffer {
  fileprivate init(
    _ package: PackageReader,
    _ judged: Judgement,
    _ bundle: URL,
    _ found: FoundPackage?
  ) throws {
    manifest = package.manifest
    signer = package.signer.fingerprint
    trust =
      judged.known.map { known in
        known.pin == judged.pin ? .known : .rotated(from: known.pin.key.fingerprint)
      } ?? .new
    requests = try BundleRequests(bundle: bundle)
    installedVersion = judged.installed?.version
    replacesUnsigned = judged.installed.map { $0.signer == nil } ?? false
    gallery = found?.gallery.name
    if let installed = judged.installed {
      additionalRequests = requests.beyond(
        BundleRequests.agreed(installed.bundle, judged.known?.asked)
      )
    } else {
      additionalRequests = []
    }
  }
}

extension BundleRequests {
  /// Returns the requests that another version does not have.
  func beyond(_ before: BundleRequests?) -> [String] {
    var result: [String] = web?.beyond(before?.web).sentences ?? []
    if isNetworkClient, before?.isNetworkClient != true {
      result.append("connections to the network")
    }
    if isNetworkServer, before?.isNetworkServer != true {
      result.append("to be reached from the network")
    }
    let groups = Set(groups).subtracting(before?.groups ?? [])
    if !groups.isEmpty {
      result.append("data shared in \(groups.sorted().joined(separator: ", "))")
    }
    return result
  }
}
