import Foundation
import GallerySite
import Synchronization
import Testing

@testable import ExtensionGallery

/// A gallery as browsers see it, and what its catalogue says to Tickbird.
struct GallerySiteTests {
  let scene: GalleryScene
  private let pages = GalleryPages(address: URL(string: "https://gallery.example/a"))

  init() throws { scene = try GalleryScene() }

  private func build(key: SigningKey? = nil) throws -> UpdateList {
    try GalleryBuilder(folder: scene.files).build(
      key: key ?? scene.galleryKey,
      name: "Example <i>gallery</i>",
      issued: scene.now,
      pages: { pages($0, $1) }
    )
  }

  private func publish(
    _ sample: SampleBundle = SampleBundle(),
    showing: SamplePresentation = SamplePresentation(),
    to name: String = "a.tickbird"
  ) throws {
    try sample.package(
      in: scene.folder,
      key: scene.developer,
      showing: showing.read(in: scene.folder),
      to: scene.files.appending(path: name)
    )
  }

  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: scene.files.appending(path: path)), as: UTF8.self)
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: scene.files.appending(path: "tickbird-gallery").path
    ).sorted()
  }

  @Test("an index, a page for each extension, its pictures and the catalogue are written")
  func whole() throws {
    try publish()
    let list = try build()
    let index = try text("index.html")
    #expect(index.contains("Example &lt;i&gt;gallery&lt;/i&gt;"))
    #expect(index.contains("Blocks &lt;b&gt;advertisements&lt;/b&gt; &amp; more"))
    #expect(index.contains("href=\"tickbird-gallery/com.example.blocker.html\""))
    #expect(
      index.contains(
        "tickbird gallery add https://gallery.example/a --key \(list.signer.fingerprint)"
      )
    )
    let page = try text("tickbird-gallery/com.example.blocker.html")
    #expect(
      page.contains(
        "tickbird install com.example.blocker --from https://gallery.example/a --key "
          + "\(list.signer.fingerprint)"
      )
    )
    #expect(page.contains("Example &amp; Co"))
    #expect(page.contains("href=\"https://example.com/blocker?a=1&amp;b=2\""))
    #expect(page.contains("alt=\"The list of &quot;rules&quot;\""))
    #expect(page.contains("Second &quot;paragraph&quot;."))
    #expect(page.contains("\(try scene.developer.publicKey.fingerprint)"))
    #expect(page.contains("href=\"../a.tickbird\""))
    #expect(page.contains("<link rel=\"tickbird-gallery\" href=\"../tickbird-gallery.txt\">"))
    for page in [index, page] {
      #expect(page.contains("http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"))
      // Nothing comes from elsewhere, and no script or style is in the page.
      #expect(!page.contains("src=\"http") && !page.contains("//cdn"))
      #expect(page.matches(of: /<script(?![^>]* src=)/).isEmpty)
      #expect(!page.contains("<style") && !page.contains(" style=") && !page.contains(" onclick="))
    }
    #expect(try names().count == 15)
  }

  @Test("the same folder, key and time give the same bytes")
  func deterministic() throws {
    func built() throws -> [String: Data] {
      let other = scene.folder("copy-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: scene.files.appending(path: "a.tickbird"),
        to: other.appending(path: "a.tickbird")
      )
      try GalleryBuilder(folder: other).build(
        key: scene.galleryKey,
        name: "A",
        issued: scene.now,
        pages: { pages($0, $1) }
      )
      var files: [String: Data] = [:]
      for path in try FileManager.default.subpathsOfDirectory(atPath: other.path)
      where FileSystem.isFile(other.appending(path: path)) {
        files[path] = try Data(contentsOf: other.appending(path: path))
      }
      return files
    }
    try publish()
    let first = try built()
    #expect(first.count == 18)
    #expect(try built() == first)
  }

  @Test("versions keep the day since which they are listed")
  func versions() throws {
    try publish()
    _ = try build()
    scene.now += 5 * 86_400
    try publish(SampleBundle(version: "2"), to: "b.tickbird")
    _ = try build()
    let page = try text("tickbird-gallery/com.example.blocker.html")
    #expect(page.contains("January 15, 2027</time>") && page.contains("January 20, 2027</time>"))
  }

  @Test("a page of somebody else's is not replaced, and nothing is written then")
  func foreign() async throws {
    try publish()
    try Data("<h1>Mine</h1>".utf8).write(to: scene.files.appending(path: "index.html"))
    let message = await expectRefusal(.file) { try build() }
    #expect(message.contains("index.html") && message.contains("--no-site"))
    #expect(try text("index.html") == "<h1>Mine</h1>")
    #expect(!FileSystem.exists(scene.files.appending(path: UpdateList.fileName)))
    try FileManager.default.removeItem(at: scene.files.appending(path: "index.html"))
    _ = try build()
    // Somebody changed a page that a build had written, and put a file beside it.
    try Data("<h1>Mine</h1>".utf8).write(to: scene.files.appending(path: "index.html"))
    await expectRefusal(.file) { try build() }
    try FileManager.default.removeItem(at: scene.files.appending(path: "index.html"))
    try Data("note".utf8).write(to: scene.files.appending(path: "tickbird-gallery/note.txt"))
    _ = try build()
    #expect(try text("tickbird-gallery/note.txt") == "note")
  }

  @Test("a link in the place of a page is not followed")
  func link() async throws {
    try publish()
    _ = try build()
    let victim = scene.folder("victim")
    try Data("precious".utf8).write(to: victim)
    let index = scene.files.appending(path: "index.html")
    try FileManager.default.removeItem(at: index)
    try FileManager.default.createSymbolicLink(at: index, withDestinationURL: victim)
    await expectRefusal(.file) { try build() }
    #expect(try String(contentsOf: victim, encoding: .utf8) == "precious")
  }

  @Test("a link in the place of the build's own folder is not followed")
  func linkedFolder() async throws {
    try publish()
    let elsewhere = scene.folder("elsewhere")
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      at: scene.files.appending(path: GalleryCatalogue.folderName),
      withDestinationURL: elsewhere
    )
    await expectRefusal(.file) { try build() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).isEmpty)
    #expect(!FileSystem.exists(scene.files.appending(path: UpdateList.fileName)))
  }

  @Test("what is not wanted any more is removed, and a build that was cut short is repeated")
  func stale() throws {
    try publish()
    let list = try build()
    let page = scene.files.appending(path: "tickbird-gallery/com.example.blocker.html")
    // As if a build had been cut short between its record and this file.
    try Data("old".utf8).write(to: page)
    let record = scene.files.appending(path: "tickbird-gallery/files.txt")
    let line =
      "\(Hexadecimal.text(digestOf(Data("old".utf8)))) tickbird-gallery/com.example.blocker.html\n"
    try (Data(contentsOf: record) + Data(line.utf8)).write(to: record)
    _ = try build()
    #expect(try text("tickbird-gallery/com.example.blocker.html").contains("<!doctype html>"))
    try FileManager.default.removeItem(at: scene.files.appending(path: "a.tickbird"))
    _ = try build()
    #expect(!FileSystem.exists(page))
    #expect(!FileSystem.exists(scene.files.appending(path: GalleryCatalogue.path(of: list))))
    #expect(try names().filter { $0.hasSuffix(".png") || $0.hasSuffix(".jpg") } == [])
    #expect(try text("index.html").contains("There is nothing in this gallery yet."))
  }

  @Test(
    "a record that names other files is refused",
    arguments: ["../victim", "tickbird-gallery.txt", "a/b/c", "tickbird-gallery/files.txt"]
  )
  func record(_ path: String) async throws {
    try publish()
    _ = try build()
    let digest = Hexadecimal.text(digestOf(Data()))
    try Data("\(digest) \(path)\n".utf8)
      .write(to: scene.files.appending(path: "tickbird-gallery/files.txt"))
    await expectRefusal(.malformed) { try build() }
  }

  @Test("HTML in a name reaches neither the pages nor their addresses")
  func hostileName() throws {
    let name = "A\"><img src=x onerror=alert(1)>'&"
    try publish(SampleBundle(extra: ["CFBundleDisplayName": name]))
    _ = try build()
    for path in ["index.html", "tickbird-gallery/com.example.blocker.html"] {
      #expect(try !text(path).contains("<img src=x"))
      #expect(try text(path).contains("A&quot;&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&amp;"))
    }
  }

  @Test("names that people take for each other are pointed out")
  func twins() throws {
    try publish()
    // With a Cyrillic o, and with an accent and other case.
    for (index, name) in ["My Bl\u{43E}cker", "MY BLÓCKER!"].enumerated() {
      try publish(
        SampleBundle(identifier: "org.other.b\(index)", extra: ["CFBundleDisplayName": name]),
        to: "other\(index).tickbird"
      )
    }
    _ = try build()
    #expect(try text("index.html").matches(of: /has a name like this/).count == 3)
  }

  /// Letters without a form, as Hangul's fillers.
  private static let invisible = ["\u{3164}", "\u{115F}", "\u{1160}", "\u{FFA0}", "\u{17B5}"]

  @Test("letters that nobody sees make no other name", arguments: invisible)
  func invisibleLetters(_ letter: String) async throws {
    for name in ["My Blocker\(letter)", "My\(letter) Blocker"] {
      #expect(ShownExtension.folded(name) == ShownExtension.folded("My Blocker"))
    }
    guard letter != "\u{17B5}" else { return }
    let sample = SampleBundle(extra: ["CFBundleDisplayName": "My Blocker\(letter)"])
    await expectRefusal(.bundle) { try publish(sample) }
  }

  @Test("the sign that makes a picture of a letter is seen, and stays")
  func emoji() throws {
    try publish(SampleBundle(extra: ["CFBundleDisplayName": "My ❤\u{FE0F} Blocker"]))
  }

  @Test("identifiers that differ in case alone are refused")
  func sameIdentifier() async throws {
    try publish()
    try publish(SampleBundle(identifier: "COM.example.blocker"), to: "b.tickbird")
    await expectRefusal(.duplicatePath) { try build() }
  }

  // MARK: The catalogue

  @Test("Tickbird reads what a gallery shows, and its pictures")
  func browse() async throws {
    try publish()
    _ = try build()
    try await scene.addGallery()
    let browsed = try #require(try await scene.installer.browse().first)
    let entry = try #require(browsed.catalogue?.entries["com.example.blocker"])
    #expect(entry.presentation.developer == "Example & Co")
    #expect(entry.requests == ["nothing (no entitlements; no network unless you grant it)"])
    let icon = try #require(entry.presentation.icon)
    let bytes = try await scene.installer.picture(icon, of: browsed.gallery)
    #expect([UInt8](bytes) == (try Fixture.picture("icon.png")))
    // Another picture in its place, and one that is longer.
    let place = scene.files.appending(path: GalleryCatalogue.path(of: icon))
    try Data(try Fixture.picture("first.jpg").prefix(icon.size)).write(to: place)
    await expectRefusal(.changedContents) {
      try await scene.installer.picture(icon, of: browsed.gallery)
    }
    try Data(count: icon.size + 1).write(to: place)
    await expectRefusal(.tooLarge) {
      try await scene.installer.picture(icon, of: browsed.gallery)
    }
  }

  @Test("a catalogue that is foreign, old, changed or malformed shows nothing, and the list stays")
  func badCatalogues() async throws {
    try publish()
    let list = try build()
    try await scene.addGallery()
    let place = scene.files.appending(path: GalleryCatalogue.path(of: list))
    let good = try Data(contentsOf: place)
    let entry = try #require(
      try GalleryCatalogue(good, of: list, from: "").entries["com.example.blocker"]
    )
    func crafted(_ lines: [String], by key: SigningKey? = nil) throws -> Data {
      try SignedText.sign(
        lines,
        kind: GalleryCatalogue.kind,
        context: .galleryCatalogue,
        with: key ?? scene.galleryKey
      )
    }
    let digest = "list \(Hexadecimal.text(list.digest))"
    let version =
      "version 1 2027-01-15T08:00:00Z \(entry.versions[0].size) "
      + Hexadecimal.text(entry.versions[0].digest)
    #expect(
      try GalleryCatalogue(
        crafted([digest, "package com.example.blocker", version]),
        of: list,
        from: ""
      ).entries.count == 1
    )
    let bad: [(Data, GalleryError.Code)] = [
      (try crafted([digest], by: scene.developer), .otherKey),
      (try crafted(["list \(Hexadecimal.text(digestOf(Data())))"]), .listReplayed),
      (try crafted([digest, "package org.other", version]), .malformed),
      (try crafted([digest, "package com.example.blocker"]), .malformed),
      (
        try crafted([digest, "package com.example.blocker", "asks \u{202E}a", version]), .malformed
      ),
      (
        try crafted([digest, "package com.example.blocker", version, "package com.example.blocker"]
        ),
        .malformed
      ),
      (
        try crafted(
          [digest, "package com.example.blocker"] + Array(repeating: "asks a", count: 65)
        ),
        .tooLarge
      ),
      (
        try crafted([
          digest, "package com.example.blocker",
          version.replacing("version 1 ", with: "version 2 "),
        ]), .malformed
      ),
      (Data(good.dropLast(3)), .malformed),
      (Data(good.map { $0 == UInt8(ascii: "B") ? UInt8(ascii: "C") : $0 }), .badSignature),
    ]
    for (bytes, code) in bad {
      try bytes.write(to: place)
      let browsed = try #require(try await scene.installer.browse().first)
      #expect(browsed.error?.code == code, "\(browsed.error?.message ?? "taken")")
      #expect(browsed.list?.entries.count == 1 && browsed.catalogue?.entries.isEmpty == true)
    }
    try FileManager.default.removeItem(at: place)
    #expect(try await scene.installer.browse().first?.error == nil)
    // What is installed does not depend on it.
    try await scene.install()
    #expect(try await scene.version() == "1")
  }
}
