import ExtensionGallery
import Foundation
import HostTestSupport
import NativeMessaging
import ServiceFolders
import Testing

@testable import BrowserAnswering

/// Questions about the gallery of a page, as the extension asks them and as nobody should.
struct BrowserGalleryTests {
  let folder: URL
  let served: ServedFolder
  let key = SigningKey()
  private let gallery: BrowserGallery
  private let cleaner: Cleaner

  /// Removes the folder when a test is done.
  private final class Cleaner: Sendable {
    private let folder: URL
    init(_ folder: URL) { self.folder = folder }
    deinit { try? FileManager.default.removeItem(at: folder) }
  }

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-browser-gallery-\(UUID().uuidString)", directoryHint: .isDirectory)
    served = try ServedFolder(folder.appending(path: "served", directoryHint: .isDirectory))
    cleaner = Cleaner(folder)
    gallery = BrowserGallery(
      ExtensionInstaller(
        folders: ServiceFolders(data: folder, cache: folder, runtime: folder),
        store: RecordedStore(folder.appending(path: "bundles", directoryHint: .isDirectory))
      )
    )
  }

  /// Bundles in a folder, off.
  private struct RecordedStore: BundleInstalling {
    let folder: URL

    init(_ folder: URL) { self.folder = folder }

    func installedIdentifiers() async throws -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    func installedExtension(_ identifier: String) async throws -> InstalledExtension? {
      let place = folder.appending(path: identifier)
      guard let version = try? String(contentsOf: place.appending(path: "version"), encoding: .utf8)
      else { return nil }
      return InstalledExtension(
        bundle: place.appending(path: "a.appex"),
        version: version,
        signer: KeyFingerprint(
          try String(contentsOf: place.appending(path: "signer"), encoding: .utf8)
        )
      )
    }

    func install(_ bundle: URL, signedBy pin: PinnedKey) async throws {
      let information = try BundleInformation(bundle: bundle)
      let place = folder.appending(path: information.identifier)
      try? FileManager.default.removeItem(at: place)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: bundle, to: place.appending(path: "a.appex"))
      try Data("\(pin.key.fingerprint)".utf8).write(to: place.appending(path: "signer"))
      try Data("1".utf8).write(to: place.appending(path: "version"))
    }

    func isOn(_ identifier: String) async throws -> Bool { false }
    func firstStart(_ identifier: String) async throws -> FirstStart { .waiting }
    func goBack(_ identifier: String) async throws {}
  }

  private func publish(by developer: SigningKey, name: String = "Blocker") throws {
    let place = folder.appending(path: UUID().uuidString, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let bundle = try RuleListBundle.make(
      list: Data("[]".utf8),
      name: name,
      identifier: "com.example.blocker",
      version: "1",
      in: place
    )
    try PackageWriter(bundle: bundle)
      .write(to: served.folder.appending(path: "a.tickbird"), signedBy: developer)
    try GalleryBuilder(folder: served.folder).build(key: key, name: "Example")
  }

  private func ask(_ kind: BrowserGallery.Kind, _ keys: [String: Any]) async throws -> [String: Any]
  {
    let json = try JSONSerialization.data(withJSONObject: keys)
    guard case .later(let body) = gallery.reply(kind, json) else { return [:] }
    let answer = await body().json()
    return try #require(try JSONSerialization.jsonObject(with: answer) as? [String: Any])
  }

  @Test(
    "a gallery is looked at, added by the key that was shown, and installed from after an offer"
  )
  func life() async throws {
    try publish(by: SigningKey())
    let address = served.address + "/tickbird-gallery.txt"
    let seen = try await ask(.gallery, ["address": address])
    #expect(seen["isAdded"] as? Bool == false && seen["name"] as? String == "Example")
    // Nothing is offered from a gallery that was not added.
    let early = try await ask(
      .offerOfGallery,
      ["address": address, "identifier": "com.example.blocker"]
    )
    #expect(early["code"] as? String == "not-found")
    let forged = try await ask(
      .addGallery,
      ["address": address, "key": "\(try SigningKey().publicKey.fingerprint)"]
    )
    #expect(forged["code"] as? String == "other-key")
    let shown = try #require(seen["key"] as? String)
    let added = try await ask(.addGallery, ["address": address, "key": shown])
    #expect(added["isAdded"] as? Bool == true)
    let offer = try await ask(
      .offerOfGallery,
      ["address": address, "identifier": "com.example.blocker"]
    )
    #expect(offer["trust"] as? String == "new" && offer["requests"] as? [String] == ["nothing"])
    let token = try #require(offer["offer"] as? String)
    let done = try await ask(.installOffer, ["offer": token])
    #expect(done["type"] as? String == "installed" && done["isWaiting"] as? Bool == true)
    let twice = try await ask(.installOffer, ["offer": token])
    #expect(twice["code"] as? String == "changed")
  }

  @Test("what was offered is what is installed")
  func changed() async throws {
    try publish(by: SigningKey())
    let address = served.address + "/tickbird-gallery.txt"
    let key = try await ask(.gallery, ["address": address])["key"] as? String
    _ = try await ask(.addGallery, ["address": address, "key": try #require(key)])
    let offer = try await ask(
      .offerOfGallery,
      ["address": address, "identifier": "com.example.blocker"]
    )
    try publish(by: SigningKey())
    let token = try #require(offer["offer"] as? String)
    #expect(try await ask(.installOffer, ["offer": token])["code"] as? String == "changed")
    #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "bundles").path))
  }

  @Test(
    "a file, a private address and nonsense are refused without being fetched",
    arguments: [
      "file:///etc/passwd", "/etc/passwd", "http://192.168.0.1/tickbird-gallery.txt",
      "ftp://example.com/", "https://user:word@example.com/", "", "javascript:alert(1)",
    ]
  )
  func addresses(_ address: String) async throws {
    for (kind, keys) in [
      (BrowserGallery.Kind.gallery, ["address": address]),
      (.addGallery, ["address": address, "key": String(repeating: "a", count: 64)]),
      (.offerOfGallery, ["address": address, "identifier": "com.example.blocker"]),
    ] {
      #expect(try await ask(kind, keys)["code"] as? String == "download")
    }
  }

  @Test("a question without its keys is told to be malformed")
  func keys() async throws {
    for kind in BrowserGallery.Kind.allCases {
      #expect(try await ask(kind, ["address": 7])["code"] as? String == "malformed")
    }
  }
}
