import FuzzTargets
import WebExtensions

/// Translates a web extension whose manifest, page and script are the input.
enum WebExtensionBody: FuzzBody {
  static let name = "web-extension"

  private static let identity = ExtensionTranslation.Identity(
    chromiumKey: "a2V5",
    geckoID: "a@web.tickbird.example",
    hostName: "tickbird.web.a"
  )

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    // The same bytes as every kind of file, since each reader must bear any bytes.
    let paths = ["manifest.json", "a.js", "page.html", "_locales/en/messages.json", "i.png"]
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
    return source.flatMap { try? ExtensionTranslation($0, for: browser, as: identity) }
  }

  static var seeds: [[UInt8]] {
    let manifest = """
      {"manifest_version": 2, "name": "a", "version": "1", // comment
       "background": {"scripts": ["a.js"], "page": "page.html", "persistent": false},
       "icons": {"16": "i.png", "x": "i.svg"}, "browser_action": {"default_popup": "page.html"},
       "permissions": ["menus", "<all_urls>"], "web_accessible_resources": ["../x", "i.png"],
       "content_security_policy": "script-src 'self' 'unsafe-eval'", "default_locale": "en",
       "content_scripts": [{"matches": ["*://*/*"], "js": ["a.js"]}],
       "commands": {"_execute_browser_action": {"suggested_key": {"default": "Ctrl+Y"}}}}
      """
    let worker =
      #"{"manifest_version": 3, "name": "a", "version": "1.x", "background": {"service_worker": "a.js"}}"#
    func with(_ member: String) -> String {
      "{\"manifest_version\": 3, \"name\": \"a\", \"version\": \"1\", \(member)}"
    }
    return [
      manifest, worker, "<!doctype html><script src=a.js>browser.tabs.create(", "{\"a\":",
      "importScripts('a.js'); // browser", with(#""background": {"page": "page.html"}"#),
      with(#""background": {"service_worker": "/a.js", "type": "module"}"#),
      with(#""icons": {"16": "%69.png", "0": "i.png"}, "action": {"default_icon": "i.png"}"#),
      with(#""browser_specific_settings": {"safari": {}, "gecko": {"id": "x"}}, "key": 1"#),
      with(#""commands": {"_execute_action": {"suggested_key": "F1"}}, "options_ui": {}"#),
    ].map { Array($0.utf8) }
  }
}
