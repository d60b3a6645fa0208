import ExtensionBundles
import Foundation
import ServiceFolders
import Synchronization
import Testing

@testable import ExtensionGallery

@Suite("Updates and first starts")
struct UpdateTests {
  let scene: GalleryScene

  init() throws { scene = try GalleryScene() }

  private func failure(_ outcome: UpdateResult.Outcome?) -> GalleryError? {
    if case .failed(let error) = outcome { error } else { nil }
  }

  @Test("A bad first start brings the version before back, and is not tried again and again")
  func goingBack() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    try await scene.install()
    scene.answer = .failed("it crashed")
    try scene.publish(SampleBundle(version: "2"))
    let first = failure(try await scene.update())
    #expect(first?.code == .firstStart)
    #expect(first?.message.contains("version 1 is back") == true)
    #expect(try await scene.version() == "1")
    scene.answer = .succeeded
    let requests = scene.server.requests.count
    #expect(failure(try await scene.update())?.code == .failedBefore)
    // Only the list was requested.
    #expect(scene.server.requests.count == requests + 1)
    #expect(scene.startedVersions == ["1", "2"])
    await expectRefusal(.failedBefore) { try await scene.install() }
    // The next version is a different matter, and so is an explicit request.
    try await scene.install(again: true)
    #expect(try await scene.version() == "2")
    try scene.publish(SampleBundle(version: "3"))
    guard case .updated = try await scene.update() else {
      Issue.record("not updated")
      return
    }
  }

  @Test("Who installs the same at the same time is told so, and its developer is not blamed")
  func sameAtOnce() async throws {
    let file = try SampleBundle().package(in: scene.folder, key: scene.developer)
    let scene = scene
    let isFirst = Mutex(true)
    // Another process comes between the reading of the state and that of the store.
    let store = InterruptedStore(store: scene.store) {
      guard
        isFirst.withLock({ first in
          defer { first = false }; return first
        })
      else { return }
      try await scene.install(file: file)
    }
    let installer = ExtensionInstaller(folders: scene.folders, store: store)
    guard case .alreadyThere = try await installer.install(.file(file), confirm: { _ in true })
    else {
      Issue.record("not there")
      return
    }
    // Other contents are refused as before.
    let other = try SampleBundle(list: "[]").package(in: scene.folder, key: scene.developer)
    await expectRefusal(.sameVersion) { try await scene.install(file: other) }
  }

  /// A store with something that happens before it says what is installed.
  private struct InterruptedStore: BundleInstalling {
    let store: FolderBundleStore
    let event: @Sendable () async throws -> Void

    func installedIdentifiers() async throws -> [String] { try await store.installedIdentifiers() }
    func installedExtension(_ identifier: String) async throws -> InstalledExtension? {
      try await event()
      return try await store.installedExtension(identifier)
    }
    func install(_ bundle: URL, signedBy pin: PinnedKey) async throws {
      try await store.install(bundle, signedBy: pin)
    }
    func isOn(_ identifier: String) async throws -> Bool { try await store.isOn(identifier) }
    func firstStart(_ identifier: String) async throws -> FirstStart {
      try await store.firstStart(identifier)
    }
    func goBack(_ identifier: String) async throws { try await store.goBack(identifier) }
  }

  @Test("A bad first start of a first installation leaves nothing installed")
  func goingBackToNothing() async throws {
    scene.answer = .failed("it crashed")
    let file = try SampleBundle().package(in: scene.folder, key: scene.developer)
    let message = await expectRefusal(.firstStart) { try await scene.install(file: file) }
    #expect(message.contains("removed again"))
    #expect(try await scene.version() == nil)
    await expectRefusal(.failedBefore) { try await scene.install(file: file) }
    // Its key stays pinned nevertheless.
    let stranger = try SampleBundle(version: "9").package(in: scene.folder, key: SigningKey())
    await expectRefusal(.otherKey) { try await scene.install(file: stranger) }
  }

  @Test("A version that is off waits for its first start, and goes back when that fails")
  func waiting() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    try await scene.install()
    scene.answer = .waiting
    try scene.publish(SampleBundle(version: "2"))
    guard case .updated(_, _, .waiting) = try await scene.update() else {
      Issue.record("not updated")
      return
    }
    #expect(try await scene.installer.settle().isEmpty)
    #expect(try await scene.installer.settle().isEmpty)
    #expect(try await scene.installer.settle().isEmpty)
    #expect(try await scene.version() == "2")
    scene.answer = .failed("it hung")
    let failed = try await scene.installer.settle()
    #expect(
      failed.map(\.sentence) == [
        "com.example.blocker 2 did not start (it hung); version 1 is back"
      ]
    )
    #expect(try await scene.version() == "1")
  }

  @Test("Where a version that never started is replaced, the one that did is what comes back")
  func waitingReplaced() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    try await scene.install()
    scene.answer = .waiting
    for version in ["2", "3", "4"] {
      try scene.publish(SampleBundle(version: version))
      _ = try await scene.update()
      #expect(try await scene.version() == version)
    }
    scene.answer = .failed("no")
    #expect(try await scene.installer.settle().first?.previous == "1")
    #expect(try await scene.version() == "1")
  }

  @Test("A host that cannot start anything is not held against the extension")
  func hostAway() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    scene.startError = GalleryError(.busy, "the host is away")
    await expectRefusal(.busy) { try await scene.install() }
    for _ in 0..<4 { await expectRefusal(.busy) { try await scene.installer.settle() } }
    #expect(try await scene.version() == "1")
    scene.startError = nil
    #expect(try await scene.installer.settle().isEmpty)
    #expect(try scene.installer.identities()["com.example.blocker"]?.highest == BundleVersion("1"))
  }

  /// The states in which a process may be killed during an update from 1 to 2.
  enum Moment: CaseIterable {
    case beforeInstalling, beforeStart, inSecondStart, goingBack, wentBack
  }

  @Test("An update that was cut off is finished or taken back", arguments: Moment.allCases)
  func cutOff(moment: Moment) async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    try await scene.install()
    let staging = StateFile(folders: scene.folders).staging
    try FileManager.default.createDirectory(
      at: staging.appending(path: "\(UUID())/My Blocker.appex"),
      withIntermediateDirectories: true
    )
    try Data("half".utf8).write(to: staging.appending(path: "\(UUID())"))
    try scene.publish(SampleBundle(version: "2"))
    let package = try PackageReader(scene.files.appending(path: "com.example.blocker.tickbird"))
    let file = StateFile(folders: scene.folders)
    var state = try file.read()
    var identity = try #require(state.identities["com.example.blocker"])
    identity.highest = package.manifest.version
    identity.contents = package.manifest.contentsDigest
    var trial = Trial(
      version: package.manifest.version,
      contents: package.manifest.contentsDigest,
      package: try package.digest(),
      identity: identity,
      previous: "1"
    )
    if moment == .inSecondStart { trial.attempts = 2 }
    if moment == .goingBack || moment == .wentBack { trial.failure = "it crashed" }
    state.trials["com.example.blocker"] = trial
    try file.write(state)
    if moment != .beforeInstalling, moment != .wentBack {
      try await scene.store.install(
        package.unpack(into: scene.folder.url),
        signedBy: PinnedKey(scene.developer.publicKey)
      )
    }
    let failed = try await scene.installer.settle()
    #expect(scene.stagingIsEmpty)
    #expect(try file.read().trials.isEmpty)
    let after = try #require(try file.read().identities["com.example.blocker"])
    switch moment {
    case .beforeInstalling:
      #expect(failed.isEmpty)
      #expect(try await scene.version() == "1")
      #expect(after.highest == BundleVersion("1"))
    case .beforeStart:
      #expect(failed.isEmpty)
      #expect(try await scene.version() == "2")
      #expect(after.highest == BundleVersion("2"))
    case .inSecondStart, .goingBack:
      #expect(failed.count == 1)
      #expect(try await scene.version() == "1")
      #expect(after.failed.count == 1)
    case .wentBack:
      #expect(try await scene.version() == "1")
      #expect(after.failed.count == 1)
    }
  }

  @Test("An update that asks for more waits for the user")
  func consent() async throws {
    try scene.publish(SampleBundle(entitlements: [:]))
    try await scene.addGallery()
    try await scene.install()
    try scene.publish(
      SampleBundle(version: "2", entitlements: ["com.apple.security.network.client": true])
    )
    guard case .needsConsent(let version, let requests) = try await scene.update() else {
      Issue.record("it was not asked for")
      return
    }
    #expect(version == BundleVersion("2"))
    #expect(requests == ["connections to the network"])
    #expect(try await scene.version() == "1")
    _ = try await scene.installer.update { _ in true }
    #expect(try await scene.version() == "2")
  }

  @Test("One gallery that is away does not hold up another's updates")
  func independent() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    try await scene.install()
    let other = try GalleryScene()
    try other.publish(SampleBundle(identifier: "com.example.other", name: "Other"))
    _ = try await scene.installer.addGallery(other.address, key: nil) { _ in true }
    try await scene.install("Other")
    other.server.stop()
    try scene.publish(SampleBundle(version: "2"))
    let results = try await scene.installer.update()
    #expect(results.map(\.identifier) == ["com.example.blocker", "com.example.other"])
    guard case .updated = results.first?.outcome else {
      Issue.record("not updated")
      return
    }
    #expect(failure(results.last?.outcome)?.code == .download)
  }
}

@Suite("Extensions from elsewhere")
struct UpdateManifestTests {
  let scene: GalleryScene

  init() throws { scene = try GalleryScene() }

  private var elsewhere: SampleBundle {
    SampleBundle(extra: [
      "Update Manifest URL": scene.server.url("Updates.plist").absoluteString,
      "DeveloperIdentifier": "ABCDE12345",
    ])
  }

  private func manifest(_ entry: [String: Any]) throws {
    var entry = entry
    entry["CFBundleIdentifier"] = "com.example.blocker"
    entry["Developer Identifier"] = "ABCDE12345"
    try SampleBundle.propertyList(["Extension Updates": [entry]])
      .write(to: scene.files.appending(path: "Updates.plist"))
  }

  private func installFromElsewhere(_ key: SigningKey) async throws {
    try await scene.install(file: try elsewhere.package(in: scene.folder, key: key))
  }

  @Test("An update manifest that a bundle names is not asked on this machine")
  func manifestInside() async throws {
    try await installFromElsewhere(scene.developer)
    try manifest(["CFBundleVersion": "2", "URL": scene.server.url("new.tickbird").absoluteString])
    scene.trustsAll = false
    guard case .failed(let error) = try await scene.update() else {
      Issue.record("it was asked")
      return
    }
    #expect(error.code == .download && error.message.contains("public internet"))
  }

  @Test("An update manifest's package is taken, of the pinned key and of a higher version alone")
  func selfHosted() async throws {
    try await installFromElsewhere(scene.developer)
    let target = scene.files.appending(path: "new.tickbird")
    func publish(_ version: String, _ key: SigningKey, says: String? = nil) throws {
      try? FileManager.default.removeItem(at: target)
      var sample = elsewhere
      sample.version = version
      try FileManager.default.moveItem(at: sample.package(in: scene.folder, key: key), to: target)
      try manifest([
        "CFBundleVersion": says ?? version, "URL": scene.server.url("new.tickbird").absoluteString,
      ])
    }
    try publish("1", scene.developer)
    guard case .upToDate = try await scene.update() else {
      Issue.record("1 is not higher than 1")
      return
    }
    try publish("2", SigningKey())
    guard case .failed(let error) = try await scene.update() else {
      Issue.record("another key's package was taken")
      return
    }
    #expect(error.code == .otherKey)
    try publish("0.9", scene.developer, says: "2")
    guard case .failed(let lower) = try await scene.update() else {
      Issue.record("a lower version was taken")
      return
    }
    #expect(lower.code == .lowerVersion)
    try publish("2", scene.developer)
    guard case .updated = try await scene.update() else {
      Issue.record("not updated")
      return
    }
    #expect(try await scene.version() == "2")
  }

  @Test("What an update manifest says leads to no file of this machine")
  func fileInManifest() async throws {
    try await installFromElsewhere(scene.developer)
    var sample = elsewhere
    sample.version = "2"
    let file = try sample.package(in: scene.folder, key: scene.developer)
    try manifest(["CFBundleVersion": "2", "URL": file.absoluteString])
    guard case .failed(let error) = try await scene.update() else {
      Issue.record("it was taken")
      return
    }
    #expect(error.code == .download)
    #expect(try await scene.version() == "1")
  }

  @Test("Update From Gallery moves the extension to the gallery's version, for good")
  func move() async throws {
    try await installFromElsewhere(scene.developer)
    try manifest(["Update From Gallery": true])
    guard case .noSource(let reason) = try await scene.update() else {
      Issue.record("there is no gallery yet")
      return
    }
    #expect(reason.contains("gallery"))
    try scene.publish(SampleBundle(version: "2"))
    try await scene.addGallery()
    guard case .updated = try await scene.update() else {
      Issue.record("not moved")
      return
    }
    #expect(try await scene.version() == "2")
    let identity = try #require(try scene.installer.identities()["com.example.blocker"])
    #expect(identity.gallery == scene.address)
    // From now on its own manifest is not fetched.
    let requests = scene.server.requests.filter { $0 == "Updates.plist" }.count
    guard case .upToDate = try await scene.update() else {
      Issue.record("not up to date")
      return
    }
    #expect(scene.server.requests.filter { $0 == "Updates.plist" }.count == requests)
  }

  @Test("A gallery that has the same version takes over without a download")
  func moveOfSame() async throws {
    try scene.publish(elsewhere)
    try await installFromElsewhere(scene.developer)
    try manifest(["Update From Gallery": true])
    try await scene.addGallery()
    guard case .moved(gallery: "Example") = try await scene.update() else {
      Issue.record("not moved")
      return
    }
    #expect(!scene.server.requests.contains("com.example.blocker.tickbird"))
  }

  @Test("A gallery's package of another key is not what one is moved to")
  func moveToOther() async throws {
    try await installFromElsewhere(scene.developer)
    try manifest(["Update From Gallery": true])
    try scene.publish(SampleBundle(version: "2"), key: SigningKey())
    try await scene.addGallery()
    guard case .failed(let error) = try await scene.update() else {
      Issue.record("it was moved")
      return
    }
    #expect(error.code == .otherKey)
    #expect(try await scene.version() == "1")
    #expect(try scene.installer.identities()["com.example.blocker"]?.gallery == nil)
  }

  @Test("A bundle that never was a package is replaced by the user's own word alone")
  func unsigned() async throws {
    let bundle = try elsewhere.write(into: scene.folder.url)
    try await scene.store.install(bundle, signedBy: nil)
    try manifest(["Update From Gallery": true])
    try scene.publish(SampleBundle(version: "2"))
    try await scene.addGallery()
    guard case .noSource = try await scene.update() else {
      Issue.record("it was moved")
      return
    }
    let replaced = Mutex(false)
    _ = try await scene.installer.install(.name("com.example.blocker", gallery: nil)) { offer in
      replaced.withLock { $0 = offer.replacesUnsigned }
      return true
    }
    #expect(replaced.withLock { $0 })
    #expect(try await scene.version() == "2")
  }

  @Test(
    "A manifest that is hostile or broken is an error",
    arguments: [
      "", "<", "<plist/>", "<plist><dict></dict></plist>", "bplist00",
      "<plist>" + String(repeating: "<dict><key>a</key>", count: 50_000),
    ]
  )
  func broken(text: String) async throws {
    try await installFromElsewhere(scene.developer)
    try Data(text.utf8).write(to: scene.files.appending(path: "Updates.plist"))
    guard case .failed = try await scene.update() else {
      Issue.record("it was taken")
      return
    }
  }

  @Test("An entry of another developer is ignored")
  func otherDeveloper() throws {
    let data = try SampleBundle.propertyList([
      "Extension Updates": [
        [
          "CFBundleIdentifier": "com.example.blocker", "Developer Identifier": "ZZZZZ",
          "CFBundleVersion": "9",
        ],
        ["CFBundleIdentifier": "com.example.blocker", "CFBundleVersion": "3"],
        ["CFBundleIdentifier": "com.example.blocker", "CFBundleVersion": "4"],
        ["CFBundleIdentifier": "com.example.else", "CFBundleVersion": "5"], "text",
      ]
    ])
    let manifest = try UpdateManifest(data, from: "m")
    let bundle = try BundleInformation(bundle: elsewhere.write(into: scene.folder.url))
    #expect(manifest.entry(for: bundle)?.version == BundleVersion("4"))
  }
}

@Suite("The schedule")
struct UpdateScheduleTests {
  let start = Date(timeIntervalSince1970: 1_800_000_000)

  @Test("It backs off after failures, up to the interval, and draws the time")
  func pauses() {
    var schedule = UpdateSchedule()
    #expect(schedule.isDue(start))
    var pauses: [TimeInterval] = []
    for _ in 0..<12 {
      schedule.note(success: false, now: start, random: 0.5)
      pauses.append(schedule.next?.timeIntervalSince(start) ?? 0)
    }
    #expect(pauses.prefix(4) == [300, 600, 1200, 2400])
    #expect(pauses.last == UpdateSchedule.interval)
    schedule.note(success: true, now: start, random: 0)
    #expect(schedule.next == start.addingTimeInterval(UpdateSchedule.interval * 0.9))
    schedule.note(success: false, now: start, random: 0.5)
    #expect(schedule.next == start.addingTimeInterval(300))
    for _ in 0..<2000 { schedule.note(success: false, now: start, random: 0.999) }
    #expect(schedule.next ?? start < start.addingTimeInterval(UpdateSchedule.interval * 1.1))
  }

  @Test("A clock that was set back by days does not hold it up")
  func clock() {
    var schedule = UpdateSchedule()
    schedule.note(success: true, now: start, random: 0.5)
    #expect(!schedule.isDue(start.addingTimeInterval(60)))
    #expect(schedule.isDue(start.addingTimeInterval(UpdateSchedule.interval + 1)))
    #expect(schedule.isDue(start.addingTimeInterval(-10 * 86_400)))
  }

  @Test("The updater looks when it is time, and not before")
  func updater() async throws {
    let scene = try GalleryScene()
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    try await scene.install()
    let updater = Updater(installer: scene.installer, now: { scene.now }, random: { 0.5 })
    #expect(try await updater.runIfDue()?.count == 1)
    #expect(try await updater.runIfDue() == nil)
    try scene.publish(SampleBundle(version: "2"))
    scene.now += UpdateSchedule.interval
    #expect(try await updater.runIfDue()?.count == 1)
    #expect(try await scene.version() == "2")
    scene.server.stop()
    scene.now += UpdateSchedule.interval
    #expect(try await updater.runIfDue()?.first?.isFailure == true)
    scene.now += 299
    #expect(try await updater.runIfDue() == nil)
    scene.now += 1
    #expect(try await updater.runIfDue() != nil)
  }
}
