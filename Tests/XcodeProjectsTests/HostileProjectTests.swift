import ExtensionBundles
import Foundation
import Testing

@testable import XcodeProjects

@Suite("Projects that mean no good")
struct HostileProjectTests {
  /// Plans every target of a project's text; errors are fine, anything else is not.
  private func tryAll(_ bytes: [UInt8], _ folder: URL) {
    guard
      let project = try? XcodeProject(bytes, name: "x", file: "x", folder: folder.path)
    else { return }
    for target in project.extensionTargets() {
      _ = try? project.plan(ImportRequest(target: target.name, modulesPath: "/nowhere"))
    }
  }

  @Test("a project that is cut off anywhere is an error with a place", arguments: Fixture.names)
  func truncations(name: String) throws {
    let fixture = try Fixture(name)
    defer { fixture.remove() }
    let bytes = [UInt8](try Data(contentsOf: fixture.projectFile))
    for length in stride(from: 0, to: bytes.count - 2, by: 97) {
      #expect(throws: XcodeProjectError.self) {
        try XcodeProject(Array(bytes[..<length]), name: "x", file: "x", folder: "/nowhere")
      }
    }
  }

  @Test("random changes end in an error or a plan", arguments: Fixture.names)
  func changes(name: String) throws {
    let fixture = try Fixture(name)
    defer { fixture.remove() }
    let bytes = [UInt8](try Data(contentsOf: fixture.projectFile))
    var numbers = Numbers(state: 20)
    for round in 0..<100 {
      var changed = bytes
      for _ in 0..<(1 + round % 4) {
        let place = Int.random(in: 0..<changed.count, using: &numbers)
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0: changed[place] = UInt8.random(in: 0...255, using: &numbers)
        case 1: changed.remove(at: place)
        default:
          // Replacing one identifier by another keeps the property list valid, but not the project.
          let other = Int.random(in: 0..<changed.count, using: &numbers)
          let length = min(24, changed.count - max(place, other))
          changed.replaceSubrange(place..<place + length, with: changed[other..<other + length])
        }
      }
      tryAll(changed, fixture.folder)
    }
  }

  /// Groups in one another, each with a folder `a` and a file.
  private func nested(_ depth: Int, firstParent: Int? = nil) throws -> ReferencePaths {
    var text = "{ objects = { p = { isa = PBXProject; mainGroup = g0; };\n"
    for number in 0..<depth {
      let next = number + 1 < depth ? "g\(number + 1)" : firstParent.map { "g\($0)" } ?? ""
      text += "g\(number) = { isa = PBXGroup; path = a; children = (f\(number), \(next)); };\n"
      text += "f\(number) = { isa = PBXFileReference; path = f\(number).swift; };\n"
    }
    text += "}; rootObject = p; }"
    let root = try PropertyLists.read(Array(text.utf8), name: "x")
    return ReferencePaths(try ProjectObjects(root, name: "x"), folder: "/nowhere")
  }

  @Test("a file in many groups is found, and each group looked up once")
  func depth() throws {
    let paths = try nested(30)
    #expect(try place(29, paths) == "/nowhere/" + String(repeating: "a/", count: 30) + "f29.swift")
    // More than systems take is cut off, so that it cannot fill the memory.
    let deep = try nested(30_000)
    for number in [0, 1_000, 29_999] {
      #expect(try place(number, deep).utf8.count < 5_000)
    }
    // Each of a cycle's groups is in those before it.
    let cycle = try nested(3, firstParent: 0)
    #expect(try place(2, cycle).hasSuffix("a/f2.swift"))
  }

  private func place(_ file: Int, _ paths: ReferencePaths) throws -> String {
    let object = try #require(paths.objects["f\(file)"])
    guard case .file(let path) = paths.place(of: object) else {
      Issue.record("it is elsewhere")
      return ""
    }
    return path
  }

  @Test("links out of the repository are not followed, links inside are")
  func links() throws {
    let fixture = try Fixture("Xcode12")
    defer { fixture.remove() }
    let secret = fixture.repository.deletingLastPathComponent()
      .appendingPathComponent("secret-\(UUID().uuidString)")
    try Data("secret".utf8).write(to: secret)
    defer { try? FileManager.default.removeItem(at: secret) }
    let manager = FileManager.default
    let blocker = fixture.folder.appendingPathComponent("Blocker")
    for (name, target) in [
      ("blockerList.json", secret.path), ("Lists/base.json", "more/extra.json"),
      ("Lists/more/up", ".."), ("Lists/root", "/"),
    ] {
      let link = blocker.appendingPathComponent(name)
      try? manager.removeItem(at: link)
      try manager.createSymbolicLink(atPath: link.path, withDestinationPath: target)
    }
    let plan = try fixture.plan("Blocker")
    let resources = plan.paths.filter { $0.hasPrefix("Resources/") }
    #expect(resources == ["Resources/Lists/base.json", "Resources/Lists/more/extra.json"])
    let findings = plan.findings(.notTaken)
    for finding in [
      "outside Xcode12/Blocker/blockerList.json", "link Xcode12/Blocker/Lists/more/up",
      "outside Xcode12/Blocker/Lists/root",
    ] {
      #expect(findings.contains(finding))
    }
    let folder = fixture.repository.appendingPathComponent("Result")
    try plan.write(to: folder)
    let copy = folder.appendingPathComponent("Resources/Lists/base.json")
    #expect(
      try manager.attributesOfItem(atPath: copy.path)[.type] as? FileAttributeType == .typeRegular
    )
  }

  @Test("settings files outside of the repository are not read")
  func settingsOutside() throws {
    let fixture = try Fixture("Xcode8")
    defer { fixture.remove() }
    try fixture.edit {
      $0 = $0.replacing("\"Reading List/Info.plist\"", with: "\"/etc/passwd\"")
    }
    let target = try #require(try XcodeProject(at: fixture.folder).extensionTargets().first)
    #expect(target.status == .refused("/etc/passwd is outside of \(fixture.repository.path)"))
  }

  @Test("names that would leave the result's folder do not")
  func names() throws {
    let fixture = try Fixture("Xcode8")
    defer { fixture.remove() }
    try fixture.edit {
      $0 = $0.replacing("PRODUCT_NAME = \"$(TARGET_NAME)\"", with: "PRODUCT_NAME = \"../../x\"")
    }
    #expect(throws: XcodeProjectError.self) { try fixture.plan() }
    try fixture.edit {
      $0 = $0.replacing("\"../../x\"", with: "Fine; PRODUCT_MODULE_NAME = \"../../y\"")
    }
    #expect(try fixture.plan().names.module == "Fine")
  }

  @Test("beside a folder of the project of the same name, the result has a name of its own")
  func defaultFolder() throws {
    let fixture = try Fixture("Xcode8")
    defer { fixture.remove() }
    let plan = try fixture.plan()
    let elsewhere = fixture.repository.appendingPathComponent("elsewhere")
    #expect(plan.defaultFolder(in: elsewhere).lastPathComponent == "Reading List")
    // The project has a folder "Reading List".
    let folder = plan.defaultFolder(in: fixture.folder)
    #expect(folder.lastPathComponent == "Reading List-tickbird")
    try plan.write(to: folder)
    // A second import is a decision of the user's.
    #expect(plan.defaultFolder(in: fixture.folder).path == folder.path)
    #expect(throws: XcodeProjectError.self) { try plan.write(to: folder) }
    // An earlier import under the plain name is replaced, or refused, under that name.
    try plan.write(to: plan.defaultFolder(in: elsewhere))
    #expect(plan.defaultFolder(in: elsewhere).lastPathComponent == "Reading List")
  }

  @Test("folders in the way are left alone, unless they are to be replaced and are extensions")
  func inTheWay() throws {
    let fixture = try Fixture("Xcode13")
    defer { fixture.remove() }
    let plan = try fixture.plan("Notes Extension (iOS)")
    let folder = fixture.repository.appendingPathComponent("Result")
    try plan.write(to: folder)
    let own = folder.appendingPathComponent("own")
    try Data().write(to: own)
    #expect(throws: XcodeProjectError.self) { try plan.write(to: folder) }
    #expect(FileManager.default.fileExists(atPath: own.path))
    try plan.write(to: folder, replacing: true)
    #expect(!FileManager.default.fileExists(atPath: own.path))
    // The project itself, a folder in it, and folders that are not extensions.
    for path in ["Xcode13", "Xcode13/Shared (Extension)", "Xcode13/iOS (Extension)", ".git/.."] {
      #expect(throws: XcodeProjectError.self) {
        try plan.write(to: fixture.repository.appendingPathComponent(path), replacing: true)
      }
    }
    let rest = try FileManager.default.contentsOfDirectory(atPath: fixture.repository.path)
    #expect(rest.sorted() == [".git", "Result", "Xcode13"])
  }

  @Test("files that are too large, or have one name, stay behind")
  func largeAndSame() throws {
    let fixture = try Fixture("Xcode16")
    defer { fixture.remove() }
    try fixture.write("let a = 1\n", to: "Shared (Extension)/More/Greeting.swift")
    try fixture.write("let a = 1\n", to: "Shared (Extension)/main.swift")
    try fixture.write("x", to: "Shared (Extension)/Info.plist")
    try fixture.write("x", to: "Shared (Extension)/More/manifest.json")
    try fixture.write("", to: "Shared (Extension)/Large.swift")
    let large = fixture.folder.appendingPathComponent("Shared (Extension)/Large.swift")
    let handle = try FileHandle(forWritingTo: large)
    try handle.truncate(atOffset: UInt64(ProjectFiles.Limits.source) + 1)
    try handle.close()
    let findings = Set(try fixture.plan("Greeter Extension (iOS)").findings(.notTaken))
    let shared = "Xcode16/Shared (Extension)"
    #expect(
      findings == [
        "same-name Xcode16/Core/Deep/Greeting.swift", "entry-point \(shared)/main.swift",
        "reserved-name \(shared)/Info.plist", "same-name \(shared)/Resources/manifest.json",
        "too-large \(shared)/Large.swift",
        // The first of the two, which is no manifest.
        "manifest \(shared)/More/manifest.json",
      ]
    )
  }
}
