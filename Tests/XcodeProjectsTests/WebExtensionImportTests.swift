import ExtensionBundles
import Foundation
import Testing

@testable import XcodeProjects

/// The browser's half of an imported web extension.
struct WebExtensionImportTests {
  private static let shared = "Xcode16/Shared (Extension)"
  private static let resources = "Shared (Extension)/Resources"

  /// A project with another manifest and more files.
  private func findings(_ manifest: String, _ files: [String: [UInt8]] = [:]) throws -> [Finding] {
    try plan(manifest, files).findings
  }

  private func plan(_ manifest: String, _ files: [String: [UInt8]] = [:]) throws -> ImportPlan {
    let fixture = try Fixture("Xcode16")
    defer { fixture.remove() }
    try fixture.write(manifest, to: "\(Self.resources)/manifest.json")
    for (path, bytes) in files {
      try fixture.write("", to: "\(Self.resources)/\(path)")
      try Data(bytes).write(to: fixture.folder.appendingPathComponent("\(Self.resources)/\(path)"))
    }
    return try fixture.plan(
      XcodeProject(at: fixture.folder).extensionTargets()
        .first { $0.point == .webExtension }?.name
    )
  }

  private static func manifest(_ more: String = "") -> String {
    """
    {
      "manifest_version": 2, "name": "Notes", "version": "1"\(more.isEmpty ? "" : ",\n  " + more)
    }
    """
  }

  @Test("a manifest that cannot be read is told with its line, and the rest is imported")
  func damaged() throws {
    let plan = try plan("{\n  \"manifest_version\": 3,\n  nothing\n}")
    let finding = try #require(plan.findings.first { $0.code == "manifest" })
    #expect(finding.severity == .notTaken)
    #expect(finding.reason.contains("manifest.json:3:3"))
    #expect(plan.paths.contains("Resources/background.js"))
  }

  @Test("what a manifest names and is not there is told with its line")
  func missing() throws {
    let findings = try findings(Self.manifest(#""background": {"scripts": ["none.js"]}"#))
    let finding = try #require(findings.first { $0.code == "missing-file" })
    #expect(finding.subject == "\(Self.shared)/Resources/manifest.json:3")
  }

  @Test("what a browser lacks is told with the script's line")
  func interfaces() throws {
    let script = Array("\nbrowser.tabs.toggleReaderMode()".utf8)
    let findings = try findings(Self.manifest(), ["more.js": script])
    let finding = try #require(findings.first { $0.code == "interface" })
    #expect(finding.subject == "\(Self.shared)/Resources/more.js:2")
    #expect(finding.reason == "Chromium has no tabs.toggleReaderMode")
    #expect(finding.severity == .note)
  }

  @Test("programs are left out, and told")
  func programs() throws {
    let plan = try plan(Self.manifest(), ["helper": [0x7F, 0x45, 0x4C, 0x46, 2, 1]])
    #expect(plan.findings.contains { $0.code == "program" && $0.severity == .notTaken })
    #expect(!plan.paths.contains("Resources/helper"))
    #expect(plan.paths.contains("Resources/manifest.json"))
  }

  @Test("the example is imported whole, and what Chromium lacks is a note")
  func example() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let project = root.appendingPathComponent("Examples/4.4-notes-on-pages")
    let plan = try XcodeProject(at: project).plan(ImportRequest(modulesPath: "/nowhere"))
    #expect(plan.isComplete)
    #expect(plan.findings.map(\.code) == ["svg-icon"])
    #expect(
      plan.paths.filter { $0.hasPrefix("Resources/") } == [
        "Resources/_locales/de/messages.json", "Resources/_locales/en/messages.json",
        "Resources/background.js", "Resources/content.js", "Resources/images/icon-128.png",
        "Resources/images/icon-48.png", "Resources/images/toolbar-icon.svg",
        "Resources/manifest.json", "Resources/popup.css", "Resources/popup.html",
        "Resources/popup.js",
      ]
    )
  }

  @Test("an extension without a manifest is told")
  func absent() throws {
    let fixture = try Fixture("Xcode16")
    defer { fixture.remove() }
    let path = "\(Self.resources)/manifest.json"
    try FileManager.default.removeItem(at: fixture.folder.appendingPathComponent(path))
    let target = try XcodeProject(at: fixture.folder).extensionTargets()
      .first { $0.point == .webExtension }
    let plan = try fixture.plan(target?.name)
    #expect(plan.findings.contains { $0.code == "manifest" && $0.severity == .notTaken })
  }
}
