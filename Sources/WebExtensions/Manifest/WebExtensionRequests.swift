/// What a web extension may do in a browser, by its manifest.
///
/// Optional permissions are not among them, since browsers ask for those when they are wanted; but for
/// those that a browser cannot ask for later, and which the translation makes it have at once.
public struct WebExtensionRequests: Equatable, Sendable {
  /// Names of permissions, sorted.
  public let permissions: [String]
  /// Patterns of the pages that it may read and change, sorted.
  public let hosts: [String]
  /// Pages of the browser that it puts its own in the place of, sorted.
  public let overrides: [String]
  /// Patterns of the pages that may send it messages, sorted.
  public let callers: [String]

  /// Reads what a manifest requests.
  init(_ value: ManifestValue) {
    let names = value["permissions"]?.texts ?? []
    let optional = (value["optional_permissions"]?.texts ?? []).filter { name in
      TargetBrowser.allCases.contains { browser in
        SupportTable.has(browser, "manifest.optional_permissions.\(name)") == false
          && SupportTable.has(browser, "manifest.permissions.\(name)") == true
      }
    }
    permissions = Self.sorted(names.filter { !Self.isHostPattern($0) } + optional)
    var hosts = names.filter { Self.isHostPattern($0) } + (value["host_permissions"]?.texts ?? [])
    for script in value["content_scripts"]?.elements ?? [] {
      hosts += script["matches"]?.texts ?? []
    }
    self.hosts = Self.sorted(hosts)
    overrides = Self.sorted(value["chrome_url_overrides"]?.members?.map(\.key) ?? [])
    callers = Self.sorted(value["externally_connectable"]?["matches"]?.texts ?? [])
  }

  /// Creates requests for pages alone, as a Safari app extension has them.
  public init(hosts: [String]) {
    self.init(permissions: [], hosts: Self.sorted(hosts), overrides: [], callers: [])
  }

  /// Reads what an extension's manifest requests.
  ///
  /// - Parameter text: The bytes of `manifest.json`.
  /// - Throws: ``WebExtensionError`` as ``CheckedManifest`` does.
  public init(manifest text: [UInt8]) throws(WebExtensionError) {
    self.init(try CheckedManifest(text).value)
  }

  private static func sorted(_ texts: [String]) -> [String] { Set(texts).sorted() }

  /// Whether a permission of version 2 is a pattern of pages.
  static func isHostPattern(_ text: String) -> Bool {
    text == "<all_urls>" || text.contains("://")
  }

  /// The patterns that cover all pages of the web.
  private static let everywhere: Set<String> = [
    "<all_urls>", "*://*/*", "http://*/*", "https://*/*",
  ]

  /// The requests, one line each; empty if there are none.
  public var sentences: [String] {
    var result: [String] = []
    if !hosts.isEmpty {
      let isEverywhere = !Self.everywhere.isDisjoint(with: hosts)
      result.append(
        "in browsers, to read and change "
          + (isEverywhere ? "all pages (\(Self.list(hosts)))" : "the pages \(Self.list(hosts))")
      )
    }
    if !permissions.isEmpty { result.append("in browsers, \(Self.list(permissions))") }
    if !overrides.isEmpty { result.append("to replace the browser's \(Self.list(overrides))") }
    if !callers.isEmpty { result.append("messages from the pages \(Self.list(callers))") }
    return result
  }

  /// Names a few, and the number of the others: an extension may list thousands of hosts.
  private static func list(_ texts: [String]) -> String {
    let limit = 12
    let others = texts.count - limit
    let shown = texts.prefix(limit).map { $0.count > 100 ? $0.prefix(99) + "…" : $0 }
    return shown.joined(separator: ", ")
      + (others > 0 ? " and \(others) more" : "")
  }

  /// Returns what another version does not request; `nil` stands for none.
  public func beyond(_ before: WebExtensionRequests?) -> WebExtensionRequests {
    guard let before else { return self }
    // The pattern for all addresses covers every other one.
    let isEverywhere = before.hosts.contains("<all_urls>")
    return WebExtensionRequests(
      permissions: Self.added(permissions, before.permissions),
      hosts: isEverywhere ? [] : Self.added(hosts, before.hosts),
      overrides: Self.added(overrides, before.overrides),
      callers: Self.added(callers, before.callers)
    )
  }

  private static func added(_ texts: [String], _ before: [String]) -> [String] {
    let before = Set(before)
    return texts.filter { !before.contains($0) }
  }

  private init(permissions: [String], hosts: [String], overrides: [String], callers: [String]) {
    self.permissions = permissions
    self.hosts = hosts
    self.overrides = overrides
    self.callers = callers
  }
}
