public import Foundation

/// Builds a gallery from a folder of packages: static files for any web server.
///
/// Every package below the folder is completely verified; the highest version of each identifier is
/// listed. Files named `*.tickbird-rotation` are added to the list. If there is a keys document,
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
  /// The counter is one higher than in the old list. The same packages, old list and time give the
  /// same bytes.
  ///
  /// - Parameters:
  ///   - key: Signs the list.
  ///   - name: The gallery's name; nil keeps that of the old list.
  ///   - counter: A counter to continue from, if the old list was lost.
  ///   - issued: The current time, in whole seconds.
  ///   - life: For how many seconds the list is valid.
  /// - Returns: The list.
  /// - Throws: ``GalleryError``, naming the invalid package; then the folder is unchanged.
  @discardableResult
  public func build(
    key: SigningKey,
    name: String? = nil,
    counter: UInt64? = nil,
    issued: Date = Date(),
    life: TimeInterval = 30 * 86_400
  ) throws -> UpdateList {
    let file = folder.appending(path: UpdateList.fileName)
    let (packages, rotationFiles) = try files()
    let rotations = try rotationFiles.map {
      try KeyRotation(contentsOf: folder.appending(path: $0))
    }
    let before = try previous(file)
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
          "The list before names the root key \(root.fingerprint), but there is no "
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
        "The list before is of the epoch \(before.epoch), but the keys document is of \(epoch); put "
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
    let text = try UpdateList.sign(
      name: name,
      counter: next,
      epoch: epoch,
      root: keys?.root,
      issued: issued,
      expires: issued.addingTimeInterval(life),
      rotations: rotations,
      entries: try entries(packages),
      with: key
    )
    // Verify the result like a stranger's.
    let list = try UpdateList(text, from: file.path)
    try FileSystem.replace(file, with: text, mode: 0o644)
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

  private func entries(_ packages: [String]) throws -> [UpdateList.Entry] {
    var newest: [String: (entry: UpdateList.Entry, rotations: [KeyRotation])] = [:]
    for path in packages {
      if let fault = PackagePath.fault(path) {
        throw GalleryError(.badPath, "\"\(path)\" cannot be in a gallery: \(fault)")
      }
      let package = try PackageReader(folder.appending(path: path), limits: limits)
      try package.verify()
      let manifest = package.manifest
      let entry = UpdateList.Entry(
        identifier: manifest.identifier,
        version: manifest.version,
        shortVersion: manifest.shortVersion,
        name: manifest.name,
        extensionPoint: manifest.extensionPoint,
        signer: package.signer,
        size: package.size,
        digest: try package.digest(),
        path: path
      )
      guard let other = newest[entry.identifier] else {
        newest[entry.identifier] = (entry, manifest.rotations)
        continue
      }
      guard other.entry.version != entry.version else {
        throw GalleryError(
          .sameVersion,
          "\(other.entry.path) and \(path) are both \(entry.identifier) \(entry.version); take one "
            + "away"
        )
      }
      let isNewer = other.entry.version < entry.version
      let old = isNewer ? other.entry : entry
      let new = isNewer ? (entry, manifest.rotations) : other
      _ = try PinnedKey(old.signer).following(new.1, to: new.0.signer, for: new.0.path)
      newest[entry.identifier] = new
    }
    return newest.values.map(\.entry)
  }
}
