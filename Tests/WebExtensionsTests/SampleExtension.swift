import Testing

@testable import WebExtensions

/// A web extension in memory.
struct SampleExtension {
  var files: [String: [UInt8]] = [:]

  static let identity = ExtensionTranslation.Identity(
    chromiumKey: "a2V5",
    geckoID: "abc@web.tickbird.example",
    hostName: "tickbird.web.com.example.notes"
  )

  /// An extension with a manifest, and files of their paths' names.
  init(_ manifest: String, _ paths: [String] = []) {
    files["manifest.json"] = Array(manifest.utf8)
    for path in paths { files[path] = Array("// \(path)".utf8) }
  }

  func source() throws -> WebExtensionSource {
    let files = files
    return try WebExtensionSource(sizes: files.mapValues(\.count)) {
      path,
      count throws(WebExtensionError) in
      guard let bytes = files[path] else {
        throw WebExtensionError(.file, "\(path) is not there")
      }
      return Array(bytes.prefix(count))
    }
  }

  func translated(for browser: TargetBrowser) throws -> ExtensionTranslation {
    try ExtensionTranslation(try source(), for: browser, as: Self.identity)
  }

  /// An extension's manifest with a few members beside those that have to be there.
  static func manifest(_ version: Int, _ members: String = "") -> String {
    """
    {
      "manifest_version": \(version),
      "name": "Sample",
      "version": "1.2"\(members.isEmpty ? "" : ",\n  " + members)
    }
    """
  }
}

extension ExtensionTranslation {
  /// The translated manifest.
  var manifest: ManifestValue {
    get throws {
      let bytes = try #require(made("manifest.json"))
      return try ManifestReader.read(bytes, name: "manifest.json")
    }
  }

  /// The bytes of a generated file.
  func made(_ path: String) -> [UInt8]? {
    guard case .made(let bytes)? = files.first(where: { $0.path == path })?.contents else {
      return nil
    }
    return bytes
  }

  func text(_ path: String) -> String? { made(path).map { String(decoding: $0, as: UTF8.self) } }

  var paths: [String] { files.map(\.path) }

  /// The codes of notes with their lines.
  var told: [String] { notes.map { "\($0.code) \($0.file):\($0.line ?? 0)" } }
}

extension ManifestValue {
  /// The value as JSON without spaces, for comparison.
  var plain: String {
    switch content {
    case .array(let elements): "[" + elements.map(\.plain).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { "\($0.key):\($0.value.plain)" }.joined(separator: ",") + "}"
    case .string(let text): text
    default: String(decoding: json.dropLast(), as: UTF8.self)
    }
  }
}
