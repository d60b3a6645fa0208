import ExtensionBundles
import Foundation
import Testing

@testable import ExtensionGallery

/// A question, and its answer in another request: what may change in between.
@Suite("Installing what was asked")
struct AskedInstallationTests {
  private let scene: GalleryScene
  private let installation: AskedInstallation
  private static let path = "com.example.blocker.tickbird"
  private static let network = ["com.apple.security.network.client": true]

  init() throws {
    scene = try GalleryScene()
    installation = AskedInstallation(scene.installer)
  }

  private func ask() async throws -> AskedInstallation.Question {
    guard
      case .offer(let question) = try await installation.prepare(
        "com.example.blocker",
        from: scene.address
      )
    else { throw CocoaError(.featureUnsupported) }
    return question
  }

  private var downloads: Int { scene.server.requests.count { $0.hasSuffix(".tickbird") } }

  /// The files of packages that wait for an answer.
  private func kept() throws -> [URL] {
    let staging = StateFile(folders: scene.folders).staging
    let folders = try? FileManager.default.contentsOfDirectory(
      at: staging,
      includingPropertiesForKeys: nil
    )
    return (folders ?? []).map { $0.appending(path: "package.tickbird") }
      .filter { FileManager.default.fileExists(atPath: $0.path) }
  }

  private func expectError(
    _ code: GalleryError.Code,
    _ key: String,
    _ location: SourceLocation = #_sourceLocation
  ) async {
    await #expect(sourceLocation: location) {
      _ = try await installation.install(key)
    } throws: {
      ($0 as? GalleryError)?.code == code
    }
  }

  @Test("a package is fetched once, and what was shown is installed, whatever is served since")
  func once() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    let question = try await ask()
    #expect(downloads == 1)
    #expect(try kept().count == 1)
    // A server that serves something else at the same place, under the same list.
    try Data("something else".utf8).write(to: scene.files.appending(path: Self.path))
    guard case .installed(let manifest, .succeeded) = try await installation.install(question.key)
    else {
      Issue.record("not installed")
      return
    }
    #expect(manifest == question.offer.manifest)
    #expect(downloads == 1)
    #expect(scene.stagingIsEmpty)
    // A question is answered once.
    await expectError(.changed, question.key)
  }

  @Test("what was changed on the disk in between is not installed", arguments: [true, false])
  func tampered(isWholePackage: Bool) async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    let question = try await ask()
    let file = try #require(try kept().first)
    if isWholePackage {
      // A good package, signed by the same developer.
      var other = SampleBundle()
      other.list = "[]"
      try Data(contentsOf: other.package(in: scene.folder, key: scene.developer)).write(to: file)
    } else {
      var bytes = try Data(contentsOf: file)
      bytes[bytes.count - 1] ^= 1
      try bytes.write(to: file)
    }
    await #expect(throws: GalleryError.self) { try await installation.install(question.key) }
    #expect(try await scene.version() == nil)
    #expect(scene.stagingIsEmpty)
  }

  @Test("a list that names another package by then asks again")
  func newerList() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    let question = try await ask()
    try scene.publish(SampleBundle(version: "2"))
    await expectError(.changed, question.key)
    #expect(try await scene.version() == nil)
    // A new list with the same package does not.
    let again = try await ask()
    scene.now += 60
    try scene.publish(SampleBundle(identifier: "com.example.other"))
    guard case .installed = try await installation.install(again.key) else {
      Issue.record("not installed")
      return
    }
    #expect(try await scene.version() == "2")
  }

  @Test("an answer that cannot be carried out for want of the network can be given again")
  func unreachable() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    let question = try await ask()
    let list = scene.files.appending(path: UpdateList.fileName)
    let text = try Data(contentsOf: list)
    try FileManager.default.removeItem(at: list)
    await expectError(.download, question.key)
    try text.write(to: list)
    guard case .installed = try await installation.install(question.key) else {
      Issue.record("not installed")
      return
    }
    #expect(downloads == 1)
  }

  @Test("a gallery that was removed by then installs nothing")
  func removedGallery() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    let question = try await ask()
    try await scene.installer.removeGallery(scene.address.absoluteString)
    await expectError(.notFound, question.key)
    #expect(try await scene.version() == nil)
  }

  @Test("questions without an answer are bounded, and leave nothing behind")
  func bounded() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    let first = try await ask()
    for _ in 0..<50 { _ = try await ask() }
    #expect(try kept().count == 50)
    await expectError(.changed, first.key)
  }

  @Test("packages that wait go with the process that asked")
  func leftovers() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    var other: AskedInstallation? = AskedInstallation(scene.installer)
    _ = try await other?.prepare("com.example.blocker", from: scene.address)
    #expect(try kept().count == 1)
    other = nil
    #expect(scene.stagingIsEmpty)
  }

  @Test("what else is where packages wait stays")
  func others() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    let files = FileManager.default
    let abandoned = scene.staging.appending(path: "\(UUID())/package")
    let paths = ["photos/one", "mine"]
    for file in paths.map({ scene.staging.appending(path: $0) }) + [abandoned] {
      try files.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data("x".utf8).write(to: file)
    }
    try await scene.install()
    #expect(!files.fileExists(atPath: abandoned.path))
    for path in paths {
      #expect(files.fileExists(atPath: scene.staging.appending(path: path).path))
    }
    #expect(!files.fileExists(atPath: scene.staging.appending(path: "photos/lock").path))
  }

  // MARK: Updates

  @Test("an update of a gallery that asks for more is asked, and installed without fetching again")
  func update() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    try await scene.install()
    try scene.publish(SampleBundle(version: "2", entitlements: Self.network))
    let before = downloads
    let (results, questions) = try await installation.update()
    guard case .needsConsent(let version, let requests) = results.first?.outcome else {
      Issue.record("\(results)")
      return
    }
    #expect(version == BundleVersion("2") && !requests.isEmpty)
    let question = try #require(questions.first)
    #expect(question.offer.additionalRequests == requests && questions.count == 1)
    #expect(installation.updates.map(\.key) == [question.key])
    #expect(try await scene.version() == "1")
    _ = try await installation.install(question.key)
    #expect(try await scene.version() == "2")
    #expect(downloads == before + 1)
    #expect(installation.updates.isEmpty && scene.stagingIsEmpty)
  }

  @Test("an update by a bundle's own manifest that asks for more is asked and installed as well")
  func manifestUpdate() async throws {
    let sample = SampleBundle(extra: [
      "Update Manifest URL": scene.server.url("Updates.plist").absoluteString,
      "DeveloperIdentifier": "ABCDE12345",
    ])
    try await scene.install(file: try sample.package(in: scene.folder, key: scene.developer))
    var next = sample
    next.version = "2"
    next.entitlements = Self.network
    let target = scene.files.appending(path: "new.tickbird")
    try FileManager.default.moveItem(
      at: next.package(in: scene.folder, key: scene.developer),
      to: target
    )
    try SampleBundle.propertyList([
      "Extension Updates": [
        [
          "CFBundleIdentifier": "com.example.blocker", "Developer Identifier": "ABCDE12345",
          "CFBundleVersion": "2", "URL": scene.server.url("new.tickbird").absoluteString,
        ]
      ]
    ]).write(to: scene.files.appending(path: "Updates.plist"))
    let question = try #require(try await installation.update().questions.first)
    #expect(question.offer.gallery == nil && question.offer.asksForMore)
    try Data("something else".utf8).write(to: target)
    _ = try await installation.install(question.key)
    #expect(try await scene.version() == "2")
    #expect(downloads == 1)
  }

  @Test("an update that was installed by others meanwhile is not installed over")
  func installedMeanwhile() async throws {
    try scene.publish(SampleBundle())
    try await scene.addGallery()
    try await scene.install()
    try scene.publish(SampleBundle(version: "2", entitlements: Self.network))
    let question = try #require(try await installation.update().questions.first)
    try await scene.install()
    #expect(try await scene.version() == "2")
    guard case .alreadyThere = try await installation.install(question.key) else {
      Issue.record("installed twice")
      return
    }
  }
}
