import Foundation
import Testing

@testable import ExtensionGallery

@Suite("Rotations and first starts")
struct RotatedUpdateTests {
  let scene: GalleryScene

  init() throws { scene = try GalleryScene() }

  @Test("A rotation that came with a version that failed holds all the same")
  func rotatedAndFailed() async throws {
    let (old, new) = (scene.developer, SigningKey())
    func package(
      _ version: String,
      _ key: SigningKey,
      _ rotations: [KeyRotation] = []
    ) throws -> URL {
      try SampleBundle(version: version).package(in: scene.folder, key: key, rotations: rotations)
    }
    try await scene.install(file: package("1", old))
    scene.answer = .failed("it crashed")
    let rotated = try package("2", new, [KeyRotation(from: old, to: new)])
    await expectRefusal(.firstStart) { try await scene.install(file: rotated) }
    #expect(try await scene.version() == "1")
    scene.answer = .succeeded
    await expectRefusal(.otherKey) { try await scene.install(file: package("3", old)) }
    let thief = SigningKey()
    await expectRefusal(.otherKey) {
      try await scene.install(file: package("3", thief, [KeyRotation(from: old, to: thief)]))
    }
    try await scene.install(file: package("3", new))
    #expect(try await scene.version() == "3")
  }
}
