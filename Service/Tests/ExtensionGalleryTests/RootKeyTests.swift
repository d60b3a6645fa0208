import Foundation
import ServiceFolders
import TestSupport
import Testing

@testable import ExtensionGallery

@Suite("Root keys of galleries")
struct RootKeyTests {
  let scene: GalleryScene
  let root = SigningKey()
  private let identifier = "com.example.blocker"

  init() throws { scene = try GalleryScene() }

  private var file: URL { scene.files.appending(path: GalleryKeys.fileName) }

  @discardableResult
  private func sign(
    _ signers: [SigningKey] = [],
    resets: Bool = false,
    name: String? = "Example",
    life: TimeInterval? = nil,
    rotations: [KeyRotation] = [],
    root: SigningKey? = nil,
    into file: URL? = nil
  ) throws -> GalleryKeys {
    var statement = GalleryKeys.Statement()
    statement.gallery = name
    statement.signers = try signers.map { try $0.publicKey }
    statement.resetsCounters = resets
    statement.life = life
    statement.rotations = rotations
    return try GalleryKeys.sign(
      statement,
      into: file ?? self.file,
      with: root ?? self.root,
      now: scene.now
    )
  }

  /// Publishes version 1 in a gallery with a root key, and adds it.
  private func begin() async throws {
    try sign([scene.galleryKey])
    try scene.publish(SampleBundle())
    let fingerprint = try root.publicKey.fingerprint
    _ = try await scene.installer.addGallery(scene.server.url(""), key: nil, root: fingerprint) {
      _ in
      Issue.record("The root key's fingerprint was given, and a question was asked")
      return false
    }
  }

  @discardableResult
  private func refresh() async throws -> UpdateList {
    try await scene.installer.refreshGallery(scene.address.absoluteString)
  }

  private func list(
    counter: UInt64,
    epoch: UInt64 = 0,
    key: SigningKey,
    rotations: [KeyRotation] = []
  ) throws -> Data {
    try UpdateList.sign(
      name: "Example",
      counter: counter,
      epoch: epoch,
      root: root.publicKey,
      issued: scene.now,
      expires: scene.now.addingTimeInterval(86_400),
      rotations: rotations,
      entries: [],
      with: key
    )
  }

  private func serveList(_ text: Data) throws {
    try text.write(to: scene.files.appending(path: UpdateList.fileName))
  }

  @Test("A signing key that was stolen is worth nothing once the root key names another")
  func stolenKey() async throws {
    try await begin()
    try await scene.install()
    // Until then the thief controls the gallery, but not for good: its rotation leads nowhere.
    let thief = SigningKey()
    let rotation = try KeyRotation(from: scene.galleryKey, to: thief)
    try serveList(list(counter: 50, key: thief, rotations: [rotation]))
    await expectRefusal(.otherKey) { try await refresh() }
    try serveList(list(counter: 50, key: scene.galleryKey))
    #expect(try await refresh().counter == 50)
    let fresh = SigningKey()
    try sign([fresh])
    await expectRefusal(.otherKey) { try await refresh() }
    // The key was revoked although the list that came with it was refused.
    try serveList(list(counter: 51, key: scene.galleryKey))
    await expectRefusal(.otherKey) { try await refresh() }
    try serveList(list(counter: 51, key: fresh))
    #expect(try await refresh().counter == 51)
    #expect(try scene.installer.galleries().first?.pin.key == fresh.publicKey)
    #expect(try await scene.version() == "1")
  }

  @Test("A counter that was driven to its end begins again with an epoch of the root key")
  func counterAtItsEnd() async throws {
    try await begin()
    let last = try list(counter: UInt64(Int64.max), key: scene.galleryKey)
    try serveList(last)
    #expect(try await refresh().counter == UInt64(Int64.max))
    await expectRefusal(.malformed) { try scene.build() }
    try sign(resets: true)
    try scene.publish(SampleBundle(version: "2"))
    let list = try await refresh()
    #expect(list.counter == 1)
    #expect(list.epoch == 1)
    try await scene.install()
    #expect(try await scene.version() == "2")
    // The list with the exhausted counter is invalid now, and so is any of the former epoch.
    let now = try Data(contentsOf: scene.address(of: scene.files))
    for text in [last, try self.list(counter: 7, key: scene.galleryKey)] {
      try serveList(text)
      await expectRefusal(.listReplayed) { try await refresh() }
    }
    // A signer cannot begin an epoch on its own.
    try serveList(self.list(counter: 1, epoch: 2, key: scene.galleryKey))
    await expectRefusal(.listReplayed) { try await refresh() }
    try serveList(now)
    #expect(try await refresh().counter == 1)
  }

  @Test("An old keys document, or a second one of a version, is refused")
  func replayedKeys() async throws {
    try await begin()
    let first = try Data(contentsOf: file)
    try sign([scene.galleryKey, SigningKey()])
    try await refresh()
    let second = try Data(contentsOf: file)
    try first.write(to: file)
    await expectRefusal(.keysReplayed) { try await refresh() }
    // Another document with the same version, based on the first.
    try sign([scene.galleryKey])
    await expectRefusal(.keysReplayed) { try await refresh() }
    // A higher version with a lower epoch.
    try second.write(to: file)
    try sign(resets: true)
    try scene.build()
    try await refresh()
    try first.write(to: file)
    for _ in 0..<3 { try sign([scene.galleryKey]) }
    await expectRefusal(.keysReplayed) { try await refresh() }
    // The document removed altogether.
    try FileManager.default.removeItem(at: file)
    await expectRefusal(.download) { try await refresh() }
  }

  @Test("Nobody but the root key signs a keys document, and only for its own gallery")
  func foreignKeys() async throws {
    try await begin()
    let good = try Data(contentsOf: file)
    // A stolen signing key, and an unknown one.
    let thief = SigningKey()
    try FileManager.default.removeItem(at: file)
    for signer in [scene.galleryKey, thief] {
      try? FileManager.default.removeItem(at: file)
      for _ in 0..<3 { try sign([SigningKey()], root: signer) }
      await expectRefusal(.otherKey) { try await refresh() }
    }
    // A signature in a list's context is not valid for a keys document.
    let body = try SignedText.sign(
      [
        "gallery Example", "version 9", "epoch 0", "issued 2027-01-15T08:00:00Z", "expires never",
        "signer \(try thief.publicKey.hexadecimal)",
      ],
      kind: GalleryKeys.kind,
      context: .updateList,
      with: root
    )
    try body.write(to: file)
    await expectRefusal(.badSignature) { try await refresh() }
    // Another gallery by the same makers, with the same root key.
    try FileManager.default.removeItem(at: file)
    for _ in 0..<3 { try sign([thief], name: "Other") }
    await expectRefusal(.otherKey) { try await refresh() }
    // A rotation of signing keys is not one of root keys, although both signed it.
    let lines = try KeyRotation(from: root, to: thief).line
    let text = try SignedText.sign(
      [
        "gallery Example", "version 9", "epoch 0", "issued 2027-01-15T08:00:00Z", "expires never",
        "root-\(lines)", "signer \(try scene.galleryKey.publicKey.hexadecimal)",
      ],
      kind: GalleryKeys.kind,
      context: .galleryKeys,
      with: thief
    )
    try text.write(to: file)
    await expectRefusal(.badRotation) { try await refresh() }
    try good.write(to: file)
    try await refresh()
    // The builder does not accept a key that is not named either.
    await expectRefusal(.otherKey) {
      try GalleryBuilder(folder: scene.files).build(key: thief, issued: scene.now)
    }
  }

  @Test("A keys document that is held back is noticed at its expiry")
  func frozenKeys() async throws {
    try sign([scene.galleryKey], life: 1_000)
    try scene.publish(SampleBundle())
    let fingerprint = try root.publicKey.fingerprint
    _ = try await scene.installer.addGallery(scene.server.url(""), key: nil, root: fingerprint) {
      _ in false
    }
    scene.now += 999
    try await refresh()
    scene.now += 1
    await expectRefusal(.keysExpired) { try await refresh() }
    try sign(life: 1_000)
    try await refresh()
    scene.now -= 2 * 86_400
    await expectRefusal(.clock) { try await refresh() }
  }

  @Test("A root key gives way to another that both signed for, and does not come back")
  func rotatedRoot() async throws {
    try await begin()
    let (second, third) = (SigningKey(), SigningKey())
    await expectRefusal(.otherKey) { try sign(root: second) }
    try sign(rotations: [KeyRotation(from: root, to: second, of: .root)], root: second)
    try sign(rotations: [KeyRotation(from: second, to: third, of: .root)], root: third)
    try await refresh()
    let known = try #require(try scene.installer.galleries().first?.root)
    #expect(try known.pin.key == third.publicKey)
    #expect(try known.pin.retired == [root.publicKey, second.publicKey])
    try scene.build()
    try await refresh()
    // The old key, in case it is stolen afterwards.
    var statement = GalleryKeys.Statement()
    statement.gallery = "Example"
    statement.signers = [try SigningKey().publicKey]
    try FileManager.default.removeItem(at: file)
    for _ in 0..<9 {
      try GalleryKeys.sign(statement, into: file, with: root, now: scene.now)
    }
    await expectRefusal(.otherKey) { try await refresh() }
    // A user who knows only the first fingerprint finds the gallery nevertheless.
    let fingerprint = try root.publicKey.fingerprint
    try FileManager.default.removeItem(at: file)
    try sign([scene.galleryKey])
    try sign(rotations: [KeyRotation(from: root, to: second, of: .root)], root: second)
    try scene.build()
    try await scene.installer.removeGallery(scene.address.absoluteString)
    let added = try await scene.installer.addGallery(
      scene.server.url(""),
      key: nil,
      root: fingerprint
    ) { _ in false }
    #expect(try added?.root?.pin.key == second.publicKey)
  }

  @Test("Keys documents that break a rule are refused")
  func malformedKeys() async throws {
    let signer = try scene.galleryKey.publicKey.hexadecimal
    let head = ["gallery G", "version 1", "epoch 0", "issued 2027-01-15T08:00:00Z"]
    for lines in [
      head + ["expires never"], head + ["signer \(signer)"],
      head + ["expires never", "signer \(signer)", "signer \(signer)"],
      head + ["expires never", "signer \(signer)", "more"],
      head + ["expires 2027-01-15T08:00:00Z", "signer \(signer)"],
      head + ["expires Never", "signer \(signer)"],
      head + ["expires never", "signer \(try root.publicKey.hexadecimal)"],
      ["gallery G", "version 01", "epoch 0", "issued 2027-01-15T08:00:00Z", "expires never"],
      ["gallery G", "version 1", "epoch -1", "issued 2027-01-15T08:00:00Z", "expires never"],
    ] {
      let text = try SignedText.sign(
        lines,
        kind: GalleryKeys.kind,
        context: .galleryKeys,
        with: root
      )
      await expectRefusal(.malformed) { try GalleryKeys(text, from: "keys") }
    }
    await expectRefusal(.tooLarge) {
      try GalleryKeys(Data(repeating: 0x61, count: 65_537), from: "keys")
    }
    let many = try (0..<17).map { _ in try SigningKey().publicKey.hexadecimal }.sorted()
    let text = try SignedText.sign(
      head + ["expires never"] + many.map { "signer \($0)" },
      kind: GalleryKeys.kind,
      context: .galleryKeys,
      with: root
    )
    await expectRefusal(.tooLarge) { try GalleryKeys(text, from: "keys") }
    // Every single bit matters.
    try sign([scene.galleryKey])
    let good = try Data(contentsOf: file)
    var random = RandomSource(seed: 4)
    for _ in 0..<200 {
      var changed = good
      changed[random.number(below: good.count)] ^= 1 << UInt8(random.number(below: 8))
      #expect(throws: GalleryError.self) { try GalleryKeys(changed, from: "keys") }
    }
    // Over the size limit, from the network.
    try await begin()
    try Data(repeating: 0x61, count: 1 << 20).write(to: file)
    await expectRefusal(.tooLarge) { try await refresh() }
  }

  @Test("A gallery without a root key goes on, and is given one by the key that is pinned")
  func adopted() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    try await scene.install()
    // Somebody else's keys document changes nothing: the list does not name it.
    let thief = SigningKey()
    try sign([SigningKey()], root: thief)
    try await refresh()
    #expect(try scene.installer.galleries().first?.root == nil)
    // Neither does a list signed with another key that names a root.
    try FileManager.default.removeItem(at: scene.address(of: scene.files))
    try FileManager.default.removeItem(at: file)
    try sign([thief])
    try serveList(list(counter: 9, key: thief))
    await expectRefusal(.otherKey) { try await refresh() }
    #expect(try scene.installer.galleries().first?.root == nil)
    // The pinned key's list, but beside it a document of another root.
    try serveList(list(counter: 9, key: scene.galleryKey))
    try FileManager.default.removeItem(at: file)
    try sign([scene.galleryKey], root: thief)
    await expectRefusal(.otherKey) { try await refresh() }
    try FileManager.default.removeItem(at: file)
    try sign([scene.galleryKey])
    try scene.publish(SampleBundle(version: "2"))
    try await refresh()
    #expect(try scene.installer.galleries().first?.root?.pin.key == root.publicKey)
    guard case .updated = try await scene.update() else {
      Issue.record("not updated")
      return
    }
    // From now on the list cannot name another root.
    try FileManager.default.removeItem(at: file)
    try sign([scene.galleryKey], root: thief)
    await expectRefusal(.otherKey) { try await refresh() }
  }

  @Test("Who gives a root key's fingerprint gets that one's gallery or none")
  func wrongRoot() async throws {
    try scene.publish(SampleBundle())
    let fingerprint = try root.publicKey.fingerprint
    func add() async throws {
      _ = try await scene.installer.addGallery(scene.server.url(""), key: nil, root: fingerprint) {
        _ in true
      }
    }
    // The gallery has no keys document.
    await expectRefusal(.download) { try await add() }
    let thief = SigningKey()
    try sign([scene.galleryKey], root: thief)
    try scene.build()
    await expectRefusal(.otherKey) { try await add() }
    #expect(try scene.installer.galleries().isEmpty)
  }

  @Test("What a former version remembered is read, and what it cannot know is not lost by it")
  func migration() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    try await scene.install()
    let state = scene.folders.data.appending(path: "gallery/State.json")
    var text = try String(contentsOf: state, encoding: .utf8)
    // In the format from before root keys.
    #expect(text.contains("\"format\" : 2"))
    text = text.replacing("\"format\" : 2", with: "\"format\" : 1")
    text = text.replacing(#/ *"epoch" : 0,\n/#, with: "")
    #expect(!text.contains("epoch"))
    try Data(text.utf8).write(to: state)
    #expect(try scene.installer.galleries().first?.counter == 1)
    try scene.publish(SampleBundle(version: "2"))
    guard case .updated = try await scene.update() else {
      Issue.record("not updated")
      return
    }
    #expect(try String(contentsOf: state, encoding: .utf8).contains("\"format\" : 2"))
    text = text.replacing("\"format\" : 1", with: "\"format\" : 3")
    try Data(text.utf8).write(to: state)
    await expectRefusal(.unsupportedVersion) { try scene.installer.galleries() }
    // Also one that has no key that this version knows.
    try Data(#"{"format": 3, "trusted": []}"#.utf8).write(to: state)
    await expectRefusal(.unsupportedVersion) { try scene.installer.galleries() }
  }
}

extension GalleryScene {
  fileprivate func address(of folder: URL) -> URL { folder.appending(path: UpdateList.fileName) }
}
