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
}
