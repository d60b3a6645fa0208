import Testing

@testable import WebExtensions

@Suite("Folders .safariextension as browsers take them")
struct LegacyFolderTests {
  private static let all = """
    <key>Permissions</key><dict><key>Website Access</key><dict>
    <key>Level</key><string>All</string><key>Include Secure Pages</key><true/></dict></dict>
    """

  private func folder(
    _ elements: String,
    _ paths: [String] = [],
    permissions: String = all
  ) -> LegacySample {
    LegacySample(permissions + elements, paths)
  }

  private func array(_ texts: [String]) -> String {
    "<array>" + texts.map { "<string>\($0)</string>" }.joined() + "</array>"
  }

  @Test("Start and End scripts run at their times, where both lists allow")
  func scripts() throws {
    let sample = folder(
      """
      <key>Content</key><dict>
      <key>Scripts</key><dict><key>Start</key>\(array(["a.js", "b.js"]))
      <key>End</key>\(array(["c.js"]))</dict>
      <key>Stylesheets</key>\(array(["d.css"]))
      <key>Whitelist</key>\(array(["http://*.a.example/*"]))
      <key>Blacklist</key>\(array(["http://b.a.example/*"]))</dict>
      """,
      ["a.js", "b.js", "c.js", "d.css"]
    )
    let firefox = try sample.translated(for: .firefox)
    let entries = try #require(try firefox.manifest["content_scripts"]?.elements)
    #expect(
      entries.map { $0["run_at"]?.text } == ["document_start", "document_end", "document_start"]
    )
    #expect(entries.allSatisfy { $0["matches"]?.texts == ["http://*.a.example/*"] })
    #expect(entries.allSatisfy { $0["exclude_matches"]?.texts == ["http://b.a.example/*"] })
    #expect(entries[0]["js"]?.texts == ["tickbird-content.js", "a.js", "b.js"])
    #expect(entries[2]["css"]?.texts == ["d.css"])
    // Nothing for a background to do, and nothing to ask the host.
    #expect(try firefox.manifest["background"] == nil && !firefox.hasNativeMessaging)
    let chromium = try sample.translated(for: .chromium)
    #expect(try chromium.manifest["background"]?["service_worker"]?.text == "tickbird-worker.js")
    #expect(chromium.told.contains { $0.hasPrefix("style-sheet Info.plist:") })
  }

  @Test("Pages by https need the word for them")
  func securePages() throws {
    let content =
      "<key>Content</key><dict><key>Scripts</key><dict><key>Start</key>"
      + "<array><string>a.js</string></array></dict></dict>"
    let insecure = """
      <key>Permissions</key><dict><key>Website Access</key><dict>
      <key>Level</key><string>All</string></dict></dict>
      """
    let manifest = try folder(content, ["a.js"], permissions: insecure)
      .translated(for: .chromium).manifest
    #expect(manifest["host_permissions"]?.texts == ["http://*/*"])
    #expect(manifest["content_scripts"]?.elements?.first?["matches"]?.texts == ["http://*/*"])
    let none = try folder(content, ["a.js"], permissions: "").translated(for: .chromium)
    #expect(try none.manifest["host_permissions"] == nil)
    #expect(try none.manifest["content_scripts"] == nil)
  }

  @Test("A global page stands in a page that knows what it asks for at once")
  func globalPage() throws {
    var sample = folder(
      "<key>Chrome</key><dict><key>Global Page</key><string>g.html</string></dict>"
    )
    sample.files["g.html"] = Array(
      "<html><head><script>var a = '</' + 'b>';</script></head><body onload='go(&quot;x&quot;)'>"
        .utf8
    )
    let chromium = try sample.translated(for: .chromium)
    #expect(try chromium.manifest["permissions"]?.texts.contains("offscreen") ?? false)
    #expect(chromium.text("tickbird-home.js")?.contains(#""globalPage": "/g.html""#) ?? false)
    #expect(
      chromium.text("g.html")
        == #"<html><head><script src="/tickbird-safari.js"></script>"#
        + #"<script src="/tickbird-inline/0-0.js"></script></head><body onload='go(&quot;x&quot;)'>"#
        + #"<script src="/tickbird-inline/0-handlers.js"></script>"#
    )
    #expect(chromium.text("tickbird-inline/0-0.js") == "var a = '</' + 'b>';")
    #expect(
      chromium.text("tickbird-inline/0-handlers.js")
        == "tickbirdHandle({\n\"go(\\\"x\\\")\": function (event) {\ngo(\"x\")\n},\n});\n"
    )
    let firefox = try sample.translated(for: .firefox)
    #expect(
      try firefox.manifest["background"]?.plain == "{page:tickbird-home.html,persistent:true}"
    )
    #expect(firefox.text("tickbird-home.js")?.contains("SafariBrowserSide") ?? false)
  }

  @Test("Only a folder whose script sets the content blocker asks for the host")
  func host() throws {
    let chrome = "<key>Chrome</key><dict><key>Global Page</key><string>g.html</string></dict>"
    var sample = folder(chrome, ["g.html", "a.js"])
    #expect(try !sample.translated(for: .firefox).hasNativeMessaging)
    sample.files["a.js"] = Array("safari.extension.setContentBlocker(null)".utf8)
    for browser in TargetBrowser.allCases {
      let translation = try sample.translated(for: browser)
      #expect(translation.hasNativeMessaging)
      #expect(try translation.manifest["permissions"]?.texts.contains("nativeMessaging") ?? false)
    }
  }

  @Test("Toolbar items: the first is the action, its image the larger one, a pop-over opens alone")
  func toolbar() throws {
    let sample = folder(
      """
      <key>Chrome</key><dict>
      <key>Popovers</key><array><dict><key>Identifier</key><string>p</string>
      <key>Filename</key><string>p.html</string><key>Width</key><real>320</real></dict></array>
      <key>Toolbar Items</key><array>
      <dict><key>Identifier</key><string>one</string><key>Label</key><string>One</string>
      <key>Image</key><string>i.png</string><key>Popover</key><string>p</string></dict>
      <dict><key>Identifier</key><string>two</string><key>Label</key><string>Two</string>
      <key>Image</key><string>none.png</string><key>Menu</key><string>m</string></dict>
      </array>
      <key>Bars</key><array><dict/></array><key>Database Quota</key><real>1048576</real></dict>
      """,
      ["p.html", "i.png", "i@2x.png"]
    )
    let translation = try sample.translated(for: .chromium)
    #expect(
      try translation.manifest["action"]?.plain
        == "{default_title:One,default_icon:i@2x.png,default_popup:tickbird-waiting.html?/p.html}"
    )
    let worker = try #require(translation.text("tickbird-worker.js"))
    #expect(worker.contains(#""command": null"#) && worker.contains(#""command": "two""#))
    #expect(worker.contains(#""width": 320"#) && worker.contains(#""height": 300"#))
    let codes = Set(translation.notes.map(\.code))
    #expect(codes == ["bar", "database", "menu", "missing-file", "toolbar-items"])
    #expect(translation.notes.allSatisfy { $0.line != nil })
  }

  @Test("Settings have a page, and a row that cannot be understood is named")
  func settings() throws {
    var sample = folder("")
    sample.files["Settings.plist"] = Array(
      """
      <plist><array>
      <dict><key>Type</key><string>Slider</string><key>Key</key><string>size</string>
      <key>DefaultValue</key><real>2.5</real><key>MaximumValue</key><integer>9</integer></dict>
      <dict><key>Type</key><string>PopUpButton</string><key>Key</key><string>kind</string>
      <key>Titles</key><array><string>A</string><string>B</string></array>
      <key>Values</key><array><integer>1</integer></array></dict>
      <dict><key>Type</key><string>Rocket</string><key>Key</key><string>moon</string></dict>
      <string>text</string>
      </array></plist>
      """.utf8
    )
    let translation = try sample.translated(for: .firefox)
    #expect(
      try translation.manifest["options_ui"]?.plain
        == "{page:tickbird-options.html,open_in_tab:true}"
    )
    let script = try #require(translation.text("tickbird-options.js"))
    #expect(script.contains(#""value": 2.5"#) && script.contains(#""maximum": 9"#))
    #expect(!script.contains(#""B""#))
    #expect(translation.told == ["setting Settings.plist:7", "setting Settings.plist:0"])
  }

  @Test("What scripts cannot have is told with file and line")
  func uses() throws {
    var sample = folder("")
    sample.files["lib/a.js"] = Array("\n\nif (safari.self.tab.canLoad(event, 1)) {}".utf8)
    sample.files["b.html"] = Array("<script>\nopenDatabase('x')</script>".utf8)
    let told = try sample.translated(for: .firefox).told
    #expect(told == ["database b.html:2", "can-load lib/a.js:3"])
  }

  @Test(
    "A property list of another kind leaves things out, and nothing in silence",
    arguments: [
      "<key>Content</key><string>x</string>", "<key>Chrome</key><array/>",
      "<key>Content</key><dict><key>Scripts</key><array/></dict>",
      "<key>Content</key><dict><key>Stylesheets</key><dict/></dict>",
      "<key>Content</key><dict><key>Scripts</key><dict><key>Start</key><array><dict/></array></dict></dict>",
      "<key>Chrome</key><dict><key>Toolbar Items</key><array><true/></array></dict>",
      "<key>Chrome</key><dict><key>Popovers</key><array><dict><key>Identifier</key><date>2015-01-01T00:00:00Z</date></dict></array></dict>",
      "<key>Chrome</key><dict><key>Global Page</key><string>../../etc/passwd</string></dict>",
      "<key>Chrome</key><dict><key>Global Page</key><string>%2e%2e/x.html</string></dict>",
      "<key>Chrome</key><dict><key>Global Page</key><string>https://a.example/x.html</string></dict>",
    ]
  )
  func wrongTypes(elements: String) throws {
    for browser in TargetBrowser.allCases {
      let translation = try folder(elements).translated(for: browser)
      #expect(!translation.notes.isEmpty)
      #expect(try translation.manifest["content_scripts"] == nil)
      #expect(try translation.manifest["background"] == nil)
    }
  }

  @Test("A list of very many patterns ends soon, and grants no more than is said")
  func giantLists() throws {
    let hosts = (0..<6_000).map { "http://h\($0).example/*" }
    let elements = """
      <key>Content</key><dict><key>Scripts</key><dict><key>Start</key>\(array(["a.js"]))</dict>
      <key>Whitelist</key>\(array(hosts))</dict>
      """
    let domains = array((0..<200).map { "*.d\($0).example" })
    let access = """
      <key>Permissions</key><dict><key>Website Access</key><dict><key>Level</key><string>Some</string>
      <key>Allowed Domains</key>\(domains)</dict></dict>
      """
    let translation = try folder(elements, ["a.js"], permissions: access)
      .translated(for: .chromium)
    // Too many to be compared with each other: the script tests them itself.
    let entry = try #require(try translation.manifest["content_scripts"]?.elements?.first)
    #expect(entry["matches"]?.texts.count == 200)
    #expect(entry["js"]?.texts.last == "tickbird-guarded/0/a.js")
    #expect(translation.told.contains { $0.hasPrefix("limit Info.plist:") })
  }

  @Test("What is no property list, or no dictionary, is refused")
  func faults() throws {
    for text in ["", "{}", "<plist><array/></plist>", "<plist><dict><key>a</key>"] {
      var sample = folder("")
      sample.information = Array(text.utf8)
      #expect(throws: WebExtensionError.self) { try sample.translated(for: .chromium) }
    }
  }

  @Test("A name is no markup, and who the extension is counts for nothing")
  func names() throws {
    let item = """
      <key>Chrome</key><dict><key>Popovers</key><array><dict><key>Identifier</key><string>p</string>
      <key>Filename</key><string>a&quot;&gt;b.html</string></dict></array></dict>
      """
    var sample = folder(item, ["a\">b.html"])
    sample.information = Array(
      String(decoding: sample.information, as: UTF8.self)
        .split(separator: "Older", maxSplits: 1)
        .joined(separator: "&lt;script&gt;alert(1)&lt;/script&gt;").utf8
    )
    sample.files["Settings.plist"] = Array(
      "<plist><array><dict><key>Type</key><string>TextField</string><key>Key</key><string>k</string></dict></array></plist>"
        .utf8
    )
    let translation = try sample.translated(for: .firefox)
    let page = try #require(translation.text("tickbird-options.html"))
    #expect(page.contains("&lt;script&gt;alert(1)") && !page.contains("<script>alert"))
  }
}
