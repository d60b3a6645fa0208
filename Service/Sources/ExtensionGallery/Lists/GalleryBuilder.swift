public import Foundation

/// Builds a gallery from a folder of packages: static files for any web server.
///
/// Every package below the folder is completely verified; the highest version of each identifier is
/// listed, and what it shows of itself is written beside the list. Files named `*.tickbird-rotation` are added to the list. If there is a keys document,
/// the list names its root key and its epoch.
public struct GalleryBuilder {
  /// The file extension of packages.
  public static let packageExtension = "tickbird"
  /// The file extension of rotations.
  public static let rotationExtension = "tickbird-rotation"

  private let folder: URL
  private let limits: PackageLimits

  /// Creates a builder for the folder to be served.
  public init(folder: URL, limits: PackageLimits = PackageLimits()) {
    self.folder = folder
    self.limits = limits
  }

  /// Writes the list into the folder, replacing an old one atomically.
  ///
  /// The counter is one higher than in the old list. The same packages, old files and time give the
  /// same bytes. The catalogue and the images are in place before the list that they are for, and the
  /// pages after it.
  ///
  /// - Parameters:
  ///   - key: Signs the list.
  ///   - name: The gallery's name; nil keeps that of the old list.
  ///   - counter: A counter to continue from, if the old list was lost.
  ///   - issued: The current time, in whole seconds.
  ///   - life: For how many seconds the list is valid.
  ///   - pages: Makes the pages for browsers, by their paths; nil if there are to be none.
  /// - Returns: The list.
  /// - Throws: ``GalleryError``, naming the invalid package or a file in the way; then the list is
  ///   unchanged.
  @discardableResult
  public func build(
    key: SigningKey,
    name: String? = nil,
    counter: UInt64? = nil,
    issued: Date = Date(),
    life: TimeInterval = 30 * 86_400,
    pages: ((UpdateList, GalleryCatalogue) throws -> [String: Data])? = nil
  ) throws -> UpdateList {
    let file = folder.appending(path: UpdateList.fileName)
    let (packagePaths, rotationFiles) = try files()
    let rotations = try rotationFiles.map {
      try KeyRotation(contentsOf: folder.appending(path: $0))
    }
    let owned = try OwnedFiles(folder)
    let before = try previous(file)
    let isFirst = before == nil && !owned.hadList
    if before == nil, !isFirst, counter == nil {
      throw GalleryError(
        .file,
        "\(file.path) is missing, but the folder has other files of a gallery. A list that begins again with the "
          + "counter 1 is refused by everybody who has a later one: put the list back, or give --counter with a "
          + "number that is higher than any before"
      )
    }
    let keys = try keys()
    if let keys {
      guard keys.signers.contains(try key.publicKey) else {
        throw GalleryError(
          .otherKey,
          "\(folder.appending(path: GalleryKeys.fileName).path) does not let the key "
            + "\(try key.publicKey.fingerprint) sign the gallery's lists; the root key has to: "
            + "tickbird gallery root sign"
        )
      }
    } else if let before {
      if let root = before.root {
        throw GalleryError(
          .file,
          "The previous list names the root key \(root.fingerprint), but there is no "
            + "\(GalleryKeys.fileName) in \(folder.path); users take no list without it"
        )
      }
      _ = try PinnedKey(before.signer).following(
        rotations,
        to: try key.publicKey,
        for: "The new list (put a rotation from the old key into \(folder.path))"
      )
    }
    guard let name = name ?? before?.name else {
      throw GalleryError(.malformed, "A new gallery needs a name: --name \"…\"")
    }
    guard BundleInformation.isShownText(name) else {
      throw GalleryError(.malformed, "A gallery's name has 1 to 200 bytes in one line")
    }
    let epoch = keys?.epoch ?? 0
    // Counters of older epochs do not count: an attacker may have driven them to their end.
    let last = before?.epoch == epoch ? before : nil
    if let before, before.epoch > epoch {
      throw GalleryError(
        .keysReplayed,
        "The previous list is of the epoch \(before.epoch), but the keys document is of \(epoch); put "
          + "the newest one into \(folder.path)"
      )
    }
    // A list must not be dated before the one that it replaces.
    let time = max(issued, last?.issued ?? issued).timeIntervalSince1970
    let issued = Date(timeIntervalSince1970: time.rounded(.down))
    let next = max(counter ?? 1, last.map { $0.counter + 1 } ?? 1)
    guard next <= UInt64(Int64.max) else {
      throw GalleryError(
        .malformed,
        "The counter of \(file.path) is at its end; the root key has to begin a new epoch: tickbird "
          + "gallery root sign --reset-counter"
      )
    }
    let packages = try newest(packagePaths)
    let text = try UpdateList.sign(
      name: name,
      counter: next,
      epoch: epoch,
      root: keys?.root,
      issued: issued,
      expires: issued.addingTimeInterval(life),
      rotations: rotations,
      entries: packages.map(\.entry),
      with: key
    )
    // Verify the result like a stranger's.
    let list = try UpdateList(text, from: file.path)
    let shown = try CatalogueEntries(packages, of: list, before: before, in: folder)
    let catalogueText = try GalleryCatalogue.sign(shown.entries, of: list, with: key)
    let catalogue = try GalleryCatalogue(
      catalogueText,
      of: list,
      from: folder.appending(path: GalleryCatalogue.path(of: list)).path
    )
    var files = [GalleryCatalogue.path(of: list): catalogueText]
    for (path, page) in try pages?(list, catalogue) ?? [:] { files[path] = page }
    var digests = files.mapValues { FileDigest.sha256(of: $0) }
    for image in shown.images { digests[GalleryCatalogue.path(of: image)] = image.digest }
    try owned.setFirstBuild(isFirst)
    try owned.begin(digests)
    for package in packages where !package.manifest.presentation.isEmpty {
      let reader = try PackageReader(folder.appending(path: package.entry.path), limits: limits)
      try reader.forEachImage { image, bytes in
        try owned.write(bytes, to: GalleryCatalogue.path(of: image))
      }
    }
    try owned.write(catalogueText, to: GalleryCatalogue.path(of: list))
    try FileSystem.replace(file, with: text, mode: 0o644)
    try owned.setFirstBuild(false)
    for path in files.keys.sorted() { try owned.write(files[path] ?? Data(), to: path) }
    try owned.finish()
    return list
  }

  private func keys() throws -> GalleryKeys? {
    let file = folder.appending(path: GalleryKeys.fileName)
    return FileSystem.exists(file) ? try GalleryKeys(contentsOf: file) : nil
  }

  private func previous(_ file: URL) throws -> UpdateList? {
    guard FileSystem.exists(file) else { return nil }
    do {
      return try UpdateList(
        InputFile(file).readAll(limit: UpdateList.sizeLimit, what: file.path),
        from: file.path
      )
    } catch let error as GalleryError {
      throw GalleryError(
        error.code,
        "\(error.message). The counter must not fall: mend the file, or take it away and give "
          + "--counter"
      )
    }
  }

  private func files() throws -> (packages: [String], rotations: [String]) {
    let paths = try FileSystem.attempt("\(folder.path) cannot be read") {
      try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    }
    // Names that begin with a dot belong to unfinished or removed files.
    let seen = paths.sorted().filter { path in
      path.split(separator: "/").allSatisfy { !$0.hasPrefix(".") }
    }
    return (
      seen.filter { $0.hasSuffix("." + Self.packageExtension) },
      seen.filter { $0.hasSuffix("." + Self.rotationExtension) }
    )
  }

  /// The newest version of each identifier, with the others.
  private func newest(_ paths: [String]) throws -> [ListedPackage] {
    var newest: [String: ListedPackage] = [:]
    var spellings: [String: String] = [:]
    for path in paths {
      if let fault = PackagePath.fault(path) {
        throw GalleryError(.badPath, "\"\(path)\" cannot be in a gallery: \(fault)")
      }
      let package = try PackageReader(folder.appending(path: path), limits: limits)
      try package.verify()
      let manifest = package.manifest
      let new = ListedPackage(
        entry: UpdateList.Entry(
          identifier: manifest.identifier,
          version: manifest.version,
          shortVersion: manifest.shortVersion,
          name: manifest.name,
          extensionPoint: manifest.extensionPoint,
          signer: package.signer,
          size: package.size,
          digest: try package.digest(),
          path: path
        ),
        manifest: manifest
      )
      let spelling = spellings[manifest.identifier.lowercased(), default: manifest.identifier]
      spellings[manifest.identifier.lowercased()] = spelling
      guard spelling == manifest.identifier else {
        throw GalleryError(
          .duplicatePath,
          "\(spelling) and \(manifest.identifier) (\(path)) differ in letters' case alone, and users "
            + "take only one of them; take one away"
        )
      }
      guard let other = newest[manifest.identifier] else {
        newest[manifest.identifier] = new
        continue
      }
      let all = [other.entry] + other.older
      if let same = all.first(where: { $0.version == manifest.version }) {
        throw GalleryError(
          .sameVersion,
          "\(same.path) and \(path) are both \(manifest.identifier) \(manifest.version); take one "
            + "away"
        )
      }
      let isNewer = other.entry.version < manifest.version
      let (old, next) = isNewer ? (other, new) : (new, other)
      _ = try PinnedKey(old.entry.signer).following(
        next.manifest.rotations,
        to: next.entry.signer,
        for: next.entry.path
      )
      newest[manifest.identifier] = ListedPackage(
        entry: next.entry,
        manifest: next.manifest,
        older: all.filter { $0.version != next.entry.version } + (isNewer ? [] : [new.entry])
      )
    }
    return newest.values.sorted { $0.entry.path < $1.entry.path }
  }
}

/// The newest package of an identifier in a gallery's folder.
struct ListedPackage {
  let entry: UpdateList.Entry
  let manifest: PackageManifest
  /// The versions before it.
  var older: [UpdateList.Entry] = []
}
