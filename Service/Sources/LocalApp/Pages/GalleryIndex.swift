internal import ExtensionGallery
internal import Foundation
internal import GallerySite
internal import PageTexts

/// What galleries offer, in the order of pages, with what searching and looking up need.
///
/// It is made once for what was fetched: names are folded once for each extension, so that a page costs
/// no more than going over them.
struct GalleryIndex: Sendable {
  /// An extension that a gallery offers.
  struct Offered: Sendable {
    let browsed: BrowsedGallery
    let shown: ShownExtension
    var id: String { "\(shown.entry.identifier) \(browsed.gallery.url.absoluteString)" }
  }

  /// All extensions, sorted by name.
  let all: [Offered]
  /// How many extensions there are in each category.
  let counts: [String: Int]
  /// How many extensions, told apart by identifier and key, share a folded name.
  private let namesakes: [String: Int]
  private let places: [String: Int]
  private let images: [String: (image: Presentation.Image, gallery: KnownGallery)]

  /// Sorts what was fetched.
  ///
  /// - Parameters:
  ///   - galleries: The galleries.
  ///   - fold: Folds a name, as ``ShownExtension/folded(_:)`` does.
  init(
    _ galleries: [BrowsedGallery],
    fold: (String) -> String = ShownExtension.folded
  ) {
    let all = galleries.flatMap { browsed in
      (browsed.list?.entries ?? []).map { entry in
        Offered(
          browsed: browsed,
          shown: ShownExtension(
            entry: entry,
            shown: browsed.catalogue?.entries[entry.identifier],
            fold: fold
          )
        )
      }
    }
    .sorted { ($0.shown.foldedName, $0.id) < ($1.shown.foldedName, $1.id) }
    self.all = all
    counts = Dictionary(grouping: all, by: \.shown.category).mapValues(\.count)
    namesakes = Dictionary(grouping: all, by: \.shown.foldedName).mapValues { same in
      Set(same.map { "\($0.shown.entry.identifier) \($0.shown.entry.signer.digits)" }).count
    }
    places = Dictionary(all.indices.map { (all[$0].id, $0) }) { first, _ in first }
    var images: [String: (image: Presentation.Image, gallery: KnownGallery)] = [:]
    for browsed in galleries {
      for entry in browsed.catalogue?.entries.values.map(\.self) ?? [] {
        for image in entry.presentation.images where images[image.fileName] == nil {
          images[image.fileName] = (image, browsed.gallery)
        }
      }
    }
    self.images = images
  }

  /// Whether another extension has a name that people would take for this one's.
  func hasTwins(_ offered: Offered) -> Bool { namesakes[offered.shown.foldedName, default: 0] > 1 }

  /// Returns an extension of a gallery; nil if the gallery has none of that identifier.
  func offered(_ identifier: String, in gallery: String) -> Offered? {
    places["\(identifier) \(gallery)"].map { all[$0] }
  }

  /// Returns a picture by the name of its file; nil if no gallery shows it.
  func image(_ name: String) -> (image: Presentation.Image, gallery: KnownGallery)? { images[name] }

  /// Returns what a search looks in, for each extension in order.
  func words(_ texts: Texts) -> [String] { all.map { Self.folded($0.shown.words(texts)) } }

  /// Returns the extensions of a category, or of all, that have all words of a query.
  func found(_ query: String, category: String, words: [String]) -> [Offered] {
    let wanted = Self.folded(query).split(separator: " ")
    return all.indices.lazy
      .filter { category.isEmpty || all[$0].shown.category == category }
      .filter { index in wanted.allSatisfy { words[index].contains($0) } }
      .map { all[$0] }
  }

  private static func folded(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars
          .filter { $0.properties.generalCategory != .nonspacingMark }
      )
    )
  }
}
