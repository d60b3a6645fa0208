import ExtensionBundles
import Foundation
import Testing

@testable import XcodeProjects

@Suite("Targets")
struct TargetTests {
  @Test("extensions are listed with what they are, and why they cannot be taken")
  func kinds() throws {
    let fixture = try Fixture("Xcode12")
    defer { fixture.remove() }
    let targets = try XcodeProject(at: fixture.folder).extensionTargets()
    #expect(targets.map(\.name) == ["Blocker", "Toolbar"])
    #expect(targets[0].status == .taken(.contentBlocker))
    #expect(targets[0].platforms == "iOS")
    #expect(targets[1].status == .taken(.appExtension))
    let file = fixture.folder.appendingPathComponent("Toolbar/Info.plist")
    let text = try String(contentsOf: file, encoding: .utf8)
      .replacing("com.apple.Safari.extension", with: "com.apple.widgetkit-extension")
    try Data(text.utf8).write(to: file)
    let other = try XcodeProject(at: fixture.folder).extensionTargets()[1]
    #expect(other.summary.hasPrefix("cannot be taken: the extension point com.apple.widgetkit"))
    #expect(throws: XcodeProjectError.self) { try fixture.plan("Toolbar") }
  }

  @Test("one extension for two systems is two targets, of which the one for macOS is taken")
  func variants() throws {
    let fixture = try Fixture("Xcode13")
    defer { fixture.remove() }
    let targets = try XcodeProject(at: fixture.folder).extensionTargets()
    #expect(targets.map(\.variants) == [["Notes Extension (macOS)"], ["Notes Extension (iOS)"]])
    let plan = try fixture.plan()
    #expect(plan.target.name == "Notes Extension (macOS)")
    #expect(plan.findings(.note).contains("variant target Notes Extension (macOS)"))
    #expect(plan.findings.contains { $0.line.contains("not \"Notes Extension (iOS)\"") })
    let chosen = try fixture.plan("Notes Extension (iOS)")
    #expect(!chosen.findings(.note).contains { $0.hasPrefix("variant") })
  }

  @Test("targets whose names differ in more than the system are different extensions")
  func differentExtensions() throws {
    let fixture = try Fixture("Xcode13")
    defer { fixture.remove() }
    try fixture.edit {
      $0 = $0.replacing("\"Notes Extension (iOS)\"", with: "Pages")
        .replacing("SDKROOT = iphoneos", with: "SDKROOT = macosx")
    }
    #expect(
      throws: XcodeProjectError(
        .choice,
        "Notes has several extensions; choose one with --target: \"Pages\", "
          + "\"Notes Extension (macOS)\""
      )
    ) { try fixture.plan() }
  }

  @Test(
    "a target's systems are those that it supports, whatever its SDK is",
    arguments: [
      (
        ["SDKROOT": "iphoneos", "SUPPORTED_PLATFORMS": "macosx iphoneos iphonesimulator"],
        "iOS and macOS"
      ),
      (["SDKROOT": "auto", "SUPPORTED_PLATFORMS": "xros xrsimulator"], "visionOS"),
      (["SDKROOT": "macosx"], "macOS"),
      (["SDKROOT": "auto", "IPHONEOS_DEPLOYMENT_TARGET": "15.0"], "iOS"),
      (["IPHONEOS_DEPLOYMENT_TARGET": "15.0", "MACOSX_DEPLOYMENT_TARGET": "12.0"], ""),
    ] as [([String: String], String)]
  )
  func platforms(values: [String: String], shown: String) throws {
    var settings = BuildSettings(configuration: "Release")
    settings.push(
      values.map { BuildSettings.Assignment(key: $0.key, value: $0.value, origin: "test") }
    )
    let platforms = try Platforms(settings)
    #expect(platforms.shown == shown)
    if shown == "iOS and macOS" {
      // Taken as for macOS, once.
      #expect(platforms.take(["macos"]))
      #expect(!platforms.take(["ios"]))
    }
  }

  @Test("names that are not there are refused with those that are")
  func wrongNames() throws {
    let fixture = try Fixture("Xcode8")
    defer { fixture.remove() }
    #expect(throws: XcodeProjectError(.choice, "Reader has no target Other")) {
      try fixture.plan("Other")
    }
    #expect(throws: XcodeProjectError(.choice, "the target Reader makes no app extension")) {
      try fixture.plan("Reader")
    }
    #expect(
      throws: XcodeProjectError(
        .choice,
        "there is no configuration Beta; there are Debug, Release"
      )
    ) { try fixture.plan(configuration: "Beta") }
  }

  @Test("a project is found by its bundle, its file, or the folder around it")
  func places() throws {
    let fixture = try Fixture("Xcode8")
    defer { fixture.remove() }
    let file = try fixture.projectFile
    for url in [file, file.deletingLastPathComponent(), fixture.folder] {
      #expect(try XcodeProject(at: url).name == "Reader")
    }
    for path in ["Reader", "Reader/Feed.swift", "nothing", "Reader.xcworkspace"] {
      #expect(throws: XcodeProjectError.self) {
        try XcodeProject(at: fixture.folder.appendingPathComponent(path))
      }
    }
  }

  @Test(
    "references are found through their groups, whatever those are",
    arguments: [
      ("<group>", "a/b.swift", ReferencePaths.Place.file("/p/top/a/b.swift")),
      ("<group>", "../b.swift", .file("/p/b.swift")),
      ("SOURCE_ROOT", "b.swift", .file("/p/b.swift")),
      ("<absolute>", "/x/./y/../b.swift", .file("/x/b.swift")),
      ("<absolute>", "/../../b", .file("/b")),
      ("SDKROOT", "usr/lib/libz.tbd", .elsewhere(tree: "SDKROOT", path: "usr/lib/libz.tbd")),
      ("BUILT_PRODUCTS_DIR", "A.app", .elsewhere(tree: "BUILT_PRODUCTS_DIR", path: "A.app")),
    ]
  )
  func paths(tree: String, path: String, expected: ReferencePaths.Place) throws {
    let text = """
      { objects = { P = { isa = PBXProject; mainGroup = G; }; G = { isa = PBXGroup; children = (H); };
        H = { isa = PBXGroup; children = (F, G); path = top; sourceTree = "<group>"; };
        F = { isa = PBXFileReference; path = "\(path)"; sourceTree = "\(tree)"; }; }; rootObject = P; }
      """
    let node = try PropertyLists.read(Array(text.utf8), name: "p")
    let objects = try ProjectObjects(node, name: "p")
    let reference = try #require(objects["F"])
    // The groups contain each other, which must not make the walk endless.
    #expect(ReferencePaths(objects, folder: "/p").place(of: reference) == expected)
  }
}
