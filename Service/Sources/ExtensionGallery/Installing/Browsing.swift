public import Foundation

/// A gallery with what it offers and shows.
public struct BrowsedGallery: Sendable {
  /// The gallery.
  public let gallery: KnownGallery
  /// Its list; nil if that could not be fetched or was refused.
  public let list: UpdateList?
  /// What it shows of the packages in its list; empty where it shows nothing.
  public let catalogue: GalleryCatalogue?
  /// Why there is no list, or why nothing is shown although the gallery has something to show.
  public let error: GalleryError?
}

extension ExtensionInstaller {
  /// Returns the gallery with a list's address, if it was added.
  ///
  /// - Throws: ``GalleryError`` with code `.file`.
  public func gallery(at list: URL) throws -> KnownGallery? {
    try galleries().first { $0.url == Self.listURL(list) }
  }

  /// Fetches the lists of all galleries, and what they show, concurrently.
  ///
  /// A gallery that fails does not stop the others, and one whose texts fail is still a list.
  ///
  /// - Throws: ``GalleryError`` with code `.busy` or `.file`; errors of a gallery are in its result.
  public func browse() async throws -> [BrowsedGallery] {
    let lists = try await refreshGalleries()
    var browsed: [URL: BrowsedGallery] = [:]
    try await Transfers.sideBySide(
      lists.map { gallery, list in
        Transfers.Job(source: gallery.url.absoluteString) { () async throws in
          switch list {
          case .failure(let error):
            return BrowsedGallery(gallery: gallery, list: nil, catalogue: nil, error: error)
          case .success(let list):
            do throws(GalleryError) {
              let catalogue = try await catalogue(of: gallery, list)
              return BrowsedGallery(gallery: gallery, list: list, catalogue: catalogue, error: nil)
            } catch {
              return BrowsedGallery(
                gallery: gallery,
                list: list,
                catalogue: GalleryCatalogue(emptyFor: list),
                // A gallery of an older version shows nothing.
                error: error.code == .download ? nil : error
              )
            }
          }
        }
      }
    ) { (arrival: BrowsedGallery) in browsed[arrival.gallery.url] = arrival }
    return lists.compactMap { browsed[$0.gallery.url] }
  }

  private func catalogue(
    of gallery: KnownGallery,
    _ list: UpdateList
  ) async throws(GalleryError) -> GalleryCatalogue {
    let place = try location(GalleryCatalogue.path(of: list), of: gallery)
    do {
      return try await Workspace.with(file) { workspace in
        try await GalleryCatalogue(
          downloader.data(place, limit: GalleryCatalogue.sizeLimit, staging: workspace),
          of: list,
          from: place.absoluteString
        )
      }
    } catch let error as GalleryError {
      throw error
    } catch {
      throw GalleryError(.download, "\(place.absoluteString) cannot be read: \(error)")
    }
  }

  /// Fetches a picture of a gallery's catalogue, and checks that it is the signed one.
  ///
  /// - Throws: ``GalleryError``.
  public func picture(
    _ image: Presentation.Image,
    of gallery: KnownGallery
  ) async throws -> Data {
    let place = try location(GalleryCatalogue.path(of: image), of: gallery)
    return try await Workspace.with(file) { workspace in
      let bytes = try await downloader.data(place, limit: image.size, staging: workspace)
      try image.check(bytes, what: gallery.name)
      return bytes
    }
  }

  private func location(
    _ path: String,
    of gallery: KnownGallery
  ) throws(GalleryError) -> URL {
    guard let place = URL(string: path, relativeTo: gallery.url)?.absoluteURL else {
      throw GalleryError(.badPath, "\(path) cannot be part of an address")
    }
    return place
  }
}
