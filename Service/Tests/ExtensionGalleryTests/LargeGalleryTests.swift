import Crypto
import ExtensionBundles
import Foundation
import PageTexts
import Synchronization
import Testing

@testable import ExtensionGallery
@testable import GallerySite

/// A gallery of as many extensions as a list may have.
@Suite("A gallery of 10,000 extensions")
struct LargeGalleryTests {
  private let key = SigningKey()

  private func list(_ count: Int) throws -> UpdateList {
    let signer = try SigningKey().publicKey
    let issued = Date(timeIntervalSince1970: 1_800_000_000)
    let entries = (0..<count).map { number in
      UpdateList.Entry(
        identifier: "com.example.extension-\(number)",
        version: BundleVersion("1"),
        shortVersion: "1",
        // Every name is that of four others.
        name: "Extension \(number / 5)",
        extensionPoint: "com.apple.Safari.content-blocker",
        signer: signer,
        size: 1000,
        digest: Data(SHA256.hash(data: Data("\(number)".utf8))),
        path: "packages/extension-\(number).tickbird"
      )
    }
    let text = try UpdateList.sign(
      name: "Large",
      counter: 1,
      issued: issued,
      expires: issued.addingTimeInterval(86_400),
      rotations: [],
      entries: entries,
      with: key
    )
    return try UpdateList(text, from: "list")
  }

  @Test("pages fold each name once, however many languages and namesakes there are")
  func folding() throws {
    let list = try list(1000)
    let folded = Mutex(0)
    let pages = GalleryPages(address: nil) { name in
      folded.withLock { $0 += 1 }
      return ShownExtension.folded(name)
    }
    let files = pages(list, GalleryCatalogue(emptyFor: list))
    #expect(folded.withLock { $0 } == 1000)
    let languages = PageLanguage.allCases.count
    #expect(files.count == 3 + languages * 1001)
    let page = try #require(files["tickbird-gallery/com.example.extension-7.html"])
    // Namesakes are told of, and not one by one.
    #expect(page.count < 20_000)
  }

  @Test("a list of the most extensions is within its bounds, and is searched by its identifiers")
  func wholeList() throws {
    let list = try list(10_000)
    #expect(list.entries.count == 10_000)
    #expect(throws: GalleryError.self) { try self.list(10_001) }
  }

  /// `TICKBIRD_GALLERY_PACKAGES=10000` measures what Documentation/Testing.md says.
  @Test("a gallery is built of many packages, and built again without writing what is there")
  func building() throws {
    let environment = ProcessInfo.processInfo.environment
    let count = environment["TICKBIRD_GALLERY_PACKAGES"].flatMap(Int.init) ?? 60
    let folder = try TemporaryFolder()
    let site = folder("site")
    try FileManager.default.createDirectory(at: site, withIntermediateDirectories: true)
    let developer = SigningKey()
    let clock = ContinuousClock()
    func measured<Result>(_ what: String, _ body: () throws -> Result) rethrows -> Result {
      var result: Result?
      let time = try clock.measure { result = try body() }
      print("gallery of \(count): \(what) \(time)")
      guard let result else { fatalError("measured nothing") }
      return result
    }
    try measured("packing") {
      for number in 0..<count {
        let place = folder("made-\(number)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let bundle = try RuleListBundle.make(
          list: Data("[]".utf8),
          name: "Extension \(number)",
          identifier: "com.example.extension-\(number)",
          version: "1",
          in: place
        )
        try PackageWriter(bundle: bundle)
          .write(to: site.appending(path: "\(number).tickbird"), signedBy: developer)
        try FileManager.default.removeItem(at: place)
      }
    }
    func build() throws -> UpdateList {
      try GalleryBuilder(folder: site).build(key: key, name: "Large") { GalleryPages()($0, $1) }
    }
    #expect(try measured("building") { try build() }.entries.count == count)
    let page = site.appending(path: "tickbird-gallery/com.example.extension-3.html")
    let text = try String(contentsOf: page, encoding: .utf8)
    #expect(text.contains("Extension 3"))
    #expect(try measured("building again") { try build() }.counter == 2)
    let index = try Data(contentsOf: site.appending(path: "index.html")).count
    print("gallery of \(count): index.html has \(index) bytes")
    #expect(index < 10_000 + count * 1000)
  }
}
