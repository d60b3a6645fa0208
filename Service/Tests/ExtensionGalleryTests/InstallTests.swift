import ExtensionBundles
import Foundation
import ServiceFolders
import Synchronization
import Testing

@testable import ExtensionGallery

/// A user, a developer and a gallery on a loopback server.
final class GalleryScene: Sendable {
  let folder: TemporaryFolder
  let developer = SigningKey()
  let galleryKey = SigningKey()
  let files: URL
  let server: LoopbackServer
  let folders: ServiceFolders
  let store: FolderBundleStore
  private let box: StartBox
  private let time = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    files = folder("served")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    server = try serve(files)
    folders = ServiceFolders(data: folder("data"), cache: folder("cache"), runtime: folder("run"))
    let box = StartBox()
    self.box = box
    store = FolderBundleStore(folder: folder("bundles")) { installed in
      try box.answer(installed.version)
    }
  }

  /// The results of first starts.
  final class StartBox: Sendable {
    let state = Mutex<(answer: FirstStart, error: GalleryError?, versions: [String])>(
      (.succeeded, nil, [])
    )

    func answer(_ version: String) throws -> FirstStart {
      try state.withLock { state in
        state.versions.append(version)
        if let error = state.error { throw error }
        return state.answer
      }
    }
  }

  var answer: FirstStart {
    get { box.state.withLock { $0.answer } }
    set { box.state.withLock { $0.answer = newValue } }
  }

  var startError: GalleryError? {
    get { box.state.withLock { $0.error } }
    set { box.state.withLock { $0.error = newValue } }
  }

  var startedVersions: [String] { box.state.withLock { $0.versions } }

  var now: Date {
    get { time.withLock { $0 } }
    set { time.withLock { $0 = newValue } }
  }

  /// Whether strangers' addresses may be on this machine, where the test's server is.
  var trustsAll: Bool {
    get { trust.withLock { $0 } }
    set { trust.withLock { $0 = newValue } }
  }
  private let trust = Mutex(true)

  var installer: ExtensionInstaller {
    var downloader = Downloader()
    downloader.trustsAll = trustsAll
    return ExtensionInstaller(
      folders: folders,
      store: store,
      downloader: downloader,
      now: { [self] in now }
    )
  }

  var address: URL { server.url(UpdateList.fileName) }

  func publish(
    _ sample: SampleBundle,
    key: SigningKey? = nil,
    rotations: [KeyRotation] = []
  ) throws {
    let package = try sample.package(in: folder, key: key ?? developer, rotations: rotations)
    let target = files.appending(path: "\(sample.identifier).tickbird")
    try? FileManager.default.removeItem(at: target)
    try FileManager.default.moveItem(at: package, to: target)
    try build()
  }

  func build() throws {
    try GalleryBuilder(folder: files).build(key: galleryKey, name: "Example", issued: now)
  }

  func addGallery() async throws {
    let key = try galleryKey.publicKey.fingerprint
    _ = try await installer.addGallery(server.url(""), key: key) { _ in false }
  }

  @discardableResult
  func install(
    _ name: String = "com.example.blocker",
    again: Bool = false
  ) async throws
    -> InstallOutcome
  {
    try await installer.install(.name(name, gallery: nil), again: again) { _ in true }
  }

  @discardableResult
  func install(file: URL) async throws -> InstallOutcome {
    try await installer.install(.file(file)) { _ in true }
  }

  func version(_ identifier: String = "com.example.blocker") async throws -> String? {
    try await store.installedExtension(identifier)?.version
  }

  /// Returns the only result of an update.
  func update() async throws -> UpdateResult.Outcome? {
    let results = try await installer.update()
    #expect(results.count == 1)
    // Printed for failures that a test does not expect.
    for result in results { print("update of \(result.identifier): \(result.outcome)") }
    return results.first?.outcome
  }

  var stagingIsEmpty: Bool {
    !FileManager.default.fileExists(atPath: staging.path)
  }

  var staging: URL { StateFile(folders: folders).staging }
}

@Suite("Installing")
struct InstallTests {
  let scene: GalleryScene

  init() throws { scene = try GalleryScene() }

  @Test("A name is found in a gallery, installed, and updated when there is more")
  func byName() async throws {
    try scene.publish(SampleBundle(executable: "MyBlocker"))
    try await scene.addGallery()
    let offers = Mutex<[InstallOffer]>([])
    let outcome = try await scene.installer.install(.name("my blocker", gallery: nil)) { offer in
      offers.withLock { $0.append(offer) }
      return true
    }
    guard case .installed(let manifest, .succeeded) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(manifest.identifier == "com.example.blocker")
    let offer = try #require(offers.withLock { $0.first })
    #expect(offer.trust == .new)
    #expect(try offer.signer == scene.developer.publicKey.fingerprint)
    #expect(offer.gallery == "Example")
    #expect(try await scene.version() == "1")
    let installed = try #require(try await scene.store.installedExtension("com.example.blocker"))
    let program = installed.bundle.appending(path: "MyBlocker").path
    #expect(FileManager.default.isExecutableFile(atPath: program))
    guard case .alreadyThere = try await scene.install() else {
      Issue.record("it was installed twice")
      return
    }
    guard case .upToDate = try await scene.update() else {
      Issue.record("not up to date")
      return
    }
    try scene.publish(SampleBundle(version: "1.1"))
    guard case .updated(from: "1", let version, .succeeded) = try await scene.update() else {
      Issue.record("not updated")
      return
    }
    #expect(version == BundleVersion("1.1"))
    #expect(try await scene.version() == "1.1")
    #expect(scene.startedVersions == ["1", "1.1"])
    #expect(scene.stagingIsEmpty)
  }

  @Test("Who says no gets nothing")
  func declined() async throws {
    let file = try SampleBundle().package(in: scene.folder, key: scene.developer)
    let outcome = try await scene.installer.install(.file(file)) { _ in false }
    #expect(outcome == .declined)
    #expect(try await scene.version() == nil)
    #expect(try scene.installer.identities().isEmpty)
  }

  @Test("A package comes from an address, too, and what it asks for is reported")
  func byAddress() async throws {
    var sample = SampleBundle()
    sample.entitlements = [
      "com.apple.security.network.client": true,
      "com.apple.security.application-groups": ["group.example"],
    ]
    try scene.publish(sample)
    let url = scene.server.url("com.example.blocker.tickbird")
    #expect(PackageSource(url.absoluteString) == .url(url))
    let sentences = Mutex<[String]>([])
    _ = try await scene.installer.install(.url(url)) { offer in
      sentences.withLock { $0 = offer.requests.sentences }
      return true
    }
    #expect(
      sentences.withLock { $0 } == ["connections to the network", "data shared in group.example"]
    )
  }

  @Test("Another developer's key for a known identifier is refused, with both fingerprints")
  func otherDeveloper() async throws {
    try await scene.install(
      file: try SampleBundle().package(in: scene.folder, key: scene.developer)
    )
    let stranger = SigningKey()
    let other = try SampleBundle(version: "2").package(in: scene.folder, key: stranger)
    let message = await expectRefusal(.otherKey) { try await scene.install(file: other) }
    #expect(try message.contains(scene.developer.publicKey.fingerprint.description))
    #expect(try message.contains(stranger.publicKey.fingerprint.description))
    #expect(try await scene.version() == "1")
    // A gallery cannot pass somebody else's package off as the developer's either.
    try await scene.addGalleryWith(SampleBundle(version: "2"), key: stranger)
    await expectRefusal(.otherKey) { try await scene.install() }
    // Only removing the extension and forgetting it allows to start over.
    await expectRefusal(.otherKey) { try await scene.installer.forget("com.example.blocker") }
    try await scene.store.goBack("com.example.blocker")
    await expectRefusal(.otherKey) { try await scene.install() }
    try await scene.installer.forget("com.example.blocker")
    try await scene.install()
    #expect(try await scene.version() == "2")
  }

  @Test("A rotation that both keys signed moves the pin, and the old key is worth nothing then")
  func rotation() async throws {
    let newKey = SigningKey()
    let rotation = try KeyRotation(from: scene.developer, to: newKey)
    try await scene.install(
      file: try SampleBundle().package(in: scene.folder, key: scene.developer)
    )
    let trusts = Mutex<[InstallOffer.Trust]>([])
    let second = try SampleBundle(version: "2")
      .package(in: scene.folder, key: newKey, rotations: [rotation])
    _ = try await scene.installer.install(.file(second)) { offer in
      trusts.withLock { $0.append(offer.trust) }
      return true
    }
    let old = try scene.developer.publicKey.fingerprint
    #expect(trusts.withLock { $0 } == [.rotated(from: old)])
    let third = try SampleBundle(version: "3").package(in: scene.folder, key: scene.developer)
    await expectRefusal(.otherKey) { try await scene.install(file: third) }
    try await scene.install(
      file: try SampleBundle(version: "3").package(in: scene.folder, key: newKey)
    )
    #expect(try await scene.version() == "3")
  }

  @Test("A rotation in the gallery's list leads to the new key as well")
  func rotationInList() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    try await scene.install()
    let newKey = SigningKey()
    try KeyRotation(from: scene.developer, to: newKey)
      .write(to: scene.files.appending(path: "d.tickbird-rotation"))
    try scene.publish(SampleBundle(version: "2"), key: newKey)
    guard case .updated = try await scene.update() else {
      Issue.record("not updated")
      return
    }
    #expect(try await scene.version() == "2")
  }

  @Test("A lower version is refused, also when nothing is installed any more")
  func lower() async throws {
    let packages = try ["2", "1.9"].map { version in
      try SampleBundle(version: version).package(in: scene.folder, key: scene.developer)
    }
    try await scene.install(file: packages[0])
    await expectRefusal(.lowerVersion) { try await scene.install(file: packages[1]) }
    #expect(try await scene.version() == "2")
    try await scene.store.goBack("com.example.blocker")
    #expect(try await scene.version() == nil)
    await expectRefusal(.lowerVersion) { try await scene.install(file: packages[1]) }
    try await scene.install(file: packages[0])
  }

  @Test("The same version with other contents is refused")
  func sameVersion() async throws {
    try await scene.install(
      file: try SampleBundle().package(in: scene.folder, key: scene.developer)
    )
    let other = try SampleBundle(list: "[]").package(in: scene.folder, key: scene.developer)
    await expectRefusal(.sameVersion) { try await scene.install(file: other) }
  }

  @Test("A package that was changed installs nothing and leaves nothing")
  func changed() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    let file = scene.files.appending(path: "com.example.blocker.tickbird")
    var bytes = try Data(contentsOf: file)
    bytes[bytes.count - 1] ^= 1
    try bytes.write(to: file)
    await expectRefusal(.notTheListed) { try await scene.install() }
    await expectRefusal(.changedContents) { try await scene.install(file: file) }
    #expect(try await scene.version() == nil)
    #expect(try scene.installer.identities().isEmpty)
    #expect(scene.stagingIsEmpty)
  }

  @Test("An old package under a new list is refused")
  func oldPackage() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    try await scene.install()
    let file = scene.files.appending(path: "com.example.blocker.tickbird")
    let old = try Data(contentsOf: file)
    try scene.publish(SampleBundle(version: "2"))
    try old.write(to: file)
    guard case .failed(let error) = try await scene.update() else {
      Issue.record("it was taken")
      return
    }
    #expect(error.code == .notTheListed || error.code == .tooLarge)
    #expect(try await scene.version() == "1")
  }

  @Test("An old list that is served again is refused, and what was seen outlives the process")
  func oldList() async throws {
    try scene.publish(SampleBundle())
    let list = scene.files.appending(path: UpdateList.fileName)
    let old = try Data(contentsOf: list)
    try scene.publish(SampleBundle(version: "2"))
    try await scene.addGallery()
    try await scene.install()
    try old.write(to: list)
    guard case .failed(let error) = try await scene.update() else {
      Issue.record("it was taken")
      return
    }
    #expect(error.code == .listReplayed)
  }

  @Test("A list that is frozen past its expiry gives no updates, and says why")
  func frozenList() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    try await scene.install()
    scene.now += 31 * 86_400
    guard case .failed(let error) = try await scene.update() else {
      Issue.record("it was taken")
      return
    }
    #expect(error.code == .listExpired)
    await expectRefusal(.listExpired) { try await scene.install() }
    try scene.publish(SampleBundle(version: "2"))
    guard case .updated = try await scene.update() else {
      Issue.record("the new list was not taken")
      return
    }
  }

  @Test("A package that is larger than its list says is not fetched to its end")
  func endlessPackage() async throws {
    try scene.publish(SampleBundle())
    let list = try Data(contentsOf: scene.files.appending(path: UpdateList.fileName))
    let server = try LoopbackServer { path in
      path == UpdateList.fileName ? .data(list) : .endless(contentLength: nil)
    }
    _ = try await scene.installer.addGallery(server.url(""), key: nil) { _ in true }
    await expectRefusal(.tooLarge) { try await scene.install() }
    #expect(scene.stagingIsEmpty)
  }

  @Test("A gallery with another key than the user was told is not added")
  func galleryKey() async throws {
    try scene.publish(SampleBundle())
    let wrong = try scene.developer.publicKey.fingerprint
    await expectRefusal(.otherKey) {
      try await scene.installer.addGallery(scene.address, key: wrong) { _ in true }
    }
    #expect(try await scene.installer.addGallery(scene.address, key: nil) { _ in false } == nil)
    #expect(try scene.installer.galleries().isEmpty)
    await expectRefusal(.notFound) { try await scene.install() }
    try await scene.addGallery()
    #expect(try scene.installer.galleries().map(\.name) == ["Example"])
    await expectRefusal(.notFound) { try await scene.install("com.example.unknown") }
    try await scene.installer.removeGallery("Example")
    #expect(try scene.installer.galleries().isEmpty)
  }

  @Test("What is changed while the question is open is not installed")
  func changedWhileAsked() async throws {
    let file = try SampleBundle().package(in: scene.folder, key: scene.developer)
    let message = await expectRefusal(.changedContents) {
      try await scene.installer.install(.file(file)) { _ in
        let unpacked = FileManager.default.enumerator(atPath: scene.staging.path)
        for case let path as String in unpacked ?? .init() where path.hasSuffix(".json") {
          try Data("[]".utf8).write(to: scene.staging.appending(path: path))
        }
        return true
      }
    }
    #expect(message.contains("com.example.blocker"), "\(message)")
    #expect(try await scene.version() == nil && scene.stagingIsEmpty)
    try await scene.install(file: file)
    #expect(try await scene.version() == "1")
  }

  @Test("What is removed or replaced while it is started has not failed", arguments: [false, true])
  func removedMeanwhile(throwing: Bool) async throws {
    let scene = scene
    let starts = Mutex(0)
    let bundles = FolderBundleStore(folder: scene.folder("bundles"))
    let store = FolderBundleStore(folder: scene.folder("bundles")) { installed in
      let isFirst = starts.withLock { count in
        count += 1
        return count == 1
      }
      guard isFirst else { return .succeeded }
      // As "extensions remove" at that moment does.
      try await bundles.goBack("com.example.blocker")
      guard !throwing else { throw GalleryError(.notFound, "it is not installed") }
      return .failed("it is not installed")
    }
    let installer = ExtensionInstaller(folders: scene.folders, store: store, now: { scene.now })
    let file = try SampleBundle().package(in: scene.folder, key: scene.developer)
    _ = try? await installer.install(.file(file)) { _ in true }
    let known = try #require(try installer.identities()["com.example.blocker"])
    #expect(known.failed.isEmpty && known.highest?.description == "1")
    let again = try await installer.install(.file(file)) { _ in true }
    guard case .installed(_, .succeeded) = again else {
      Issue.record("\(again)")
      return
    }
  }

  @Test("A state whose link leads to nothing is not taken for an empty one")
  func stateElsewhere() async throws {
    let file = try SampleBundle().package(in: scene.folder, key: scene.developer)
    try await scene.install(file: file)
    let state = scene.folders.data.appending(path: "gallery/State.json")
    let elsewhere = scene.folder("elsewhere")
    try FileManager.default.moveItem(at: state, to: elsewhere)
    try FileManager.default.createSymbolicLink(at: state, withDestinationURL: elsewhere)
    #expect(try scene.installer.identities().count == 1)
    try FileManager.default.removeItem(at: elsewhere)
    let message = await expectRefusal(.file) { try scene.installer.identities() }
    #expect(message.contains("\(state.path) cannot be opened: it is a link"), "\(message)")
  }

  @Test("A damaged state is not taken for an empty one")
  func damagedState() async throws {
    let file = try SampleBundle().package(in: scene.folder, key: scene.developer)
    try await scene.install(file: file)
    let state = scene.folders.data.appending(path: "gallery/State.json")
    try Data("{".utf8).write(to: state)
    let message = await expectRefusal(.file) { try await scene.install(file: file) }
    #expect(message.contains(state.path))
  }

  @Test("A state that was written and is missing is not taken for an empty one")
  func missingState() async throws {
    let file = try SampleBundle().package(in: scene.folder, key: scene.developer)
    try await scene.install(file: file)
    let folder = scene.folders.data.appending(path: "gallery")
    let mark = URL(filePath: folder.path + ".filled")
    try FileManager.default.moveItem(at: folder, to: scene.folder("away"))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let message = await expectRefusal(.file) { try await scene.install(file: file) }
    #expect(message.contains(mark.path))
    await expectRefusal(.file) { try scene.installer.identities() }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    try FileManager.default.removeItem(at: mark)
    #expect(try scene.installer.identities().isEmpty)
  }

  @Test("What only reads the state is not kept out by an installation, and a second one waits")
  func locks() async throws {
    let file = try SampleBundle().package(in: scene.folder, key: scene.developer)
    let state = StateFile(folders: scene.folders)
    try await state.locked { _ in
      await expectRefusal(.busy) {
        try await state.locked(patience: .milliseconds(200)) { _ in }
      }
      let galleries = try scene.installer.galleries()
      #expect(galleries.isEmpty)
    }
    try await scene.install(file: file)
  }
}

extension GalleryScene {
  func addGalleryWith(_ sample: SampleBundle, key: SigningKey) async throws {
    try publish(sample, key: key)
    try await addGallery()
  }
}
