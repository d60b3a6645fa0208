internal import Foundation

/// What came of looking for an update of one extension.
public struct UpdateResult: Sendable {
  /// How it ended.
  public enum Outcome: Sendable {
    /// A higher version is installed.
    case updated(from: String, to: BundleVersion, FirstStart)
    /// There is nothing higher.
    case upToDate
    /// It is updated from this gallery from now on, and there is nothing higher.
    case moved(gallery: String)
    /// A higher version asks for more than the present one, and waits for the user.
    case needsConsent(BundleVersion, [String])
    /// There is nowhere to look; the sentence says why.
    case noSource(String)
    /// It went wrong; what was installed is installed.
    case failed(GalleryError)
  }

  /// The extension's identifier.
  public let identifier: String
  /// How it ended.
  public let outcome: Outcome

  /// Whether it should be tried again soon.
  public var isFailure: Bool {
    if case .failed(let error) = outcome { error.code != .failedBefore } else { false }
  }
}

extension ExtensionInstaller {
  /// Looks for higher versions of all installed extensions, or of some, and installs them.
  ///
  /// One extension's failure does not hold up the others.
  ///
  /// - Parameters:
  ///   - identifiers: Which; all where nil.
  ///   - confirm: Asked for an update that wants more than the version before; others are installed
  ///     without a question.
  /// - Returns: One result for each extension, and one for each version that was put back.
  /// - Throws: ``GalleryError`` with code `.busy` or `.file`, and what the store throws; what is
  ///   wrong with one extension, list or package is in the results.
  public func update(
    _ identifiers: [String]? = nil,
    confirm: (InstallOffer) async throws -> Bool = { _ in false }
  ) async throws -> [UpdateResult] {
    try await file.locked { state in
      var results = try await settle(&state).map { failed in
        UpdateResult(
          identifier: failed.identifier,
          outcome: .failed(GalleryError(.firstStart, failed.sentence))
        )
      }
      var lists: [URL: Result<(KnownGallery, UpdateList), GalleryError>] = [:]
      for index in state.galleries.indices {
        let url = state.galleries[index].url
        do {
          let list = try await refresh(index, &state)
          lists[url] = .success((state.galleries[index], list))
        } catch let error as GalleryError {
          lists[url] = .failure(error)
        }
      }
      let installed = try await store.installedIdentifiers().sorted()
      for identifier in identifiers ?? installed {
        try Task.checkCancellation()
        guard let present = try await store.installedExtension(identifier) else {
          results.append(
            UpdateResult(
              identifier: identifier,
              outcome: .failed(GalleryError(.notFound, "\"\(identifier)\" is not installed"))
            )
          )
          continue
        }
        do {
          let outcome = try await update(identifier, present, lists, confirm, &state)
          results.append(UpdateResult(identifier: identifier, outcome: outcome))
        } catch let error as GalleryError {
          results.append(UpdateResult(identifier: identifier, outcome: .failed(error)))
        }
      }
      return results
    }
  }

  private typealias Lists = [URL: Result<(KnownGallery, UpdateList), GalleryError>]

  private func update(
    _ identifier: String,
    _ present: InstalledExtension,
    _ lists: Lists,
    _ confirm: (InstallOffer) async throws -> Bool,
    _ state: inout GalleryState
  ) async throws -> UpdateResult.Outcome {
    guard let identity = state.identity(identifier) else {
      return .noSource(
        "it was not installed from a package; tickbird install NAME takes a gallery's"
      )
    }
    guard present.signer != nil else {
      return .noSource(
        "an unsigned bundle has taken the place of the signed one; tickbird install \(identifier) "
          + "puts a package in its place again"
      )
    }
    if let url = identity.gallery {
      guard let list = lists[url] else {
        return .noSource("the gallery \(url.absoluteString) was removed")
      }
      return try await update(present, identity, from: list.get(), identifier, confirm, &state)
    }
    guard let information = try? BundleInformation(bundle: present.bundle),
      let manifestURL = information.updateManifest
    else {
      return .noSource("it came as a file, and names no update manifest")
    }
    guard !manifestURL.isFileURL else {
      return .noSource("its update manifest is a file of this machine, which is not read")
    }
    let manifest = try await UpdateManifest(
      downloader.data(
        manifestURL,
        limit: UpdateManifest.sizeLimit,
        staging: file.staging,
        namedBy: .stranger
      ),
      from: manifestURL.absoluteString
    )
    guard let entry = manifest.entry(for: information) else {
      return .noSource("its update manifest \(manifestURL.absoluteString) does not name it")
    }
    if entry.isFromGallery {
      return try await move(identifier, present, identity, lists, confirm, &state)
    }
    guard let version = entry.version, let url = entry.url,
      isHigher(version, than: present, identity)
    else { return .upToDate }
    // What came over the network does not lead to this machine.
    guard
      url.scheme?.lowercased() == manifestURL.scheme?.lowercased()
        || url.scheme?.lowercased() == "https"
    else {
      throw GalleryError(
        .download,
        "\(manifestURL.absoluteString) leads to \(url.absoluteString), which is not asked"
      )
    }
    let package = file.staging.appending(path: "\(UUID().uuidString).tickbird")
    defer { try? FileSystem.remove(package) }
    try await downloader.download(
      url,
      to: package,
      limit: limits.packageSize,
      namedBy: .stranger
    )
    return try await install(package, nil, identifier, present, confirm, &state)
  }

  private func isHigher(
    _ version: BundleVersion,
    than present: InstalledExtension,
    _ identity: KnownIdentity
  ) -> Bool {
    guard let highest = [present.comparable, identity.highest].compactMap(\.self).max() else {
      return true
    }
    return version > highest
  }

  /// Takes the gallery's version from now on, if the same key, or one that it was rotated to, signs
  /// it there.
  private func move(
    _ identifier: String,
    _ present: InstalledExtension,
    _ identity: KnownIdentity,
    _ lists: Lists,
    _ confirm: (InstallOffer) async throws -> Bool,
    _ state: inout GalleryState
  ) async throws -> UpdateResult.Outcome {
    var otherKey: GalleryError?
    for known in state.galleries {
      guard case .success(let (gallery, list)) = lists[known.url],
        let entry = list.entries.first(where: { $0.identifier == identifier })
      else { continue }
      do {
        _ = try identity.pin.following(
          list.rotations,
          to: entry.signer,
          for: "\(entry.name) in the gallery \(gallery.name)"
        )
      } catch let error as GalleryError {
        otherKey = error
        continue
      }
      if state.trials[identifier] == nil {
        state.identities[identifier]?.gallery = gallery.url
        try file.write(state)
      }
      let outcome = try await update(
        present,
        identity,
        from: (gallery, list),
        identifier,
        confirm,
        &state
      )
      if case .upToDate = outcome { return .moved(gallery: gallery.name) }
      return outcome
    }
    if let otherKey { throw otherKey }
    for case .failure(let error) in lists.values { throw error }
    return .noSource("it asks for a gallery's version, and no gallery that was added has one")
  }

  private func update(
    _ present: InstalledExtension,
    _ identity: KnownIdentity,
    from source: (gallery: KnownGallery, list: UpdateList),
    _ identifier: String,
    _ confirm: (InstallOffer) async throws -> Bool,
    _ state: inout GalleryState
  ) async throws -> UpdateResult.Outcome {
    guard let entry = source.list.entries.first(where: { $0.identifier == identifier }) else {
      return .noSource("the gallery \(source.gallery.name) does not have it any more")
    }
    guard isHigher(entry.version, than: present, identity) else { return .upToDate }
    if let failure = identity.failed.last(where: { $0.package == entry.digest }) {
      throw GalleryError(
        .failedBefore,
        "version \(entry.version) was tried and put back, since it did not start "
          + "(\(failure.reason)); tickbird install \(identifier) --again tries it once more"
      )
    }
    let found = FoundPackage(
      entry: entry,
      gallery: source.gallery,
      rotations: source.list.rotations
    )
    let package = file.staging.appending(path: "\(UUID().uuidString).tickbird")
    defer { try? FileSystem.remove(package) }
    try await download(found, to: package)
    return try await install(package, found, identifier, present, confirm, &state)
  }

  private func install(
    _ package: URL,
    _ found: FoundPackage?,
    _ identifier: String,
    _ present: InstalledExtension,
    _ confirm: (InstallOffer) async throws -> Bool,
    _ state: inout GalleryState
  ) async throws -> UpdateResult.Outcome {
    var refused: InstallOffer?
    let outcome = try await install(
      package,
      found,
      expecting: identifier,
      again: false,
      confirm: { offer in
        guard offer.asksForMore else { return true }
        if try await confirm(offer) { return true }
        refused = offer
        return false
      },
      &state
    )
    switch outcome {
    case .installed(let manifest, let start):
      return .updated(from: present.version, to: manifest.version, start)
    case .alreadyThere: return .upToDate
    case .declined:
      guard let refused else { return .upToDate }
      return .needsConsent(refused.manifest.version, refused.additionalRequests)
    }
  }
}
