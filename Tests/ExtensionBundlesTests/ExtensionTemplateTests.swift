import Foundation
import Testing

@testable import ExtensionBundles

@Suite("New extensions")
struct ExtensionTemplateTests {
  static func folder() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("tickbird-\(UUID().uuidString)")
  }

  static func template(
    _ point: ExtensionPoint,
    name: String = "My Links",
    hasSources: Bool = true
  ) throws -> ExtensionTemplate {
    try ExtensionTemplate(
      point: point,
      names: ExtensionNames(product: name),
      bundleIdentifier: "com.example.My-Links",
      hasSources: hasSources,
      modulesPath: "/nowhere/AppleModules"
    )
  }

  @Test(
    "handlers are the ones that are built and run as samples",
    arguments: zip(
      ExtensionPoint.allCases,
      ["ContentBlockerTemplate", "SharedLinksTemplate", "WebExtensionTemplate"]
    )
  )
  func handlersAreTheSamples(point: ExtensionPoint, sample: String) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let samples = root.appendingPathComponent("AppleModules/Tests/ExtensionSamples/\(sample)")
    for name in ["\(point.principalClass).swift", EntryPoint.fileName] {
      let expected = try Data(contentsOf: samples.appendingPathComponent(name))
      let file = try #require(
        try Self.template(point).files().first { $0.path == "Sources/My_Links/\(name)" }
      )
      #expect(
        String(decoding: file.contents, as: UTF8.self) == String(decoding: expected, as: UTF8.self)
      )
    }
  }

  @Test("JSON and property lists in templates are sound", arguments: ExtensionPoint.allCases)
  func filesAreSound(point: ExtensionPoint) throws {
    for (path, contents) in try Self.template(point, name: #"A "quoted" \ name"#).files() {
      if path.hasSuffix(".json") { _ = try JSONSerialization.jsonObject(with: contents) }
      if path.hasSuffix("plist") || path.hasSuffix("entitlements") {
        _ = try unsafe PropertyListSerialization.propertyList(from: contents, format: nil)
      }
    }
  }

  @Test("a folder with something in it is left alone")
  func existingFolder() throws {
    let folder = Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try Self.template(.sharedLinks).write(to: folder)
    #expect(throws: BundleError.self) { try Self.template(.sharedLinks).write(to: folder) }
  }

  @Test(
    "names become modules as in Xcode",
    arguments: [("My Links", "My_Links"), ("9 Lives", "_9_Lives"), ("Käfer-1", "K_fer_1")]
  )
  func modules(product: String, module: String) throws {
    #expect(try ExtensionNames(product: product).module == module)
  }

  @Test("names that are no file's are refused", arguments: ["", ".x", "a/b", "a\nb", "..", "a\0"])
  func badNames(name: String) {
    #expect(throws: BundleError.self) { try ExtensionNames(product: name) }
  }

  @Test(
    "identifiers are letters, digits, hyphens and dots",
    arguments: [
      ("com.example.App-1", true), ("a", true), ("", false), ("a..b", false), (".a", false),
      ("a/b", false), ("../a", false), ("ä.b", false), ("a b", false),
    ]
  )
  func identifiers(text: String, isSound: Bool) {
    #expect(ExtensionNames.isBundleIdentifier(text) == isSound)
  }
}
