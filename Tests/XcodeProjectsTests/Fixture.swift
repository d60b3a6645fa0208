import ExtensionBundles
import Foundation

@testable import XcodeProjects

/// A copy of one of the projects in `Fixtures`, in a folder of its own.
struct Fixture {
  /// The projects, each in the shape that its Xcode writes.
  static let names = ["Xcode8", "Xcode12", "Xcode13", "Xcode15", "Xcode16"]

  /// The repository around the project.
  let repository: URL
  /// The folder with the project in it.
  let folder: URL

  init(_ name: String) throws {
    let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures")
    // Symbolic links are resolved, so that messages have the same paths as the test.
    let temporary = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    repository = temporary.appendingPathComponent("xcode-\(UUID().uuidString)")
    folder = repository.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: repository.appendingPathComponent(".git"),
      withIntermediateDirectories: true
    )
    try FileManager.default.copyItem(at: fixtures.appendingPathComponent(name), to: folder)
  }

  func remove() { try? FileManager.default.removeItem(at: repository) }

  /// The project's own file.
  var projectFile: URL {
    get throws {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let project = names.first { $0.hasSuffix(".xcodeproj") } ?? ""
      return folder.appendingPathComponent(project).appendingPathComponent("project.pbxproj")
    }
  }

  /// Changes the text of the project's own file.
  func edit(_ change: (inout String) -> Void) throws {
    var text = try String(contentsOf: projectFile, encoding: .utf8)
    change(&text)
    try Data(text.utf8).write(to: projectFile)
  }

  func write(_ text: String, to path: String) throws {
    let url = folder.appendingPathComponent(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: url)
  }

  func plan(
    _ target: String? = nil,
    configuration: String? = nil,
    languageMode: SwiftPackageManifest.LanguageMode? = nil
  ) throws -> ImportPlan {
    try XcodeProject(at: folder).plan(
      ImportRequest(
        target: target,
        configuration: configuration,
        modulesPath: "/nowhere/AppleModules",
        languageMode: languageMode
      )
    )
  }
}

extension ImportPlan {
  /// The paths of the files.
  var paths: [String] { files.map(\.path) }

  func text(_ path: String) -> String {
    switch files.first(where: { $0.path == path })?.contents {
    case .made(let data): String(decoding: data, as: UTF8.self)
    case .copied(let path): (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    case nil: ""
    }
  }

  func plist(_ path: String) -> [String: Any] {
    let bytes = [UInt8](text(path).utf8)
    return (try? PropertyLists.dictionary(bytes, name: path)) ?? [:]
  }

  func findings(_ severity: Finding.Severity) -> [String] {
    findings.filter { $0.severity == severity }.map { "\($0.code) \($0.subject)" }
  }
}

/// A generator of random numbers whose sequence is fixed.
struct Numbers: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state ^ state >> 29
  }
}
