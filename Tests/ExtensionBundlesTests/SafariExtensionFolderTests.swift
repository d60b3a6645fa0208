import ExtensionBundles
import Foundation
import Testing

@Suite("Folders .safariextension as bundles")
struct SafariExtensionFolderTests {
  private let root: URL
  private let folder: URL

  init() throws {
    root = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "tickbird-older-\(UUID().uuidString)", directoryHint: .isDirectory)
    folder = root.appending(path: "Old One.safariextension", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "lib"),
      withIntermediateDirectories: true
    )
    try write("// script", to: "lib/a.js")
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: path))
  }

  private func information(_ more: [String: Any] = [:]) throws {
    var values: [String: Any] = [
      "CFBundleIdentifier": "com.example.old", "CFBundleVersion": "4",
      "CFBundleShortVersionString": "1.5",
    ]
    values.merge(more) { $1 }
    try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
      .write(to: folder.appending(path: "Info.plist"))
  }

  private func made(replacing isReplacing: Bool = false) throws -> URL {
    let bundle = root.appending(path: "Old One.appex", directoryHint: .isDirectory)
    try SafariExtensionFolder(at: folder).write(to: bundle, replacing: isReplacing)
    return bundle
  }

  private func remove() { try? FileManager.default.removeItem(at: root) }

  @Test("A bundle has the folder as it is, its list in its place, and a property list of its own")
  func bundle() throws {
    defer { remove() }
    try information([
      "Content": ["Content Blocker": "lib/rules.json"], "CFBundleExecutable": "evil",
    ])
    try write("[1]", to: "lib/rules.json")
    try write("hidden", to: ".DS_Store")
    let bundle = try made()
    let paths = try FileManager.default.subpathsOfDirectory(atPath: bundle.path).sorted()
    #expect(
      paths == [
        "Extension.safariextension", "Extension.safariextension/Info.plist",
        "Extension.safariextension/lib", "Extension.safariextension/lib/a.js",
        "Extension.safariextension/lib/rules.json", "Info.plist", "blockerList.json",
      ]
    )
    let list = try InformationPropertyList(contentsOf: bundle.appending(path: "Info.plist"))
    #expect(list.bundleIdentifier == "com.example.old")
    #expect(list.extensionPoint == ExtensionPoint.webExtension.rawValue)
    #expect(list.values["CFBundleExecutable"] == nil)
    #expect(list.values["CFBundleDisplayName"] as? String == "Old One")
    #expect(list.values["CFBundleVersion"] as? String == "4")
  }

  @Test("Links are not followed, and a list outside of the folder is none")
  func links() throws {
    defer { remove() }
    try information(["Content": ["Content Blocker": "../secret.json"]])
    try Data("secret".utf8).write(to: root.appending(path: "secret.json"))
    for (name, target) in [("link.js", "../secret.json"), ("loop", ".")] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.appending(path: name).path,
        withDestinationPath: target
      )
    }
    let read = try SafariExtensionFolder(at: folder)
    #expect(read.files.keys.sorted() == ["Info.plist", "lib/a.js"])
    #expect(
      read.findings == [
        "link.js is a link or no file; it is left out", "loop is a link or no file; it is left out",
        "Info.plist: the Content Blocker ../secret.json is not there; there is no list",
      ]
    )
    let bundle = try made()
    #expect(
      !FileManager.default.fileExists(atPath: bundle.appending(path: "blockerList.json").path)
    )
  }

  @Test("Only a bundle of this kind is replaced, and only when that is said")
  func replacing() throws {
    defer { remove() }
    try information()
    let bundle = try made()
    #expect(throws: BundleError.self) { try made() }
    try write("// new", to: "lib/b.js")
    _ = try made(replacing: true)
    let place = bundle.appending(path: "Extension.safariextension/lib/b.js")
    #expect(FileManager.default.fileExists(atPath: place.path))
    try FileManager.default.removeItem(at: bundle.appending(path: "Extension.safariextension"))
    #expect(throws: BundleError.self) { try made(replacing: true) }
    let left = try FileManager.default.contentsOfDirectory(atPath: root.path).sorted()
    #expect(left == ["Old One.appex", "Old One.safariextension"])
  }

  @Test(
    "A folder without an identifier that can be used is refused",
    arguments: ["", "../a", "a b"]
  )
  func identifiers(identifier: String) throws {
    defer { remove() }
    try information(["CFBundleIdentifier": identifier])
    #expect(throws: BundleError.self) { try SafariExtensionFolder(at: folder) }
  }
}
