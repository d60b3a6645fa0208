import ExtensionGallery
import ExtensionHost
import Foundation
import GallerySite
import HostTestSupport
import Testing

@testable import LocalApp

/// The page of galleries, as its user and as hostile galleries and pages use it.
struct GalleryPageTests {
  /// A gallery in a folder, served on loopback.
  private final class SampleGallery {
    let folder: URL
    let key = SigningKey()
    let developer = SigningKey()
    let server: ServedFolder
    var address: String { server.address }

    init(_ parent: URL) throws {
      folder = parent.appending(path: "served", directoryHint: .isDirectory)
      server = try ServedFolder(folder)
    }

    func publish(
      _ identifier: String = "com.example.blocker",
      name: String = "Blocker",
      version: String = "1",
      by key: SigningKey? = nil,
      entitlements: String = "",
      showing json: String = #"{"summary": "Blocks <b>ads</b>", "category": "blocking"}"#
    ) throws {
      let place = folder.deletingLastPathComponent()
        .appending(path: "made-\(UUID().uuidString)", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let bundle = try RuleListBundle.make(
        list: Data(#"[{"trigger":{"url-filter":"ads"},"action":{"type":"block"}}]"#.utf8),
        name: name,
        identifier: identifier,
        version: version,
        in: place
      )
      if !entitlements.isEmpty {
        try Data("<plist version=\"1.0\"><dict>\(entitlements)</dict></plist>".utf8)
          .write(to: bundle.appending(path: "Entitlements.plist"))
      }
      let shown = place.appending(path: "shown", directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: shown, withIntermediateDirectories: true)
      try Data(json.utf8).write(to: shown.appending(path: "presentation.json"))
      for picture in ["icon.png", "first.jpg"] {
        try FileManager.default.copyItem(
          at: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "ExtensionGalleryTests/Fixtures/pictures/\(picture)"),
          to: shown.appending(path: picture)
        )
      }
      try PackageWriter(bundle: bundle).write(
        to: folder.appending(path: "\(identifier).tickbird"),
        signedBy: key ?? developer,
        showing: PresentationFolder(shown)
      )
      try build()
    }

    func build() throws {
      try GalleryBuilder(folder: folder).build(
        key: key,
        name: "Test <gallery>",
        pages: { GalleryPages()($0, $1) }
      )
    }
  }

  private static let pictured = #"""
    {"summary": "Blocks <b>ads</b>", "description": "<script>alert(1)</script>",
     "category": "privacy", "developer": "A & B", "homepage": "https://example.com/",
     "icon": "icon.png", "pictures": [{"file": "first.jpg", "caption": "Seen"}]}
    """#

  private static let network = "<key>com.apple.security.network.client</key><true/>"

  /// Adds the gallery through the question about its key.
  private func add(_ gallery: SampleGallery, _ visitor: Visitor) async throws {
    let asked = try await visitor.submit("/gallery/add", ["address": gallery.address]).body
    let key = try asked.between("name=\"key\" value=\"", "\"")
    let added = try await visitor.submit(
      "/gallery/add",
      ["address": gallery.address, "key": key]
    ).body
    #expect(added.contains("Test &lt;gallery&gt;</bdi> is added."))
  }

  private func fields(
    _ gallery: SampleGallery,
    _ id: String = "com.example.blocker"
  )
    -> [String: String]
  {
    ["gallery": gallery.address + "/tickbird-gallery.txt", "id": id]
  }

  private func question(_ gallery: SampleGallery, _ visitor: Visitor) async throws -> Answer {
    try await visitor.submit("/gallery/prepare", fields(gallery))
  }

  /// Publishes a first version, adds the gallery, and installs that version as a person does.
  private func visitorWithFirstVersion(
    of gallery: SampleGallery,
    in app: ServedApp
  ) async throws -> Visitor {
    try gallery.publish()
    let visitor = try await app.visitor()
    try await add(gallery, visitor)
    let offer = try await question(gallery, visitor).body.between("name=\"offer\" value=\"", "\"")
    _ = try await visitor.submit("/gallery/install", ["offer": offer])
    return visitor
  }

  @Test(
    "a gallery is added after its key was shown, browsed, searched, installed from, and removed"
  )
  func life() async throws {
    try await ServedApp.run { app in
      let gallery = try SampleGallery(app.folder)
      try gallery.publish(showing: Self.pictured)
      try gallery.publish("com.example.other", name: "Über Notes")
      let visitor = try await app.visitor()
      #expect(try await visitor.get("/gallery").body.contains("No gallery yet"))
      let asked = try await visitor.submit("/gallery/add", ["address": gallery.address]).body
      #expect(asked.contains("\(try gallery.key.publicKey.fingerprint)"))
      // Asking alone adds nothing.
      #expect(try await visitor.get("/gallery").body.contains("No gallery yet"))
      try await add(gallery, visitor)
      let page = try await visitor.get("/gallery").body
      #expect(page.contains("2 extensions") && page.contains("Blocks &lt;b&gt;ads&lt;/b&gt;"))
      let found = try await visitor.get("/gallery?q=uber").body
      #expect(found.contains("1 extension<") && found.contains("Über Notes"))
      #expect(try await visitor.get("/gallery?category=privacy").body.contains("1 extension<"))
      #expect(try await visitor.get("/gallery?q=%3Cscript%3E").body.contains("0 extensions<"))
      let id =
        "/gallery/extension?gallery="
        + Paging.encoded(gallery.address + "/tickbird-gallery.txt") + "&id=com.example.blocker"
      let detail = try await visitor.get(id).body
      #expect(detail.contains("&lt;script&gt;alert(1)") && !detail.contains("<script>alert"))
      #expect(detail.contains("A &amp; B") && detail.contains("https://example.com/"))
      let picture = try detail.between("src=\"\(visitor.base)/gallery/pictures/", "\"")
      let bytes = try await visitor.get("/gallery/pictures/\(picture)")
      #expect(bytes.status == 200 && bytes.headers["content-type"] == "image/png")
      #expect(bytes.headers["x-content-type-options"] == "nosniff")
      #expect(bytes.headers["content-security-policy"]?.contains("default-src 'none'") == true)
      let offer = try await question(gallery, visitor).body
      #expect(offer.contains("This key is not known yet"))
      #expect(offer.contains("\(try gallery.developer.publicKey.fingerprint)"))
      #expect(try await app.host.extensions().isEmpty)
      let token = try offer.between("name=\"offer\" value=\"", "\"")
      let done = try await visitor.submit("/gallery/install", ["offer": token]).body
      #expect(done.contains("is installed, and is off"))
      #expect(try await visitor.get(id).body.contains("Installed: <bdi>1</bdi>"))
      // A question is answered once.
      #expect(try await visitor.submit("/gallery/install", ["offer": token]).status == 409)
      #expect(try await question(gallery, visitor).body.contains("is installed already"))
      try gallery.publish(version: "2", showing: Self.pictured)
      let updated = try await visitor.submit("/gallery/update").body
      #expect(updated.contains("com.example.blocker 1 → 2"))
      let sure = try await visitor.submit("/gallery/uninstall", fields(gallery)).body
      #expect(sure.contains("Remove it"))
      #expect(try await app.host.extensions().count == 1)
      _ = try await visitor.submit(
        "/gallery/uninstall",
        ["id": "com.example.blocker", "sure": "yes"]
      )
      #expect(try await app.host.extensions().isEmpty)
      _ = try await visitor.submit("/gallery/remove", fields(gallery))
      #expect(try await visitor.get("/gallery").body.contains("No gallery yet"))
    }
  }

  @Test("what was shown is what is installed: another package, key or request asks again")
  func changedMeanwhile() async throws {
    try await ServedApp.run { app in
      let gallery = try SampleGallery(app.folder)
      try gallery.publish()
      let visitor = try await app.visitor()
      try await add(gallery, visitor)
      for change in [
        { try gallery.publish(version: "2") }, { try gallery.publish(entitlements: Self.network) },
        { try gallery.publish(by: SigningKey()) },
      ] {
        try gallery.publish()
        let offer = try await question(gallery, visitor).body
          .between("name=\"offer\" value=\"", "\"")
        try change()
        let answer = try await visitor.submit("/gallery/install", ["offer": offer])
        #expect(answer.status == 409 && answer.body.contains("is not what was shown any more"))
        #expect(try await app.host.extensions().isEmpty)
        // Versions of the list never fall, so that the next round begins with the first again.
        try FileManager.default.removeItem(
          at: gallery.folder.appending(path: "com.example.blocker.tickbird")
        )
      }
    }
  }

  @Test("an update that asks for more waits, says so, and is shown before it is installed")
  func asksForMore() async throws {
    try await ServedApp.run { app in
      let gallery = try SampleGallery(app.folder)
      let visitor = try await visitorWithFirstVersion(of: gallery, in: app)
      try gallery.publish(version: "2", entitlements: Self.network)
      let updated = try await visitor.submit("/gallery/update").body
      #expect(updated.contains("More than the installed version:"))
      #expect(updated.contains("Updates that ask for more"))
      let version = try await app.host.extensions().first?.bundle.version
      #expect(version.map { "\($0)" } == "1")
      #expect(try await visitor.get("/gallery").body.contains("1 update asks for more"))
      let offer = try await question(gallery, visitor).body
      #expect(offer.contains("More than the installed version:"))
      #expect(offer.contains("It is the key that signed what was installed before."))
      // Another developer's key is refused before any question.
      try gallery.publish(version: "3", by: SigningKey())
      let other = try await question(gallery, visitor)
      #expect(other.status == 422 && other.body.contains("is signed by another key"))
    }
  }

  @Test("the question of an update is answered on its page, for one extension or for all")
  func updateQuestions() async throws {
    try await ServedApp.run { app in
      let gallery = try SampleGallery(app.folder)
      let visitor = try await visitorWithFirstVersion(of: gallery, in: app)
      let place = "/extensions/extension/com.example.blocker"
      let detail = try await visitor.get(place).body
      #expect(detail.contains("Look for an update"))
      let one = ["id": "com.example.blocker"]
      let none = try await visitor.submit("/gallery/update", one).body
      #expect(none.contains("Nothing was updated."))
      try gallery.publish(version: "2", entitlements: Self.network)
      // Asked twice, there is one question, and the older key is good for nothing.
      let old = try await visitor.submit("/gallery/update", one).body
        .between("name=\"offer\" value=\"", "\"")
      let asked = try await visitor.submit("/gallery/update", one).body
      #expect(asked.components(separatedBy: "name=\"offer\"").count == 2)
      #expect(try await visitor.submit("/gallery/install", ["offer": old]).status == 409)
      let offer = try asked.between("name=\"offer\" value=\"", "\"")
      #expect(offer != old)
      let done = try await visitor.submit("/gallery/install", ["offer": offer])
      #expect(done.status == 200)
      let version = try await app.host.extensions().first?.bundle.version
      #expect(version.map { "\($0)" } == "2")
      #expect(try await visitor.get("/gallery/questions").body.contains("No update waits"))
      #expect(!(try await visitor.get("/gallery").body.contains("asks for more, and waits")))
    }
  }

  @Test(
    "what is no address of a gallery is told, and files of this machine are not read",
    arguments: [
      "file:///etc", "/etc/hosts", "javascript:alert(1)", "http://192.168.0.1/", "", "https://",
      "https://user:word@example.com/", "ftp://example.com/", "http://127.0.0.1:1/",
    ]
  )
  func addresses(_ address: String) async throws {
    try await ServedApp.run { app in
      let visitor = try await app.visitor()
      let answer = try await visitor.submit("/gallery/add", ["address": address])
      #expect(answer.status == 422 && answer.body.contains("role=\"alert\""))
      #expect(try await visitor.get("/gallery").body.contains("No gallery yet"))
    }
  }

  @Test("a gallery whose key changed between the question and the answer is not added")
  func otherKey() async throws {
    try await ServedApp.run { app in
      let gallery = try SampleGallery(app.folder)
      try gallery.publish()
      let visitor = try await app.visitor()
      let answer = try await visitor.submit(
        "/gallery/add",
        ["address": gallery.address, "key": "\(try SigningKey().publicKey.fingerprint)"]
      )
      #expect(answer.status == 422 && answer.body.contains("not by"))
      #expect(try await visitor.get("/gallery").body.contains("No gallery yet"))
    }
  }

  @Test("a forged form, a foreign page and a made-up picture get nothing")
  func foreigners() async throws {
    try await ServedApp.run { app in
      let gallery = try SampleGallery(app.folder)
      try gallery.publish(showing: Self.pictured)
      var visitor = try await app.visitor()
      try await add(gallery, visitor)
      for name in ["..%2F..%2FState.json", "\(String(repeating: "0", count: 64)).png", "a"] {
        #expect(try await visitor.get("/gallery/pictures/\(name)").status == 404)
      }
      let secret = visitor.secret
      visitor.secret = "forged"
      for path in ["add", "remove", "prepare", "install", "update", "uninstall", "look"] {
        #expect(try await visitor.submit("/gallery/\(path)", fields(gallery)).status == 403)
      }
      visitor.secret = secret
      #expect(
        try await visitor.submit("/gallery/prepare", ["gallery": "x", "id": "y"]).status == 404
      )
      #expect(try await visitor.get("/gallery").body.contains("1 extension<"))
    }
  }

  @Test("a gallery that cannot be reached is named, and the page is there")
  func unreachable() async throws {
    try await ServedApp.run { app in
      let gallery = try SampleGallery(app.folder)
      try gallery.publish()
      let visitor = try await app.visitor()
      try await add(gallery, visitor)
      gallery.server.stop()
      _ = try await visitor.submit("/gallery/look")
      let page = try await visitor.get("/gallery")
      #expect(page.status == 200 && page.body.contains("class=\"fault\""))
      #expect(page.body.contains("0 extensions"))
    }
  }
}
