import Testing

@testable import WebExtensions

/// Every entry of the table, as a script or a manifest that uses it.
struct SupportSuite {
  /// Scripts for entries that are no members, in the way that developers write them.
  private static let scripts: [String: String] = [
    "declarativeNetRequest.setExtensionActionOptions.options":
      "browser.declarativeNetRequest.setExtensionActionOptions({ displayActionCountAsBadgeText: true })",
    "declarativeNetRequest.setExtensionActionOptions.options.tabUpdate":
      "browser.declarativeNetRequest.setExtensionActionOptions({ tabUpdate: { tabId: 1, increment: 1 } })",
    "devtools.inspectedWindow.Resource":
      "browser.devtools.inspectedWindow.getResources((all) => all)",
    "devtools.inspectedWindow.Resource.getContent":
      "browser.devtools.inspectedWindow.getResources(([one]) => one.getContent(f))",
    "devtools.inspectedWindow.Resource.setContent":
      "browser.devtools.inspectedWindow.getResources(([one]) => one.setContent('', true))",
    "devtools.inspectedWindow.Resource.url":
      "browser.devtools.inspectedWindow.getResources(([one]) => one.url)",
    "devtools.panels.Button": "const button = panel.createStatusBarButton('a.png', 'A', false)",
    "devtools.panels.ExtensionPanel.createStatusBarButton":
      "browser.devtools.panels.create('A', '', 'a.html', (panel) => panel.createStatusBarButton('', '', true))",
    "devtools.panels.openResource.columnNumber":
      "browser.devtools.panels.openResource(url, line, column)",
    "devtools.panels.openResource.lineNumber": "browser.devtools.panels.openResource(url, line)",
    "devtools.panels.openResource.url": "browser.devtools.panels.openResource(url)",
    "menus.OnClickData.linkText": "browser.menus.onClicked.addListener((info) => info.linkText)",
    "runtime.Port.error": "port.onDisconnect.addListener((port) => port.error)",
    "scripting.executeScript.InjectionResult.error": "if (results[0].error) throw 1; result.error",
    "tabs.Tab.isArticle": "if (tab.isArticle) show()",
    "tabs.Tab.isInReaderMode": "return tabs[0].isInReaderMode",
    "tabs.duplicate.duplicateProperties": "browser.tabs.duplicate(tab.id, { active: false })",
    "action.isEnabled.details": "await browser.action.isEnabled({ tabId })",
    "browserAction.isEnabled.details": "await browser.browserAction.isEnabled({ tabId })",
    "webNavigation.onErrorOccurred.error":
      "browser.webNavigation.onErrorOccurred.addListener((details) => log(details.error))",
    "runtime.onInstalled.details.id":
      "chrome.runtime.onInstalled.addListener(function (details) { return details.id })",
    "tabs.onUpdated.changeInfo.openerTabId":
      "browser.tabs.onUpdated.addListener((id, info) => { use(info.openerTabId) })",
  ]

  /// A script that uses an entry below `api.`.
  private static func script(_ entry: String) -> String {
    if let script = scripts[entry] { return script }
    let parts = entry.split(separator: ".").map(String.init)
    guard let last = parts.last else { return "" }
    let call = parts.dropLast().joined(separator: ".")
    if last == "null" { return "browser.\(call)({ value: null })" }
    if last == "OnClickData" { return "browser.\(call).addListener(async (tab, info) => info)" }
    if last.hasSuffix("_parameter") {
      return "browser.\(call)({ \(last.split(separator: "_").dropLast().last ?? ""): 1 })"
    }
    switch InterfaceUse.of(entry) {
    case .member: return "browser.\(entry);"
    case .key(let call, let name): return "browser.\(call)(1, { a: 2, \(name): 3 })"
    case let use:
      Issue.record("\(entry) is \(use), and has no sample")
      return ""
    }
  }

  /// Members of manifests for keys that a browser lacks; the key is in the third line.
  private static let manifests: [String: String] = [
    "background.preferred_environment":
      #""background": {"scripts": ["a.js"], "preferred_environment": ["document"]}"#,
    "background.service_worker": #""background": {"service_worker": "a.js"}"#,
    "browser_specific_settings": #""browser_specific_settings": {"safari": {}}"#,
    "browser_specific_settings.safari": #""browser_specific_settings": {"safari": {}}"#,
    "commands.F1-F12":
      #""commands": {"go": {"suggested_key": {"default": "F2"}, "description": "Go"}}"#,
    "commands.MoreSecondaryModifiers":
      #""commands": {"go": {"suggested_key": {"default": "Ctrl+Alt+A"}, "description": "Go"}}"#,
    "content_scripts.css_origin":
      #""content_scripts": [{"matches": ["<all_urls>"], "css": ["a.css"], "css_origin": "user"}]"#,
    "externally_connectable": #""externally_connectable": {"matches": ["https://a.example/*"]}"#,
    "icons.svg_icons": #""icons": {"48": "a.svg"}"#,
    "storage": #""storage": {"managed_schema": "a.json"}"#,
    "version_name": #""version_name": "one""#,
    "web_accessible_resources.use_dynamic_url":
      #""web_accessible_resources": [{"resources": ["a.js"], "use_dynamic_url": true}]"#,
  ]

  private static func manifest(_ entry: String) -> String {
    let parts = entry.split(separator: ".")
    if parts.count == 2, parts[0].hasSuffix("permissions") {
      return "\"\(parts[0])\": [\"\(parts[1])\"]"
    }
    guard let manifest = manifests[entry] else {
      Issue.record("\(entry) has no sample")
      return ""
    }
    return manifest
  }

  private static func missing(_ prefix: String, _ browser: TargetBrowser) -> [String] {
    SupportTable.names.filter {
      $0.hasPrefix(prefix) && SupportTable.has(browser, $0) == false
    }.map { String($0.dropFirst(prefix.count)) }
  }

  @Test(
    "what a browser lacks is told with the line that uses it, or bridged",
    arguments: TargetBrowser.allCases
  )
  func interfaces(_ browser: TargetBrowser) throws {
    let missing = Self.missing("api.", browser)
    #expect(missing.count > 20)
    let bridged = SupportTable.bridged[browser] ?? []
    // What is bridged is missing; otherwise there is nothing to bridge.
    #expect(bridged.isSubset(of: missing))
    for entry in missing where !bridged.contains(entry) {
      var sample = SampleExtension(SampleExtension.manifest(3))
      sample.files["a.js"] = Array("\n// An example.\n\(Self.script(entry))\n".utf8)
      let notes = try sample.translated(for: browser).notes
      let told = notes.contains {
        $0.severity == .missing && $0.file == "a.js" && $0.line == 3 && $0.code == "interface"
      }
      #expect(told, "\(browser) lacks \(entry): \(Self.script(entry)); \(notes.map(\.text))")
    }
  }

  @Test(
    "what is in a browser is told by nothing",
    arguments: TargetBrowser.allCases
  )
  func supported(_ browser: TargetBrowser) throws {
    let names = SupportTable.names.filter {
      $0.hasPrefix("api.") && SupportTable.has(browser, $0) == true
    }
    for entry in names.map({ String($0.dropFirst(4)) }) {
      guard case .member = InterfaceUse.of(entry) else { continue }
      var sample = SampleExtension(SampleExtension.manifest(3))
      sample.files["a.js"] = Array("browser.\(entry)".utf8)
      let notes = try sample.translated(for: browser).notes.filter { $0.code == "interface" }
      #expect(notes.isEmpty, "\(entry): \(notes.map(\.text))")
    }
  }

  @Test("keys that a browser lacks are told with their line", arguments: TargetBrowser.allCases)
  func keys(_ browser: TargetBrowser) throws {
    let missing = Self.missing("manifest.", browser)
    #expect(missing.count > 5)
    for entry in missing {
      let sample = SampleExtension(
        SampleExtension.manifest(3, Self.manifest(entry)),
        ["a.js", "a.css", "a.svg", "a.json"]
      )
      let notes = try sample.translated(for: browser).notes
      let told = notes.contains { $0.file == "manifest.json" && $0.line == 5 }
      #expect(told, "\(browser) lacks \(entry): \(notes.map(\.text))")
    }
  }
}
