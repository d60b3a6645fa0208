import FuzzTargets
import WebExtensions

/// Translates an older extension of Safari's whose property lists, page and scripts are the input.
enum LegacyExtensionBody: FuzzBody {
  static let name = "legacy-extension"

  private static let identity = ExtensionTranslation.Identity(
    chromiumKey: "a2V5",
    geckoID: "a@web.tickbird.example",
    hostName: "tickbird.web.a"
  )

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    // The same bytes as every kind of file, since each reader must bear any bytes.
    let paths = ["Settings.plist", "de.lproj/InfoPlist.strings", "a.js", "page.html", "i.png"]
    for browser in TargetBrowser.allCases {
      guard let first = translation(input, paths, browser) else { continue }
      guard let second = translation(input, paths, browser) else {
        throw FuzzFinding("an extension is translated once, and not the second time")
      }
      try require(first.files == second.files, "the same extension gives different files")
      let manifest = first.files.first { $0.path == "manifest.json" }
      guard case .made(let bytes)? = manifest?.contents else {
        throw FuzzFinding("a translation without a manifest")
      }
      let isRead = (try? CheckedManifest(bytes)) != nil
      try require(isRead, "the translated manifest cannot be read")
      for file in first.files {
        let isInside = !file.path.hasPrefix("/") && !file.path.split(separator: "/").contains("..")
        try require(isInside, "\(file.path) leads out of the extension")
      }
    }
  }

  private static func translation(
    _ input: [UInt8],
    _ paths: [String],
    _ browser: TargetBrowser
  ) -> ExtensionTranslation? {
    let sizes = Dictionary(uniqueKeysWithValues: paths.map { ($0, input.count) })
    let source = try? WebExtensionSource(sizes: sizes) { _, count throws(WebExtensionError) in
      Array(input.prefix(count))
    }
    return source.flatMap {
      try? ExtensionTranslation(legacy: $0, information: input, for: browser, as: identity)
    }
  }

  static var seeds: [[UInt8]] {
    func list(_ elements: String) -> String { "<plist><dict>\(elements)</dict></plist>" }
    let access = "<key>Level</key><string>All</string>"
    let patterns = """
      <array><string>http://*.a.example/*</string><string>https://www.*/x</string></array>
      """
    let app = list(
      """
      <key>NSExtension</key><dict><key>SFSafariWebsiteAccess</key><dict>\(access)</dict>
      <key>SFSafariContentScript</key><array><dict><key>Script</key><string>a.js</string>
      <key>Allowed URL Patterns</key>\(patterns)</dict></array>
      <key>SFSafariToolbarItem</key><dict><key>Action</key><string>Popover</string>
      <key>Image</key><string>i.png</string></dict>
      <key>SFSafariContextMenu</key><array><dict><key>Command</key><string>c</string></dict></array>
      </dict>
      """
    )
    let folder = list(
      """
      <key>CFBundleShortVersionString</key><string>1.2</string>
      <key>Permissions</key><dict><key>Website Access</key><dict>\(access)</dict></dict>
      <key>Content</key><dict><key>Scripts</key><dict><key>End</key><array><string>a.js</string></array>
      </dict><key>Whitelist</key>\(patterns)</dict>
      <key>Chrome</key><dict><key>Global Page</key><string>page.html</string>
      <key>Toolbar Items</key><array><dict><key>Identifier</key><string>t</string></dict></array>
      <key>Popovers</key><array><dict><key>Identifier</key><string>p</string>
      <key>Filename</key><string>page.html</string></dict></array></dict>
      """
    )
    let settings = """
      <plist><array><dict><key>Type</key><string>Slider</string><key>Key</key><string>k</string>
      <key>DefaultValue</key><real>nan</real></dict></array></plist>
      """
    return [
      app, folder, settings, "/* a */ \"a\" = \"b\\U00e4\";", "<script>a</script",
      "<p onclick='a(&quot;b&quot;)'><script type=module>", list("<key>Chrome</key><array/>"),
      list("<key>NSExtension</key><dict/>"),
      list("<key>Content</key><dict><key>Blacklist</key>\(patterns)</dict>"), "a = b; // c",
    ].map { Array($0.utf8) }
  }
}
