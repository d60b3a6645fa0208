import Foundation
import Testing

@testable import ExtensionBundles

@Suite("Bundles")
struct ExtensionProjectTests {
  private let folder = ExtensionTemplateTests.folder()

  private func make(_ point: ExtensionPoint, hasSources: Bool = true) throws {
    try ExtensionTemplateTests.template(point, hasSources: hasSources).write(to: folder)
  }

  private func plist(_ url: URL) throws -> [String: Any] {
    try PropertyListFile.dictionary(url).mapValues(\.foundation)
  }

  @Test("a list alone becomes a bundle without executable")
  func listAlone() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try make(.contentBlocker, hasSources: false)
    let project = try ExtensionProject(folder: folder)
    #expect(!project.hasSources)
    let bundle = try project.assemble(executable: nil, into: folder.appendingPathComponent("build"))
    #expect(bundle.lastPathComponent == "My Links.appex")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: bundle.path).sorted()
        == ["Entitlements.plist", "Info.plist", "blockerList.json"]
    )
    let information = try plist(bundle.appendingPathComponent("Info.plist"))
    #expect(information["CFBundleExecutable"] == nil)
    #expect(information["CFBundlePackageType"] as? String == "XPC!")
    #expect(information["CFBundleIdentifier"] as? String == "com.example.My-Links")
  }

  @Test("an executable, its resources and variables come together, again and again")
  func withExecutable() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try make(.webExtension)
    let executable = folder.appendingPathComponent("program")
    try Data("#!".utf8).write(to: executable)
    let project = try ExtensionProject(folder: folder)
    for _ in 0..<2 {
      let bundle = try project.assemble(executable: executable, into: folder)
      let information = try plist(bundle.appendingPathComponent("Info.plist"))
      #expect(information["CFBundleExecutable"] as? String == "My_Links")
      let nsExtension = try #require(information["NSExtension"] as? [String: String])
      #expect(
        nsExtension["NSExtensionPrincipalClass"] == "My_Links.SafariWebExtensionHandler"
      )
      #expect(Files.exists(bundle.appendingPathComponent("_locales/en/messages.json")))
      #expect(Files.exists(bundle.appendingPathComponent("My_Links")))
    }
    // No temporary folder remains.
    let rest = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!rest.contains { $0.hasPrefix(".My Links") })
  }

  @Test("the entry point follows the principal class of Info.plist")
  func entryPoint() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try make(.sharedLinks)
    let file = folder.appendingPathComponent("Info.plist")
    var information = try plist(file)
    information["NSExtension"] = [
      "NSExtensionPointIdentifier": ExtensionPoint.sharedLinks.rawValue,
      "NSExtensionPrincipalClass": "$(PRODUCT_MODULE_NAME).Other",
    ]
    try PropertyListFile.write(information, to: file)
    try ExtensionProject(folder: folder).writeEntryPoint()
    let source = try String(
      contentsOf: folder.appendingPathComponent("Sources/My_Links/\(EntryPoint.fileName)"),
      encoding: .utf8
    )
    #expect(source.contains("ExtensionProcess.run { Other() }"))
  }

  @Test(
    "a principal class that is no class of the module is refused",
    arguments: ["Other.Handler", "a() }; exit(0); run { b", "", "My_Links.", "My_Links.A.B"]
  )
  func badPrincipalClass(name: String) {
    let information = InformationPropertyList(values: [
      "NSExtension": ["NSExtensionPrincipalClass": name]
    ])
    #expect(throws: BundleError.self) { try information.principalClassName(module: "My_Links") }
  }

  @Test("links and the bundle's own names are refused as resources; the old bundle stays")
  func badResources() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try make(.contentBlocker, hasSources: false)
    let project = try ExtensionProject(folder: folder)
    let bundle = try project.assemble(executable: nil, into: folder)
    let link = folder.appendingPathComponent("Resources/link")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "/etc")
    #expect(throws: BundleError.self) { try project.assemble(executable: nil, into: folder) }
    try FileManager.default.removeItem(at: link)
    try Data().write(to: folder.appendingPathComponent("Resources/Info.plist"))
    #expect(throws: BundleError.self) { try project.assemble(executable: nil, into: folder) }
    #expect(Files.exists(bundle.appendingPathComponent("blockerList.json")))
  }

  @Test("variables without a value are named")
  func unknownVariable() throws {
    let information = InformationPropertyList(values: [
      "CFBundleIdentifier": "$(MY_PREFIX).x",
      "NSExtension": ["NSExtensionPointIdentifier": ExtensionPoint.sharedLinks.rawValue],
    ])
    #expect(
      throws: BundleError(
        .propertyList,
        "Info.plist uses $(MY_PREFIX), which has no value here; write the value itself"
      )
    ) {
      _ = try information.completed(
        names: try ExtensionNames(product: "x"),
        hasExecutable: false
      )
    }
  }

  @Test("what is no extension is refused with a reason")
  func notAnExtension() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(throws: BundleError.self) { try ExtensionProject(folder: folder) }
    try Files.makeFolder(folder)
    let file = folder.appendingPathComponent("Info.plist")
    for text in ["", "<plist>", "(1, 2)", "\u{0}\u{1}bplist00"] {
      try Data(text.utf8).write(to: file)
      #expect(throws: BundleError.self) { try ExtensionProject(folder: folder) }
    }
  }
}
