import Foundation
import Testing

@testable import ExtensionGallery

/// A folder that is removed after the test.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "tickbird-gallery-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func callAsFunction(_ path: String) -> URL { url.appending(path: path) }
}

/// A bundle in a folder, as made by `tickbird extension build`.
struct SampleBundle {
  var identifier = "com.example.blocker"
  var version = "1"
  var name = "My Blocker"
  var list = #"[{"trigger":{"url-filter":"ads"},"action":{"type":"block"}}]"#
  var executable: String?
  var extra: [String: Any] = [:]
  var entitlements: [String: Any]?
  /// Other files, by their paths.
  var files: [String: Data] = [:]

  @discardableResult
  func write(into folder: URL) throws -> URL {
    let bundle = folder.appending(path: "\(name).appex", directoryHint: .isDirectory)
    try? FileManager.default.removeItem(at: bundle)
    try FileManager.default.createDirectory(
      at: bundle.appending(path: "_locales/de"),
      withIntermediateDirectories: true
    )
    var values: [String: Any] = [
      "CFBundleIdentifier": identifier, "CFBundleVersion": version,
      "CFBundleShortVersionString": "\(version) (short)", "CFBundleName": name,
      "NSExtension": ["NSExtensionPointIdentifier": "com.apple.Safari.content-blocker"],
    ]
    values["CFBundleExecutable"] = executable
    values.merge(extra) { $1 }
    try Self.propertyList(values).write(to: bundle.appending(path: "Info.plist"))
    if let entitlements {
      try Self.propertyList(entitlements).write(to: bundle.appending(path: "Entitlements.plist"))
    }
    try Data(list.utf8).write(to: bundle.appending(path: "blockerList.json"))
    try Data("{}".utf8).write(to: bundle.appending(path: "_locales/de/messages größe.json"))
    for (path, contents) in files {
      let file = bundle.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try contents.write(to: file)
    }
    if let executable {
      let file = bundle.appending(path: executable)
      // Larger than the pieces in which files are read.
      try Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }).write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }
    return bundle
  }

  static func propertyList(_ values: [String: Any]) throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: values, format: .xml, options: 0)
  }

  /// Makes the bundle and a package of it.
  func package(
    in folder: TemporaryFolder,
    key: SigningKey,
    rotations: [KeyRotation] = [],
    to file: String? = nil
  ) throws -> URL {
    let bundle = try write(into: folder("bundle-\(UUID().uuidString)"))
    let writer = try PackageWriter(bundle: bundle)
    let target = folder(file ?? "\(UUID().uuidString).tickbird")
    try writer.write(to: target, signedBy: key, rotations: rotations)
    return target
  }
}

/// Packages that no honest tool makes, with valid signatures.
struct CraftedPackage {
  var head = [
    "identifier com.example.blocker", "version 1", "short-version 1", "name Crafted",
    "extension-point com.apple.Safari.content-blocker", "bundle Crafted.appex",
  ]
  var files: [(line: String, contents: Data)] = []
  var tail = Data()
  var kind = PackageManifest.kind
  var context = SignatureContext.packageManifest
  var version = 1
  let key = SigningKey()

  static let information = """
    <?xml version="1.0" encoding="UTF-8"?>
    <plist version="1.0"><dict>
    <key>CFBundleIdentifier</key><string>com.example.blocker</string>
    <key>CFBundleVersion</key><string>1</string>
    <key>CFBundleName</key><string>Crafted</string>
    <key>NSExtension</key><dict>
    <key>NSExtensionPointIdentifier</key><string>com.apple.Safari.content-blocker</string>
    </dict></dict></plist>
    """

  init() { add("Info.plist", Self.information) }

  mutating func add(_ path: String, _ contents: String, mode: String = "-", size: String? = nil) {
    let data = Data(contents.utf8)
    let digest = Hexadecimal.text(digestOf(data))
    files.append(("file \(mode) \(size ?? String(data.count)) \(digest) \(path)", data))
  }

  mutating func sort() {
    files.sort { one, other in
      let parts = [one, other].map { $0.line.split(separator: " ", maxSplits: 4).last ?? "" }
      return parts[0].utf8.lexicographicallyPrecedes(parts[1].utf8)
    }
  }

  func write(to file: URL) throws {
    let text = try SignedText.sign(
      head + files.map(\.line),
      kind: kind,
      context: context,
      version: version,
      with: key
    )
    var bytes = PackageWriter.magic + PackageWriter.length(text.count) + text
    for file in files { bytes += file.contents }
    try (bytes + tail).write(to: file)
  }
}

func digestOf(_ data: Data) -> Data { FileDigest.sha256(of: data) }

/// Reads and unpacks like an installation.
func unpack(_ file: URL, into folder: TemporaryFolder) throws -> URL {
  let place = folder("unpacked-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
  return try PackageReader(file).unpack(into: place)
}

/// Expects a refusal with a code, and returns its message.
@discardableResult
func expectRefusal(
  _ code: GalleryError.Code,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> some Any
) async -> String {
  do {
    _ = try await body()
    Issue.record("nothing was refused, expected \(code.rawValue)", sourceLocation: sourceLocation)
    return ""
  } catch let error as GalleryError {
    #expect(error.code == code, "\(error.message)", sourceLocation: sourceLocation)
    return error.message
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
    return ""
  }
}
