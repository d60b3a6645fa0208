import ExtensionBundles
import Foundation
import Testing

@testable import ExtensionHost

@Suite("Installed bundles")
struct BundleStoreTests {
  private let folder: TemporaryFolder
  private let store: BundleStore
  private let identifier = "com.example.blocker"

  init() throws {
    folder = try TemporaryFolder()
    store = try BundleStore(directory: folder.url.appending(path: "Extensions"))
  }

  private func make(_ description: SampleExtensions.Description) throws -> URL {
    try SampleExtensions.make(description, program: nil, in: folder.url)
  }

  private func list(_ bundle: InstalledBundle?) throws -> String {
    let location = try #require(bundle).location
    return try String(contentsOf: location.appending(path: "blockerList.json"), encoding: .utf8)
  }

  @Test("A bundle is installed as a copy and described from it")
  func install() throws {
    let source = try make(.list(rules("a")))
    let installed = try store.install(source)
    try FileManager.default.removeItem(at: source)
    #expect(installed.identifier == identifier)
    #expect(installed.extensionPoint == .contentBlocker)
    #expect(installed.executable == nil)
    #expect(installed.previousVersion == nil)
    #expect(try store.bundle(identifier) == installed)
    #expect(try store.bundles().map(\.identifier) == [identifier])
    #expect(try list(store.bundle(identifier)) == rules("a"))
  }

  @Test("The version before is kept, and is what going back returns to")
  func goBack() throws {
    for version in ["1.0", "1.1", "1.2"] {
      try store.install(make(.list(rules(version), version: version)))
    }
    #expect(try store.bundle(identifier)?.previousVersion == BundleVersion("1.1"))
    let back = try store.goBack(identifier)
    #expect(back.version == BundleVersion("1.1"))
    #expect(try list(store.bundle(identifier)) == rules("1.1"))
    #expect(throws: HostError.self) { try store.goBack(identifier) }
    // One folder for the bundle, one file of record.
    let names = try FileManager.default.contentsOfDirectory(
      atPath: store.directory.appending(path: identifier).path
    )
    #expect(names.count == 2)
  }

  @Test("A record that cannot be read now is not written over; a damaged one is")
  func unreadableRecord() throws {
    try store.install(make(.list(rules("old"), version: "1.0")))
    let record = store.directory.appending(path: "\(identifier)/Versions.json")
    let kept = folder.url.appending(path: "kept.json")
    try FileManager.default.moveItem(at: record, to: kept)
    // As little to be read as on a disk that fails.
    try FileManager.default.createSymbolicLink(at: record, withDestinationURL: kept)
    let new = try make(.list(rules("new"), version: "2.0"))
    let error = #expect(throws: HostError.self) { try store.install(new) }
    #expect(error?.code == .file)
    try FileManager.default.removeItem(at: record)
    try FileManager.default.moveItem(at: kept, to: record)
    #expect(try list(store.bundle(identifier)) == rules("old"))
    try Data("rubbish".utf8).write(to: record)
    try store.install(new)
    #expect(try list(store.bundle(identifier)) == rules("new"))
  }

  @Test("What the caller does not accept changes nothing")
  func refusedByCaller() throws {
    try store.install(make(.list(rules("new"), version: "2.0")))
    #expect(throws: HostError(.badBundle, "older")) {
      try store.install(make(.list(rules("old"), version: "1.9"))) { new, old throws(HostError) in
        guard let old, !new.isNewer(than: old) else { return }
        throw HostError(.badBundle, "older")
      }
    }
    #expect(try list(store.bundle(identifier)) == rules("new"))
    #expect(try store.bundle(identifier)?.previousVersion == nil)
  }

  @Test("Removing leaves nothing, and what is not there cannot be removed")
  func remove() throws {
    try store.install(make(.list(rules("a"))))
    try store.remove(identifier)
    #expect(try store.bundle(identifier) == nil)
    #expect(try FileManager.default.contentsOfDirectory(atPath: store.directory.path) == [])
    #expect(throws: HostError(.notInstalled, "no extension \"\(identifier)\" is installed")) {
      try store.remove(identifier)
    }
    #expect(throws: HostError.self) { try store.remove("../..") }
  }

  /// A flaw in a bundle, and a word of the error that names it.
  struct Flaw: CustomTestStringConvertible {
    let testDescription: String
    let word: String
    let make: @Sendable (URL) throws -> Void
  }

  static let flaws = [
    Flaw(testDescription: "no Info.plist", word: "Info.plist") {
      try FileManager.default.removeItem(at: $0.appending(path: "Info.plist"))
    },
    Flaw(testDescription: "an Info.plist that is none", word: "Info.plist") {
      try Data("{".utf8).write(to: $0.appending(path: "Info.plist"))
    },
    Flaw(testDescription: "an Info.plist that is far more than it looks", word: "values") {
      // Twelve levels of arrays, each of which names the next ten times: 200 bytes.
      var bytes = Array("bplist00".utf8)
      var offsets: [UInt8] = []
      for level in UInt8(1)...12 {
        offsets.append(UInt8(bytes.count))
        bytes += [0xAA] + [UInt8](repeating: level, count: 10)
      }
      offsets.append(UInt8(bytes.count))
      bytes += [0x51, 0x61]
      let trailer: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 13]
      let table = UInt8(bytes.count)
      bytes += offsets + trailer + [UInt8](repeating: 0, count: 15) + [table]
      try Data(bytes).write(to: $0.appending(path: "Info.plist"))
    },
    Flaw(testDescription: "an Info.plist that is a pipe", word: "neither a file nor a folder") {
      let file = $0.appending(path: "Info.plist")
      try FileManager.default.removeItem(at: file)
      unsafe mkfifo(file.path, 0o600)
    },
    Flaw(testDescription: "a link", word: "neither a file nor a folder") {
      try FileManager.default.createSymbolicLink(
        at: $0.appending(path: "link"),
        withDestinationURL: URL(filePath: "/etc/passwd")
      )
    },
    Flaw(testDescription: "an identifier with a path", word: "CFBundleIdentifier") {
      try change($0) { $0["CFBundleIdentifier"] = "../../escape" }
    },
    Flaw(testDescription: "no identifier", word: "CFBundleIdentifier") {
      try change($0) { $0["CFBundleIdentifier"] = nil }
    },
    Flaw(testDescription: "an unknown extension point", word: "com.apple.widget") {
      try change($0) { $0["NSExtension"] = ["NSExtensionPointIdentifier": "com.apple.widget"] }
    },
    Flaw(testDescription: "an executable elsewhere", word: "CFBundleExecutable") {
      try change($0) { $0["CFBundleExecutable"] = "../../../bin/sh" }
    },
    Flaw(testDescription: "an executable that is not there", word: "CFBundleExecutable") {
      try change($0) { $0["CFBundleExecutable"] = "Missing" }
    },
    Flaw(testDescription: "an executable that cannot be run", word: "CFBundleExecutable") {
      try change($0) { $0["CFBundleExecutable"] = "blockerList.json" }
    },
    Flaw(testDescription: "neither executable nor list", word: "blockerList.json") {
      try FileManager.default.removeItem(at: $0.appending(path: "blockerList.json"))
    },
    Flaw(testDescription: "a web extension without executable", word: "CFBundleExecutable") {
      try change($0) {
        $0["NSExtension"] = ["NSExtensionPointIdentifier": "com.apple.Safari.web-extension"]
      }
    },
    Flaw(testDescription: "a group that is a path", word: "application group") {
      try SampleExtensions.write(
        ["com.apple.security.application-groups": ["group.../../x"]],
        to: $0.appending(path: "Entitlements.plist")
      )
    },
    Flaw(testDescription: "folders that are nested too deeply", word: "nested deeper") {
      let deep = $0.appending(path: String(repeating: "d/", count: 40))
      try FileManager.default.createDirectory(at: deep, withIntermediateDirectories: true)
    },
    Flaw(testDescription: "too many files", word: "more than 100 files") {
      for number in 0..<100 {
        try Data().write(to: $0.appending(path: "\(number)"))
      }
    },
    Flaw(testDescription: "too many bytes", word: "more than 100000 bytes") {
      try Data(count: 100_000).write(to: $0.appending(path: "large"))
    },
  ]

  private static func change(_ bundle: URL, _ body: (inout [String: Any]) -> Void) throws {
    let file = bundle.appending(path: "Info.plist")
    var values = try InformationPropertyList(contentsOf: file).values
    body(&values)
    try SampleExtensions.write(values, to: file)
  }

  @Test("A flawed bundle is refused by name, and what was installed stays", arguments: flaws)
  func flaw(_ flaw: Flaw) throws {
    let store = try BundleStore(
      directory: folder.url.appending(path: "Extensions"),
      limits: BundleLimits(entries: 100, bytes: 100_000)
    )
    try store.install(make(.list(rules("before"))))
    let bundle = try make(.list(rules("after"), version: "2.0"))
    try flaw.make(bundle)
    let error = try #require(throws: HostError.self) { try store.install(bundle) }
    #expect(error.message.contains(flaw.word), "\(error)")
    #expect(try list(store.bundle(identifier)) == rules("before"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: store.directory.path) == [identifier]
    )
  }

  @Test("What is no bundle at all is refused", arguments: ["missing.appex", "file.appex"])
  func notABundle(name: String) throws {
    try Data().write(to: folder.url.appending(path: "file.appex"))
    #expect(throws: HostError.self) { try store.install(folder.url.appending(path: name)) }
  }

  @Test("Leftovers of a process that was killed are removed, and nothing else")
  func leftovers() throws {
    try store.install(make(.list(rules("1"), version: "1")))
    try store.install(make(.list(rules("2"), version: "2")))
    let files = FileManager.default
    let own = store.directory.appending(path: identifier)
    for leftover in [
      store.directory.appending(path: ".staging-1/version/X.appex"),
      own.appending(path: "3-ABCDEF01/X.appex"),
    ] {
      try files.createDirectory(at: leftover, withIntermediateDirectories: true)
    }
    try Data("{".utf8).write(to: own.appending(path: ".draft-0123456789abcdef"))
    for path in ["mine/f", "1-ABCDEF01/f", "old-versions/X.appex/f", ".draft-essay/f"] {
      let file = own.appending(path: path)
      try files.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data("mine".utf8).write(to: file)
    }
    try store.removeLeftovers()
    #expect(try files.contentsOfDirectory(atPath: store.directory.path) == [identifier])
    let left = try files.contentsOfDirectory(atPath: own.path)
    let others: Set = ["mine", "1-ABCDEF01", "old-versions", ".draft-essay"]
    #expect(left.count == 7 && others.isSubset(of: left))
    #expect(try store.bundle(identifier)?.previousVersion == BundleVersion("1"))
  }

  @Test(
    "A record that names what is not there is damaged: installing mends it, removing removes it"
  )
  func missingVersion() throws {
    try store.install(make(.list(rules("1"))))
    let own = store.directory.appending(path: identifier)
    let version = try #require(try store.bundle(identifier)).location.deletingLastPathComponent()
    try FileManager.default.removeItem(at: version)
    let error = try #require(throws: HostError.self) { try store.bundle(identifier) }
    #expect(error.code == .badBundle && error.message.contains(version.lastPathComponent))
    #expect(error.message.contains(own.appending(path: "Versions.json").path))
    #expect(try store.has(identifier))
    try store.install(make(.list(rules("2"))))
    #expect(try list(store.bundle(identifier)) == rules("2"))
    #expect(try store.bundle(identifier)?.previousVersion == nil)
    #expect(throws: HostError.self) { try store.goBack(identifier) }
    try FileManager.default.removeItem(at: own.appending(path: "Versions.json"))
    try store.remove(identifier)
    #expect(try !store.has(identifier))
  }

  @Test("A damaged record is named, and installing again mends it")
  func damagedRecord() throws {
    try store.install(make(.list(rules("1"))))
    let record = store.directory.appending(path: "\(identifier)/Versions.json")
    try Data("{".utf8).write(to: record)
    let error = try #require(throws: HostError.self) { try store.bundle(identifier) }
    #expect(error.message.contains("Versions.json is damaged"))
    try store.install(make(.list(rules("2"))))
    #expect(try list(store.bundle(identifier)) == rules("2"))
  }
}
