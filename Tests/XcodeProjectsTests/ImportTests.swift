import ExtensionBundles
import Foundation
import Testing

@testable import XcodeProjects

@Suite("Imports")
struct ImportTests {
  /// What is taken of one target.
  struct Expected: Sendable, CustomTestStringConvertible {
    let fixture: String
    let target: String?
    let paths: [String]
    var isComplete = true

    var testDescription: String { "\(fixture) \(target ?? "")" }
  }

  private static let resources = [
    "Resources/_locales/en/messages.json", "Resources/background.js",
    "Resources/images/toolbar-icon.svg", "Resources/manifest.json",
  ]

  static let table = [
    // A list of files for each target; one of them in the app's folder, one in two languages.
    Expected(
      fixture: "Xcode8",
      target: nil,
      paths: [
        "Reading List.entitlements", "Resources/de.lproj/Localizable.strings",
        "Resources/en.lproj/Localizable.strings", "Sources/Reading_List/Feed.swift",
        "Sources/Reading_List/RequestHandler.swift",
      ]
    ),
    // Folder references keep their folders; a filter for macOS keeps a file out of a target for iOS.
    Expected(
      fixture: "Xcode12",
      target: "Blocker",
      paths: [
        "Resources/Lists/base.json", "Resources/Lists/more/extra.json",
        "Resources/blockerList.json",
        "Sources/Blocker/ContentBlockerRequestHandler.swift", "Sources/Blocker/Strong.swift",
      ],
      isComplete: false
    ),
    // Two targets share a folder.
    Expected(
      fixture: "Xcode13",
      target: "Notes Extension (iOS)",
      paths: resources + ["Sources/Notes_Extension/SafariWebExtensionHandler.swift"]
    ),
    Expected(
      fixture: "Xcode13",
      target: "Notes Extension (macOS)",
      paths: ["Notes Extension.entitlements"] + resources + [
        "Sources/Notes_Extension/SafariWebExtensionHandler.swift"
      ]
    ),
    // Two frameworks are built along; the resources of one go into the bundle, its views stay out.
    Expected(
      fixture: "Xcode15",
      target: nil,
      paths: [
        "Modules/BaseKit/BaseName.swift", "Modules/ListKit/ListName.swift",
        "Modules/ListKit/ListProvider.swift", "Resources/standard.json",
        "Sources/Lists/ContentBlockerRequestHandler.swift",
      ]
    ),
    // The folder belongs to the target, and one file of another target's folder.
    Expected(
      fixture: "Xcode16",
      target: "Greeter Extension (iOS)",
      paths: resources + [
        "Resources/en.lproj/page.strings", "Sources/Greeter_Extension/Greeting.swift",
        "Sources/Greeter_Extension/SafariWebExtensionHandler.swift",
      ]
    ),
    // Everything that is shared is an exception; exceptions of its own folder stay out.
    Expected(
      fixture: "Xcode16",
      target: "Greeter Extension (macOS)",
      paths: ["Greeter Extension.entitlements"] + resources + [
        "Resources/en.lproj/page.strings", "Resources/icon.png",
        "Sources/Greeter_Extension/Greeting.swift",
        "Sources/Greeter_Extension/SafariWebExtensionHandler.swift",
      ],
      isComplete: false
    ),
  ]

  @Test("a target has the files that its project says, both ways", arguments: table)
  func membership(expected: Expected) throws {
    let fixture = try Fixture(expected.fixture)
    defer { fixture.remove() }
    let plan = try fixture.plan(expected.target)
    let made = [".gitignore", BuildExplanation.recordName, "Info.plist", "Package.swift"]
    let paths = plan.paths.filter {
      !made.contains($0) && !$0.hasSuffix(EntryPoint.fileName)
        && !$0.hasSuffix(EntryPoint.importsFileName)
    }
    #expect(paths == expected.paths.sorted())
    #expect(plan.isComplete == expected.isComplete)
  }

  @Test("the result is an extension's folder, which becomes a bundle", arguments: table)
  func bundle(expected: Expected) throws {
    let fixture = try Fixture(expected.fixture)
    defer { fixture.remove() }
    let folder = fixture.repository.appendingPathComponent("Result")
    let plan = try fixture.plan(expected.target)
    try plan.write(to: folder)
    let project = try ExtensionProject(folder: folder)
    #expect(project.names == plan.names)
    // The entry point is the one that a build writes.
    let entryPoint = folder.appendingPathComponent(
      "Sources/\(plan.names.module)/\(EntryPoint.fileName)"
    )
    let written = try Data(contentsOf: entryPoint)
    try project.writeEntryPoint()
    #expect(try Data(contentsOf: entryPoint) == written)
    let executable = fixture.repository.appendingPathComponent("program")
    try Data("#!".utf8).write(to: executable)
    let bundle = try project.assemble(executable: executable, into: fixture.repository)
    for path in expected.paths where path.hasPrefix("Resources/") {
      let place = bundle.appendingPathComponent(String(path.dropFirst("Resources/".count)))
      #expect(FileManager.default.fileExists(atPath: place.path), "\(path)")
    }
  }

  @Test("Info.plist, entitlements and Package.swift of lists and configuration files")
  func propertyLists() throws {
    let fixture = try Fixture("Xcode8")
    defer { fixture.remove() }
    let plan = try fixture.plan()
    let information = plan.plist("Info.plist")
    #expect(information["CFBundleIdentifier"] as? String == "org.example.Reader.Reading-List")
    #expect(information["CFBundleName"] as? String == "Reading List")
    #expect(information["CFBundleVersion"] as? String == "7")
    #expect(information["LSMinimumSystemVersion"] as? String == "10.12")
    #expect(information["CFBundleExecutable"] == nil)
    let entitlements = plan.plist("Reading List.entitlements")
    #expect(entitlements["com.apple.security.app-sandbox"] as? Bool == true)
    let groups = entitlements["com.apple.security.application-groups"] as? [String]
    #expect(groups == ["ABCDE12345.org.example.reader"])
    let manifest = plan.text("Package.swift")
    #expect(manifest.contains(".swiftLanguageMode(.v4)"))
    #expect(manifest.contains(".define(\"RELEASED\")"))
    let debug = try fixture.plan(configuration: "Debug").text("Package.swift")
    #expect(!debug.contains("RELEASED"))
  }

  @Test("Info.plist and entitlements that settings generate")
  func generated() throws {
    let fixture = try Fixture("Xcode16")
    defer { fixture.remove() }
    // A generated value replaces the file's.
    try fixture.write(
      "{ CFBundleDisplayName = \"In the file\"; CFBundleVersion = 9; Other = kept; NSExtension = { "
        + "NSExtensionPointIdentifier = \"com.apple.Safari.web-extension\"; "
        + "NSExtensionPrincipalClass = \"$(PRODUCT_MODULE_NAME).SafariWebExtensionHandler\"; }; }",
      to: "macOS (Extension)/Info.plist"
    )
    let plan = try fixture.plan("Greeter Extension (macOS)")
    let information = plan.plist("Info.plist")
    #expect(information["CFBundleDisplayName"] as? String == "Greeter")
    #expect(information["CFBundleVersion"] as? String == "1")
    #expect(information["Other"] as? String == "kept")
    let entitlements = plan.plist("Greeter Extension.entitlements")
    #expect(entitlements["com.apple.security.network.client"] as? Bool == true)
    #expect(plan.text("Package.swift").contains(".swiftLanguageMode(.v6)"))
  }

  @Test("everything that is not taken is named, and nothing else")
  func notTaken() throws {
    let fixture = try Fixture("Xcode12")
    defer { fixture.remove() }
    let plan = try fixture.plan("Blocker")
    let handler = "Xcode12/Blocker/ContentBlockerRequestHandler.swift"
    let outside = fixture.repository.deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("outside.json").path
    #expect(
      Set(plan.findings(.notTaken)) == [
        "script script phase \"Download lists\"", "objective-c Xcode12/Blocker/Legacy.m",
        "core-data Store.xcdatamodeld", "interface Xcode12/Blocker/Base.lproj/Main.storyboard",
        "asset-catalog Xcode12/Blocker/Assets.xcassets", "bridging-header Blocker/Bridging.h",
        "import \(handler):4", "import \(handler):11", "objective-c-runtime \(handler):24",
        "missing Xcode12/Blocker/Gone.swift", "framework BlockKit.framework",
        "package package product Algorithms", "outside \(outside)", "outside /etc/hostname",
      ]
    )
    #expect(
      Set(plan.findings(.note)) == [
        "conditional-setting target Blocker", "no-value Xcode12/Blocker/Info.plist",
        "dangling build phase PBXResourcesBuildPhase", "compiler-flags target Blocker",
        "no-entitlements target Blocker",
      ]
    )
  }

  @Test("conditions and upcoming features go into Package.swift, other flags are named")
  func compilerFlags() throws {
    let fixture = try Fixture("Xcode12")
    defer { fixture.remove() }
    try fixture.edit {
      $0 = $0.replacing(
        "SWIFT_VERSION = 5.0;",
        with: "SWIFT_VERSION = 5.0; SWIFT_UPCOMING_FEATURE_BARE_SLASH_REGEX_LITERALS = YES; "
          + "SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor;"
      )
    }
    let plan = try fixture.plan("Blocker")
    let manifest = plan.text("Package.swift")
    #expect(manifest.contains(".define(\"PLAIN\")"))
    #expect(manifest.contains(".enableUpcomingFeature(\"BareSlashRegexLiterals\")"))
    #expect(!manifest.contains("Xfrontend"))
    #expect(plan.findings(.note).contains("actor-isolation target Blocker"))
  }

  @Test("Swift 3 is compiled as Swift 4, and said")
  func swift3() throws {
    let fixture = try Fixture("Xcode8")
    defer { fixture.remove() }
    try fixture.edit { $0 = $0.replacing("SWIFT_VERSION = 4.0", with: "SWIFT_VERSION = 3.1") }
    let plan = try fixture.plan()
    #expect(plan.findings(.note).contains("swift-version target Reading List"))
    #expect(plan.findings.contains { $0.line.contains("it is compiled as Swift 4") })
  }

  @Test("a group that is only the developer's prefix is left out, and no reason to refuse")
  func incompleteGroups() throws {
    let fixture = try Fixture("Xcode8")
    defer { fixture.remove() }
    let file = "Reading List/Reading_List.entitlements"
    let key = "com.apple.security.application-groups"
    for (groups, expected) in [
      ("\"$(TeamIdentifierPrefix)\"", nil),
      ("\"$(TeamIdentifierPrefix)\", \"\", \"group.org.example\"", ["group.org.example"]),
    ] as [(String, [String]?)] {
      try fixture.write("{ \"\(key)\" = (\(groups)); other = kept; }", to: file)
      let plan = try fixture.plan()
      let entitlements = plan.plist("Reading List.entitlements")
      #expect(entitlements[key] as? [String] == expected)
      #expect(entitlements["other"] as? String == "kept")
      #expect(plan.findings(.note).contains { $0.hasPrefix("application-group ") })
    }
  }

  @Test("hidden files of a synchronized folder are neither taken nor missed")
  func hiddenFiles() throws {
    let fixture = try Fixture("Xcode16")
    defer { fixture.remove() }
    try fixture.write(".build\n", to: "Shared (Extension)/.gitignore")
    try fixture.edit {
      let list = "membershipExceptions = (\n"
      $0 = $0.replacing(list, with: list + ".gitignore,\n")
    }
    for target in ["Greeter Extension (macOS)", "Greeter Extension (iOS)"] {
      let plan = try fixture.plan(target)
      #expect(!plan.findings.contains { $0.subject.contains(".gitignore") })
      #expect(!plan.paths.contains("Resources/.gitignore"))
    }
  }

  @Test("a target that only runs scripts is named where the extension depends on it")
  func dependencies() throws {
    let fixture = try Fixture("Xcode12")
    defer { fixture.remove() }
    try fixture.edit {
      $0 = $0.replacing("dependencies = (\n", with: "dependencies = (\nD1,\n")
        .replacing(
          "/* Begin PBXGroup section */",
          with: "D1 = { isa = PBXTargetDependency; target = D2; }; "
            + "D2 = { isa = PBXAggregateTarget; name = Lists; };"
        )
    }
    let expected = "dependency target Lists"
    #expect(try fixture.plan("Blocker").findings(.notTaken).contains(expected))
  }

  @Test("frameworks of the project that are imported are modules of Package.swift")
  func frameworks() throws {
    let fixture = try Fixture("Xcode15")
    defer { fixture.remove() }
    let plan = try fixture.plan()
    let manifest = plan.text("Package.swift")
    #expect(manifest.contains("path: \"Modules/ListKit\""))
    #expect(manifest.contains(".define(\"LISTKIT\")"))
    #expect(manifest.contains("package: \"AppleModules\"), \"BaseKit\"]"))
    #expect(!manifest.contains("Unused"))
    #expect(plan.text("Modules/BaseKit/ExtensionImports.swift").contains("import ExtensionRuntime"))
    let record = try JSONDecoder().decode(
      [BuildExplanation.LeftOut].self,
      from: Data(plan.text(BuildExplanation.recordName).utf8)
    )
    #expect(record.map(\.file) == ["Xcode15/ListKit/ListView.swift"])
    #expect(record.map(\.names) == [["ListView"]])
    #expect(
      plan.findings(.note) == [
        "left-out Xcode15/ListKit/ListView.swift:1", "module target ListKit",
        "module target BaseKit", "no-entitlements target Lists",
      ]
    )
  }

  @Test("a framework cannot take the place of a module under Apple's names")
  func hostileFrameworks() throws {
    for name in ["SafariServices", "ExtensionRuntime", "../../x"] {
      let fixture = try Fixture("Xcode15")
      defer { fixture.remove() }
      try fixture.edit {
        $0 = $0.replacing(
          "PRODUCT_BUNDLE_IDENTIFIER = org.example.ListKit;",
          with: "PRODUCT_BUNDLE_IDENTIFIER = a.b; PRODUCT_MODULE_NAME = \"\(name)\";"
        )
      }
      let handler =
        "import \(name == "../../x" ? "x" : name)\nclass ContentBlockerRequestHandler {}\n"
      try fixture.write(handler, to: "Lists/ContentBlockerRequestHandler.swift")
      #expect(try fixture.plan().paths.allSatisfy { !$0.hasPrefix("Modules") })
    }
  }

  @Test("a file that cannot be compiled is left out, unless it has the extension's class")
  func leftOut() throws {
    let fixture = try Fixture("Xcode15")
    defer { fixture.remove() }
    let file = "ContentBlockerRequestHandler.swift"
    let plan = try fixture.plan()
    #expect(plan.paths.contains("Sources/Lists/\(file)"))
    let handler = plan.text("Sources/Lists/\(file)")
    try fixture.write("import WidgetKit\n" + handler, to: "Lists/\(file)")
    let kept = try fixture.plan()
    #expect(kept.paths.contains("Sources/Lists/\(file)"))
    #expect(kept.findings(.notTaken) == ["import Xcode15/Lists/\(file):1"])
    try fixture.edit {
      $0 = $0.replacing(
        "path = Unused.swift; sourceTree = \"<group>\"",
        with:
          "path = Unused/Unused.swift; sourceTree = SOURCE_ROOT"
      )
    }
    try fixture.write(handler, to: "Lists/\(file)")
    try fixture.edit { text in
      let unused = text.firstRange(of: "fileRef = ").map { _ in "Unused.swift in Sources */," }
      let line = text.split(separator: "\n").first { $0.contains(unused ?? "") } ?? ""
      let own =
        text.split(separator: "\n").first {
          $0.hasSuffix("ContentBlockerRequestHandler.swift in Sources */,")
        } ?? ""
      text = text.replacing(own, with: "\(own)\n\(line)")
    }
    let left = try fixture.plan()
    #expect(!left.paths.contains("Sources/Lists/Unused.swift"))
    #expect(left.text(BuildExplanation.recordName).contains("Unused.swift"))
    #expect(
      left.findings(.notTaken) == [
        "import Xcode15/Unused/Unused.swift:1", "left-out Xcode15/Unused/Unused.swift",
      ]
    )
  }

  @Test("packages of the project are named with where they come from")
  func packages() throws {
    let fixture = try Fixture("Xcode12")
    defer { fixture.remove() }
    try fixture.write("import Algorithms\n", to: "Shared/Strong.swift")
    let lines = try fixture.plan("Blocker").findings.map(\.line)
    let found = lines.filter { $0.contains("(https://git.example/Algorithms.git)") }
    #expect(found.count == 2)
    #expect(found.contains { $0.hasPrefix("Xcode12/Shared/Strong.swift:1: imports Algorithms") })
  }

  @Test("a content blocker in Objective-C becomes its list alone; others are refused")
  func listOnly() throws {
    let fixture = try Fixture("Xcode12")
    defer { fixture.remove() }
    for path in ["Blocker/ContentBlockerRequestHandler.swift", "Shared/Strong.swift"] {
      try FileManager.default.removeItem(at: fixture.folder.appendingPathComponent(path))
    }
    let plan = try fixture.plan("Blocker")
    #expect(!plan.paths.contains("Package.swift"))
    let folder = fixture.repository.appendingPathComponent("Result")
    try plan.write(to: folder)
    #expect(try !ExtensionProject(folder: folder).hasSources)

    let list = fixture.folder.appendingPathComponent("Blocker/blockerList.json")
    try FileManager.default.removeItem(at: list)
    #expect(throws: XcodeProjectError.self) { try fixture.plan("Blocker") }
  }

  @Test(
    "language modes are those of the project, or of the request",
    arguments: [
      ("4.0", ".v4"), ("4.2", ".v4_2"), ("5.0", ".v5"), ("5.9", ".v5"), ("6.0", ".v6"),
      ("3.0", ".v4"), ("3.2", ".v4"),
      ("2.3", nil), ("x", nil), ("7.0", nil),
    ] as [(String, String?)]
  )
  func languageModes(version: String, mode: String?) throws {
    let fixture = try Fixture("Xcode8")
    defer { fixture.remove() }
    try fixture.edit {
      $0 = $0.replacing("SWIFT_VERSION = 4.0", with: "SWIFT_VERSION = \(version)")
    }
    if let mode {
      let manifest = try fixture.plan().text("Package.swift")
      #expect(manifest.contains(".swiftLanguageMode(\(mode))"))
    } else {
      #expect(throws: XcodeProjectError.self) { try fixture.plan() }
    }
    let wanted = try fixture.plan(languageMode: .v4).text("Package.swift")
    #expect(wanted.contains(".swiftLanguageMode(.v4)"))
  }
}
