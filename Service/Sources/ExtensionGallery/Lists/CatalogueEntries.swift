internal import ExtensionBundles
internal import Foundation

/// What a catalogue says of the packages in a gallery's folder.
struct CatalogueEntries {
  let entries: [GalleryCatalogue.Entry]
  /// All images, each once.
  let images: [Presentation.Image]

  /// Reads what the packages show and ask for.
  ///
  /// - Parameters:
  ///   - packages: The packages, verified.
  ///   - list: The new list.
  ///   - before: The previous list, from whose catalogue it comes since when a version is listed.
  ///   - folder: The gallery's folder.
  /// - Throws: ``GalleryError``.
  init(
    _ packages: [ListedPackage],
    of list: UpdateList,
    before: UpdateList?,
    in folder: URL
  ) throws {
    let known = Self.known(before, in: folder)
    var images: [Data: Presentation.Image] = [:]
    var entries: [GalleryCatalogue.Entry] = []
    for package in packages {
      let presentation = package.manifest.presentation
      for image in presentation.images where images[image.digest] == nil {
        images[image.digest] = image
      }
      let versions = ([package.entry] + package.older).sorted { $0.version > $1.version }
      entries.append(
        GalleryCatalogue.Entry(
          identifier: package.entry.identifier,
          presentation: presentation,
          requests: GalleryCatalogue.requests(try Self.requests(package.entry, in: folder)),
          versions: versions.prefix(GalleryCatalogue.versionLimit).map { entry in
            GalleryCatalogue.Entry.Version(
              version: entry.version,
              listed: known[entry.digest] ?? list.issued,
              size: entry.size,
              digest: entry.digest
            )
          }
        )
      )
    }
    self.entries = entries
    self.images = images.values.sorted { $0.fileName < $1.fileName }
  }

  /// Since when the packages of the previous list are listed, by their digests.
  private static func known(_ before: UpdateList?, in folder: URL) -> [Data: Date] {
    guard let before else { return [:] }
    let file = folder.appending(path: GalleryCatalogue.path(of: before))
    // One that is missing or damaged only loses dates.
    guard
      let text = try? InputFile(file)
        .readAll(limit: GalleryCatalogue.sizeLimit, what: file.path),
      let catalogue = try? GalleryCatalogue(text, of: before, from: file.path)
    else {
      return Dictionary(before.entries.map { ($0.digest, before.issued) }) { first, _ in first }
    }
    return Dictionary(
      catalogue.entries.values.flatMap(\.versions).map { ($0.digest, $0.listed) }
    ) { min($0, $1) }
  }

  /// What a package asks for, as its installation says it.
  private static func requests(_ entry: UpdateList.Entry, in folder: URL) throws -> [String] {
    let place = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-build-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileSystem.makeFolder(place, mode: 0o700)
    defer { try? FileSystem.remove(place) }
    let bundle = try PackageReader(folder.appending(path: entry.path)).unpack(into: place)
    return try BundleRequests(bundle: bundle).sentences
  }
}
