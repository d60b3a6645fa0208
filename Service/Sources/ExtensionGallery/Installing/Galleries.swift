public import Foundation

extension ExtensionInstaller {
  /// The galleries that were added.
  ///
  /// - Throws: ``GalleryError`` with code `.file`.
  public func galleries() throws -> [KnownGallery] { try file.read().galleries }

  /// Adds a gallery, and pins the key of its list.
  ///
  /// - Parameters:
  ///   - address: Its list, or the folder that has it.
  ///   - key: The fingerprint that the gallery's makers told the user, or that of a key which was
  ///     rotated to the present one.
  ///   - confirm: Asked where `key` is nil.
  /// - Returns: The gallery; nil where the answer was no.
  /// - Throws: ``GalleryError`` with code `.otherKey` where the key is another one, and all that
  ///   can be wrong with a list.
  public func addGallery(
    _ address: URL,
    key: KeyFingerprint?,
    confirm: (UpdateList) async throws -> Bool
  ) async throws -> KnownGallery? {
    try await file.locked { state in
      let url = Self.listURL(address)
      if let index = state.galleries.firstIndex(where: { $0.url == url }) {
        let list = try await refresh(index, &state)
        if let key, list.signer.fingerprint != key,
          !state.galleries[index].pin.retired.contains(where: { $0.fingerprint == key })
        {
          throw Self.otherKey(list, key)
        }
        return state.galleries[index]
      }
      let list = try await fetchList(url)
      let gallery = try KnownGallery(url: url, first: list, now: now())
      if let key {
        guard list.signer.fingerprint == key || Self.leads(from: key, to: list) else {
          throw Self.otherKey(list, key)
        }
      } else {
        guard try await confirm(list) else { return nil }
      }
      state.galleries.append(gallery)
      try file.write(state)
      return gallery
    }
  }

  /// Forgets a gallery; what was installed from it stays, and is no longer updated.
  ///
  /// - Throws: ``GalleryError`` with code `.notFound`.
  public func removeGallery(_ name: String) async throws {
    try await file.locked { state in
      let index = try Self.index(of: name, state)
      state.galleries.remove(at: index)
      try file.write(state)
    }
  }

  /// Fetches a gallery's list, checks that it is fresh, and remembers it.
  ///
  /// - Throws: ``GalleryError``; what is known of the gallery is as before.
  public func refreshGallery(_ name: String) async throws -> UpdateList {
    try await file.locked { state in
      try await refresh(try Self.index(of: name, state), &state)
    }
  }

  static func listURL(_ address: URL) -> URL {
    if address.pathExtension == "txt" { return address.absoluteURL }
    return address.absoluteURL.appending(
      path: UpdateList.fileName,
      directoryHint: .notDirectory
    )
  }

  private static func index(of name: String, _ state: GalleryState) throws -> Int {
    let matches = state.galleries.indices.filter { index in
      let gallery = state.galleries[index]
      return gallery.name == name || gallery.url.absoluteString == name
        || URL(string: name).map { listURL($0) == gallery.url } ?? false
    }
    guard let index = matches.first else {
      throw GalleryError(.notFound, "No gallery \"\(name)\" was added; see: tickbird gallery list")
    }
    guard matches.count == 1 else {
      throw GalleryError(.notFound, "Several galleries are named \"\(name)\"; give the address")
    }
    return index
  }

  private static func leads(from key: KeyFingerprint, to list: UpdateList) -> Bool {
    list.rotations.contains { rotation in
      rotation.from.fingerprint == key
        && (try? PinnedKey(rotation.from).following(list.rotations, to: list.signer, for: ""))
          != nil
    }
  }

  private static func otherKey(_ list: UpdateList, _ key: KeyFingerprint) -> GalleryError {
    GalleryError(
      .otherKey,
      "\(list.name): its list is signed by \(list.signer.fingerprint), not by \(key)"
    )
  }

  private func fetchList(_ url: URL) async throws -> UpdateList {
    try await UpdateList(
      downloader.data(url, limit: UpdateList.sizeLimit, staging: file.staging),
      from: url.absoluteString
    )
  }

  func refresh(_ index: Int, _ state: inout GalleryState) async throws -> UpdateList {
    let known = state.galleries[index]
    let list = try await fetchList(known.url)
    let fresh = try known.accepting(list, now: now())
    if fresh != known {
      state.galleries[index] = fresh
      try file.write(state)
    }
    return list
  }

  /// Finds a package by its identifier, or by the name that is shown.
  func find(
    _ name: String,
    in wanted: String?,
    _ state: inout GalleryState
  ) async throws -> FoundPackage {
    guard !state.galleries.isEmpty else {
      throw GalleryError(
        .notFound,
        "\"\(name)\" is neither a file nor an address, and no gallery was added to look for it in; "
          + "see: tickbird gallery add URL"
      )
    }
    let indices =
      try wanted.map { [try Self.index(of: $0, state)] } ?? Array(state.galleries.indices)
    var hits: [FoundPackage] = []
    var failures: [GalleryError] = []
    for index in indices {
      do {
        let list = try await refresh(index, &state)
        hits += list.entries
          .filter { $0.identifier == name || $0.name.lowercased() == name.lowercased() }
          .map {
            FoundPackage(entry: $0, gallery: state.galleries[index], rotations: list.rotations)
          }
      } catch let error as GalleryError {
        failures.append(error)
      }
    }
    let exact = hits.filter { $0.entry.identifier == name }
    if !exact.isEmpty { hits = exact }
    if let hit = hits.first, hits.count == 1 { return hit }
    if hits.isEmpty {
      // A gallery that could not be asked may be the one that has it.
      if let failure = failures.first { throw failure }
      throw GalleryError(.notFound, "No gallery has \"\(name)\"; see: tickbird gallery list")
    }
    let places = hits.map { "\($0.entry.identifier) (gallery \($0.gallery.name))" }
    throw GalleryError(
      .notFound,
      "\"\(name)\" is ambiguous: \(places.joined(separator: ", ")); give the identifier, or the "
        + "gallery with --gallery"
    )
  }
}
