public import ExtensionBundles
internal import Foundation

/// The result of checking for an update of one extension.
public struct UpdateResult: Sendable {
  /// How it ended.
  public enum Outcome: Sendable {
    /// A higher version is installed.
    case updated(from: String, to: BundleVersion, FirstStart)
    /// There is no higher version.
    case upToDate
    /// From now on it is updated from this gallery; there is no higher version.
    case moved(gallery: String)
    /// A higher version requests more than the installed one, and waits for the user's consent.
    case needsConsent(BundleVersion, [String])
    /// It has no source of updates, for the given reason.
    case noSource(String)
    /// It failed; the installed version is unchanged.
    case failed(GalleryError)
  }

  /// The extension's identifier.
  public let identifier: String
  /// How it ended.
  public let outcome: Outcome

  /// Whether it should be retried soon.
  public var isFailure: Bool {
    guard case .failed(let error) = outcome else { return false }
    return ![.failedBefore, .damaged].contains(error.code)
  }
}

extension ExtensionInstaller {
  /// Installs higher versions of all installed extensions, or of some.
  ///
  /// A failure of one extension does not stop the others.
  ///
  /// - Parameters:
  ///   - identifiers: The extensions; nil for all.
  ///   - confirm: Called for an update that requests more than the installed version; others are
  ///     installed without asking.
  /// - Returns: One result for each extension, and one for each version that was rolled back or
  ///   could not be tried yet.
  /// - Throws: ``GalleryError`` with code `.busy` or `.file`, and the store's errors; errors of one
  ///   extension, list or package are in the results.
  public func update(
    _ identifiers: [String]? = nil,
    confirm: (InstallOffer) async throws -> Bool = { _ in false }
  ) async throws -> [UpdateResult] {
    try await update(identifiers) { offer, _, _ in try await confirm(offer) }
  }

  /// Asks with the package's file, which may be moved away if the answer is no, and where it was found.
  typealias Asking = (InstallOffer, URL, FoundPackage?) async throws -> Bool

  func update(
    _ identifiers: [String]?,
    asking: Asking
  ) async throws -> [UpdateResult] {
    let settlement = try await settleAll()
    var results = settlement.failed.map { failed in
      UpdateResult(
        identifier: failed.identifier,
        outcome: .failed(GalleryError(.firstStart, failed.sentence))
      )
    }
    results += settlement.pending.map { pending in
      UpdateResult(identifier: pending.identifier, outcome: .failed(pending.error))
    }
    let lists = try await refresh(try file.read().galleries)
    let installed = try await store.installedIdentifiers()
    let unreadable = try await store.unreadable()
    var wanted: [(identifier: String, present: InstalledExtension)] = []
    var outcomes: [String: UpdateResult.Outcome] = [:]
    let identifiers = identifiers ?? (installed + unreadable.keys).sorted()
    for identifier in identifiers {
      if let reason = unreadable[identifier] {
        outcomes[identifier] = .failed(GalleryError(.damaged, reason))
      } else if let present = try await store.installedExtension(identifier) {
        if !wanted.contains(where: { $0.identifier == identifier }) {
          wanted.append((identifier, present))
        }
      } else {
        outcomes[identifier] = .failed(
          GalleryError(.notFound, "\"\(identifier)\" is not installed")
        )
      }
    }
    let state = try file.read()
    try await Workspace.with(file) { workspace in
      let jobs = wanted.map { identifier, present in
        Transfers.Job(source: source(of: identifier, present, state)) { () async throws in
          do {
            let fetched = try await fetch(identifier, present, lists, in: workspace)
            return Arrival(identifier: identifier, present: present, result: .success(fetched))
          } catch let error as GalleryError {
            return Arrival(identifier: identifier, present: present, result: .failure(error))
          }
        }
      }
      // Installed one after the other, as they arrive.
      try await Transfers.sideBySide(jobs) { arrival in
        try Task.checkCancellation()
        do {
          outcomes[arrival.identifier] = try await take(arrival, asking)
        } catch let error as GalleryError {
          outcomes[arrival.identifier] = .failed(error)
        } catch let error as CancellationError {
          throw error
        } catch {
          // The store's error about one extension must not stop the others.
          outcomes[arrival.identifier] = .failed(GalleryError(.refused, "\(error)"))
        }
      }
    }
    for identifier in identifiers {
      guard let outcome = outcomes.removeValue(forKey: identifier) else { continue }
      results.append(UpdateResult(identifier: identifier, outcome: outcome))
    }
    return results
  }

  /// What was fetched for one extension.
  private enum Fetched: Sendable {
    /// A higher version, in a folder of its own.
    case package(URL, FoundPackage?)
    /// There is nothing to install.
    case nothing(UpdateResult.Outcome)
  }

  private struct Arrival: Sendable {
    let identifier: String
    let present: InstalledExtension
    let result: Result<Fetched, GalleryError>
  }

  /// Returns where an update is fetched from, as far as that is known in advance.
  private func source(
    of identifier: String,
    _ present: InstalledExtension,
    _ state: GalleryState
  ) -> String {
    if let gallery = state.identity(identifier)?.gallery { return gallery.absoluteString }
    let manifest = try? BundleInformation(bundle: present.bundle).updateManifest
    return manifest?.host() ?? ""
  }

  private func fetch(
    _ identifier: String,
    _ present: InstalledExtension,
    _ lists: Lists,
    in workspace: URL
  ) async throws -> Fetched {
    let state = try file.read()
    guard let identity = state.identity(identifier) else {
      return .nothing(
        .noSource("it was not installed from a package; tickbird install NAME takes a gallery's")
      )
    }
    guard present.signer != nil else {
      return .nothing(
        .noSource(
          "an unsigned bundle has taken the place of the signed one; tickbird install \(identifier) "
            + "puts a package in its place again"
        )
      )
    }
    if let url = identity.gallery {
      guard let list = lists[url] else {
        return .nothing(.noSource("the gallery \(url.absoluteString) was removed"))
      }
      return try await fetch(present, identity, from: list.get(), identifier, in: workspace)
    }
    guard let information = try? BundleInformation(bundle: present.bundle),
      let manifestURL = information.updateManifest
    else {
      return .nothing(.noSource("it came as a file, and names no update manifest"))
    }
    guard !manifestURL.isFileURL else {
      return .nothing(
        .noSource("its update manifest is a file of this machine, which is not read")
      )
    }
    let manifest = try await UpdateManifest(
      downloader.data(
        manifestURL,
        limit: UpdateManifest.sizeLimit,
        staging: workspace,
        namedBy: .stranger
      ),
      from: manifestURL.absoluteString
    )
    guard let entry = manifest.entry(for: information) else {
      return .nothing(
        .noSource("its update manifest \(manifestURL.absoluteString) does not name it")
      )
    }
    if entry.isFromGallery {
      return try await move(identifier, present, identity, lists, state, in: workspace)
    }
    guard let version = entry.version, let url = entry.url,
      isHigher(version, than: present, identity)
    else { return .nothing(.upToDate) }
    // A manifest from the network must not lead to this machine.
    guard
      url.scheme?.lowercased() == manifestURL.scheme?.lowercased()
        || url.scheme?.lowercased() == "https"
    else {
      throw GalleryError(
        .download,
        "\(manifestURL.absoluteString) leads to \(url.absoluteString), which is not asked"
      )
    }
    let package = try place(in: workspace)
    try await downloader.download(
      url,
      to: package,
      limit: limits.packageSize,
      namedBy: .stranger
    )
    return .package(package, nil)
  }

  /// Creates a folder for one package, since two may have bundles of the same name.
  private func place(in workspace: URL) throws -> URL {
    let folder = workspace.appending(path: UUID().uuidString, directoryHint: .isDirectory)
    try FileSystem.makeFolder(folder, mode: 0o700)
    return folder.appending(path: "package.tickbird")
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

  /// Moves the extension to the gallery's version, if the same key, or one that it was rotated to,
  /// signs it there.
  private func move(
    _ identifier: String,
    _ present: InstalledExtension,
    _ identity: KnownIdentity,
    _ lists: Lists,
    _ state: GalleryState,
    in workspace: URL
  ) async throws -> Fetched {
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
      try await file.locked { state in
        guard state.trials[identifier] == nil, state.identities[identifier]?.pin == identity.pin,
          state.galleries.contains(where: { $0.url == gallery.url })
        else { return }
        state.identities[identifier]?.gallery = gallery.url
        try file.write(state)
      }
      let fetched = try await fetch(
        present,
        identity,
        from: (gallery, list),
        identifier,
        in: workspace
      )
      if case .nothing(.upToDate) = fetched { return .nothing(.moved(gallery: gallery.name)) }
      return fetched
    }
    if let otherKey { throw otherKey }
    for case .failure(let error) in lists.values { throw error }
    return .nothing(
      .noSource("it asks for a gallery's version, and no gallery that was added has one")
    )
  }

  private func fetch(
    _ present: InstalledExtension,
    _ identity: KnownIdentity,
    from source: (gallery: KnownGallery, list: UpdateList),
    _ identifier: String,
    in workspace: URL
  ) async throws -> Fetched {
    guard let entry = source.list.entries.first(where: { $0.identifier == identifier }) else {
      return .nothing(.noSource("the gallery \(source.gallery.name) does not have it any more"))
    }
    guard isHigher(entry.version, than: present, identity) else { return .nothing(.upToDate) }
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
    let package = try place(in: workspace)
    try await download(found, to: package)
    return .package(package, found)
  }

  private func take(
    _ arrival: Arrival,
    _ asking: Asking
  ) async throws -> UpdateResult.Outcome {
    let package: URL
    let found: FoundPackage?
    switch try arrival.result.get() {
    case .nothing(let outcome): return outcome
    case .package(let file, let source): (package, found) = (file, source)
    }
    let folder = package.deletingLastPathComponent()
    defer { try? FileSystem.remove(folder) }
    var refused: InstallOffer?
    let outcome = try await install(
      package,
      found,
      in: folder,
      expecting: Expected(identifier: arrival.identifier),
      again: false,
      confirm: { offer in
        guard offer.asksForMore else { return true }
        if try await asking(offer, package, found) { return true }
        refused = offer
        return false
      }
    )
    switch outcome {
    case .installed(let manifest, let start):
      return .updated(from: arrival.present.version, to: manifest.version, start)
    case .alreadyThere: return .upToDate
    case .declined:
      guard let refused else { return .upToDate }
      return .needsConsent(refused.manifest.version, refused.additionalRequests)
    }
  }
}
