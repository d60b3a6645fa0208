public import Foundation

extension ExtensionInstaller {
  /// Returns the galleries that were added.
  ///
  /// - Throws: ``GalleryError`` with code `.file`.
  public func galleries() throws -> [KnownGallery] { try file.read().galleries }

  /// Adds a gallery, and pins the key of its list.
  ///
  /// - Parameters:
  ///   - address: Its list, or the folder that contains it.
  ///   - key: The fingerprint that the gallery's makers told the user, or that of a key which was
  ///     rotated to the current one.
  ///   - root: The fingerprint of the gallery's root key, or of one that it was rotated from; then
  ///     the root key says which keys sign, and `key` is not needed.
  ///   - confirm: Called if both `key` and `root` are nil.
  /// - Returns: The gallery; nil if the user declined.
  /// - Throws: ``GalleryError`` with code `.otherKey` if the key is a different one, and any error
  ///   of a list.
  public func addGallery(
    _ address: URL,
    key: KeyFingerprint?,
    root: KeyFingerprint? = nil,
    confirm: (UpdateList) async throws -> Bool
  ) async throws -> KnownGallery? {
    let url = Self.listURL(address)
    if let known = try file.read().galleries.first(where: { $0.url == url }) {
      let (gallery, list) = try await refresh(known)
      if let key, list.signer.fingerprint != key,
        !gallery.pin.retired.contains(where: { $0.fingerprint == key })
      {
        throw Self.otherKey(list, key)
      }
      if let root, gallery.root.map({ $0.knows(root) }) != true { throw Self.otherRoot(list, root) }
      return gallery
    }
    let (list, keys) = try await fetchList(url, wantsKeys: root != nil)
    if let root {
      guard let keys, Self.leads(from: root, to: keys) else { throw Self.otherRoot(list, root) }
    } else if let keys, keys.root != list.root {
      throw Self.otherRoot(list, keys.root.fingerprint)
    }
    let gallery = try KnownGallery(url: url, first: list, keys: keys, now: now())
    if let key {
      guard list.signer.fingerprint == key || Self.leads(from: key, to: list) else {
        throw Self.otherKey(list, key)
      }
    } else if root == nil {
      guard try await confirm(list) else { return nil }
    }
    return try await file.locked { state in
      guard !state.galleries.contains(where: { $0.url == url }) else {
        throw GalleryError(.changed, "\(gallery.name) was added by another process meanwhile")
      }
      state.galleries.append(gallery)
      try file.write(state)
      return gallery
    }
  }

  /// Removes a gallery; what was installed from it stays, and is no longer updated.
  ///
  /// - Throws: ``GalleryError`` with code `.notFound`.
  public func removeGallery(_ name: String) async throws {
    try await file.locked { state in
      let index = try Self.index(of: name, state)
      state.galleries.remove(at: index)
      try file.write(state, takingAway: true)
    }
  }

  /// Fetches a gallery's list, checks that it is fresh, and stores it.
  ///
  /// - Throws: ``GalleryError``; then the stored list is unchanged.
  public func refreshGallery(_ name: String) async throws -> UpdateList {
    let state = try file.read()
    return try await refresh(state.galleries[try Self.index(of: name, state)]).1
  }

  /// Fetches the lists of all galleries concurrently, and stores those that are fresh.
  ///
  /// - Throws: ``GalleryError`` with code `.busy` or `.file`; errors of a list are in its result.
  public func refreshGalleries() async throws -> [(
    gallery: KnownGallery, list: Result<UpdateList, GalleryError>
  )] {
    let known = try file.read().galleries
    let results = try await refresh(known)
    return known.map { gallery in
      switch results[gallery.url] {
      case .success(let (fresh, list)): (fresh, .success(list))
      case .failure(let error): (gallery, .failure(error))
      case nil: (gallery, .failure(GalleryError(.notFound, "\(gallery.name) was removed")))
      }
    }
  }

  static func listURL(_ address: URL) -> URL {
    if address.pathExtension == "txt" { return address.absoluteURL }
    return address.absoluteURL.appending(
      path: UpdateList.fileName,
      directoryHint: .notDirectory
    )
  }

  /// Finds a gallery by its address, or else by its name.
  private static func index(of name: String, _ state: GalleryState) throws -> Int {
    let galleries = state.galleries
    // An address belongs to one gallery alone; a name is what its makers like, another's address too.
    if let index = galleries.firstIndex(where: { $0.url.absoluteString == name })
      ?? URL(string: name).flatMap({ address in
        galleries.firstIndex { $0.url == listURL(address) }
      })
    {
      return index
    }
    let matches = galleries.indices.filter { galleries[$0].name == name }
    guard let index = matches.first else {
      throw GalleryError(.notFound, "No gallery \"\(name)\" was added; see: tickbird gallery list")
    }
    guard matches.count == 1 else {
      let addresses = matches.map { galleries[$0].url.absoluteString }
      throw GalleryError(
        .notFound,
        "Several galleries are named \"\(name)\"; give the address: "
          + addresses.joined(separator: ", ")
      )
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

  private static func leads(from root: KeyFingerprint, to keys: GalleryKeys) -> Bool {
    keys.root.fingerprint == root
      || keys.rotations.contains { rotation in
        rotation.from.fingerprint == root
          && (try? PinnedKey(rotation.from).following(keys.rotations, to: keys.root, for: ""))
            != nil
      }
  }

  private static func otherRoot(_ list: UpdateList, _ root: KeyFingerprint) -> GalleryError {
    let words = list.root.map { "names the root key \($0.fingerprint)" } ?? "names no root key"
    return GalleryError(.otherKey, "\(list.name): its list \(words), not \(root)")
  }

  /// Fetches a list, and the keys document if the list or the caller says that there is one.
  private func fetchList(
    _ url: URL,
    wantsKeys: Bool
  ) async throws -> (UpdateList, GalleryKeys?) {
    try await Workspace.with(file) { workspace in
      func keys() async throws -> GalleryKeys {
        let place = url.deletingLastPathComponent()
          .appending(path: GalleryKeys.fileName, directoryHint: .notDirectory)
        return try await GalleryKeys(
          downloader.data(place, limit: GalleryKeys.sizeLimit, staging: workspace),
          from: place.absoluteString
        )
      }
      // Fetched first, so that a list published meanwhile is not older than its keys.
      let known = wantsKeys ? try await keys() : nil
      let list = try await UpdateList(
        downloader.data(url, limit: UpdateList.sizeLimit, staging: workspace),
        from: url.absoluteString
      )
      if known == nil, list.root != nil { return (list, try await keys()) }
      return (list, known)
    }
  }

  /// The results of fetching lists, by address.
  typealias Lists = [URL: Result<(KnownGallery, UpdateList), GalleryError>]

  /// Fetches lists concurrently, so that a slow one does not delay the others.
  func refresh(_ galleries: [KnownGallery]) async throws -> Lists {
    var lists: Lists = [:]
    try await Transfers.sideBySide(
      galleries.map { gallery in
        Transfers.Job(source: gallery.url.absoluteString) { () async throws in
          do {
            return (gallery.url, .success(try await refresh(gallery)))
          } catch let error as GalleryError {
            return (gallery.url, .failure(error))
          }
        }
      }
    ) { (arrival: (URL, Result<(KnownGallery, UpdateList), GalleryError>)) in
      lists[arrival.0] = arrival.1
    }
    return lists
  }

  /// Fetches a list without the lock, and checks it against what is known by the time it arrives.
  func refresh(_ gallery: KnownGallery) async throws -> (KnownGallery, UpdateList) {
    var before = gallery
    while true {
      let (list, keys) = try await fetchList(before.url, wantsKeys: before.root != nil)
      let outcome: (KnownGallery, UpdateList)? = try await file.locked { state in
        guard let index = state.galleries.firstIndex(where: { $0.url == before.url }) else {
          throw GalleryError(.changed, "The gallery \(before.name) was removed meanwhile")
        }
        let known = state.galleries[index]
        do {
          var fresh = known
          if let keys {
            fresh =
              known.root == nil
              ? try known.adopting(keys, of: list, now: now())
              : try known.accepting(keys, now: now())
            // Revocations by the root key apply even if the list is invalid. A new root key is
            // pinned only together with its list.
            if known.root != nil, fresh != known {
              state.galleries[index] = fresh
              try file.write(state)
            }
          }
          fresh = try fresh.accepting(list, now: now())
          if fresh != state.galleries[index] {
            state.galleries[index] = fresh
            try file.write(state)
          }
          return (fresh, list)
        } catch let error as GalleryError
          where [.listReplayed, .keysReplayed, .otherKey].contains(error.code) && known != before
        {
          // Another process stored newer ones meanwhile, which is not an attack.
          before = known
          return nil
        }
      }
      if let outcome { return outcome }
    }
  }

  /// Finds a package by its identifier, or by its display name.
  func find(_ name: String, in wanted: String?) async throws -> FoundPackage {
    let state = try file.read()
    guard !state.galleries.isEmpty else {
      throw GalleryError(
        .notFound,
        "\"\(name)\" is neither a file nor an address, and no gallery was added to look for it in; "
          + "see: tickbird gallery add URL"
      )
    }
    let asked =
      try wanted.map { [state.galleries[try Self.index(of: $0, state)]] }
      ?? state.galleries
    let lists = try await refresh(asked)
    var hits: [FoundPackage] = []
    var failures: [GalleryError] = []
    for gallery in asked {
      switch lists[gallery.url] {
      case .success(let (fresh, list)):
        hits += list.entries
          .filter { $0.identifier == name || $0.name.lowercased() == name.lowercased() }
          .map { FoundPackage(entry: $0, gallery: fresh, rotations: list.rotations) }
      case .failure(let error): failures.append(error)
      case nil: break
      }
    }
    let exact = hits.filter { $0.entry.identifier == name }
    if !exact.isEmpty { hits = exact }
    if let hit = hits.first, hits.count == 1 { return hit }
    if hits.isEmpty {
      // The gallery that could not be reached may be the one that has it.
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
