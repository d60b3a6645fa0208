import Foundation
import ServiceFolders
import Synchronization
import Testing

@testable import ExtensionGallery

/// One extension that cannot be tried, rolled back or installed.
@Suite("An extension that resists")
struct HeldUpTests {
  private let evil = "com.evil.blocker"
  private let good = "com.example.blocker"

  /// The host's error when it cannot start an extension, which may be the extension's own fault.
  private struct HostAnswer: Error, CustomStringConvertible {
    let description = "its container holds more than 1024 MiB"
  }

  /// What goes wrong with the evil extension.
  enum Resistance: CaseIterable { case start, goBack, placed }

  /// A store in which everything fails for one extension.
  private struct ResistingStore: BundleInstalling {
    let folders: FolderBundleStore
    let resistance: @Sendable () -> Resistance?
    let evil: String

    private func fail(_ identifier: String, _ moment: Resistance) throws {
      if identifier == evil, resistance() == moment { throw HostAnswer() }
    }

    func installedIdentifiers() async throws -> [String] {
      try await folders.installedIdentifiers()
    }
    func installedExtension(_ identifier: String) async throws -> InstalledExtension? {
      try await folders.installedExtension(identifier)
    }
    func install(_ bundle: URL, signedBy pin: PinnedKey) async throws {
      let identifier = try BundleInformation(bundle: bundle).identifier
      try await folders.install(bundle, signedBy: pin)
      try fail(identifier, .placed)
    }
    func isOn(_ identifier: String) async throws -> Bool { true }
    func firstStart(_ identifier: String) async throws -> FirstStart {
      try fail(identifier, .start)
      return identifier == evil && resistance() == .goBack ? .failed("it crashed") : .succeeded
    }
    func goBack(_ identifier: String) async throws {
      try fail(identifier, .goBack)
      try await folders.goBack(identifier)
    }
  }

  @Test("It holds up no other one", arguments: Resistance.allCases)
  func others(resistance: Resistance) async throws {
    let scene = try GalleryScene()
    let box = ResistanceBox()
    let installer = ExtensionInstaller(
      folders: scene.folders,
      store: ResistingStore(folders: scene.store, resistance: { box.value }, evil: evil),
      downloader: scene.installer.downloader,
      now: { scene.now }
    )
    try scene.publish(SampleBundle(identifier: evil, name: "Evil"))
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    for name in [evil, good] {
      _ = try await installer.install(.name(name, gallery: nil)) { _ in true }
    }
    box.value = resistance
    for version in 2...4 {
      try scene.publish(SampleBundle(identifier: evil, version: "\(version)", name: "Evil"))
      try scene.publish(SampleBundle(version: "\(version)"))
      let results = try await installer.update()
      #expect(try await scene.version(good) == "\(version)")
      let failures = results.filter(\.isFailure)
      #expect(!failures.isEmpty && failures.allSatisfy { $0.identifier == evil })
      let other = try SampleBundle(identifier: "com.other.n\(version)", name: "Other")
        .package(in: scene.folder, key: scene.developer)
      _ = try await installer.install(.file(other)) { _ in true }
      #expect(try await scene.version("com.other.n\(version)") == "1")
    }
    // Its key stays pinned throughout, and once it stops resisting everything works.
    let stranger = try SampleBundle(identifier: evil, version: "9", name: "Evil")
      .package(in: scene.folder, key: SigningKey())
    await expectRefusal(.otherKey) { try await installer.install(.file(stranger)) { _ in true } }
    box.value = nil
    _ = try await installer.update()
    #expect(try await scene.version(evil) == "4")
    #expect(try StateFile(folders: scene.folders).read().trials.isEmpty)
  }

  @Test("The key of what is in its place is remembered, though installing it failed in the end")
  func placed() async throws {
    let scene = try GalleryScene()
    let installer = ExtensionInstaller(
      folders: scene.folders,
      store: ResistingStore(folders: scene.store, resistance: { .placed }, evil: evil)
    )
    func package(_ version: String, _ key: SigningKey) throws -> PackageSource {
      .file(
        try SampleBundle(identifier: evil, version: version, name: "Evil")
          .package(in: scene.folder, key: key)
      )
    }
    let first = try package("5", scene.developer)
    await #expect(throws: HostAnswer.self) { try await installer.install(first) { _ in true } }
    #expect(try await scene.version(evil) == "5")
    let (stranger, older) = (try package("6", SigningKey()), try package("4", scene.developer))
    await expectRefusal(.otherKey) { try await installer.install(stranger) { _ in true } }
    await expectRefusal(.lowerVersion) { try await installer.install(older) { _ in true } }
  }
}

private final class ResistanceBox: Sendable {
  private let state = Mutex<HeldUpTests.Resistance?>(nil)

  var value: HeldUpTests.Resistance? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
