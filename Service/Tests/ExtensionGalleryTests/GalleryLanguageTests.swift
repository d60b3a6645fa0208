import Foundation
import GallerySite
import PageTexts
import PageTextsTestSupport
import Testing

@testable import ExtensionGallery

/// A gallery's pages in each language.
struct GalleryLanguageTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/GallerySite").standardized

  @Test("each language has all keys, with the same placeholders")
  func completeness() throws {
    #expect(TextFaults.all(of: .gallerySite) == [])
    #expect(try TextFaults.duplicates(under: Self.sources) == [])
  }

  @Test("each text is used, and each that is used is there; templates have no words of their own")
  func uses() throws {
    let uses = try TextFaults.uses(under: Self.sources)
    let all = TextFaults.stems(of: .gallerySite)
    #expect(uses.named.subtracting(all).sorted() == [])
    var mentioned = uses.mentioned.union(TextFaults.stems(of: .shared))
    mentioned.formUnion(Presentation.categories.map { "\($0)_category" })
    // Its forms are chosen by the page's script.
    mentioned.insert("site_found")
    #expect(all.subtracting(mentioned).sorted() == [])
    for file in try TextFaults.files(under: Self.sources) where file.pathExtension == "mustache" {
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(TextFaults.literalWords(in: text) == [], "\(file.lastPathComponent)")
    }
  }

  @Test("each page is there in each language, and leads to the same page in the others")
  func pages() throws {
    let scene = try GalleryScene()
    try SampleBundle().package(
      in: scene.folder,
      key: scene.developer,
      showing: SamplePresentation().read(in: scene.folder),
      to: scene.files.appending(path: "a.tickbird")
    )
    let pages = GalleryPages()
    try GalleryBuilder(folder: scene.files).build(
      key: scene.galleryKey,
      name: "Example <i>gallery</i>",
      issued: scene.now,
      pages: { pages($0, $1) }
    )
    let english = try strings(.english)
    for language in PageLanguage.allCases {
      let end = language == .english ? "" : "_\(language.tag)"
      let index = language == .english ? "index.html" : "tickbird-gallery/index\(end).html"
      for path in [index, "tickbird-gallery/com.example.blocker\(end).html"] {
        let file = scene.files.appending(path: path)
        let page = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let start = "<html lang=\"\(language.tag)\" dir=\"\(language.direction)\">"
        #expect(page.contains(start), "\(path)")
        #expect(!page.contains("[[") && !page.contains("site_"), "\(path)")
        #expect(!page.contains("<i>"), "\(path)")
        let own = try strings(language)
        for text in english.subtracting(own) where text.contains(" ") && !text.contains("$") {
          #expect(!page.contains(text), "\(path) says “\(text)”")
        }
        // Every link of the page leads to a file of the gallery.
        for link in page.matches(of: /(?:href|src)="([^"#:]+)["#]/).map({ String($0.1) }) {
          let target = file.deletingLastPathComponent().appending(path: link).standardized
          #expect(FileSystem.exists(target), "\(path) leads to \(link)")
        }
        #expect(page.matches(of: /<a href="[^"]+" hreflang=/).count == 4, "\(path)")
      }
    }
  }

  private func strings(_ language: PageLanguage) throws -> Set<String> {
    Set(
      TextCatalogue.gallerySite.keys(language)
        .compactMap { TextCatalogue.gallerySite.source($0, in: language) }
    )
  }
}
