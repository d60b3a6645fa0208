import Testing

@testable import WebExtensions

@Suite("Safari app extensions as browsers take them")
struct LegacyAppTests {
  /// A content script with pattern keys.
  private func script(_ path: String, _ keys: String = "") -> String {
    """
    <key>SFSafariContentScript</key><array><dict>
    <key>Script</key><string>\(path)</string>\(keys)
    </dict></array>
    """
  }

  private func patterns(_ key: String, _ texts: String...) -> String {
    "<key>\(key) URL Patterns</key><array>"
      + texts.map { "<string>\($0)</string>" }.joined() + "</array>"
  }

  @Test("Scripts run at the start in all frames, the one that stands in for Safari before them")
  func scripts() throws {
    let sample = LegacySample.app(
      """
      <key>SFSafariContentScript</key><array>
      <dict><key>Script</key><string>a.js</string></dict>
      <dict><key>Script</key><string>lib/b.js</string></dict>
      </array>
      """,
      ["a.js", "lib/b.js"]
    )
    for browser in TargetBrowser.allCases {
      let translation = try sample.translated(for: browser)
      let scripts = try #require(try translation.manifest["content_scripts"])
      #expect(
        scripts.plain
          == "[{matches:[*://*/*],js:[tickbird-content.js,a.js,lib/b.js],run_at:document_start,"
          + "all_frames:true,match_about_blank:true}]"
      )
      #expect(translation.text("tickbird-content.js")?.contains("makeScriptSafari(") ?? false)
      #expect(translation.hasNativeMessaging && translation.version == "1.4")
      #expect(translation.notes.isEmpty)
    }
  }

  @Test(
    "Website access bounds the patterns",
    arguments: [
      (
        "<key>Level</key><string>All</string>", ["https://*.a.example/x*"],
        ["https://*.a.example/x*"]
      ),
      (some("a.example"), ["http://*.a.example/*"], ["http://a.example/*"]),
      (some("*.a.example"), ["http://b.a.example/*"], ["http://b.a.example/*"]),
      (some("*a.example"), ["*://*/*"], ["*://*.a.example/*"]),
      (some("a.example", "b.example"), [], ["*://a.example/*", "*://b.example/*"]),
    ]
  )
  func access(level: String, allowed: [String], matches: [String]) throws {
    let keys =
      allowed.isEmpty
      ? ""
      : "<key>Allowed URL Patterns</key><array>"
        + allowed.map { "<string>\($0)</string>" }.joined() + "</array>"
    let sample = LegacySample.app(script("a.js", keys), ["a.js"], access: level)
    let manifest = try sample.translated(for: .chromium).manifest
    #expect(manifest["content_scripts"]?.elements?.first?["matches"]?.texts == matches)
  }

  private static func some(_ domains: String...) -> String {
    "<key>Level</key><string>Some</string><key>Allowed Domains</key><array>"
      + domains.map { "<string>\($0)</string>" }.joined() + "</array>"
  }

  @Test(
    "Without access, or with patterns outside of it, no script runs and no page is seen",
    arguments: [
      "<key>Level</key><string>None</string>", "<key>Level</key><string>Some</string>", "",
      "<key>Level</key><string>Much</string>", "<key>Level</key><array/>",
      "<key>Level</key><string>Some</string><key>Allowed Domains</key><string>a.example</string>",
      "<key>Level</key><string>Some</string><key>Allowed Domains</key><array><string>a/*</string></array>",
    ]
  )
  func noAccess(level: String) throws {
    let sample = LegacySample.app(script("a.js"), ["a.js"], access: level)
    let translation = try sample.translated(for: .chromium)
    #expect(try translation.manifest["content_scripts"] == nil)
    #expect(try translation.manifest["host_permissions"] == nil)
    #expect(translation.told.contains { $0.hasPrefix("no-pages Info.plist:") })
  }

  @Test("What is no pattern names no page, and an exception that browsers can say is theirs")
  func exceptions() throws {
    let keys =
      patterns("Allowed", "ftp://a.example/*", "a.example", "http://b.example/*")
      + patterns("Excluded", "http://b.example/private/*")
    let translation = try LegacySample.app(script("a.js", keys), ["a.js"])
      .translated(for: .firefox)
    let entry = try translation.manifest["content_scripts"]?.elements?.first
    #expect(entry?["matches"]?.texts == ["http://b.example/*"])
    #expect(entry?["exclude_matches"]?.texts == ["http://b.example/private/*"])
    #expect(translation.notes.filter { $0.code == "pattern" }.allSatisfy { $0.line != nil })
    #expect(translation.notes.count { $0.code == "pattern" && $0.severity == .missing } == 2)
  }

  @Test("A script whose patterns browsers cannot say tests the page itself")
  func guarded() throws {
    let keys =
      patterns("Allowed", "http://www.search.*/*") + patterns("Excluded", "http://*x.example/*")
    let translation = try LegacySample.app(script("a.js", keys), ["a.js"])
      .translated(for: .chromium)
    let entry = try translation.manifest["content_scripts"]?.elements?.first
    #expect(entry?["matches"]?.texts == ["*://*/*"])
    #expect(entry?["js"]?.texts == ["tickbird-content.js", "tickbird-guarded/0/a.js"])
    #expect(translation.text("tickbird-guarded/0/a.js") == "if (tickbirdIsPage(0)) {// a.js\n}\n")
    let shim = try #require(translation.text("tickbird-content.js"))
    #expect(shim.contains(#""http://www.search.*/*""#) && shim.contains(#""http://*x.example/*""#))
    #expect(translation.told.contains { $0.hasPrefix("pattern Info.plist:") })
  }

  @Test(
    "A toolbar item is the action; a click of a pop-over opens a page that says what is missing"
  )
  func toolbar() throws {
    func item(_ action: String, _ image: String) -> String {
      """
      <key>SFSafariToolbarItem</key><dict><key>Action</key><string>\(action)</string>
      <key>Identifier</key><string>Button</string><key>Label</key><string>Do &amp; see</string>
      <key>Image</key><string>\(image)</string></dict>
      """
    }
    let command = try LegacySample.app(item("Command", "icon.pdf"), ["icon.pdf"])
      .translated(for: .chromium)
    #expect(try command.manifest["action"]?.plain == "{default_title:Do & see}")
    #expect(command.told.contains { $0.hasPrefix("icon-kind Info.plist:") })
    let popover = try LegacySample.app(item("Popover", "icon.png"), ["icon.png"])
      .translated(for: .firefox)
    #expect(
      try popover.manifest["browser_action"]?.plain
        == "{default_title:Do & see,default_icon:icon.png,default_popup:"
        + "tickbird-popover.html?tickbird=popover,default_area:navbar}"
    )
    #expect(popover.told.contains { $0.hasPrefix("popover Info.plist:") })
    let own = try LegacySample.app(
      item("Popover", "icon.png"),
      ["icon.png", "TickbirdPopover.html"]
    )
    .translated(for: .chromium)
    #expect(
      try own.manifest["action"]?["default_popup"]?.text
        == "TickbirdPopover.html?tickbird=popover"
    )
    #expect(own.notes.isEmpty)
  }

  @Test("Style sheets stand above the page's own")
  func sheets() throws {
    let sample = LegacySample.app(
      """
      <key>SFSafariStyleSheet</key><array><dict>
      <key>Style Sheet</key><string>a.css</string></dict></array>
      """,
      ["a.css"]
    )
    let firefox = try sample.translated(for: .firefox)
    let entry = try firefox.manifest["content_scripts"]?.elements?.first
    #expect(entry?["css"]?.texts == ["a.css"] && entry?["css_origin"]?.text == "user")
    let chromium = try sample.translated(for: .chromium)
    #expect(try chromium.manifest["content_scripts"] == nil)
    #expect(chromium.text("tickbird-handler.js")?.contains(#""/a.css""#) ?? false)
    #expect(try chromium.manifest["permissions"]?.texts.contains("scripting") ?? false)
  }

  @Test("Labels have the languages of InfoPlist.strings")
  func labels() throws {
    var sample = LegacySample.app(
      """
      <key>SFSafariToolbarItem</key><dict><key>Action</key><string>Command</string>
      <key>Identifier</key><string>Button</string><key>Label</key><string>Do</string></dict>
      <key>SFSafariContextMenu</key><array>
      <dict><key>Command</key><string>go</string><key>Text</key><string>Go</string></dict></array>
      """
    )
    sample.files["de.lproj/InfoPlist.strings"] = Array(
      """
      /* Titles */
      "Toolbar Button Label for Identifier: Button" = "Tu \\"es\\"";
      "Context Menu Item Label for Command: go" = "Geh"; // there
      CFBundleDisplayName = "Älter";
      """.utf8
    )
    sample.files["fr.lproj/InfoPlist.strings"] = Array("\"a\" = ".utf8)
    let translation = try sample.translated(for: .chromium)
    let manifest = try translation.manifest
    #expect(manifest["name"]?.text == "__MSG_name__" && manifest["default_locale"]?.text == "en")
    #expect(manifest["action"]?["default_title"]?.text == "__MSG_toolbar__")
    let german = try #require(translation.made("_locales/de/messages.json"))
    #expect(
      try ManifestReader.read(german, name: "de").plain
        == "{description:{message:},menu0:{message:Geh},name:{message:Älter},"
        + "toolbar:{message:Tu \"es\"}}"
    )
    #expect(translation.told.contains("strings fr.lproj/InfoPlist.strings:0"))
  }

  @Test("Who the extension is, is said by Tickbird")
  func identity() throws {
    let sample = LegacySample.app("")
    let chromium = try sample.translated(for: .chromium).manifest
    #expect(chromium["key"]?.text == SampleExtension.identity.chromiumKey)
    let firefox = try sample.translated(for: .firefox).manifest
    #expect(
      firefox["browser_specific_settings"]?["gecko"]?["id"]?.text
        == SampleExtension.identity.geckoID
    )
  }
}
