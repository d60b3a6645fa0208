import Foundation
import Testing

@testable import ExtensionBundles

@Suite("Folders of builds")
struct BuildFolderTests {
  private let home = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    .appendingPathComponent("build-folder-\(UUID().uuidString)")

  private var environment: [String: String] { ["TICKBIRD_HOME": home.path] }

  /// Makes the modules' package, and an extension that depends on it.
  private func makeProject(_ name: String, dependencies: String = "") throws -> ExtensionProject {
    let modules = home.appendingPathComponent("tickbird/AppleModules")
    for path in ["Sources/SafariServices", "Shared/CLibrary"] {
      try FileManager.default.createDirectory(
        at: modules.appendingPathComponent(path),
        withIntermediateDirectories: true
      )
    }
    let folder = home.appendingPathComponent(name)
    try ExtensionTemplate(
      point: .contentBlocker,
      names: ExtensionNames(product: name),
      bundleIdentifier: "com.example.\(name)",
      hasSources: true,
      modulesPath: modules.path
    ).write(to: folder)
    if !dependencies.isEmpty {
      let file = folder.appendingPathComponent("Package.swift")
      let text = try String(contentsOf: file, encoding: .utf8)
      let own = "dependencies: [.package("
      let changed = text.replacing(own, with: "dependencies: [\(dependencies), .package(")
      try Data(changed.utf8).write(to: file)
    }
    return try ExtensionProject(folder: folder)
  }

  private func touch(_ paths: [String], in folder: URL) throws {
    for path in paths {
      let url = folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data().write(to: url)
    }
  }

  @Test("extensions share a folder, in which nothing of another one is left")
  func shared() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let first = try makeProject("First")
    let second = try makeProject("Second")
    let products = "x86_64-unknown-linux-gnu/release/"
    let kept = [
      "Modules/SafariServices.swiftmodule", "Modules/CLibrary.swiftdoc", "CLibrary.build/a.o",
      "SafariServices.build/b.o", "swift-version-6A.txt", "ModuleCache/x.pcm",
    ].map { products + $0 }
    let removed = [
      "Modules/Stranger.swiftmodule", "Stranger.build/a.o", "First.build/b.o", "First",
      "First.product/list", "First_Stranger.resources/x", "description.json", "libCLibrary.so",
    ].map { products + $0 }
    let url = try {
      let folder = BuildFolder.prepare(for: first, kind: "release", environment: environment)
      try touch(kept + removed, in: folder.url)
      return folder.url
    }()
    #expect(url.path == home.appendingPathComponent("cache/extension-builds/release").path)
    func exists(_ path: String) -> Bool {
      FileManager.default.fileExists(atPath: url.appendingPathComponent(path).path)
    }
    // The same extension goes on where it was.
    _ = BuildFolder.prepare(for: first, kind: "release", environment: environment)
    #expect((kept + removed).allSatisfy(exists))
    _ = BuildFolder.prepare(for: second, kind: "release", environment: environment)
    #expect(kept.filter { !exists($0) } == [])
    #expect(removed.filter(exists) == [])
    // Another project in the same place is another extension.
    try touch(removed, in: url)
    _ = BuildFolder.prepare(for: second, kind: "release", environment: environment)
    #expect(removed.allSatisfy(exists))
    let manifest = second.folder.appendingPathComponent("Package.swift")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    try Data((text + "// changed\n").utf8).write(to: manifest)
    _ = BuildFolder.prepare(for: second, kind: "release", environment: environment)
    #expect(removed.filter(exists) == [])
    let other = BuildFolder.prepare(for: first, kind: "debug", environment: environment)
    #expect(other.url != url)
  }

  @Test(
    "an extension with other dependencies has a folder of its own",
    arguments: [
      ".package(url: \"https://git.example/a\", from: \"1.0.0\")",
      ".package(path: \"../a\")", ".package(name: \"B\", path: \"../a\")",
      ".package(name: \"AppleCryptography\", path: \"/elsewhere/AppleCryptography\")",
    ]
  )
  func ownFolder(dependency: String) throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let project = try makeProject("Own", dependencies: dependency)
    let folder = BuildFolder.prepare(for: project, kind: "release", environment: environment)
    #expect(folder.url == project.folder.appendingPathComponent(".build"))
  }

  @Test("without a cache that can be written, the extension's own folder is used")
  func noCache() throws {
    defer { try? FileManager.default.removeItem(at: home) }
    let project = try makeProject("Own")
    try Data().write(to: home.appendingPathComponent("file"))
    for environment in [[:], ["TICKBIRD_HOME": home.path + "/file"], ["HOME": "/J\u{FFFD}rg"]] {
      let folder = BuildFolder.prepare(for: project, kind: "release", environment: environment)
      #expect(folder.url == project.folder.appendingPathComponent(".build"))
    }
  }
}
