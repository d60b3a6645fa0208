import ExtensionBundles
import Foundation
import HostTestSupport
import PageTexts
import Synchronization
import Testing

@testable import ExtensionGallery
@testable import GallerySite
@testable import LocalApp

/// The page of galleries with as many extensions as a list may have.
@Suite("The page of a gallery of 10,000 extensions")
struct LargeGalleryPageTests {
  private static func text(_ count: Int) throws -> Data {
    let signer = try SigningKey().publicKey
    let issued = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
    let entries = (0..<count).map { number in
      UpdateList.Entry(
        identifier: "com.example.extension-\(number)",
        version: BundleVersion("1"),
        shortVersion: "1",
        name: "Extension \(number)",
        extensionPoint: "com.apple.Safari.content-blocker",
        signer: signer,
        size: 1000,
        digest: Data(repeating: UInt8(truncatingIfNeeded: number), count: 32),
        path: "packages/extension-\(number).tickbird"
      )
    }
    return try UpdateList.sign(
      name: "Large",
      counter: 1,
      issued: issued,
      expires: issued.addingTimeInterval(86_400),
      rotations: [],
      entries: entries,
      with: SigningKey()
    )
  }

  @Test("names are folded once for what was fetched, and not for a page or a search")
  func folding() throws {
    let list = try UpdateList(Self.text(10_000), from: "list")
    let gallery = try KnownGallery(
      url: try #require(URL(string: "https://example.com/list.txt")),
      first: list,
      keys: nil,
      now: Date()
    )
    let folded = Mutex(0)
    let browsed = BrowsedGallery(gallery: gallery, list: list, catalogue: nil, error: nil)
    let index = GalleryIndex([browsed]) { name in
      folded.withLock { $0 += 1 }
      return ShownExtension.folded(name)
    }
    let words = index.words(Texts(.gallerySite, in: .english))
    #expect(
      index.found("extension 9999", category: "", words: words).map(\.shown.entry.name)
        == ["Extension 9999"]
    )
    #expect(index.found("", category: "other", words: words).count == 10_000)
    #expect(index.found("nothing", category: "", words: words).isEmpty)
    #expect(!index.hasTwins(index.all[0]))
    #expect(
      index.offered("com.example.extension-5", in: "https://example.com/list.txt")?.shown.entry.name
        == "Extension 5"
    )
    #expect(folded.withLock { $0 } == 10_000)
  }

  @Test("a page has 48 of them, whatever is searched for")
  func pages() async throws {
    try await ServedApp.run { app in
      let served = try ServedFolder(app.folder.appending(path: "served"))
      try Self.text(10_000).write(to: served.folder.appending(path: UpdateList.fileName))
      let visitor = try await app.visitor()
      let asked = try await visitor.submit("/gallery/add", ["address": served.address]).body
      let key = try asked.between("name=\"key\" value=\"", "\"")
      _ = try await visitor.submit("/gallery/add", ["address": served.address, "key": key])
      let clock = ContinuousClock()
      for path in [
        "", "?q=extension", "?page=209", "?page=99999999999", "?q=9999", "?category=other&page=100",
      ] {
        var body = ""
        let time = try await clock.measure { body = try await visitor.get("/gallery\(path)").body }
        print("a page of 10,000 extensions: \(path) \(time), \(body.utf8.count) bytes")
        #expect(body.utf8.count < 100_000, "\(path)")
        #expect(body.components(separatedBy: "class=\"card gallery-card\"").count - 1 <= 48)
      }
      #expect(try await visitor.get("/gallery?q=9999").body.contains("1 extension<"))
      #expect(try await visitor.get("/gallery").body.contains("10,000 extensions"))
    }
  }
}
