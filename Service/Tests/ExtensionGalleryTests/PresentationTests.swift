import Foundation
import ServiceFolders
import Testing

@testable import ExtensionGallery

/// What packages show of their extensions.
struct PresentationTests {
  let folder: TemporaryFolder
  let key = SigningKey()

  init() throws { folder = try TemporaryFolder() }

  @Test("texts and pictures are signed with everything else, and stay out of the bundle")
  func wholePackage() throws {
    let shown = try SamplePresentation().read(in: folder)
    let file = folder("a.tickbird")
    try SampleBundle().package(in: folder, key: key, showing: shown, to: file)
    let package = try PackageReader(file)
    try package.verify()
    let presentation = package.manifest.presentation
    #expect(presentation == shown.presentation)
    #expect(
      presentation.description == ["First paragraph, in two lines.", "Second \"paragraph\"."]
    )
    #expect(presentation.icon?.width == 128)
    #expect(presentation.pictures.map(\.format) == ["jpeg", "webp"])
    var seen: [String] = []
    try package.forEachImage { image, bytes in
      seen.append(image.fileName)
      #expect(FileDigest.sha256(of: bytes) == image.digest)
    }
    #expect(seen.count == 3)
    let bundle = try unpack(file, into: folder)
    let inside = try FileManager.default.subpathsOfDirectory(atPath: bundle.path)
    #expect(!inside.contains { $0.hasSuffix(".png") || $0.hasSuffix(".jpg") })
    // The same bundle, folder and key give the same bytes.
    let again = folder("b.tickbird")
    try SampleBundle().package(in: folder, key: key, showing: shown, to: again)
    #expect(try Data(contentsOf: file) == Data(contentsOf: again))
  }

  @Test("a package without a presentation has the bytes that older versions take")
  func original() throws {
    let file = try SampleBundle().package(in: folder, key: key)
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    #expect(text.contains("tickbird-package 1\n"))
    #expect(try PackageReader(file).manifest.presentation.isEmpty)
  }

  @Test("packages and lists of the first version are read, and installed")
  func older() async throws {
    let old = Fixture.folder.appending(path: "format-1")
    let package = try PackageReader(old.appending(path: "com.example.blocker-1.tickbird"))
    try package.verify()
    #expect(package.manifest.identifier == "com.example.blocker")
    #expect(package.manifest.presentation.isEmpty)
    let scene = try GalleryScene()
    for name in ["com.example.blocker-1.tickbird", "tickbird-gallery.txt"] {
      try FileManager.default.copyItem(
        at: old.appending(path: name),
        to: scene.files.appending(path: name)
      )
    }
    scene.now = try Date("2026-11-25T00:00:00Z", strategy: .iso8601)
    _ = try await scene.installer.addGallery(scene.server.url(""), key: nil) { _ in true }
    let browsed = try await scene.installer.browse()
    #expect(browsed.first?.list?.entries.count == 1)
    #expect(browsed.first?.catalogue?.entries.isEmpty == true)
    #expect(browsed.first?.error == nil)
    try await scene.install()
    #expect(try await scene.version() == "1")
  }

  @Test("a changed picture is refused, before anything is installed")
  func changedPicture() async throws {
    let file = folder("a.tickbird")
    try SampleBundle().package(
      in: folder,
      key: key,
      showing: SamplePresentation().read(in: folder),
      to: file
    )
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count - 40] ^= 1
    try bytes.write(to: file)
    await expectRefusal(.changedContents) { try PackageReader(file).verify() }
    await expectRefusal(.changedContents) { try unpack(file, into: folder) }
    try (bytes + Data([0])).write(to: file)
    await expectRefusal(.trailingBytes) { try PackageReader(file) }
    try bytes.dropLast().write(to: file)
    await expectRefusal(.truncated) { try PackageReader(file) }
  }

  @Test(
    "lines that no honest tool writes are refused",
    arguments: [
      ("summary \u{202E}txet", "malformed"), ("summary a\u{7}", "malformed"),
      ("summary \(String(repeating: "a", count: 161))", "malformed"),
      ("description \(String(repeating: "a", count: 1_001))", "malformed"),
      ("description \u{2066}a", "malformed"), ("category Blocking", "malformed"),
      ("category \(String(repeating: "a", count: 33))", "malformed"),
      ("developer a\u{200B}b", "malformed"), ("homepage javascript:alert(1)", "malformed"),
      ("homepage http://example.com/", "malformed"),
      ("homepage https://example.com/\"onclick=", "malformed"),
      ("homepage https://user:word@example.com/", "malformed"),
      ("homepage https:///path", "malformed"), ("homepage data:text/html,a", "malformed"),
      ("icon 12 \(String(repeating: "0", count: 64)) svg 16 16", "malformed"),
      ("icon 12 \(String(repeating: "0", count: 64)) png 16", "malformed"),
      ("icon 12 \(String(repeating: "0", count: 64)) png 16 17", "too-large"),
      ("icon 12 \(String(repeating: "0", count: 64)) png 4096 4096", "too-large"),
      ("icon 99999999 \(String(repeating: "0", count: 64)) png 16 16", "too-large"),
      ("icon 9223372036854775807 \(String(repeating: "0", count: 64)) png 16 16", "too-large"),
      ("picture 12 \(String(repeating: "0", count: 64)) png 65535 65535 Bomb", "too-large"),
      ("picture 12 \(String(repeating: "0", count: 64)) png 16 16", "malformed"),
      ("picture 12 \(String(repeating: "0", count: 64)) png 0 16 None", "malformed"),
      ("picture -1 \(String(repeating: "0", count: 64)) png 16 16 Minus", "malformed"),
      ("homepage https://a.example/\nsummary late", "malformed"),
      ("summary one\nsummary two", "malformed"),
      (Array(repeating: "description a", count: 25).joined(separator: "\n"), "too-large"),
      (
        Array(
          repeating: "picture 12 \(String(repeating: "0", count: 64)) png 16 16 a",
          count: 9
        ).joined(separator: "\n"), "too-large"
      ),
    ]
  )
  func crafted(_ lines: String, _ code: String) async throws {
    var crafted = CraftedPackage()
    crafted.version = 2
    crafted.context = .presentedPackage
    crafted.head += lines.split(separator: "\n").map(String.init)
    let file = folder("crafted.tickbird")
    try crafted.write(to: file)
    await expectRefusal(GalleryError.Code(rawValue: code)) { try PackageReader(file) }
  }

  @Test("a picture whose bytes are another size or format than its signed line says is refused")
  func lyingPicture() async throws {
    let bytes = Data(try Fixture.picture("icon.png"))
    for (format, side) in [("png", 64), ("jpeg", 128), ("webp", 128)] {
      var crafted = CraftedPackage()
      crafted.version = 2
      crafted.context = .presentedPackage
      crafted.head.append(
        "picture \(bytes.count) \(Hexadecimal.text(digestOf(bytes))) \(format) \(side) \(side) Lie"
      )
      crafted.tail = bytes
      let file = folder("lie.tickbird")
      try crafted.write(to: file)
      await expectRefusal(.malformed) { try PackageReader(file).verify() }
    }
  }

  @Test("a presentation's context is not that of the first version, nor the other way round")
  func contexts() async throws {
    for (version, context) in [
      (1, SignatureContext.presentedPackage), (2, .packageManifest), (2, .updateList),
    ] {
      var crafted = CraftedPackage()
      crafted.version = version
      crafted.context = context
      crafted.head.append("summary a")
      let file = folder("context.tickbird")
      try crafted.write(to: file)
      await expectRefusal(.badSignature) { try PackageReader(file) }
    }
    var empty = CraftedPackage()
    empty.version = 2
    empty.context = .presentedPackage
    try empty.write(to: folder("empty.tickbird"))
    await expectRefusal(.malformed) { try PackageReader(folder("empty.tickbird")) }
  }

  @Test(
    "a developer's folder with a fault is refused, and the fault is named",
    arguments: [
      (#"{"summary": "a\u202eb"}"#, "summary"), (#"{"category": "games"}"#, "category"),
      (#"{"homepage": "javascript:alert(1)"}"#, "homepage"),
      (#"{"icon": "../icon.png"}"#, "../icon.png"), (#"{"icon": "/etc/passwd"}"#, "/etc/passwd"),
      (#"{"icon": "first.jpg"}"#, "first.jpg"), (#"{"icon": "presentation.json"}"#, "no picture"),
      (#"{"icon": "gone.png"}"#, "gone.png"), (#"{"pictures": [{"file": "icon.png"}]}"#, "caption"),
      (#"{"pictures": [{"file": "icon.png", "caption": ""}]}"#, "caption"),
      (#"{"summary": 3}"#, "summary"), ("[", "presentation.json"),
    ]
  )
  func faults(_ json: String, _ named: String) throws {
    let place = try SamplePresentation(json: json).write(into: folder)
    do {
      _ = try PresentationFolder(place)
      Issue.record("\(json) was taken")
    } catch let error as GalleryError {
      #expect(error.message.contains(named), "\(error.message)")
    }
  }
}

/// Bare rule lists.
struct RuleListBundleTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a list is packaged, installed and updated like an extension, and asks for nothing")
  func life() async throws {
    let scene = try GalleryScene()
    for version in ["1", "1.1"] {
      let place = folder("list-\(version)")
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let bundle = try RuleListBundle.make(
        list: Data(#"[{"trigger":{"url-filter":"ads"},"action":{"type":"block"}}]"#.utf8),
        map: Data(#"{"rules":1}"#.utf8),
        name: "Ads & <more>",
        identifier: "com.example.list",
        version: version,
        in: place
      )
      try PackageWriter(bundle: bundle).write(
        to: scene.files.appending(path: "list.tickbird"),
        signedBy: scene.developer
      )
      try scene.build()
      if version == "1" {
        try await scene.addGallery()
        _ = try await scene.installer.install(.name("Ads & <more>", gallery: nil)) { offer in
          #expect(offer.requests.sentences == ["nothing"])
          return true
        }
      } else {
        guard case .updated = try await scene.update() else {
          Issue.record("not updated")
          return
        }
      }
      #expect(try await scene.version("com.example.list") == version)
    }
    let installed = try #require(try await scene.store.installedExtension("com.example.list"))
    for name in ["blockerList.json", "blockerList.map.json"] {
      #expect(FileManager.default.fileExists(atPath: installed.bundle.appending(path: name).path))
    }
  }

  @Test(
    "names that cannot be are refused",
    arguments: [
      ("", "com.example.list", "1"), ("a\u{202E}", "com.example.list", "1"),
      ("A", "../list", "1"), ("A", "", "1"), ("A", "com.example.list", "one"),
      ("A", "com.example.list", "1\n"),
    ]
  )
  func names(_ name: String, _ identifier: String, _ version: String) async {
    await expectRefusal(.bundle) {
      try RuleListBundle.make(
        list: Data("[]".utf8),
        name: name,
        identifier: identifier,
        version: version,
        in: folder("nowhere")
      )
    }
  }
}
