import ExtensionBundles
import Foundation
import Testing

@testable import XcodeProjects

@Suite("Safari app extensions")
struct AppExtensionImportTests {
  /// The example, with changes, as a plan.
  private func plan(_ change: (URL) throws -> Void = { _ in }) throws -> ImportPlan {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("app-extension-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.copyItem(
      at: root.appendingPathComponent("Examples/reading-time"),
      to: folder
    )
    try change(folder.appendingPathComponent("Extension"))
    return try XcodeProject(at: folder).plan(ImportRequest(modulesPath: "/modules"))
  }

  @Test("the example is taken whole")
  func example() throws {
    let plan = try plan()
    #expect(plan.point == .appExtension)
    #expect(plan.isComplete)
    #expect(plan.findings.isEmpty)
    let paths = plan.files.map(\.path)
    for path in [
      "Resources/script.js", "Resources/ToolbarItemIcon.png",
      "Sources/Reading_Time_Extension/Articles.swift",
    ] {
      #expect(paths.contains(path))
    }
  }

  @Test("what Info.plist names and is not there is named, and so is a pop-over")
  func missing() throws {
    let plan = try plan { folder in
      let file = folder.appendingPathComponent("Info.plist")
      let text = try String(contentsOf: file, encoding: .utf8)
        .replacing("<string>Command</string>", with: "<string>Popover</string>")
      try Data(text.utf8).write(to: file)
      for name in ["script.js", "ToolbarItemIcon.png"] {
        try FileManager.default.removeItem(at: folder.appendingPathComponent("Resources/\(name)"))
      }
    }
    #expect(!plan.isComplete)
    let lines = plan.findings.map(\.line)
    for words in ["names script.js", "toolbar image ToolbarItemIcon.png", "is not drawn"] {
      #expect(lines.contains { $0.contains(words) }, "\(lines)")
    }
  }

  @Test("views are named with their lines, and a class without one is in a pop-over's place")
  func popover() throws {
    let plan = try plan { folder in
      let text = """
        import SafariServices

        final class PopoverController: SFSafariExtensionViewController {
            static let shared = PopoverController()
            let button = NSButton()
        }
        """
      try Data(text.utf8).write(to: folder.appendingPathComponent("PopoverController.swift"))
    }
    let lines = plan.findings.map(\.line)
    let named = "PopoverController.swift:5: uses NSButton, and there are no views here"
    #expect(lines.contains { $0.contains(named) }, "\(lines)")
    let paths = plan.files.map(\.path).filter { $0.contains("Popover") }
    #expect(paths == ["Sources/Reading_Time_Extension/PopoverController+StandIn.swift"])
    let text = plan.text("Sources/Reading_Time_Extension/PopoverController+StandIn.swift")
    #expect(text.contains("class PopoverController: SFSafariExtensionViewController {"))
  }
}
