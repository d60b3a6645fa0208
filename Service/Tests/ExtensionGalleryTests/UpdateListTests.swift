import ExtensionBundles
import Foundation
import TestSupport
import Testing

@testable import ExtensionGallery

@Suite("Update lists")
struct UpdateListTests {
  let folder: TemporaryFolder
  let key = SigningKey()
  let developer = SigningKey()
  let time = Date(timeIntervalSince1970: 1_800_000_000)

  init() throws { folder = try TemporaryFolder() }

  private func list(
    counter: UInt64 = 5,
    issued: TimeInterval = 0,
    life: TimeInterval = 86_400,
    key: SigningKey? = nil,
    rotations: [KeyRotation] = [],
    name: String = "Gallery"
  ) throws -> UpdateList {
    let issued = time.addingTimeInterval(issued)
    return try UpdateList(
      UpdateList.sign(
        name: name,
        counter: counter,
        issued: issued,
        expires: issued.addingTimeInterval(life),
        rotations: rotations,
        entries: [],
        with: key ?? self.key
      ),
      from: "list"
    )
  }

  private func known() throws -> KnownGallery {
    try KnownGallery(url: URL(filePath: "/g/x.txt"), first: try list(), now: time)
  }

  @Test("A gallery of packages is built, and the same again gives the same bytes")
  func build() async throws {
    _ = try SampleBundle().package(in: folder, key: developer, to: "gallery-a.tickbird")
    let files = folder("g")
    try FileManager.default.createDirectory(
      at: files.appending(path: "packages"),
      withIntermediateDirectories: true
    )
    for (version, name) in [("1", "a b.tickbird"), ("1.10", "b.tickbird"), ("1.9", "c.tickbird")] {
      let package = try SampleBundle(version: version).package(in: folder, key: developer)
      try FileManager.default.moveItem(at: package, to: files.appending(path: "packages/\(name)"))
    }
    let builder = GalleryBuilder(folder: files)
    let first = try builder.build(key: key, name: "G", issued: time)
    #expect(first.counter == 1)
    #expect(first.entries.map(\.version.description) == ["1.10"])
    #expect(first.entries.first?.path == "packages/b.tickbird")
    #expect(try first.signer == key.publicKey)
    let list = files.appending(path: UpdateList.fileName)
    let bytes = try Data(contentsOf: list)
    let second = try builder.build(key: key, issued: time)
    #expect(second.counter == 2)
    #expect(second.name == "G")
    try FileManager.default.removeItem(at: list)
    // Everybody who has the second list would refuse another first one.
    let message = await expectRefusal(.file) {
      try builder.build(key: key, name: "G", issued: time)
    }
    #expect(message.contains("--counter") && message.contains(list.path), "\(message)")
    #expect(!FileManager.default.fileExists(atPath: list.path))
    // Not even if the record of a build's files is lost as well.
    let own = files.appending(path: "tickbird-gallery")
    let record = try Data(contentsOf: own.appending(path: "files.txt"))
    try FileManager.default.removeItem(at: own.appending(path: "files.txt"))
    await expectRefusal(.file) { try builder.build(key: key, name: "G", issued: time) }
    try record.write(to: own.appending(path: "files.txt"))
    try builder.build(key: key, name: "G", counter: 1, issued: time)
    #expect(try Data(contentsOf: list) == bytes)
    #expect(try builder.build(key: key, counter: 40).counter == 40)
    #expect(try builder.build(key: key, counter: 7).counter == 41)
  }

  @Test("A first build that was killed before its list was in place is repeated")
  func firstBuildKilled() async throws {
    let files = folder("g")
    let package = try SampleBundle().package(in: folder, key: developer)
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: package, to: files.appending(path: "a.tickbird"))
    let builder = GalleryBuilder(folder: files)
    let list = files.appending(path: UpdateList.fileName)
    // What is written before the list.
    let killed = try OwnedFiles(files)
    try killed.setFirstBuild(true)
    try killed.begin(["tickbird-gallery/catalogue-0.txt": Data([1])])
    #expect(try builder.build(key: key, name: "G", issued: time).counter == 1)
    let own = files.appending(path: "tickbird-gallery")
    #expect(!FileManager.default.fileExists(atPath: own.appending(path: ".first-build").path))
    try FileManager.default.removeItem(at: list)
    await expectRefusal(.file) { try builder.build(key: key, name: "G", issued: time) }
  }

  @Test("A folder with a package that is not whole gives no gallery")
  func buildOfBroken() async throws {
    let file = try SampleBundle().package(in: folder, key: developer, to: "a.tickbird")
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: file)
    await expectRefusal(.changedContents) {
      try GalleryBuilder(folder: folder.url).build(key: key, name: "G")
    }
    #expect(!FileManager.default.fileExists(atPath: folder(UpdateList.fileName).path))
  }

  @Test("One identifier has one key in a gallery, and each version once")
  func buildOfConflicts() async throws {
    _ = try SampleBundle(version: "1").package(in: folder, key: developer, to: "a.tickbird")
    _ = try SampleBundle(version: "2").package(in: folder, key: key, to: "b.tickbird")
    let builder = GalleryBuilder(folder: folder.url)
    await expectRefusal(.otherKey) { try builder.build(key: key, name: "G") }
    let rotation = try KeyRotation(from: developer, to: key)
    _ = try SampleBundle(version: "2")
      .package(in: folder, key: key, rotations: [rotation], to: "b.tickbird")
    #expect(try builder.build(key: key, name: "G").entries.count == 1)
    _ = try SampleBundle(version: "2.0").package(in: folder, key: key, to: "c.tickbird")
    await expectRefusal(.sameVersion) { try builder.build(key: key) }
  }

  @Test("A gallery's key changes only by rotation")
  func galleryKey() async throws {
    let builder = GalleryBuilder(folder: folder.url)
    try builder.build(key: key, name: "G")
    let other = SigningKey()
    await expectRefusal(.otherKey) { try builder.build(key: other) }
    try KeyRotation(from: key, to: other).write(to: folder("r.tickbird-rotation"))
    #expect(try builder.build(key: other).counter == 2)
  }

  @Test("A list that was changed is refused, whichever bit it is")
  func changedList() async throws {
    _ = try SampleBundle().package(in: folder, key: developer, to: "a.tickbird")
    try GalleryBuilder(folder: folder.url).build(key: key, name: "G")
    let bytes = try Data(contentsOf: folder(UpdateList.fileName))
    let place = try #require(bytes.range(of: Data("counter 1\n".utf8)))
    var changed = bytes
    changed[place.upperBound - 2] = UInt8(ascii: "9")
    await expectRefusal(.badSignature) { try UpdateList(changed, from: "list") }
    var random = RandomSource(seed: 3)
    for _ in 0..<300 {
      var changed = bytes
      changed[Int.random(in: 0..<bytes.count, using: &random)] ^=
        1 << UInt8.random(in: 0..<8, using: &random)
      #expect(throws: GalleryError.self) { try UpdateList(changed, from: "list") }
      let length = Int.random(in: 0..<bytes.count, using: &random)
      #expect(throws: GalleryError.self) { try UpdateList(bytes.prefix(length), from: "list") }
    }
  }

  @Test("A package's manifest is not a list, though its signature is good")
  func otherContext() async throws {
    let text = try SignedText.sign(
      ["name G", "counter 1", "issued 2026-01-01T00:00:00Z", "expires 2026-01-02T00:00:00Z"],
      kind: UpdateList.kind,
      context: .packageManifest,
      with: key
    )
    await expectRefusal(.badSignature) { try UpdateList(text, from: "list") }
  }

  @Test(
    "Lists that break a rule are refused",
    arguments: [
      ["name G", "counter 01", "issued 2026-01-01T00:00:00Z", "expires 2026-01-02T00:00:00Z"],
      ["name G", "counter 1", "issued 2026-01-01", "expires 2026-01-02T00:00:00Z"],
      ["name G", "counter 1", "issued 2026-01-02T00:00:00Z", "expires 2026-01-01T00:00:00Z"],
      ["name G", "counter 1", "issued 2026-01-01T00:00:00Z", "expires 2036-01-02T00:00:00Z"],
      ["name G", "counter 1", "issued 2026-01-01T00:00:00Z"],
      ["name G\u{1B}[2J", "counter 1", "issued 2026-01-01T00:00:00Z"],
    ]
  )
  func malformed(lines: [String]) async throws {
    let text = try SignedText.sign(lines, kind: UpdateList.kind, context: .updateList, with: key)
    await expectRefusal(.malformed) { try UpdateList(text, from: "list") }
  }

  @Test("A path of a list cannot leave the gallery's folder", arguments: ["../x", "/x", "a//b"])
  func path(path: String) async throws {
    let digits = String(repeating: "0", count: 64)
    let text = try SignedText.sign(
      [
        "name G", "counter 1", "issued 2026-01-01T00:00:00Z", "expires 2026-01-02T00:00:00Z",
        "package a.b", "version 1", "short-version 1", "name n", "extension-point a.b",
        "signer \(digits)", "size 1", "digest \(digits)", "path \(path)",
      ],
      kind: UpdateList.kind,
      context: .updateList,
      with: key
    )
    await expectRefusal(.badPath) { try UpdateList(text, from: "list") }
  }

  @Test("An old list that is served again is refused")
  func replayed() async throws {
    let known = try known()
    await expectRefusal(.listReplayed) { try known.accepting(try list(counter: 4), now: time) }
    // A different list with the same counter.
    await expectRefusal(.listReplayed) { try known.accepting(try list(name: "H"), now: time) }
    // A higher counter, but issued before.
    await expectRefusal(.listReplayed) {
      try known.accepting(try list(counter: 6, issued: -10), now: time)
    }
    #expect(try known.accepting(try list(), now: time) == known)
    #expect(try known.accepting(try list(counter: 6, issued: 1), now: time).counter == 6)
  }

  @Test("A list that is held past its expiry is refused")
  func frozen() async throws {
    let known = try known()
    let message = await expectRefusal(.listExpired) {
      try known.accepting(try list(), now: time.addingTimeInterval(86_400))
    }
    #expect(message.contains("expired at"))
    #expect(try known.accepting(try list(), now: time.addingTimeInterval(86_399)) == known)
    await expectRefusal(.listExpired) {
      try KnownGallery(
        url: known.url,
        first: try list(),
        now: time.addingTimeInterval(1_000_000)
      )
    }
  }

  @Test("A clock that is behind the list is noticed, and nothing is judged by it")
  func clockSetBack() async throws {
    let message = await expectRefusal(.clock) {
      try known().accepting(try list(), now: time.addingTimeInterval(-86_401))
    }
    #expect(message.contains("set the clock"))
    #expect(try known().accepting(try list(), now: time.addingTimeInterval(-86_400)) == known())
  }

  @Test("Another key's list is refused, unless both keys signed a rotation")
  func otherKey() async throws {
    let known = try known()
    let other = SigningKey()
    await expectRefusal(.otherKey) {
      try known.accepting(try list(counter: 6, key: other), now: time)
    }
    let rotation = try KeyRotation(from: key, to: other)
    let moved = try known.accepting(
      try list(counter: 6, key: other, rotations: [rotation]),
      now: time
    )
    #expect(try moved.pin.key == other.publicKey)
    await expectRefusal(.otherKey) {
      try moved.accepting(try list(counter: 7, rotations: [rotation]), now: time)
    }
  }
}

/// Galleries whose names say nothing about which one is meant.
@Suite("Which gallery is meant")
struct GalleryNameTests {
  @Test("an address is its own gallery's, whatever others call themselves")
  func addresses() async throws {
    let scene = try GalleryScene()
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    let victim = scene.address.absoluteString
    // Another one, which has taken the first one's address for its name.
    let other = scene.files.appending(path: "other", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    let key = SigningKey()
    try GalleryBuilder(folder: other).build(key: key, name: victim, issued: scene.now)
    let place = scene.server.url("other/")
    let installer = scene.installer
    let added = try await installer.addGallery(place, key: key.publicKey.fingerprint) { _ in false }
    #expect(added?.name == victim)
    #expect(try await installer.refreshGallery(victim).name == "Example")
    try await installer.removeGallery(victim)
    #expect(try installer.galleries().map(\.url) == [added?.url])
  }

  @Test("two of one name are told apart by the addresses that the error names")
  func twins() async throws {
    let scene = try GalleryScene()
    var addresses: [String] = []
    for name in ["one", "two"] {
      let folder = scene.files.appending(path: name, directoryHint: .isDirectory)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let key = SigningKey()
      try GalleryBuilder(folder: folder).build(key: key, name: "Twin", issued: scene.now)
      let added = try await scene.installer.addGallery(
        scene.server.url("\(name)/"),
        key: key.publicKey.fingerprint
      ) { _ in false }
      addresses.append(try #require(added).url.absoluteString)
    }
    let error = try await #require(throws: GalleryError.self) {
      try await scene.installer.removeGallery("Twin")
    }
    #expect(error.code == .notFound && addresses.allSatisfy(error.message.contains))
    for address in addresses { try await scene.installer.removeGallery(address) }
    #expect(try scene.installer.galleries().isEmpty)
  }
}
