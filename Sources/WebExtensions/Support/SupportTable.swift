/// What Safari's web extensions may use, and which browsers have it: members of the interfaces
/// (`api.tabs.create`) and keys of manifests (`manifest.background.page`).
///
/// > Source: mdn/browser-compat-data, `webextensions/`, CC0 1.0.
public enum SupportTable {
  /// The browsers that have each entry, by name.
  static let entries: [String: Set<TargetBrowser>] = {
    var entries: [String: Set<TargetBrowser>] = [:]
    for line in SupportData.entries.split(separator: "\n") {
      let digit = line.first?.wholeNumberValue ?? 0
      var browsers: Set<TargetBrowser> = []
      if digit & 1 != 0 { browsers.insert(.chromium) }
      if digit & 2 != 0 { browsers.insert(.firefox) }
      entries[String(line.dropFirst())] = browsers
    }
    return entries
  }()

  /// All names, sorted.
  public static var names: [String] { entries.keys.sorted() }

  /// Returns whether a browser has what Safari has; `nil` for what Safari does not have either.
  public static func has(_ browser: TargetBrowser, _ name: String) -> Bool? {
    entries[name]?.contains(browser)
  }

  /// What the table counts as missing, and the prelude or the translation makes up for; without `api.`.
  static let bridged: [TargetBrowser: Set<String>] = [
    .chromium: [
      "browserAction.isEnabled", "browserAction.openPopup", "extensionTypes.CSSOrigin",
      "i18n.getPreferredSystemLanguages", "i18n.getSystemUILanguage", "pageAction.openPopup",
      "runtime.onMessage.return_promise", "runtime.onMessageExternal.return_promise",
    ],
    .firefox: [
      "declarativeNetRequest.RuleCondition.domains",
      "declarativeNetRequest.RuleCondition.excludedDomains", "i18n.getSystemUILanguage",
      "runtime.getVersion", "tabs.create.selected", "tabs.getSelected",
      "tabs.update.updateProperties_selected_parameter",
    ],
  ]

  /// Returns the entries below `api.` that a browser lacks and nothing makes up for, by how scripts
  /// show that they use them; members are not among them.
  static func missingUses(in browser: TargetBrowser) -> [InterfaceUse: String] {
    missing[browser] ?? [:]
  }

  private static let missing: [TargetBrowser: [InterfaceUse: String]] = {
    var missing: [TargetBrowser: [InterfaceUse: String]] = [:]
    for name in names where name.hasPrefix("api.") {
      let entry = String(name.dropFirst(4))
      let use = InterfaceUse.of(entry)
      if case .member = use { continue }
      for browser in TargetBrowser.allCases
      where has(browser, name) == false && !(bridged[browser]?.contains(entry) ?? false) {
        // Two names of one thing are told as the first.
        if missing[browser]?[use] == nil { missing[browser, default: [:]][use] = entry }
      }
    }
    return missing
  }()
}
