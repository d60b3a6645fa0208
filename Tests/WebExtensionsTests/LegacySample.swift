import Testing

@testable import WebExtensions

/// An extension of Safari's before web extensions, in memory.
struct LegacySample {
  var files: [String: [UInt8]] = [:]
  var information: [UInt8]

  /// An extension whose `Info.plist` has these elements, and files of their paths' names.
  init(_ elements: String, _ paths: [String] = []) {
    information = Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <plist version="1.0"><dict>
      <key>CFBundleIdentifier</key><string>com.example.older</string>
      <key>CFBundleDisplayName</key><string>Older</string>
      <key>CFBundleShortVersionString</key><string>1.4</string>
      <key>CFBundleVersion</key><string>7</string>
      \(elements)
      </dict></plist>
      """.utf8
    )
    for path in paths { files[path] = Array("// \(path)".utf8) }
  }

  /// An app extension with these elements beside its point and its access to all pages.
  static func app(
    _ elements: String,
    _ paths: [String] = [],
    access: String = "<key>Level</key><string>All</string>"
  ) -> LegacySample {
    LegacySample(
      """
      <key>NSExtension</key><dict>
      <key>NSExtensionPointIdentifier</key><string>com.apple.Safari.extension</string>
      <key>SFSafariWebsiteAccess</key><dict>\(access)</dict>
      \(elements)
      </dict>
      """,
      paths
    )
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
    try ExtensionTranslation(
      legacy: try source(),
      information: information,
      for: browser,
      as: SampleExtension.identity
    )
  }
}
