/// The script that is loaded before an extension's own.
///
/// `prelude.js` is written for all extensions; what differs stands in its first line.
struct Prelude {
  let browser: TargetBrowser
  let hostName: String?
  let manifestVersion: Int
  /// The prelude's path, for scripts that are run in pages later.
  let path: String
  /// What the event page has loaded of what its worker imports, as it is written there; `nil` for
  /// anything but an event page that was a worker.
  let importedScripts: [String]?

  /// The script's bytes.
  var script: [UInt8] {
    let settings = ManifestValue.object([
      ("browser", .string(browser.rawValue)),
      ("host", hostName.map { .string($0) } ?? ManifestValue(.null)),
      ("manifestVersion", ManifestValue(.number(String(manifestVersion)))),
      ("path", .string(path)),
      ("imported", importedScripts.map { .strings($0) } ?? ManifestValue(.null)),
    ])
    let source = PackageResources.prelude_js
    let place = Array("/* settings */".utf8)
    guard let start = source.indices.first(where: { source[$0...].starts(with: place) }) else {
      preconditionFailure("prelude.js has no place for its settings")
    }
    return source[..<start] + settings.json.dropLast() + source[(start + place.count)...]
  }
}

extension ManifestTranslator {
  mutating func addPrelude() {
    made[preludePath] =
      Prelude(
        browser: browser,
        hostName: hasNativeMessaging ? identity.hostName : nil,
        manifestVersion: manifestVersion,
        path: ExtensionPath.address(preludePath),
        importedScripts: importedScripts
      ).script
  }
}
