internal import ExtensionGallery
internal import Foundation
internal import PageTexts

/// What the galleries showed when they were asked last, and pictures that were looked at.
///
/// Kept in memory alone, and bounded: a gallery has at most 10,000 extensions, and pictures that were not
/// looked at for longest make room for new ones.
actor GalleryShelf {
  private static let life = Duration.seconds(600)
  private static let pause = Duration.seconds(30)
  private static let pictureBytes = 32 << 20

  private let installer: ExtensionInstaller
  private var galleries: [BrowsedGallery] = [] {
    didSet {
      index = GalleryIndex(galleries)
      words = [:]
    }
  }
  private var index = GalleryIndex([])
  /// What a search looks in, by the language of the reader.
  private var words: [String: [String]] = [:]
  private var fetched: ContinuousClock.Instant?
  private var fetching: Task<[BrowsedGallery], any Error>?
  private var pictures: [String: Data] = [:]
  /// The pictures' names, the one that was looked at last at the end.
  private var order: [String] = []

  init(_ installer: ExtensionInstaller) { self.installer = installer }

  /// Returns the galleries, which are asked again after ten minutes, or half a minute after a failure.
  func browsed() async throws -> [BrowsedGallery] {
    let known = Set(try installer.galleries().map(\.url))
    if let fetched, fetched + Self.life > .now, Set(galleries.map(\.gallery.url)) == known {
      return galleries
    }
    if let fetching { return try await fetching.value }
    let task = Task { [installer] in try await installer.browse() }
    fetching = task
    defer { fetching = nil }
    galleries = try await task.value
    // One that could not be reached is asked again soon.
    let isWhole = galleries.allSatisfy { $0.error == nil }
    fetched = isWhole ? .now : .now - (Self.life - Self.pause)
    return galleries
  }

  /// Returns what the galleries offer.
  func offers() async throws -> GalleryIndex {
    _ = try await browsed()
    return index
  }

  /// Returns the extensions that a search finds.
  func found(
    _ query: String,
    category: String,
    _ texts: Texts
  ) async throws
    -> [GalleryIndex.Offered]
  {
    _ = try await browsed()
    if words[texts.language.tag] == nil { words[texts.language.tag] = index.words(texts) }
    return index.found(query, category: category, words: words[texts.language.tag] ?? [])
  }

  /// Makes the next look ask the galleries again.
  func forget() { fetched = nil }

  /// Returns a picture by the name of its file; nil if no gallery shows it.
  func picture(_ name: String) async throws -> (bytes: Data, type: String)? {
    guard let found = index.image(name) else { return nil }
    if let bytes = pictures[name] {
      order.removeAll { $0 == name }
      order.append(name)
      return (bytes, found.image.mediaType)
    }
    let bytes = try await installer.picture(found.image, of: found.gallery)
    keep(bytes, name)
    return (bytes, found.image.mediaType)
  }

  private func keep(_ bytes: Data, _ name: String) {
    guard pictures[name] == nil else { return }
    pictures[name] = bytes
    order.append(name)
    var total = pictures.values.reduce(0) { $0 + $1.count }
    while total > Self.pictureBytes, let first = order.first, first != name {
      order.removeFirst()
      total -= pictures.removeValue(forKey: first)?.count ?? 0
    }
  }
}
