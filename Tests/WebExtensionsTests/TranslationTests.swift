import Testing

@testable import WebExtensions

struct TranslationTests {
  private static let prelude = "tickbird-prelude.js"

  // MARK: Identity

  @Test("who an extension is, is never what it claims", arguments: TargetBrowser.allCases)
  func identity(_ browser: TargetBrowser) throws {
    let sample = SampleExtension(
      SampleExtension.manifest(
        3,
        """
        "key": "its own", "update_url": "https://evil.example/",
          "applications": {"gecko": {"id": "tickbird@tickbird.example"}},
          "browser_specific_settings": {
            "gecko": {"id": "tickbird@tickbird.example"}, "safari": {"strict_min_version": "15"}
          }
        """
      )
    )
    let translation = try sample.translated(for: browser)
    let manifest = try translation.manifest
    #expect(manifest["update_url"] == nil && manifest["applications"] == nil)
    switch browser {
    case .chromium:
      #expect(manifest["key"]?.text == "a2V5")
      #expect(manifest["browser_specific_settings"] == nil)
    case .firefox:
      #expect(manifest["key"] == nil)
      let settings = try #require(manifest["browser_specific_settings"])
      #expect(settings.members?.map(\.key) == ["gecko"])
      #expect(settings["gecko"]?["id"]?.text == "abc@web.tickbird.example")
    }
    #expect(translation.told.filter { $0.hasPrefix("browser-specific") }.count == 2)
  }

  @Test("what an extension collects is its author's word, in Firefox alone")
  func collection() throws {
    let declared = """
      "browser_specific_settings": {
        "gecko": {"id": "a@b.example", "data_collection_permissions": {"required": ["websiteContent"]}}
      }
      """
    let key = "data_collection_permissions"
    func collected(_ members: String, _ browser: TargetBrowser) throws -> ManifestValue? {
      let sample = SampleExtension(SampleExtension.manifest(3, members))
      let manifest = try sample.translated(for: browser).manifest
      return manifest["browser_specific_settings"]?["gecko"]?[key]
    }
    let said = try collected(declared, .firefox)
    #expect(said?["required"]?.elements?.map(\.text) == ["websiteContent"])
    #expect(try collected("\"description\": \"says nothing\"", .firefox) == nil)
    #expect(try collected(declared, .chromium) == nil)
  }

  @Test(
    "versions are what browsers take",
    arguments: [
      ("1.0", "1.0", nil), ("2.0.1-beta", "2.0.1", "2.0.1-beta"),
      ("1.2.3.4.5", "1.2.3.4", "1.2.3.4.5"),
      ("01.99999999", "1.65535.1524.57600", "01.99999999"), ("beta", "0.0.1", "beta"),
    ] as [(String, String, String?)]
  )
  func versions(_ written: String, _ expected: String, _ name: String?) throws {
    let text = SampleExtension.manifest(3).replacing("\"1.2\"", with: "\"\(written)\"")
    let manifest = try SampleExtension(text).translated(for: .chromium).manifest
    #expect(manifest["version"]?.text == expected)
    #expect(manifest["version_name"]?.text == name)
  }

  @Test(
    "a later version stays later",
    arguments: [
      ["2024.1201.65535", "2024.1201.65536", "2024.1201.70000", "2024.1201.70001", "2024.1202.0"],
      ["1.9", "1.65535", "1.20240131", "1.20240201", "1.20250101", "2.0"],
      ["20231231235", "20240131000", "20240131001"],
    ]
  )
  func order(_ written: [String]) throws {
    for browser in TargetBrowser.allCases {
      let versions = try written.map { version -> [Int] in
        let text = SampleExtension.manifest(3).replacing("\"1.2\"", with: "\"\(version)\"")
        let made = try SampleExtension(text).translated(for: browser).version
        let numbers = made.split(separator: ".").compactMap { Int($0) }
        #expect(numbers.count <= 4 && numbers.allSatisfy { $0 <= 65_535 }, "\(made)")
        return numbers
      }
      for (earlier, later) in zip(versions, versions.dropFirst()) {
        #expect(earlier.lexicographicallyPrecedes(later), "\(earlier), \(later)")
      }
    }
  }

  // MARK: Background

  @Test("every kind of background becomes a service worker in Chromium")
  func workers() throws {
    func worker(
      _ version: Int,
      _ background: String,
      _ sample: SampleExtension? = nil
    ) throws
      -> (String?, String?)
    {
      var extensionFiles = SampleExtension(
        SampleExtension.manifest(version, "\"background\": \(background)"),
        ["a.js", "b c.js", "js/w.js"]
      )
      extensionFiles.files["page/b.html"] = Array(
        "<script src=../a.js></script><script src=\"/js/w.js\"></script>".utf8
      )
      let translation = try extensionFiles.translated(for: .chromium)
      let value = try translation.manifest["background"]
      let path = try #require(value?["service_worker"]?.text)
      #expect(value?.members?.map(\.key).filter { $0 != "type" } == ["service_worker"])
      return (translation.text(path), path)
    }
    let head = "// Made by Tickbird.\nimportScripts(\"/tickbird-prelude.js\");\n"
    let scripts = try worker(2, #"{"scripts": ["a.js", "/b c.js"], "persistent": false}"#)
    #expect(scripts.0 == head + "importScripts(\"/a.js\");\nimportScripts(\"/b%20c.js\");\n")
    #expect(scripts.1 == "tickbird-background.js")
    // In the worker's own folder, to which its addresses are relative.
    let own = try worker(3, #"{"service_worker": "js/w.js", "scripts": ["a.js"]}"#)
    #expect(own.0 == head + "importScripts(\"/js/w.js\");\n")
    #expect(own.1 == "js/tickbird-background.js")
    let module = try worker(3, #"{"service_worker": "js/w.js", "type": "module"}"#)
    #expect(
      module.0 == "// Made by Tickbird.\nimport \"/tickbird-prelude.js\";\nimport \"/js/w.js\";\n"
    )
    let page = try worker(2, #"{"page": "page/b.html"}"#)
    #expect(page.0 == head + "importScripts(\"/a.js\");\nimportScripts(\"/js/w.js\");\n")
  }

  @Test("a service worker becomes an event page in Firefox, with what it imports before it")
  func eventPages() throws {
    var sample = SampleExtension(
      SampleExtension.manifest(3, #""background": {"service_worker": "js/w.js"}"#),
      ["js/lib.js"]
    )
    sample.files["js/w.js"] = Array("importScripts('lib.js', '../none.js'); clients.claim()".utf8)
    let translation = try sample.translated(for: .firefox)
    let background = try translation.manifest["background"]
    #expect(background?.plain == "{scripts:[tickbird-prelude.js,js/lib.js,js/w.js]}")
    #expect(translation.told.contains("missing-file js/w.js:0"))
    #expect(translation.told.contains("worker-only js/w.js:1"))
    #expect(translation.text(Self.prelude)?.contains("\"lib.js\"") == true)
  }

  @Test("Firefox keeps its event pages, in either version")
  func keptEventPages() throws {
    let sample = SampleExtension(
      SampleExtension.manifest(2, #""background": {"scripts": ["a.js"], "persistent": false}"#),
      ["a.js"]
    )
    let translation = try sample.translated(for: .firefox)
    let manifest = try translation.manifest
    #expect(
      manifest["background"]?.plain == "{scripts:[tickbird-prelude.js,a.js],persistent:false}"
    )
    #expect(manifest["manifest_version"]?.plain == "2")
  }

  @Test("what a service worker has no document for is told with its line")
  func documentUse() throws {
    var sample = SampleExtension(
      SampleExtension.manifest(2, #""background": {"scripts": ["a.js"]}"#)
    )
    sample.files["a.js"] = Array("\n\nlocalStorage.x = 1; window.document.title".utf8)
    #expect(
      try sample.translated(for: .chromium).told.filter { $0.hasPrefix("document-only") } == [
        "document-only a.js:3", "document-only a.js:3",
      ]
    )
    #expect(try !sample.translated(for: .firefox).told.contains { $0.hasPrefix("document") })
  }

  // MARK: The rest of the manifest

  @Test("version 2 becomes version 3 for Chromium")
  func versionThree() throws {
    var sample = SampleExtension(
      SampleExtension.manifest(
        2,
        """
        "browser_action": {"default_popup": "p.html", "default_icon": {"16": "i.svg", "32": "i.png"}},
          "permissions": ["nativeMessaging", "menus", "https://*.example.com/*", "<all_urls>"],
          "optional_permissions": ["https://other.example/*", "tabs"],
          "web_accessible_resources": ["i.png"],
          "content_security_policy": "script-src 'self' 'unsafe-eval' https://cdn.example; object-src 'self'",
          "commands": {"_execute_browser_action": {"suggested_key": {"default": "Ctrl+Shift+Y"}},
            "go": {"suggested_key": {"default": "F5", "mac": "Command+K"}}},
          "content_scripts": [{"matches": ["<all_urls>"], "js": ["c.js"], "css": ["gone.css"]}]
        """
      ),
      ["i.svg", "i.png", "c.js"]
    )
    sample.files["p.html"] = Array("<p>".utf8)
    sample.files["c.js"] = Array("browser.tabs.executeScript({file: 'c.js'})".utf8)
    let translation = try sample.translated(for: .chromium)
    let manifest = try translation.manifest
    #expect(manifest["manifest_version"]?.plain == "3")
    #expect(manifest["browser_action"] == nil)
    #expect(manifest["action"]?.plain == "{default_popup:p.html,default_icon:{32:i.png}}")
    #expect(manifest["permissions"]?.plain == "[nativeMessaging,contextMenus,scripting]")
    #expect(manifest["host_permissions"]?.plain == "[https://*.example.com/*,<all_urls>]")
    #expect(manifest["optional_permissions"]?.plain == "[tabs]")
    #expect(manifest["optional_host_permissions"]?.plain == "[https://other.example/*]")
    #expect(
      manifest["web_accessible_resources"]?.plain == "[{resources:[i.png],matches:[<all_urls>]}]"
    )
    #expect(
      manifest["content_security_policy"]?.plain
        == "{extension_pages:script-src 'self'; object-src 'self'}"
    )
    #expect(
      manifest["commands"]?.plain == "{_execute_action:{suggested_key:{default:Ctrl+Shift+Y}},"
        + "go:{suggested_key:{mac:Command+K}}}"
    )
    #expect(
      manifest["content_scripts"]?.plain
        == "[{matches:[<all_urls>],js:[tickbird-prelude.js,c.js]}]"
    )
    #expect(translation.told.contains("svg-icon manifest.json:5"))
    #expect(translation.told.contains("missing-file manifest.json:12"))
    #expect(translation.told.contains("command-key manifest.json:11"))
    #expect(translation.told.filter { $0.hasPrefix("content-security-policy") }.count == 2)
    #expect(translation.hasNativeMessaging)
    #expect(translation.text("p.html") == "<script src=\"/tickbird-prelude.js\"></script><p>")
  }

  @Test("Firefox keeps version 2, and scripts in pages as they are")
  func firefoxTwo() throws {
    let sample = SampleExtension(
      SampleExtension.manifest(
        2,
        """
        "page_action": {"default_icon": "i.svg"}, "permissions": ["menus", "<all_urls>"],
          "optional_permissions": ["storage", "cookies"], "version_name": "one",
          "content_scripts": [{"matches": ["<all_urls>"], "js": ["c.js"]}]
        """
      ),
      ["i.svg", "c.js"]
    )
    let translation = try sample.translated(for: .firefox)
    let manifest = try translation.manifest
    #expect(manifest["page_action"]?.plain == "{default_icon:i.svg}")
    #expect(manifest["permissions"]?.plain == "[menus,<all_urls>,storage]")
    #expect(manifest["optional_permissions"]?.plain == "[cookies]")
    #expect(manifest["content_scripts"]?.plain == "[{matches:[<all_urls>],js:[c.js]}]")
    #expect(manifest["version_name"] == nil)
    #expect(translation.told.contains("manifest-key manifest.json:6"))
    #expect(!translation.hasNativeMessaging)
    #expect(translation.text(Self.prelude)?.contains("\"host\": null") == true)
  }

  @Test("an empty list of rule files is no reason for Firefox to refuse the extension")
  func noRules() throws {
    let members = #""declarative_net_request": {"rule_resources": []}"#
    let sample = SampleExtension(SampleExtension.manifest(3, members))
    #expect(try sample.translated(for: .firefox).manifest["declarative_net_request"] == nil)
    #expect(try sample.translated(for: .chromium).manifest["declarative_net_request"] != nil)
  }

  @Test("rules in files have the names that Firefox knows")
  func ruleNames() throws {
    var sample = SampleExtension(
      SampleExtension.manifest(
        3,
        """
        "declarative_net_request": {"rule_resources": [
          {"id": "a", "enabled": true, "path": "/a.json"}, {"id": "b", "path": "b.json"},
          {"id": "c", "path": "c.json"}
        ]}
        """
      )
    )
    sample.files["a.json"] = Array(
      """
      [{"id": 1, "condition": {"urlFilter": "x", "domains": ["a.example"]}},
      {"id": 2, "condition": {"excludedDomains": ["b.example"], "initiatorDomains": ["c.example"]}}]
      """.utf8
    )
    sample.files["b.json"] = Array(#"[{"id": 1, "condition": {"urlFilter": "domains"}}]"#.utf8)
    sample.files["c.json"] = Array(#"[{"condition": {"domains": ["#.utf8)
    let translation = try sample.translated(for: .firefox)
    let rules = try ManifestReader.read(try #require(translation.made("a.json")), name: "a.json")
    #expect(
      rules.plain == "[{id:1,condition:{urlFilter:x,initiatorDomains:[a.example]}},"
        + "{id:2,condition:{initiatorDomains:[c.example],excludedInitiatorDomains:[b.example]}}]"
    )
    #expect(translation.made("b.json") == nil && translation.made("c.json") == nil)
    #expect(translation.told == ["rules c.json:0", "rules a.json:1"])
    #expect(try sample.translated(for: .chromium).made("a.json") == nil)
  }

  @Test("interfaces that a browser lacks are told with file and line")
  func interfaces() throws {
    var sample = SampleExtension(SampleExtension.manifest(3))
    sample.files["a.js"] = Array(
      "browser.tabs.create({});\nbrowser.tabs.toggleReaderMode();\nchrome.dom.openOrClosedShadowRoot(x)"
        .utf8
    )
    #expect(try sample.translated(for: .chromium).told == ["interface a.js:2"])
    #expect(try sample.translated(for: .firefox).told == ["interface a.js:3"])
  }

  // MARK: Files

  @Test(
    "programs, hidden files and Apple's translations are left out",
    arguments: TargetBrowser.allCases
  )
  func leftOut(_ browser: TargetBrowser) throws {
    var sample = SampleExtension(
      SampleExtension.manifest(3),
      [".git/config", "en.lproj/InfoPlist.strings", "_metadata/x", "deep/a.js"]
    )
    sample.files["tool"] = [0x7F, 0x45, 0x4C, 0x46, 2]
    sample.files["Extension"] = [0xCF, 0xFA, 0xED, 0xFE, 7]
    sample.files["run.exe"] = [0x4D, 0x5A, 0x90, 0]
    let translation = try sample.translated(for: browser)
    let expected = ["deep/a.js", "manifest.json", Self.prelude]
    #expect(
      translation.paths == (browser == .firefox ? ["_metadata/x"] + expected : expected)
    )
    #expect(translation.told.filter { $0.hasPrefix("program") }.count == 3)
    #expect(translation.told.contains("hidden-file .git/config:0"))
  }

  @Test("a file with the prelude's name stays")
  func names() throws {
    let sample = SampleExtension(
      SampleExtension.manifest(3, #""background": {"service_worker": "tickbird-background.js"}"#),
      [Self.prelude, "tickbird-background.js"]
    )
    let translation = try sample.translated(for: .chromium)
    #expect(
      translation.paths == [
        "manifest.json", "tickbird-background-2.js", "tickbird-background.js",
        "tickbird-prelude-2.js", Self.prelude,
      ]
    )
  }

  @Test("translations are named as browsers name them, and broken ones left out")
  func locales() throws {
    var sample = SampleExtension(
      SampleExtension.manifest(3, #""default_locale": "pt-BR""#)
    )
    let messages = Array(#"{"name": {"message": "Notas"}}"#.utf8)
    sample.files["_locales/pt-BR/messages.json"] = messages
    sample.files["_locales/en/messages.json"] = messages
    sample.files["_locales/de/messages.json"] = Array(#"{"name": {}}"#.utf8)
    let translation = try sample.translated(for: .chromium)
    #expect(try translation.manifest["default_locale"]?.text == "pt_BR")
    #expect(
      translation.paths.filter { $0.hasPrefix("_locales") } == [
        "_locales/en/messages.json", "_locales/pt_BR/messages.json",
      ]
    )
    #expect(translation.told.contains("locale _locales/de/messages.json:0"))
    sample.files["_locales/pt-BR/messages.json"] = nil
    #expect(try sample.translated(for: .firefox).manifest["default_locale"]?.text == "en")
    sample.files["_locales/en/messages.json"] = nil
    #expect(try sample.translated(for: .firefox).manifest["default_locale"] == nil)
  }

  @Test("files are bounded")
  func bounds() throws {
    let many = Dictionary(uniqueKeysWithValues: (0...10_000).map { ("\($0).js", 1) })
    for sizes in [many, ["manifest.json": 10, "a": 257 << 20], ["a": Int.max, "b": Int.max]] {
      let error = #expect(throws: WebExtensionError.self) {
        try WebExtensionSource(sizes: sizes) { _, _ throws(WebExtensionError) in [] }
      }
      #expect(error?.code == .limit)
    }
    var without = SampleExtension(SampleExtension.manifest(3))
    without.files["manifest.json"] = nil
    let error = #expect(throws: WebExtensionError.self) {
      try without.translated(for: .chromium)
    }
    #expect(error?.code == .file)
  }

  @Test("the same extension gives the same files", arguments: TargetBrowser.allCases)
  func determinism(_ browser: TargetBrowser) throws {
    var sample = SampleExtension(
      SampleExtension.manifest(3, #""permissions": ["menus"], "icons": {"16": "a.svg"}"#),
      ["a.svg"]
    )
    for index in 0..<20 {
      sample.files["\(index).js"] = Array("browser.tabs.toggleReaderMode()".utf8)
    }
    let first = try sample.translated(for: browser)
    let second = try sample.translated(for: browser)
    #expect(first.files == second.files)
    #expect(first.notes == second.notes)
  }
}
